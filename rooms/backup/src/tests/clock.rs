use super::{CHAT, change_head, damaged, message, open, written};
use crate::clock::{
    DELETED, FieldClock, Fields, THIS_WRITE, advance, field_values, raise, removed_field, settle,
};
use crate::form::{MAX_COUNT, SHELF};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use sash_chat::{Folder, Id, Position};
use sash_log::{FOLDER, Key, Log, MemoryStore, checksum};
use sash_records::backup::{FormerValue, add_former_values};
use sash_records::prompts::{PROMPT, PromptLog, SavedPrompt};
use serde_json::json;

fn clock(count: u64, crc: &str, write: u64) -> FieldClock {
    FieldClock {
        count,
        crc: crc.to_owned(),
        write,
        known: 0,
    }
}

/// The clock of a value whose writer knew another browser's of this count.
fn knowing(known: u64, clock: FieldClock) -> FieldClock {
    FieldClock { known, ..clock }
}

fn fields(all: &[(&str, u64, &str, u64)]) -> Fields {
    let all = all.iter();
    all.map(|(name, count, crc, write)| ((*name).to_owned(), clock(*count, crc, *write)))
        .collect()
}

fn titled(title: &str) -> Log<MemoryStore> {
    let mut log = written();
    change_head(&mut log, |head| head.title = Some(title.to_owned()));
    log
}

/// The checksum of a text as the value of a field.
fn of(text: &str) -> String {
    checksum(&json!(text).to_string())
}

fn advanced(clocks: &Fields, log: &Log<MemoryStore>) -> Fields {
    let mut clocks = clocks.clone();
    advance(&mut clocks, log, CHAT);
    clocks
}

#[test]
fn a_change_of_a_field_is_counted_once() {
    let mut log = titled("One");
    let first = advanced(&Fields::new(), &log);
    assert_eq!(first["title"], clock(1, &of("One"), THIS_WRITE));
    assert_eq!(advanced(&first, &log), first);
    let mut written = first.clone();
    settle(&mut written, 17, &Fields::new(), &Fields::new());
    assert_eq!(written["title"], clock(1, &of("One"), 17));
    change_head(&mut log, |head| head.title = Some("Two".to_owned()));
    let second = advanced(&written, &log);
    assert_eq!(second["title"], clock(2, &of("Two"), THIS_WRITE));
    assert_eq!(second["policy"], written["policy"]);
    change_head(&mut log, |head| head.title = None);
    let third = advanced(&second, &log);
    assert_eq!(third["title"], clock(3, "", THIS_WRITE));
    assert_eq!(advanced(&third, &log), third);
}

#[test]
fn the_trash_is_a_field_of_the_chat_and_of_each_message() {
    let mut log = written();
    let before = advanced(&Fields::new(), &log);
    log.remove_message(CHAT, &message(102, 101, 2, "An answer"), 9)
        .unwrap();
    log.delete(CHAT, 9).unwrap();
    let values = field_values(&log, CHAT).unwrap();
    assert_eq!(values.get(DELETED), Some(&json!(true)));
    assert_eq!(values.get(&removed_field(Id(102))), Some(&json!(true)));
    let trashed = advanced(&before, &log);
    log.restore(CHAT);
    log.restore_message(CHAT, Id(102));
    let restored = advanced(&trashed, &log);
    assert_eq!(restored[DELETED], clock(2, "", THIS_WRITE));
    assert_eq!(restored[&removed_field(Id(102))], clock(2, "", THIS_WRITE));
}

/// An emptied trash would otherwise take the message out of the trash of other browsers.
#[test]
fn a_message_that_was_deleted_for_good_was_not_taken_out_of_the_trash() {
    let mut log = written();
    log.remove_message(CHAT, &message(102, 101, 2, "An answer"), 9)
        .unwrap();
    let trashed = advanced(&Fields::new(), &log);
    assert!(trashed.contains_key(&removed_field(Id(102))));
    log.purge_messages(CHAT, &[Id(102)], 10).unwrap();
    let purged = advanced(&trashed, &log);
    assert_eq!(purged.get(&removed_field(Id(102))), None);
    assert_eq!(purged.len() + 1, trashed.len());
}

/// Of the old form: a damaged record replaced a healthy line.
#[test]
fn a_damaged_head_says_of_no_field_that_it_is_not_set() {
    let log = titled("One");
    let clocks = advanced(&Fields::new(), &log);
    let damaged = damaged(&log, Key::Head(CHAT));
    assert_eq!(field_values(&damaged, CHAT), None);
    assert_eq!(advanced(&clocks, &damaged), clocks);
}

/// What each browser keeps for itself: another one's models must not be asked here, nor its values be offered.
#[test]
fn the_position_and_the_fields_of_rooms_have_no_clock() {
    let mut log = titled("One");
    let before = advanced(&Fields::new(), &log);
    change_head(&mut log, |head| {
        head.at = Some(Position {
            leaf: Id(102),
            seq: 2,
        });
        let model = json!([{"question": "0000000000000065", "model": ["box", "llama"]}]);
        head.others.insert("waiting_models".to_owned(), model);
        let former = FormerValue {
            field: "title".to_owned(),
            value: Some(json!("Another")),
            at: 1,
        };
        add_former_values(head, [former]);
    });
    assert_eq!(advanced(&before, &log), before);
}

/// A file may bring such fields to a chat.
#[test]
fn a_field_of_a_later_version_does_not_pass_for_the_trash() {
    let mut log = written();
    change_head(&mut log, |head| {
        head.others.insert("mood".to_owned(), json!("good"));
        head.others.insert(DELETED.to_owned(), json!(true));
        head.others.insert(removed_field(Id(102)), json!(true));
    });
    let values = field_values(&log, CHAT).unwrap();
    let names: Vec<&str> = values.keys().map(String::as_str).collect();
    assert_eq!(names, ["mood", "policy"]);
}

#[test]
fn the_latest_change_has_the_highest_count() {
    let mut ours = fields(&[
        ("title", 2, "bbbbbbbb", THIS_WRITE),
        ("model", 1, "aaaaaaaa", 3),
    ]);
    let own = fields(&[("title", 1, "aaaaaaaa", 3), ("model", 1, "aaaaaaaa", 3)]);
    let others = fields(&[("title", 5, "cccccccc", 0), ("model", 9, "dddddddd", 0)]);
    settle(&mut ours, 4, &own, &others);
    // What was not changed here is as it was: the other value counts.
    let expected = fields(&[("title", 6, "bbbbbbbb", 4), ("model", 1, "aaaaaaaa", 3)]);
    assert_eq!(ours, expected);
}

/// A chat that was restored in a second browser has old values, which must not win over those that were changed since.
#[test]
fn a_value_that_another_browser_has_already_is_no_change() {
    let mut restored = fields(&[("title", 1, "aaaaaaaa", THIS_WRITE)]);
    let others = fields(&[("title", 4, "aaaaaaaa", 7)]);
    settle(&mut restored, 1, &Fields::new(), &others);
    assert_eq!(restored, fields(&[("title", 4, "aaaaaaaa", 0)]));
}

/// The page was closed before it knew that its copy was written.
#[test]
fn a_write_whose_answer_was_lost_counts_no_change_twice() {
    let mut again = fields(&[("title", 5, "bbbbbbbb", THIS_WRITE)]);
    let own = fields(&[("title", 6, "bbbbbbbb", 17)]);
    let others = fields(&[("title", 5, "cccccccc", 0)]);
    settle(&mut again, 18, &own, &others);
    assert_eq!(again, own);
}

#[test]
fn a_value_says_whether_its_writer_knew_the_one_that_gives_way() {
    let log = titled("Two");
    let own = fields(&[("title", 2, "aaaaaaaa", 7)]);
    let theirs = fields(&[("title", 2, "aaaaaaaa", 0)]);
    // Whoever goes on from an own value knows no more of others than before.
    assert_eq!(advanced(&own, &log)["title"].known, 0);
    let mut aware = advanced(&theirs, &log)["title"].clone();
    assert_eq!(aware, knowing(2, clock(3, &of("Two"), THIS_WRITE)));
    assert!(!aware.replaces_unknown(&own["title"]));
    let mut unaware = knowing(1, clock(3, "bbbbbbbb", 4));
    assert!(unaware.replaces_unknown(&own["title"]));
    assert!(!unaware.replaces_unknown(&own["title"]), "it is known now");
    // Whatever its count is: it was nowhere yet.
    assert!(aware.replaces_unknown(&clock(1, "cccccccc", THIS_WRITE)));
}

/// Numbers of the old form wrapped at their end.
#[test]
fn a_count_at_its_end_stays_there() {
    let mut clocks = fields(&[("title", MAX_COUNT, "aaaaaaaa", 3)]);
    advance(&mut clocks, &titled("One"), CHAT);
    assert_eq!(clocks["title"].count, MAX_COUNT);
    let others = clocks.clone();
    settle(&mut clocks, 4, &Fields::new(), &others);
    assert_eq!(clocks["title"].count, MAX_COUNT);
    let written = serde_json::to_string(&clocks["title"]).unwrap();
    let read: FieldClock = serde_json::from_str(&written).unwrap();
    assert_eq!(read, clocks["title"]);
    for wrong in [
        "[9007199254740993,\"\",0,0]",
        "[1,\"\",9007199254740993,0]",
        "[1,\"\",0,9007199254740993]",
        "[1,\"0123456789\",0,0]",
        "[-1,\"\",0,0]",
        "[1,\"\",0]",
    ] {
        assert!(
            serde_json::from_str::<FieldClock>(wrong).is_err(),
            "{wrong}"
        );
    }
}

/// Prompts past 2,000 vanished, and a damaged one would be deleted elsewhere.
#[test]
fn all_prompts_and_folders_have_clocks_and_a_damaged_one_is_not_deleted() {
    let mut log = open(MemoryStore::default());
    for n in 1..=3000 {
        log.save_prompt(&SavedPrompt::new(Id(n), &format!("Prompt {n}"), "Text"))
            .unwrap();
    }
    log.save_folder(&Folder::new(Id(1), "Work", 0)).unwrap();
    let mut clocks = Fields::new();
    advance(&mut clocks, &log, SHELF);
    assert_eq!(clocks.len(), 3001);
    let before = clocks.clone();
    let prompt = Key::Record(PROMPT, Id(7));
    let damaged = damaged(&log, prompt);
    advance(&mut clocks, &damaged, SHELF);
    assert_eq!(clocks, before);
    // Another rewrite of the same text is no change, deleting it is one.
    let saved = log.saved_prompt(Id(7)).unwrap();
    let rewritten = SavedPrompt { rev: 5, ..saved };
    log.save_prompt(&rewritten).unwrap();
    advance(&mut clocks, &log, SHELF);
    assert_eq!(clocks, before);
    log.save_prompt(&SavedPrompt {
        deleted: Some(9),
        ..rewritten
    })
    .unwrap();
    advance(&mut clocks, &log, SHELF);
    assert_eq!(clocks[&prompt.to_string()].count, 2);
    let values = field_values(&log, SHELF).unwrap();
    assert!(!values[&prompt.to_string()].to_string().contains("Text"));
    let folder = &values[&Key::Record(FOLDER, Id(1)).to_string()];
    assert_eq!((&folder["name"], folder.get("rev")), (&json!("Work"), None));
}

fn clocks() -> impl Strategy<Value = Fields> {
    // Few values, so that many are alike.
    let parts = (0..3_u64, "[ab]|", 0..3_u64);
    let clocks = parts.prop_map(|(count, crc, write)| clock(count, &crc, write));
    btree_map("[a-c]", clocks, 0..4)
}

/// Count and checksum of each field: the write is that of one browser alone.
fn chosen(clocks: &Fields) -> Vec<(&str, u64, &str)> {
    let chosen = clocks.iter();
    chosen
        .map(|(name, clock)| (name.as_str(), clock.count, clock.crc.as_str()))
        .collect()
}

proptest! {
    /// In whatever order browsers learn of each other's changes, and however often, they choose the same values.
    #[test]
    fn the_values_that_count_are_the_same_everywhere(
        all in vec(clocks(), 1..5), order in any::<u64>(),
    ) {
        let mut here = Fields::new();
        all.iter().for_each(|clocks| raise(&mut here, clocks));
        let mut there = Fields::new();
        let start = usize::try_from(order % all.len() as u64).unwrap();
        let others = all.iter().rev().cycle().skip(start).take(2 * all.len());
        others.for_each(|clocks| raise(&mut there, clocks));
        prop_assert_eq!(chosen(&here), chosen(&there));
        for clocks in &all {
            for (name, clock) in clocks {
                prop_assert!(clock.compare(&here[name]).is_le());
            }
        }
    }

    /// A change that is settled is greater than everything that the directory has of its field.
    #[test]
    fn a_change_wins_over_all_that_was_there(
        count in 1..4_u64, own in clocks(), others in clocks(),
    ) {
        let mut ours = fields(&[("a", count, "changed", THIS_WRITE)]);
        settle(&mut ours, 9, &own, &others);
        prop_assert_eq!(ours["a"].write, 9);
        for known in [own.get("a"), others.get("a")].into_iter().flatten() {
            prop_assert!(ours["a"].compare(known).is_gt());
        }
    }
}
