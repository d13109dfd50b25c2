//! The prompts that wait in a chat go along: out, and in again.

use super::*;
use sash_chat::{FoundMessage, Image, ImageFormat, ImageHash, RecalledPiece};
use sash_records::queue::{MAX_QUEUED, QUEUES, QueueLog, QueuedPrompt};
use serde_json::json;

/// A chat with two prompts in its queue.
fn queued() -> Log<MemoryStore> {
    let mut log = log_of(&[simple(1)]);
    let mut first = QueuedPrompt::new(Id(8), "First");
    first.images.push(Image {
        hash: ImageHash([1; 32]),
        format: ImageFormat::Png,
        width: 1,
        height: 1,
        size: 1,
        preview: String::new(),
    });
    let included = RecalledPiece {
        message: Id(101),
        chat: None,
        excerpt: false,
    };
    first.choice.included.push(included.into());
    let found = FoundMessage {
        piece: RecalledPiece {
            message: Id(101),
            chat: None,
            excerpt: true,
        },
        words: vec!["tides".to_owned()],
    };
    first.choice.found = Some(vec![found]);
    first.choice.left_out.push(Id(102));
    first.unknown.insert("mood".into(), json!("good"));
    log.change_queue(Id(1), NOW - 9, |queue| {
        queue.push(first);
        queue.push(QueuedPrompt::new(Id(7), "Second"));
    })
    .unwrap();
    log
}

fn texts(log: &mut Log<MemoryStore>, chat: Id) -> Vec<String> {
    let queue = log.queue(chat).into_iter();
    queue.map(|prompt| prompt.text).collect()
}

#[test]
fn a_queue_comes_back_as_it_was() {
    let mut log = queued();
    let mut export = Export::new(&log, ExportScope::All, NOW);
    let mut file = String::new();
    while let Some(piece) = export.next(&mut log) {
        file.push_str(&piece);
    }
    assert!(export.images().contains(&ImageHash([1; 32])));
    let mut other = open(MemoryStore::default());
    let plan = planned(&mut other, &file);
    assert!(plan.images.contains(&ImageHash([1; 32])));
    applied(&mut other, plan).unwrap();
    assert_eq!(QUEUES.read(&mut other, Id(1)), QUEUES.read(&mut log, Id(1)));
    assert_eq!(exported(&mut other, ExportScope::All), file);
    assert_eq!(planned(&mut other, &file).records(), 0);
}

#[test]
fn what_was_sent_since_does_not_come_back_and_a_copy_has_the_queue_under_its_own_ids() {
    let mut log = queued();
    let file = exported(&mut log, ExportScope::All);
    log.change_queue(Id(1), NOW, Vec::clear).unwrap();
    assert_eq!(planned(&mut log, &file).records(), 0);
    log.delete(Id(1), NOW).unwrap();
    let plan = planned(&mut log, &file);
    applied(&mut log, plan).unwrap();
    let copy = log.chat_list()[0].id;
    assert_ne!(copy, Id(1));
    assert_eq!(texts(&mut log, copy), ["First", "Second"]);
    let first = &log.queue(copy)[0];
    let chat = log.load(copy).unwrap();
    let known: Vec<_> = first.choice.known().collect();
    assert_eq!(known.len(), 2);
    assert!(
        known
            .iter()
            .all(|found| chat.get(found.piece.message).is_some())
    );
    assert!(chat.get(first.choice.left_out[0]).is_some());
}

#[test]
fn a_queue_of_a_stranger_is_bounded() {
    let mut log = queued();
    log.change_queue(Id(1), NOW, |queue| {
        queue.push(QueuedPrompt::new(Id(1), "x".repeat(3 * 1024 * 1024)));
        queue.push(QueuedPrompt::new(Id(2), " "));
        queue.extend((10..100).map(|id| QueuedPrompt::new(Id(id), format!("No. {id}"))));
    })
    .unwrap();
    let file = exported(&mut log, ExportScope::All);
    let mut other = open(MemoryStore::default());
    let plan = planned(&mut other, &file);
    applied(&mut other, plan).unwrap();
    let there = texts(&mut other, Id(1));
    assert_eq!(there.len(), MAX_QUEUED);
    assert_eq!(there[..3], ["First", "Second", "No. 10"]);
}
