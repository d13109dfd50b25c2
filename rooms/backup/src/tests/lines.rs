use super::{CHAT, change_head, damaged, message, open, written};
use crate::form::SHELF;
use crate::lines::{CopyLines, chat_state, image_hashes};
use crate::record::CopyState;
use sash_chat::{Folder, Id, Image, ImageFormat, ImageHash, Message, Position, Summary};
use sash_form::lines::{self, ExportLine};
use sash_form::{parse_folder, parse_prompt};
use sash_log::{DRAFT, Draft, Key, Log, MemoryStore, checksum};
use sash_records::prompts::{PromptLog, SavedPrompt};
use std::collections::BTreeSet;

fn handed_over(log: &mut Log<MemoryStore>) -> CopyLines {
    handed_over_of(log, CHAT)
}

fn handed_over_of(log: &mut Log<MemoryStore>, chat: Id) -> CopyLines {
    let mut lines = CopyLines::new(log, chat);
    while lines.step(log) {}
    lines
}

/// The keys of the lines, each of which is an undamaged record.
fn keys(lines: &str) -> Vec<String> {
    let key = |line| match lines::parse(line) {
        ExportLine::Record { key, crc, data } if checksum(data) == crc => key.to_owned(),
        _ => panic!("{line}"),
    };
    lines.lines().map(key).collect()
}

fn sorted(lines: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = lines.lines().collect();
    lines.sort_unstable();
    lines
}

#[test]
fn the_lines_are_the_records_of_the_chat_packed_or_not() {
    let mut log = written();
    for n in 3..60 {
        log.save_message(
            CHAT,
            &message(100 + n, 99 + n, n as u32, "More of the same"),
        )
        .unwrap();
    }
    let raw = handed_over(&mut log);
    assert_eq!(keys(&raw.lines).len(), 60);
    log.pack(CHAT).unwrap();
    assert!(!log.chat_keys()[&CHAT].segments.is_empty());
    let packed = handed_over(&mut log);
    assert_eq!(keys(&packed.lines).len(), 60);
    let (raw, packed) = (raw.lines, packed.lines);
    let messages = |lines: &str| -> Vec<String> {
        let lines = sorted(lines)
            .into_iter()
            .filter(|line| line.contains("sash:m:"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(messages(&raw), messages(&packed));
    assert!(!packed.contains("\"packed\""));
}

/// Of the old form: any write of a folder of the list was one of each of its chats, and a queue of another browser would have
/// been asked here.
#[test]
fn folder_queue_and_draft_are_in_no_lines() {
    let mut log = written();
    change_head(&mut log, |head| head.folder = Some(Id(9)));
    log.save_folder(&Folder::new(Id(9), "Work", 0)).unwrap();
    log.write(Key::Record(DRAFT, CHAT), &Draft::default())
        .unwrap();
    log.write(Key::Record(sash_records::queue::QUEUE, CHAT), &[7])
        .unwrap();
    let keys = keys(&handed_over(&mut log).lines);
    let message = |seq: u32, id| Key::Message(CHAT, seq, Id(id)).to_string();
    assert_eq!(
        keys,
        [
            Key::Head(CHAT).to_string(),
            message(1, 101),
            message(2, 102)
        ]
    );
}

/// Of the old form: a damaged record replaced a healthy line.
#[test]
fn a_damaged_record_is_left_out() {
    let log = written();
    for key in [Key::Head(CHAT), Key::Message(CHAT, 2, Id(102))] {
        let mut damaged = damaged(&log, key);
        let lines = handed_over(&mut damaged).lines;
        let keys = keys(&lines);
        assert!(
            keys.len() == 2 && !keys.contains(&key.to_string()),
            "{keys:?}"
        );
    }
    let mut deleted = written();
    deleted.delete(CHAT, 9).unwrap();
    let mut damaged = damaged(&deleted, Key::Tombstone(CHAT));
    assert_eq!(keys(&handed_over(&mut damaged).lines).len(), 3);
}

#[test]
fn a_running_answer_goes_along_as_far_as_it_is_and_is_named() {
    let mut log = written();
    log.begin_tail(CHAT, &message(104, 101, 4, "Half an"), None)
        .unwrap();
    let half = handed_over(&mut log);
    assert_eq!(half.running, BTreeSet::from([Id(104)]));
    assert_eq!(keys(&half.lines).len(), 4);
    assert!(half.lines.contains("Half an") && half.lines.contains("interrupted"));
    // The final record is written, and the pieces are not removed yet.
    let mut store = log.store().clone();
    let mut whole = open(store.clone());
    whole
        .save_message(CHAT, &message(104, 101, 4, "Half an answer"))
        .unwrap();
    let key = Key::Message(CHAT, 4, Id(104)).to_string();
    sash_log::KeyValue::set(&mut store, &key, &whole.record(&key).unwrap()).unwrap();
    let both = handed_over(&mut open(store));
    assert!(both.running.is_empty());
    assert_eq!(both.lines.matches("Half an").count(), 1);
}

#[test]
fn what_was_deleted_goes_along_and_what_was_deleted_for_good_does_not() {
    let mut log = written();
    log.remove_message(CHAT, &message(102, 101, 2, "An answer"), 9)
        .unwrap();
    let lines = handed_over(&mut log).lines;
    assert!(lines.contains("An answer") && lines.contains("sash:x:"));
    log.purge_messages(CHAT, &[Id(102)], 9).unwrap();
    let purged = handed_over(&mut log);
    assert!(!purged.lines.contains("An answer") && purged.lines.contains("sash:x:"));
    assert_eq!(purged.lines.matches("sash:m:").count(), 1);
    log.delete(CHAT, 9).unwrap();
    let tombstone = Key::Tombstone(CHAT).to_string();
    assert!(keys(&handed_over(&mut log).lines).contains(&tombstone));
    log.purge(CHAT, 10);
    assert_eq!(handed_over(&mut log).lines, "");
}

#[test]
fn the_images_of_messages_are_named() {
    let hash = ImageHash([0xab; 32]);
    let image = Image {
        hash,
        format: ImageFormat::Png,
        size: 9,
        width: 3,
        height: 2,
        preview: String::new(),
    };
    let mut log = written();
    let question = Message {
        images: vec![image],
        ..message(103, 102, 3, "Look")
    };
    log.save_message(CHAT, &question).unwrap();
    let lines = handed_over(&mut log).lines;
    assert_eq!(image_hashes(&lines), BTreeSet::from([hash]));
}

#[test]
fn each_change_that_is_handed_over_gives_the_chat_another_state() {
    let mut log = written();
    let mut seen = BTreeSet::new();
    let mut check = |log: &Log<MemoryStore>, what: &str| {
        assert!(seen.insert(chat_state(log, CHAT).unwrap()), "{what}");
        assert_eq!(chat_state(log, CHAT), chat_state(log, CHAT));
    };
    check(&log, "as it was");
    log.save_message(CHAT, &message(103, 102, 3, "More"))
        .unwrap();
    check(&log, "a message");
    log.begin_tail(CHAT, &message(104, 103, 4, "Half an"), None)
        .unwrap();
    check(&log, "a running answer");
    change_head(&mut log, |head| head.title = Some("A title".to_owned()));
    check(&log, "a title");
    change_head(&mut log, |head| head.keep_system("Be brief."));
    check(&log, "a system prompt");
    change_head(&mut log, |head| head.add_summary(summary("So far", true)));
    check(&log, "a summary that was cut off");
    log.remove_message(CHAT, &message(102, 101, 2, "An answer"), 9)
        .unwrap();
    check(&log, "a message in the trash");
    log.purge_messages(CHAT, &[Id(102)], 9).unwrap();
    check(&log, "a message that was deleted for good");
    log.delete(CHAT, 9).unwrap();
    check(&log, "the chat in the trash");
    log.purge(CHAT, 10);
    assert_eq!(chat_state(&log, CHAT), None);
}

fn summary(text: &str, cut_off: bool) -> Summary {
    Summary {
        number: 0,
        text: text.to_owned(),
        from: Id(101),
        through: Id(102),
        count: 2,
        model: None,
        prompt_tokens: None,
        answer_tokens: None,
        created: 0,
        edited: false,
        cut_off,
    }
}

/// Otherwise each switch of branches would write the chat, and two browsers that have the same would read each other for ever.
/// Of the old form: the write of a folder marked each of its chats as changed.
#[test]
fn what_each_browser_keeps_for_itself_is_no_other_state() {
    let mut log = written();
    change_head(&mut log, |head| {
        head.folder = Some(Id(9));
        head.keep_system("Be brief.");
        head.keep_system("Be kind.");
    });
    let before = chat_state(&log, CHAT).unwrap();
    log.save_folder(&Folder::new(Id(9), "Work", 0)).unwrap();
    log.write(Key::Record(DRAFT, CHAT), &Draft::default())
        .unwrap();
    CopyState::default().save(&mut log, CHAT).unwrap();
    change_head(&mut log, |head| {
        head.at = Some(Position {
            leaf: Id(102),
            seq: 2,
        });
        head.systems.reverse();
        head.rev += 40;
    });
    assert_eq!(chat_state(&log, CHAT).unwrap(), before);
}

#[test]
fn the_lines_of_the_shelf_are_all_prompts_and_folders_and_no_text_of_a_deleted_one() {
    let mut log = open(MemoryStore::default());
    for n in 1..=2500 {
        log.save_prompt(&SavedPrompt::new(Id(n), &format!("Prompt {n}"), "Text"))
            .unwrap();
    }
    let deleted = SavedPrompt::new(Id(7), "Mine", "Secret");
    log.save_prompt(&SavedPrompt {
        deleted: Some(9),
        ..deleted
    })
    .unwrap();
    let folder = Folder::new(Id(1), "Work", 0);
    log.save_folder(&folder).unwrap();
    log.save_folder(&Folder {
        deleted: Some(9),
        ..Folder::new(Id(2), "Secret", 1)
    })
    .unwrap();
    let lines = handed_over_of(&mut log, SHELF).lines;
    assert_eq!(keys(&lines).len(), 2502);
    assert!(!lines.contains("Secret"));
    assert_eq!(lines.lines().filter_map(parse_prompt).count(), 2500);
    assert_eq!(lines.lines().find_map(parse_folder), Some(folder));
}
