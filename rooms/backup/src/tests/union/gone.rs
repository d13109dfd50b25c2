//! What was deleted for good.

use super::frail::{FrailLog, change_head_of, records, texts, write};
use super::{A, B, C, CHAT, NOW, browser, message, two_browsers};
use crate::gone::Gone;
use crate::record::CopyState;
use crate::union::{AppliedGone, apply_gone};
use sash_chat::{Head, Id, Image, ImageFormat, ImageHash, Message};
use sash_log::{Key, MessageTombstone};
use std::collections::BTreeSet;

fn gone(chat: bool, ids: &[u64]) -> Gone {
    Gone {
        chat,
        ids: ids.iter().map(|id| Id(*id)).collect(),
    }
}

fn bytes(log: &FrailLog) -> String {
    records(log).into_values().collect()
}

/// Applies what was deleted for good, and says which keys were written.
fn apply(log: &mut FrailLog, gone: &Gone) -> (Vec<(Key, bool)>, AppliedGone) {
    let mut keys = Vec::new();
    let applied = apply_gone(log, CHAT, gone, NOW, &mut keys).unwrap();
    (keys, applied)
}

/// Deletes messages of a browser for good, as a page does: what is to be told is written down first.
fn purge(log: &mut FrailLog, ids: &[u64]) {
    let mut state = CopyState::read(log, CHAT);
    let ids: Vec<Id> = ids.iter().map(|id| Id(*id)).collect();
    state.to_purge.extend(&ids);
    state.save(log, CHAT).unwrap();
    for id in &ids {
        let message = log.find_message(CHAT, *id).unwrap();
        log.remove_message(CHAT, &message, NOW).unwrap();
    }
    log.purge_messages(CHAT, &ids, NOW).unwrap();
}

/// Deletes the chat of a browser for good.
fn purge_chat(log: &mut FrailLog) {
    let mut state = CopyState::read(log, CHAT);
    let loaded = log.load(CHAT).unwrap();
    state
        .to_purge
        .extend(loaded.tree.all_messages().map(|message| message.id));
    state.purges_chat = true;
    state.save(log, CHAT).unwrap();
    log.delete(CHAT, NOW).unwrap();
    log.purge(CHAT, NOW);
}

#[test]
fn the_messages_are_removed_for_good_wherever_they_are_and_nothing_else() {
    let image = Image {
        hash: ImageHash([7; 32]),
        format: ImageFormat::Png,
        size: 9,
        width: 3,
        height: 2,
        preview: String::new(),
    };
    for packs in [false, true] {
        let (mut a, _, _) = two_browsers();
        for n in 3..40 {
            let question = Message {
                images: vec![image.clone()],
                ..message(100 + n, 99 + n, n as u32, &format!("Words {n} of many"))
            };
            write(&mut a, CHAT, &question);
        }
        if packs {
            a.pack(CHAT).unwrap();
            assert!(!a.chat_keys()[&CHAT].segments.is_empty());
        }
        a.remove_message(CHAT, &message(104, 103, 4, ""), NOW)
            .unwrap();
        a.begin_tail(CHAT, &message(200, 139, 40, "A secret tail"), None)
            .unwrap();
        let all = gone(false, &[102, 104, 105, 200, 555]);
        let (keys, applied) = apply(&mut a, &all);
        assert_eq!(applied.messages, gone(false, &[102, 104, 105, 200]).ids);
        assert_eq!(applied.images, BTreeSet::from([ImageHash([7; 32])]));
        assert!(!applied.is_whole);
        let expected = [102, 104, 105, 200].map(|id| (Key::Removed(CHAT, Id(id)), true));
        assert_eq!(keys, expected);
        let left = texts(&mut a, CHAT);
        assert_eq!(left.len(), 36);
        let is_gone =
            |text: &str| left.iter().all(|left| left != text) && !bytes(&a).contains(text);
        for text in [
            "An answer",
            "Words 4 of many",
            "Words 5 of many",
            "A secret tail",
        ] {
            assert!(is_gone(text), "{text}");
        }
        // Those after them keep their place.
        assert_eq!(a.load(CHAT).unwrap().path().len(), 36);
        let before = records(&a);
        let (keys, again) = apply(&mut a, &all);
        assert_eq!((keys.len(), again.messages.len()), (0, 0));
        assert_eq!(records(&a), before);
    }
}

/// Of the old form: the words that this browser had of a chat went into another chat, or the other browser was refused.
#[test]
fn a_chat_goes_as_a_whole_only_where_nothing_of_it_is_left() {
    let whole = gone(true, &[101, 102]);
    let (mut a, mut b, _) = two_browsers();
    assert!(apply(&mut a, &whole).1.is_whole);
    assert!(a.load(CHAT).is_none());
    write(&mut b, CHAT, &message(103, 102, 3, "And then?"));
    assert!(!apply(&mut b, &whole).1.is_whole);
    assert_eq!(texts(&mut b, CHAT), ["And then?"]);
    // What is written and not sent is somebody's words, too.
    let (mut a, _, _) = two_browsers();
    a.save_draft(CHAT, "Not sent", NOW).unwrap();
    assert!(!apply(&mut a, &whole).1.is_whole);
    assert_eq!(a.draft(CHAT).text, "Not sent");
    // The messages alone were deleted.
    let (mut a, _, _) = two_browsers();
    assert!(!apply(&mut a, &gone(false, &[101, 102])).1.is_whole);
    assert!(a.head(CHAT).is_some());
    // Nothing of it was ever here.
    let mut c = browser(C);
    let (keys, applied) = apply(&mut c, &whole);
    assert_eq!((keys, applied.is_whole), (vec![], false));
}

#[test]
fn what_was_deleted_for_good_in_any_browser_is_never_added() {
    let (mut a, mut b, mut copies) = two_browsers();
    write(&mut b, CHAT, &message(103, 102, 3, "A secret"));
    write(&mut b, CHAT, &message(104, 103, 4, "Another answer"));
    copies.put(&mut b, CHAT);
    let earlier = copies.last(B, CHAT);
    // Told to the directory by another browser.
    copies.gone.insert(CHAT, gone(false, &[103]));
    copies.merge(&mut a, &earlier).unwrap();
    assert_eq!(
        texts(&mut a, CHAT),
        ["A question", "An answer", "Another answer"]
    );
    // Not told yet.
    purge(&mut a, &[102]);
    copies.merge(&mut a, &earlier).unwrap();
    assert_eq!(texts(&mut a, CHAT), ["A question", "Another answer"]);
    // Told long ago, and the directory is one of an earlier day.
    copies.put(&mut a, CHAT);
    copies.gone.clear();
    copies.merge(&mut a, &copies.last(B, CHAT)).unwrap();
    assert!(!texts(&mut a, CHAT).contains(&"An answer".to_owned()));
}

#[test]
fn what_was_deleted_for_good_keeps_its_place_in_a_browser_that_is_new() {
    let (mut a, mut b, mut copies) = two_browsers();
    write(&mut a, CHAT, &message(103, 101, 3, "Another branch"));
    write(&mut a, CHAT, &message(104, 102, 4, "After the answer"));
    purge(&mut a, &[102]);
    copies.follow_all(&mut [&mut a, &mut b], &[CHAT]);
    let mut c = browser(C);
    copies.follow(&mut c, CHAT);
    for log in [&mut a, &mut b, &mut c] {
        let loaded = log.load(CHAT).unwrap();
        let path: Vec<Id> = loaded.path().iter().map(|message| message.id).collect();
        assert_eq!(path, [Id(101), Id(104)]);
    }
    let key = Key::Removed(CHAT, Id(102));
    assert!(c.read::<MessageTombstone>(key).unwrap().purged);
}

/// A tombstone of another browser that says "for good" removes nothing: only what the person there told the directory does.
/// Of the old form: emptying the trash without "from the backup too" took messages of living chats all the same.
#[test]
fn a_tombstone_in_a_copy_deletes_nothing_for_good() {
    let (mut a, mut b, mut copies) = two_browsers();
    let answer = message(102, 101, 2, "An answer");
    b.remove_message(CHAT, &answer, NOW).unwrap();
    b.purge_messages(CHAT, &[Id(102)], NOW).unwrap();
    copies.put(&mut b, CHAT);
    let copy = copies.last(B, CHAT);
    // The directory has its message still.
    assert!(copy.lines.contains("An answer") && copy.lines.contains("\"purged\":true"));
    copies.merge(&mut a, &copy).unwrap();
    assert_eq!(texts(&mut a, CHAT), ["A question", "An answer"]);
    let mut c = browser(C);
    copies.merge(&mut c, &copy).unwrap();
    assert_eq!(texts(&mut c, CHAT), ["A question", "An answer"]);
}

/// Of the old form: a purge deleted words that this browser never saw, and the other one was refused for ever.
#[test]
fn words_of_a_chat_that_was_deleted_for_good_go_on_in_that_chat() {
    let (mut a, mut b, mut copies) = two_browsers();
    change_head_of(&mut b, CHAT, |head| {
        head.set_system("Be kind.");
        head.title = Some("Goes on".to_owned());
    });
    write(&mut b, CHAT, &message(103, 102, 3, "And then?"));
    purge_chat(&mut a);
    copies.put(&mut a, CHAT);
    // A late record of another tab is not brought back by it.
    a.write(
        Key::Message(CHAT, 9, Id(109)),
        &message(109, 102, 9, "Late"),
    )
    .unwrap();
    copies.follow_all(&mut [&mut b, &mut a], &[CHAT]);
    for log in [&mut a, &mut b] {
        assert_eq!(texts(log, CHAT), ["And then?"]);
        assert!(!log.is_deleted(CHAT));
        let head = log.head(CHAT).unwrap();
        assert_eq!(head.title.as_deref(), Some("Goes on"));
        assert!(!bytes(log).contains("An answer"));
    }
}

#[test]
fn a_chat_of_which_all_is_gone_is_not_made_again() {
    let (mut a, mut b, mut copies) = two_browsers();
    purge_chat(&mut a);
    copies.put(&mut a, CHAT);
    copies.merge(&mut a, &copies.last(B, CHAT)).unwrap();
    assert!(a.load(CHAT).is_none() && a.is_deleted(CHAT));
    // Its tombstone goes after a day.
    a.clean_up_purged(NOW + 90_000_000);
    copies.merge(&mut a, &copies.last(B, CHAT)).unwrap();
    assert!(a.load(CHAT).is_none());
    let mut c = browser(C);
    copies.follow_all(&mut [&mut a, &mut b, &mut c], &[CHAT]);
    for log in [&mut a, &mut b, &mut c] {
        assert!(log.load(CHAT).is_none());
        assert!(!bytes(log).contains("A question"));
    }
}

#[test]
fn the_cost_of_removing_messages_grows_with_their_number() {
    let mut a = browser(A);
    a.save_head(&Head::new(CHAT, 5)).unwrap();
    let all: Vec<u64> = (1..=6_000).collect();
    for n in &all {
        let text = message(*n, n - 1, *n as u32, "Words of one message among many");
        write(&mut a, CHAT, &text);
    }
    a.pack(CHAT).unwrap();
    a.store().reads.set(0);
    assert!(apply(&mut a, &gone(true, &all)).1.is_whole);
    assert!(!bytes(&a).contains("Words"));
    let reads = a.store().reads.get();
    assert!(reads < 20 * all.len(), "{reads}");
}

#[test]
fn a_message_that_is_gone_leaves_no_flag_of_the_trash() {
    let (mut a, mut b, mut copies) = two_browsers();
    let answer = message(102, 101, 2, "An answer");
    b.remove_message(CHAT, &answer, NOW).unwrap();
    copies.put(&mut b, CHAT);
    copies.gone.insert(CHAT, gone(false, &[102]));
    apply(&mut a, &copies.gone_of(CHAT));
    let before = records(&a);
    copies.merge(&mut a, &copies.last(B, CHAT)).unwrap();
    assert_eq!(records(&a), before);
    // In a browser that never had it there is nothing in the trash.
    let mut c = browser(C);
    copies.merge(&mut c, &copies.last(B, CHAT)).unwrap();
    assert_eq!(c.removed_messages(CHAT).0, []);
}
