//! Drafts: kept through a reload, a killed browser and the trash; invisible in the list of chats; bounded.

use super::journal::MemoryJournal;
use super::*;
use serde_json::json;

const NEW: Id = Id(77);

fn draft_key(chat: Id) -> String {
    Key::Record(DRAFT, chat).to_string()
}

#[test]
fn a_draft_is_there_again_after_a_reload_for_a_chat_and_for_a_new_one() {
    let mut log = open(written());
    log.save_draft(CHAT, "half a question", 9).unwrap();
    log.save_draft(NEW, "of a chat\nthat is none yet", 9)
        .unwrap();
    let mut log = open(log.store().clone());
    assert_eq!(log.draft(CHAT).text, "half a question");
    assert_eq!(log.draft(NEW).text, "of a chat\nthat is none yet");
    assert_eq!(log.draft(Id(78)).text, "");
}

#[test]
fn results_of_tools_are_a_draft_and_an_older_record_has_none() {
    let results = vec![ResultDraft {
        answer: Id(5),
        texts: vec![String::new(), "7 pieces".to_owned()],
    }];
    let draft = Draft {
        results,
        ..Draft::default()
    };
    let mut log = open(written());
    log.save_draft(CHAT, draft.clone(), 9).unwrap();
    let record = log.store().get(&draft_key(CHAT)).unwrap();
    assert!(
        record.contains(r#""results":[{"answer":"0000000000000005","texts":["","7 pieces"]}]"#)
    );
    assert_eq!(open(log.store().clone()).draft(CHAT), draft);
    log.save_draft(CHAT, "text alone", 10).unwrap();
    let record = log.store().get(&draft_key(CHAT)).unwrap();
    assert!(!record.contains("results"), "{record}");
    assert_eq!(log.draft(CHAT), Draft::from("text alone"));
}

#[test]
fn a_draft_that_was_sent_or_emptied_leaves_nothing() {
    for empty in ["", " \n\t"] {
        let mut log = open(written());
        let before = log.store().keys();
        log.save_draft(CHAT, "half", 9).unwrap();
        log.save_draft(CHAT, empty, 10).unwrap();
        assert_eq!(log.draft(CHAT).text, "");
        assert_eq!(log.store().keys(), before);
    }
}

#[test]
fn a_draft_that_has_not_changed_is_not_written() {
    let mut log = open(FailingStore::default());
    log.save_draft(CHAT, "half", 9).unwrap();
    let writes = log.store.writes;
    log.save_draft(CHAT, "half", 10).unwrap();
    log.save_draft(NEW, "", 1).unwrap();
    log.save_draft(NEW, "", 10).unwrap();
    assert_eq!(log.store.writes, writes);
}

#[test]
fn a_draft_makes_no_chat_and_hides_none() {
    let mut log = open(written());
    let listed = log.chat_list();
    log.save_draft(NEW, "half", 9).unwrap();
    let mut log = open(log.store().clone());
    assert_eq!(log.chat_list(), listed);
    assert!(log.load(NEW).is_none() && !log.is_gone(NEW));
    assert_eq!(log.deleted(), []);
}

#[test]
fn chats_that_are_nothing_but_a_draft_are_found_the_last_one_first() {
    let mut log = open(written());
    log.save_draft(CHAT, "of a chat", 20).unwrap();
    for (id, at) in [(21, 8), (22, 12), (23, 10)] {
        log.save_draft(Id(id), "half", at).unwrap();
    }
    let expected = [(Id(22), 12), (Id(23), 10), (Id(21), 8)];
    assert_eq!(log.draft_only_chats(), expected);
    let mut log = open(log.store().clone());
    assert_eq!(log.draft_only_chats(), expected);
    // With its first message it is a chat; without its draft it is nothing.
    log.save_message(Id(22), &message(1, Role::User, "asked"))
        .unwrap();
    log.save_draft(Id(23), "", 1).unwrap();
    assert_eq!(log.draft_only_chats(), [(Id(21), 8)]);
}

#[test]
fn a_draft_goes_to_the_trash_with_its_chat_and_back_and_for_good() {
    let mut log = open(written());
    log.save_draft(CHAT, "half", 9).unwrap();
    log.delete(CHAT, 10).unwrap();
    assert_eq!(log.draft_only_chats(), []);
    log.restore(CHAT);
    assert_eq!(log.draft(CHAT).text, "half");
    log.delete(CHAT, 11).unwrap();
    // Leaving the deleted chat writes the last text: the chat may still be restored.
    log.save_draft(CHAT, "half of it", 12).unwrap();
    log.purge(CHAT, 13);
    assert_eq!(log.store().get(&draft_key(CHAT)), None);
    // Written late, by a tab that had the chat open.
    log.save_draft(CHAT, "late", 14).unwrap();
    assert_eq!(log.store().get(&draft_key(CHAT)), None);
}

#[test]
fn a_killed_browser_keeps_the_draft_and_what_was_sent_does_not_come_back() {
    let journal = MemoryJournal::default();
    let mut log = open(Journaled::new(written(), journal.clone(), KINDS));
    log.save_draft(CHAT, "half", 9).unwrap();
    let disk_with_draft = log.store().store.clone();
    // The disk held no part of it.
    let mut disk = written();
    replay(&mut disk, &journal.0.borrow(), 11, false, KINDS);
    assert_eq!(open(disk).draft(CHAT).text, "half");
    // Sent, then another draft is started: the disk holds the former one.
    log.save_draft(CHAT, "", 1).unwrap();
    let mut disk = disk_with_draft.clone();
    replay(&mut disk, &journal.0.borrow(), 11, false, KINDS);
    assert_eq!(open(disk).draft(CHAT).text, "");
    log.save_draft(CHAT, "another", 10).unwrap();
    let mut disk = disk_with_draft;
    replay(&mut disk, &journal.0.borrow(), 11, false, KINDS);
    assert_eq!(open(disk).draft(CHAT).text, "another");
    // The reverse order.
    let former = JournalEntry {
        key: draft_key(CHAT),
        record: Some(encode_record(&json!({"at": 1, "text": "former"}))),
        at: 10,
        rev: None,
    };
    let mut disk = log.store().store.clone();
    replay(&mut disk, &[former], 11, false, KINDS);
    assert_eq!(open(disk).draft(CHAT).text, "another");
}

#[test]
fn the_draft_of_a_new_chat_in_an_old_empty_log_comes_back_without_a_question() {
    const HOUR: u64 = 60 * 60 * 1000;
    let store = open(MemoryStore::default()).store().clone();
    let meta = JournalEntry {
        key: "sash:meta".into(),
        record: store.get("sash:meta"),
        at: 0,
        rev: None,
    };
    let draft = JournalEntry {
        key: draft_key(NEW),
        record: Some(encode_record(&json!({"at": HOUR, "text": "half"}))),
        at: HOUR,
        rev: None,
    };
    let mut disk = store;
    let replayed = replay(&mut disk, &[meta, draft], HOUR + 1, false, KINDS);
    assert_eq!((replayed.cleared, replayed.restored), (false, 1));
    assert_eq!(open(disk).draft_only_chats(), [(NEW, HOUR)]);
}

#[test]
fn a_clock_that_was_put_back_lets_no_former_draft_win() {
    let mut log = open(written());
    log.save_draft(CHAT, "first", 1000).unwrap();
    let former = log.store().get(&draft_key(CHAT));
    log.save_draft(CHAT, "second", 10).unwrap();
    let entry = JournalEntry {
        key: draft_key(CHAT),
        record: log.store().get(&draft_key(CHAT)),
        at: 10,
        rev: None,
    };
    let mut disk = written();
    disk.set(&draft_key(CHAT), &former.unwrap()).unwrap();
    replay(&mut disk, &[entry], 11, false, KINDS);
    assert_eq!(open(disk).draft(CHAT).text, "second");
}

#[test]
fn a_draft_without_room_waits_and_another_tabs_is_not_written_over_by_it() {
    let mut log = open(FailingStore {
        inner: written(),
        ..Default::default()
    });
    log.store.fails_at = Some(0);
    assert_eq!(log.save_draft(CHAT, "half", 9), Err(StoreError::Full));
    assert_eq!((log.draft(CHAT).text.as_str(), log.waiting()), ("half", 1));
    let theirs = encode_record(&json!({"at": 10, "text": "theirs"}));
    log.store.inner.set(&draft_key(CHAT), &theirs).unwrap();
    log.on_storage_event(&draft_key(CHAT), true);
    log.store.fails_at = None;
    log.write_waiting();
    assert_eq!(log.draft(CHAT).text, "theirs");
    // Sending frees the room that a waiting record needs.
    log.store.fails_at = Some(0);
    log.save_head(&Head::new(Id(11), 6)).unwrap_err();
    log.store.fails_at = None;
    log.save_draft(CHAT, "", 1).unwrap();
    assert_eq!(log.waiting(), 0);
}

#[test]
fn a_damaged_draft_is_set_aside() {
    let mut log = open(written());
    log.save_draft(CHAT, "half", 9).unwrap();
    let mut store = log.store().clone();
    store.set(&draft_key(CHAT), "1|00000000|{}").unwrap();
    let mut log = open(store);
    assert_eq!(log.draft(CHAT).text, "");
    assert_eq!(log.unreadable(), 1);
    assert_eq!(
        log.store()
            .get(&Key::Record(DRAFT, CHAT).quarantined())
            .as_deref(),
        Some("1|00000000|{}")
    );
}

/// Simulates typing in a draft of `bytes` bytes, a key every `every` milliseconds. Returns the number of
/// writes and the longest time a change stayed unwritten, in milliseconds.
fn typed_on(bytes: usize, every: usize, millis: usize) -> (usize, f64) {
    let mut pace = DraftPace::default();
    let (mut due, mut since, mut writes, mut longest) = (None, None, 0, 0.0_f64);
    for now in 0..millis {
        let now_ms = now as f64;
        if now % every == 0 {
            since.get_or_insert(now_ms);
            if let Some(wait) = pace.on_change(now_ms) {
                due = Some(now_ms + wait);
            }
        }
        if due.is_some_and(|due| now_ms >= due) {
            assert!(pace.is_due(now_ms));
            pace.on_write(bytes, now_ms);
            writes += 1;
            longest = longest.max(now_ms - since.take().unwrap());
            due = None;
        }
    }
    (writes, longest)
}

#[test]
fn a_short_draft_is_written_once_a_second_and_a_long_one_at_a_bounded_rate() {
    const MINUTE: usize = 60 * 1000;
    for bytes in [10, 1000, 16_000] {
        let (writes, longest) = typed_on(bytes, 50, MINUTE);
        assert!((50..=60).contains(&writes), "{bytes}: {writes}");
        assert!(longest <= 1000.0, "{bytes}: {longest}");
    }
    // A draft of a megabyte, typed for ten minutes: the first write comes without delay, then one a minute.
    let (writes, longest) = typed_on(1_000_000, 50, 10 * MINUTE);
    assert!(writes <= 11, "{writes}");
    assert!(longest <= 61_000.0, "{longest}");
    let (_, first) = typed_on(1_000_000, 50, 2000);
    assert!(first <= 1000.0);
}

#[test]
fn a_write_before_its_time_leaves_no_timer_that_writes_again() {
    let mut pace = DraftPace::default();
    assert_eq!(pace.on_change(0.0), Some(1000.0));
    assert_eq!(pace.on_change(10.0), None);
    // The page was left and shown again.
    pace.on_write(32_000, 500.0);
    assert_eq!(pace.on_change(600.0), Some(1900.0));
    assert!(!pace.is_due(1000.0), "the timer of the first change");
    assert!(pace.is_due(2500.0));
    // Sent before the write was due: the next draft starts its own timer.
    pace.cancel();
    assert!(!pace.is_due(3000.0));
    assert_eq!(pace.on_change(5000.0), Some(1000.0));
}

/// A draft that was sent came back when the clock was set back while it was written.
#[test]
fn a_draft_that_was_sent_stays_away_and_gives_way_to_the_next_one_whatever_the_clock_says() {
    let journal = super::journal::MemoryJournal::default();
    let mut log = open(Journaled::new(written(), journal.clone(), KINDS));
    log.save_draft(CHAT, "half", 5000).unwrap();
    log.save_draft(CHAT, "half a word", 6000).unwrap();
    let disk = log.store().store.clone();
    log.save_draft(CHAT, "", 1).unwrap();
    let mut sent = disk.clone();
    replay(&mut sent, &journal.0.borrow(), 30, false, KINDS);
    assert_eq!(open(sent).draft(CHAT).text, "");
    log.save_draft(CHAT, "next", 40).unwrap();
    let mut next = disk;
    replay(&mut next, &journal.0.borrow(), 50, false, KINDS);
    assert_eq!(open(next).draft(CHAT).text, "next");
}

#[test]
fn texts_of_other_fields_are_a_draft_and_what_a_later_version_adds_is_left_out() {
    let fields = vec![
        FieldDraft {
            field: DraftField::Edit(Id(5)),
            text: "another".to_owned(),
        },
        FieldDraft {
            field: DraftField::System,
            text: "Be terse".to_owned(),
        },
    ];
    let draft = Draft {
        fields: fields.clone(),
        ..Draft::default()
    };
    let mut log = open(written());
    log.save_draft(CHAT, draft.clone(), 9).unwrap();
    let record = log.store().get(&draft_key(CHAT)).unwrap();
    assert!(
        record.contains(r#"{"field":{"edit":"0000000000000005"},"text":"another"}"#),
        "{record}"
    );
    assert_eq!(open(log.store().clone()).draft(CHAT), draft);
    let later = r#"{"at":1,"text":"","fields":[{"field":{"tomorrow":1},"text":"?"},{"field":"system","text":"Be terse"}]}"#;
    let later: Stamped<Draft> = serde_json::from_str(later).unwrap();
    assert_eq!(later.content.fields, fields[1..]);
}

#[test]
fn a_purged_message_takes_its_edit_along_and_leaves_the_rest() {
    let mut log = open(written());
    let message = log.load(CHAT).unwrap().path()[0].clone();
    let draft = Draft {
        text: "half".to_owned(),
        fields: vec![FieldDraft {
            field: DraftField::Edit(message.id),
            text: "another".to_owned(),
        }],
        ..Draft::default()
    };
    log.save_draft(CHAT, draft.clone(), 9).unwrap();
    log.remove_message(CHAT, &message, 10).unwrap();
    assert_eq!(log.draft(CHAT), draft, "it comes back with the message");
    log.purge_messages(CHAT, &[message.id], 11).unwrap();
    assert_eq!(log.draft(CHAT), Draft::from("half"));
}

#[test]
fn two_tabs_that_change_parts_of_a_draft_keep_both_and_one_part_has_one_writer() {
    let field = |text: &str| {
        vec![FieldDraft {
            field: DraftField::System,
            text: text.to_owned(),
        }]
    };
    let before = Draft::from("half");
    let own = Draft {
        fields: field("Be terse"),
        ..before.clone()
    };
    let both = own.clone().merged(&before, Draft::from("half of it"));
    assert_eq!(both.text, "half of it");
    assert_eq!(both.fields, field("Be terse"));
    // What another tab sent is gone here too, and what was thrown away here stays away.
    let sent = both.clone().merged(&both, Draft::default());
    assert_eq!(sent, Draft::default());
    let thrown_away = before.clone().merged(&own, own.clone());
    assert_eq!(thrown_away, before);
    let typed = Draft::from("mine").merged(&before, Draft::from("theirs"));
    assert_eq!(typed.text, "mine");
}
