//! Prompts and folders.

use super::frail::{Copies, FrailLog, records, reopened};
use super::{A, B, C, NOW, browser};
use crate::form::SHELF;
use crate::record::CopyState;
use sash_chat::{Folder, Id};
use sash_log::{FOLDER, Key, KeyValue, StoreError};
use sash_records::prompts::{PROMPT, PromptLog, SavedPrompt};

/// Writes a prompt as a page does.
fn keep(log: &mut FrailLog, id: u64, name: &str, text: &str) {
    let former = log.saved_prompt(Id(id));
    let prompt = SavedPrompt {
        rev: former.map_or(0, |former| former.rev + 1),
        ..SavedPrompt::new(Id(id), name, text)
    };
    log.save_prompt(&prompt).unwrap();
}

fn delete(log: &mut FrailLog, id: u64) {
    let prompt = log.saved_prompt(Id(id)).unwrap();
    log.save_prompt(&SavedPrompt {
        deleted: Some(NOW),
        rev: prompt.rev + 1,
        ..prompt
    })
    .unwrap();
}

fn change_folder(log: &mut FrailLog, id: u64, change: impl FnOnce(&mut Folder)) {
    let mut folder = log.folder(Id(id)).unwrap();
    folder.rev += 1;
    change(&mut folder);
    log.save_folder(&folder).unwrap();
}

fn prompts(log: &mut FrailLog) -> Vec<(String, String)> {
    let prompts = log.list_prompts().into_iter();
    prompts.map(|prompt| (prompt.name, prompt.text)).collect()
}

fn folders(log: &mut FrailLog) -> Vec<(String, Option<String>)> {
    let folders = log.list_folders().into_iter();
    folders.map(|folder| (folder.name, folder.system)).collect()
}

fn pairs(all: &[(&str, &str)]) -> Vec<(String, String)> {
    let all = all.iter();
    all.map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
        .collect()
}

fn both(a: &mut FrailLog, b: &mut FrailLog, copies: &mut Copies) {
    copies.follow_all(&mut [a, b], &[SHELF]);
}

/// Two browsers with the same prompt and the same folder.
fn two_shelves() -> (FrailLog, FrailLog, Copies) {
    let (mut a, mut b, mut copies) = (browser(A), browser(B), Copies::default());
    keep(&mut a, 1, "Mail", "Write a mail.");
    a.save_folder(&Folder::new(Id(2), "Work", 1)).unwrap();
    both(&mut a, &mut b, &mut copies);
    (a, b, copies)
}

#[test]
fn prompts_and_folders_of_each_browser_come_to_the_other_and_the_later_change_counts() {
    let (mut a, mut b, mut copies) = two_shelves();
    assert_eq!(prompts(&mut b), pairs(&[("Mail", "Write a mail.")]));
    assert_eq!(folders(&mut b), folders(&mut a));
    keep(&mut b, 1, "Mail", "Write a short mail.");
    keep(&mut b, 3, "Poem", "Write a poem.");
    change_folder(&mut a, 2, |folder| {
        folder.system = Some("Be formal.".to_owned())
    });
    both(&mut a, &mut b, &mut copies);
    let expected = pairs(&[("Mail", "Write a short mail."), ("Poem", "Write a poem.")]);
    for log in [&mut a, &mut b] {
        assert_eq!(prompts(log), expected);
        assert_eq!(log.list_folders()[0].system(), Some("Be formal."));
    }
    keep(&mut a, 1, "Letter", "Write a letter.");
    both(&mut a, &mut b, &mut copies);
    assert_eq!(prompts(&mut b)[0].0, "Letter");
    let before = records(&a);
    copies.merge(&mut a, &copies.last(B, SHELF)).unwrap();
    assert_eq!(records(&a), before);
}

/// Of the old form: only the first 2,000 records of a file were taken over.
#[test]
fn no_prompt_is_one_too_many() {
    let (mut a, mut b, mut copies) = (browser(A), browser(B), Copies::default());
    for n in 0..2_500 {
        keep(&mut a, n, &format!("Prompt {n}"), &format!("Text {n}"));
    }
    both(&mut a, &mut b, &mut copies);
    assert_eq!(prompts(&mut b).len(), 2_500);
    assert_eq!(prompts(&mut b), prompts(&mut a));
}

#[test]
fn a_text_that_gives_way_becomes_a_prompt_of_its_own_once() {
    for (ours, theirs) in [("Ours", "Theirs"), ("Theirs", "Ours")] {
        for hands_over in [false, true] {
            let (mut a, mut b, mut copies) = two_shelves();
            keep(&mut a, 1, "Mail", ours);
            change_folder(&mut a, 2, |folder| folder.system = Some("One".to_owned()));
            copies.put(&mut a, SHELF);
            keep(&mut b, 1, "Mail", theirs);
            change_folder(&mut b, 2, |folder| folder.system = Some("Two".to_owned()));
            if hands_over {
                copies.put(&mut b, SHELF);
            }
            both(&mut b, &mut a, &mut copies);
            assert_eq!(prompts(&mut a), prompts(&mut b));
            assert_eq!(folders(&mut a), folders(&mut b));
            let mut texts: Vec<String> =
                prompts(&mut a).into_iter().map(|(_, text)| text).collect();
            texts.extend(a.list_folders()[0].system().map(str::to_owned));
            texts.sort_unstable();
            assert_eq!(texts, ["One", "Ours", "Theirs", "Two"]);
        }
    }
}

/// Of three browsers the third had merged both texts, and the one that had written the other met its copy first.
#[test]
fn a_text_that_gave_way_in_a_third_browser_is_kept_where_it_was_written() {
    let (mut a, mut b, mut copies) = two_shelves();
    keep(&mut a, 1, "Mail", "Ours");
    copies.put(&mut a, SHELF);
    keep(&mut b, 1, "Mail", "Theirs");
    copies.put(&mut b, SHELF);
    let mut c = browser(C);
    copies.follow(&mut c, SHELF);
    for other in [C, B] {
        copies.merge(&mut a, &copies.last(other, SHELF)).unwrap();
    }
    let mut texts: Vec<String> = prompts(&mut a).into_iter().map(|(_, text)| text).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["Ours", "Theirs"]);
}

#[test]
fn a_name_alone_that_gives_way_makes_no_other_prompt() {
    let (mut a, mut b, mut copies) = two_shelves();
    keep(&mut a, 1, "Mail to Ann", "Write a mail.");
    copies.put(&mut a, SHELF);
    keep(&mut b, 1, "Mail to Bob", "Write a mail.");
    both(&mut b, &mut a, &mut copies);
    assert_eq!(prompts(&mut a).len(), 1);
    assert_eq!(prompts(&mut a), prompts(&mut b));
}

#[test]
fn what_was_deleted_is_deleted_everywhere_and_can_be_undone_everywhere() {
    let (mut a, mut b, mut copies) = two_shelves();
    delete(&mut a, 1);
    change_folder(&mut a, 2, |folder| folder.deleted = Some(NOW));
    both(&mut a, &mut b, &mut copies);
    assert_eq!((prompts(&mut b), b.list_folders()), (vec![], vec![]));
    assert!(!copies.last(A, SHELF).lines.contains("Write a mail."));
    // The text is here still.
    let prompt = b.saved_prompt(Id(1)).unwrap();
    assert_eq!(
        (prompt.text.as_str(), prompt.deleted),
        ("Write a mail.", Some(NOW))
    );
    b.save_prompt(&SavedPrompt {
        deleted: None,
        rev: prompt.rev + 1,
        ..prompt
    })
    .unwrap();
    change_folder(&mut b, 2, |folder| folder.deleted = None);
    both(&mut a, &mut b, &mut copies);
    assert_eq!(prompts(&mut a), pairs(&[("Mail", "Write a mail.")]));
    assert_eq!(a.list_folders()[0].name, "Work");
}

#[test]
fn a_deleted_prompt_does_not_come_from_a_copy_that_is_merged_later() {
    let (mut a, _, mut copies) = two_shelves();
    delete(&mut a, 1);
    change_folder(&mut a, 2, |folder| folder.deleted = Some(NOW));
    copies.put(&mut a, SHELF);
    let mut c = browser(C);
    for other in [A, B] {
        copies.merge(&mut c, &copies.last(other, SHELF)).unwrap();
    }
    assert_eq!((prompts(&mut c), c.list_folders()), (vec![], vec![]));
}

#[test]
fn a_prompt_that_was_changed_in_one_browser_and_deleted_in_another_keeps_its_text() {
    for deletes_last in [false, true] {
        let (mut a, mut b, mut copies) = two_shelves();
        keep(&mut a, 1, "Mail", "Write a better mail.");
        delete(&mut b, 1);
        let mut logs = [&mut b, &mut a];
        if deletes_last {
            logs.reverse();
        }
        logs.into_iter().for_each(|log| copies.put(log, SHELF));
        both(&mut a, &mut b, &mut copies);
        let all = prompts(&mut a);
        assert_eq!(all, prompts(&mut b));
        let is_there = |(_, text): &(String, String)| text == "Write a better mail.";
        assert!(all.iter().any(is_there), "{all:?}");
    }
}

/// The file of another browser would not say so: nothing of it was changed there.
#[test]
fn a_damaged_prompt_comes_again() {
    let (a, _, copies) = two_shelves();
    let mut store = a.store().clone();
    for key in [Key::Record(PROMPT, Id(1)), Key::Record(FOLDER, Id(2))] {
        let name = key.to_string();
        let record = store.get(&name).unwrap();
        store.set(&name, &record.replace("name", "nema")).unwrap();
    }
    let mut a = super::open_as(store, Id(A));
    copies.merge(&mut a, &copies.last(B, SHELF)).unwrap();
    assert_eq!(prompts(&mut a), pairs(&[("Mail", "Write a mail.")]));
    assert_eq!(a.list_folders()[0].name, "Work");
}

#[test]
fn lines_that_are_no_prompt_and_counters_at_their_end_do_no_harm() {
    let (mut a, mut b, mut copies) = two_shelves();
    let prompt = SavedPrompt {
        rev: u32::MAX,
        ..SavedPrompt::new(Id(5), "New", "Text")
    };
    b.save_prompt(&prompt).unwrap();
    copies.put(&mut b, SHELF);
    let mut copy = copies.last(B, SHELF);
    copy.lines +=
        "{\n{\"key\":\"sash:p:0000000000000009\",\"crc\":\"00000000\",\"data\":{}}\n\u{0}\n";
    copies.merge(&mut a, &copy).unwrap();
    assert_eq!(prompts(&mut a).len(), 2);
    // The next change can be counted.
    keep(&mut a, 5, "New", "Another text");
    assert_eq!(a.saved_prompt(Id(5)).unwrap().text, "Another text");
}

/// A shelf of which the other browser has three new records, one of them in the place of a text of this browser.
fn conflict() -> (FrailLog, Copies) {
    let (mut a, mut b, mut copies) = two_shelves();
    keep(&mut a, 1, "Mail", "Ours");
    copies.put(&mut a, SHELF);
    keep(&mut b, 1, "Mail", "Theirs");
    keep(&mut b, 3, "Poem", "Write a poem.");
    change_folder(&mut b, 2, |folder| folder.name = "Play".to_owned());
    copies.put(&mut b, SHELF);
    (a, copies)
}

#[test]
fn a_page_that_is_killed_anywhere_loses_no_text() {
    let (mut whole, copies) = conflict();
    let copy = copies.last(B, SHELF);
    let a = reopened(&whole);
    copies.merge(&mut whole, &copy).unwrap();
    let expected = (prompts(&mut whole), folders(&mut whole));
    assert_eq!(expected.0.len(), 3);
    for changes in 0.. {
        let mut killed = reopened(&a);
        killed.store().left.set(Some(changes));
        copies.merge(&mut killed, &copy).unwrap();
        let is_through = killed.store().left.get() > Some(0);
        let mut next = reopened(&killed);
        copies.merge(&mut next, &copy).unwrap();
        assert_eq!(
            (prompts(&mut next), folders(&mut next)),
            expected,
            "{changes}"
        );
        if is_through {
            assert!(changes > 4);
            return;
        }
    }
}

#[test]
fn without_room_nothing_is_added_and_no_text_is_lost() {
    let (mut whole, copies) = conflict();
    let copy = copies.last(B, SHELF);
    let a = reopened(&whole);
    copies.merge(&mut whole, &copy).unwrap();
    let expected = (prompts(&mut whole), folders(&mut whole));
    for takes in 0.. {
        let mut full = reopened(&a);
        let seen = CopyState::read(&mut full, SHELF).seen;
        full.store().takes.set(Some(takes));
        let merged = copies.merge(&mut full, &copy);
        if merged.is_ok() {
            assert!(takes > 3);
            return;
        }
        assert_eq!(merged, Err(StoreError::Full));
        assert_eq!(full.waiting(), 0);
        assert_eq!(CopyState::read(&mut full, SHELF).seen, seen);
        assert!(full.saved_prompt(Id(3)).is_none());
        let mut next = reopened(&full);
        copies.merge(&mut next, &copy).unwrap();
        assert_eq!(
            (prompts(&mut next), folders(&mut next)),
            expected,
            "{takes}"
        );
    }
}
