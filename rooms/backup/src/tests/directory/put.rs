use super::*;
use crate::clock::{FieldClock, THIS_WRITE};
use crate::form::{MAX_COUNT, MAX_TEXT, SHELF, compose};
use sash_log::MessageTombstone;
use sash_records::prompts::{PROMPT, SavedPrompt};

fn tombstone(id: u64, purged: bool) -> String {
    let tombstone = MessageTombstone {
        purged,
        ..MessageTombstone::of(&text(id, ""), 1)
    };
    line(Key::Removed(CHAT, Id(id)), &tombstone)
}

fn prompt_line(id: u64, text: &str, deleted: Option<u64>) -> String {
    let prompt = SavedPrompt {
        id: Id(id),
        name: format!("Prompt {id}"),
        text: text.to_owned(),
        deleted,
        rev: 1,
        unknown: Default::default(),
    };
    line(Key::Record(PROMPT, prompt.id), &prompt)
}

fn put_shelf(place: &Place, browser: Id, lines: String) -> Put {
    let shelf = PutRequest {
        chat: SHELF,
        title: "Firefox (Linux)".to_owned(),
        ..request(browser, lines)
    };
    place.pass();
    block_on(place.directory().put(&shelf)).unwrap()
}

#[test]
fn a_copy_is_sealed_and_says_what_the_browser_said() {
    let place = Place::new();
    let put = place.put(A, &[(1, "Hello"), (2, "Hi")]);
    assert_eq!((put.write, put.at), (1, 1000));
    assert_eq!(place.files.paths(), [path(A)]);
    let header = place.header(A);
    assert_eq!((header.messages, header.exported), (2, 1000));
    assert_eq!(header.backup.write, 1);
    assert_eq!(header.backup.title, "A title");
    assert_eq!(header.backup.state, "a state");
    let of = CopyId {
        chat: CHAT,
        browser: A,
    };
    let got = block_on(place.directory().get(of)).unwrap();
    assert_eq!((got.text, got.standing), (place.text(A), Standing::Sealed));
    let of = CopyId { browser: B, ..of };
    assert_eq!(
        block_on(place.directory().get(of)),
        Err(BackupFault::Absent)
    );
}

#[test]
fn no_browser_writes_over_another_one() {
    let place = Place::new();
    place.put(A, &[(1, "Mine")]);
    let mine = place.text(A);
    // It knows nothing of the directory, and has less.
    place.put(B, &[]);
    place.put(B, &[(2, "Theirs")]);
    assert_eq!(place.text(A), mine);
    assert!(place.text(B).contains("Theirs") && !place.text(B).contains("Mine"));
}

/// In the earlier backup a shorter line replaced the whole answer.
#[test]
fn a_shorter_line_does_not_replace_a_whole_answer() {
    let place = Place::new();
    place.put(A, &[(1, "A question"), (2, "A whole answer")]);
    let shorter = head_line()
        + &message_line(&text(1, "A question"))
        + &message_line(&interrupted(2, "A who"));
    place.put_lines(A, shorter).unwrap();
    assert!(place.text(A).contains("A whole answer"));
    place.put(A, &[(1, "A question"), (2, "A whole")]);
    assert!(place.text(A).contains("A whole answer"));
    // The lines are not those of the browser, so nobody may take its state for theirs.
    assert_eq!(place.header(A).backup.state, "");
    assert_eq!(place.kept(), Vec::<String>::new());
}

#[test]
fn an_answer_takes_the_place_of_its_beginning() {
    let place = Place::new();
    for running in ["A", "A long", "A long", "A long answer"] {
        let lines = head_line() + &message_line(&interrupted(2, running));
        place.put_lines(A, lines).unwrap();
    }
    place.put(A, &[(2, "A long answer with an end")]);
    assert_eq!(place.text(A).matches("A long").count(), 1);
    assert!(place.text(A).contains("with an end"));
    assert_eq!(place.kept(), Vec::<String>::new());
}

#[test]
fn of_two_lines_of_one_message_the_longer_one_counts() {
    let begun = message_line(&interrupted(2, "A begin"));
    let whole = message_line(&text(2, "A beginning and an end"));
    for lines in [begun.clone() + &whole, whole.clone() + &begun] {
        let place = Place::new();
        place.put_lines(A, head_line() + &lines).unwrap();
        assert_eq!(place.header(A).messages, 1);
        assert!(place.text(A).contains("and an end"));
    }
}

#[test]
fn of_two_texts_of_one_message_the_former_one_is_kept() {
    let place = Place::new();
    place.put(A, &[(2, "One text")]);
    place.put(A, &[(2, "Another text")]);
    assert!(place.text(A).contains("Another text"));
    assert_eq!(place.kept(), [kept_path(A, 1)]);
    assert!(place.has("One text"));
    // An interrupted answer that is longer than the whole one says something else, too.
    let lines = head_line() + &message_line(&interrupted(2, "Another text and more"));
    place.put_lines(A, lines).unwrap();
    assert!(place.text(A).contains("Another text and more"));
    assert_eq!(place.kept(), [1, 2].map(|number| kept_path(A, number)));
}

/// In the earlier backup the damaged record replaced the healthy line.
#[test]
fn a_damaged_record_does_not_replace_a_healthy_line() {
    let place = Place::new();
    place.put(A, &[(1, "Healthy words"), (2, "Others")]);
    let whole = chat_lines(&[(1, "Healthy words"), (2, "Others")]);
    let damaged = whole.replace("Healthy words", "Hea#thy w?rds");
    for lines in [damaged, chat_lines(&[(2, "Others")]), String::new()] {
        place.put_lines(A, lines).unwrap();
        let text = place.text(A);
        assert!(text.contains("Healthy words") && !text.contains("Hea#thy"));
        assert!(text.contains("sash:c:"), "a head that cannot be read");
        assert_eq!(place.header(A).messages, 2);
    }
}

#[test]
fn a_copied_profile_loses_no_words() {
    let place = Place::new();
    place.put(A, &[(1, "Both"), (2, "One machine")]);
    place.put(A, &[(1, "Both"), (3, "Another machine")]);
    place.put(A, &[(1, "Both"), (2, "One machine"), (4, "Later")]);
    let text = place.text(A);
    for words in ["Both", "One machine", "Another machine", "Later"] {
        assert_eq!(text.matches(words).count(), 1, "{words}");
    }
}

/// In the earlier backup the tombstone went along and took the message out of the file.
#[test]
fn what_one_browser_alone_deleted_for_good_stays_in_its_copy() {
    let place = Place::new();
    let whole = chat_lines(&[(1, "Stays"), (2, "Only here")]);
    place
        .put_lines(A, whole.clone() + &tombstone(2, false))
        .unwrap();
    let emptied = chat_lines(&[(1, "Stays")]) + &tombstone(2, true);
    for _ in 0..2 {
        place.put_lines(A, emptied.clone()).unwrap();
        let text = place.text(A);
        assert!(text.contains("Only here"));
        // In the trash, as it was when it was there last.
        assert!(text.contains(tombstone(2, false).trim()));
        assert!(!text.contains("\"purged\""));
    }
    // One that is taken out of the trash is not in it any more.
    place.put_lines(A, whole).unwrap();
    assert!(!place.text(A).contains("sash:x:"));
    // The place of a message that the directory never had stays known.
    place
        .put_lines(A, chat_lines(&[]) + &tombstone(9, true))
        .unwrap();
    assert!(place.text(A).contains(tombstone(9, true).trim()));
}

/// In the earlier backup a version of 2^64−1 made the next one 0.
#[test]
fn numbers_of_writes_do_not_wrap_and_none_comes_twice() {
    let place = Place::new();
    place.put(A, &[(1, "One")]);
    let older = place.text(A);
    assert_eq!(place.put(A, &[(1, "One"), (2, "Two")]).write, 2);
    // An older directory was restored: the browser knows of the second write.
    place.set(&path(A), older);
    let known = PutRequest {
        write: 2,
        ..request(A, chat_lines(&[(1, "One"), (3, "Three")]))
    };
    assert_eq!(block_on(place.directory().put(&known)).unwrap().write, 3);
    let of = CopyId {
        chat: CHAT,
        browser: A,
    };
    for write in [MAX_COUNT - 1, MAX_COUNT] {
        let record = crate::form::CopyRecord {
            write,
            ..Default::default()
        };
        let lines = chat_lines(&[(1, "One")]);
        let last = compose(of, record, &lines, 1, 5, &place.key).unwrap();
        place.set(&path(A), last);
        let write = place.put(A, &[(1, "One"), (4, "Four")]).write;
        assert!((1..=2).contains(&write), "{write}");
    }
    for write in [u64::MAX, MAX_COUNT] {
        let known = PutRequest {
            write,
            ..request(A, chat_lines(&[(5, "Five")]))
        };
        let write = block_on(place.directory().put(&known)).unwrap().write;
        assert!(write > 0 && write < MAX_COUNT, "{write}");
    }
}

#[test]
fn what_something_else_changed_is_set_aside_and_carries_nothing() {
    let place = Place::new();
    place.put(A, &[(1, "One")]);
    for n in 1..=5 {
        let changed = place.text(A) + &message_line(&text(9, &format!("By hand {n}")));
        place.set(&path(A), changed);
        let write = place.put(A, &[(1, "One"), (2, "Two")]).write;
        assert_eq!(write, n + 1);
        assert!(!place.text(A).contains("By hand"));
        assert!(place.has(&format!("By hand {n}")));
    }
    // The last three, and each once, also if the write behind it has to be done again.
    assert_eq!(place.kept(), [3, 4, 5].map(|number| kept_path(A, number)));
    let bad = "no copy at all, sixth\n";
    place.set(&path(A), bad);
    place.files.room.set(Some(0));
    assert_eq!(place.put_lines(A, chat_lines(&[])), Err(FULL));
    assert_eq!(place.text(A), bad);
    place.files.room.set(None);
    for failing in (1..=12).rev() {
        place.set(&path(A), bad);
        place.files.fail(failing, BackupProblem::Full);
        _ = place.put_lines(A, chat_lines(&[(1, "One")]));
        assert!(place.has(bad), "{failing}");
    }
    place.files.failing.set(None);
    place.put(A, &[(1, "One")]);
    assert_eq!(place.files.having(bad.as_bytes()).len(), 1);
    assert_eq!(place.kept().len(), 3);
    // A file of this installation under another name is no copy of that browser.
    place.set(&path(B), place.text(A));
    place.put(B, &[(3, "Mine")]);
    assert!(place.text(B).contains("Mine") && !place.text(B).contains("One"));
}

/// A program that synchronises the directory names its copies so.
#[test]
fn a_file_that_is_put_among_the_former_copies_takes_the_place_of_none() {
    let place = Place::new();
    for n in 1..=3 {
        place.set(&path(A), format!("By hand {n}\n"));
        place.put(A, &[(1, "One")]);
        let beside = ".sync-conflict-20260101-120000-ABCDEFG.jsonl";
        place.set(&kept_path(A, n).replace(".jsonl", beside), "beside\n");
    }
    for n in 1..=3 {
        assert!(place.has(&format!("By hand {n}")), "{n}");
    }
    assert_eq!(place.kept().len(), 6);
}

#[test]
fn a_file_that_cannot_be_used_concerns_its_chat_alone() {
    let place = Place::new();
    let newer = "{\"app\":\"sash\",\"schema\":99,\"secret\":1}\nwords\n";
    place.set(&path(A), newer);
    assert_eq!(
        place.put_lines(A, chat_lines(&[(1, "One")])),
        Err(BackupFault::Newer)
    );
    assert_eq!(place.text(A), newer);
    place.put(B, &[(1, "One")]);
    place.set(&path(B), vec![b'x'; MAX_TEXT + 1]);
    let too_long = place.put_lines(B, chat_lines(&[(1, "One")]));
    assert_eq!(too_long, Err(BackupFault::TooLong));
    place.files.oddities.borrow_mut().insert(path(Id(0xc)));
    assert!(place.put_lines(Id(0xc), chat_lines(&[])).is_err());
    let all = PutRequest {
        browser: Id(0),
        ..request(A, chat_lines(&[]))
    };
    assert_eq!(
        block_on(place.directory().put(&all)),
        Err(BackupFault::Absent)
    );
}

/// In the earlier backup images that were missing were never written again.
#[test]
fn missing_images_are_named_at_each_write() {
    let place = Place::new();
    let digits = "0123456789abcdef".repeat(4);
    let shown = picture(1, &format!("SHA-256: {digits}"), 1);
    let lines = head_line() + &message_line(&shown);
    for _ in 0..2 {
        let put = place.put_lines(A, lines.clone()).unwrap();
        // What only looks like the hash of an image is not asked for.
        assert_eq!(put.missing, [hash(1)]);
    }
    assert_eq!(place.put_image(A, 1), Ok(()));
    assert_eq!(place.put_image(A, 1), Ok(()));
    let put = place.put_lines(A, lines.clone()).unwrap();
    assert_eq!(put.missing, []);
    let got = block_on(place.directory().get_image(hash(1))).unwrap();
    assert_eq!(got.text, encode_image(&png(1)));
    place.files.unset(&format!("images/{}.png", hash(1)));
    assert_eq!(place.put_lines(A, lines).unwrap().missing, [hash(1)]);
    let absent = block_on(place.directory().get_image(hash(1)));
    assert_eq!(absent, Err(BackupFault::Absent));
    // An image that the copy does not name has no place, nor what is none.
    assert_eq!(place.put_image(A, 2), Err(BackupFault::Absent.into()));
    let wrong = block_on(place.directory().put_image(&PutImageRequest {
        chat: CHAT,
        browser: A,
        hash: hash(1),
        data: encode_image(b"text"),
    }));
    assert!(matches!(wrong, Err(sash_wire::Fault::InvalidField { .. })));
}

/// In the earlier backup those past 2,000 vanished.
#[test]
fn any_number_of_prompts_is_kept() {
    let place = Place::new();
    let all = |range: std::ops::Range<u64>| -> String {
        range.map(|id| prompt_line(id, "A text", None)).collect()
    };
    put_shelf(&place, A, all(1..3001));
    let shelf = format!("shelf/{A}.jsonl");
    assert_eq!(
        place.files.text(&shelf).unwrap().matches("sash:p:").count(),
        3000
    );
    // Prompts that cannot be read any more stay, a deleted one has no text, and nothing of a chat comes in.
    let lines = prompt_line(1, "", Some(5)) + &head_line() + &message_line(&text(1, "A message"));
    put_shelf(&place, A, lines);
    let text = place.files.text(&shelf).unwrap();
    assert_eq!(text.matches("sash:p:").count(), 3000);
    assert_eq!(text.matches("A text").count(), 2999);
    assert!(!text.contains("sash:c:") && !text.contains("A message"));
    assert_eq!(place.kept(), Vec::<String>::new());
    let list = block_on(place.directory().list()).unwrap();
    assert_eq!(list.copies[0].messages, 2999);
    assert_eq!(list.copies[0].title, "Firefox (Linux)");
}

#[test]
fn lines_of_other_chats_and_nonsense_do_not_come_in() {
    let place = Place::new();
    let other = line(Key::Head(Id(8)), &Head::new(Id(8), 5));
    let packed = line(Key::Segment(CHAT, 1), &"packed");
    let later = line(Key::Head(CHAT), &Head::new(CHAT, 5)).replace("sash:c:", "sash:later:");
    let nonsense = "x\n{}\n[]\n{\"key\":\"../../x\",\"crc\":\"0123abcd\",\"data\":1}\n";
    let lines = other + &packed + nonsense + &prompt_line(1, "A text", None) + &later;
    place.put_lines(A, chat_lines(&[]) + &lines).unwrap();
    let text = place.text(A);
    let expected = head_line() + &later;
    assert_eq!(text.split_once('\n').unwrap().1, expected);
    // A record of a later version stays.
    place.put(A, &[]);
    assert!(place.text(A).contains("sash:later:"));
}

/// The beginning of an answer passed for all of it.
#[test]
fn an_answer_that_a_copied_profile_does_not_have_runs_still() {
    let place = Place::new();
    let lines = head_line() + &message_line(&interrupted(2, "Half an"));
    let begun = PutRequest {
        running: vec![Id(2)],
        ..request(A, lines)
    };
    block_on(place.directory().put(&begun)).unwrap();
    place.put(A, &[(1, "A question")]);
    assert_eq!(place.header(A).backup.running, [Id(2)]);
    place.put(A, &[(1, "A question"), (2, "Half an answer and the rest")]);
    assert_eq!(place.header(A).backup.running, []);
}

#[test]
fn changes_of_fields_get_the_number_of_their_write() {
    let place = Place::new();
    let clock = |count, crc: &str, write| FieldClock {
        count,
        crc: crc.to_owned(),
        write,
        known: 0,
    };
    let with = |browser, name: &str, clock| PutRequest {
        fields: Fields::from([(name.to_owned(), clock)]),
        ..request(browser, chat_lines(&[(1, "One")]))
    };
    let put = |request: &PutRequest| {
        place.pass();
        block_on(place.directory().put(request)).unwrap()
    };
    let first = put(&with(A, "title", clock(1, "aaaa", THIS_WRITE)));
    assert_eq!(first.fields["title"], clock(1, "aaaa", 1));
    // It counts on from what the other browser has.
    let second = put(&with(B, "title", clock(1, "bbbb", THIS_WRITE)));
    assert_eq!(second.fields["title"], clock(2, "bbbb", 1));
    assert_eq!(place.header(B).backup.fields, second.fields);
    // A file that nobody sealed says nothing of a clock.
    let forged = place.text(B).replace("[2,", "[9007199254740990,");
    place.set(&path(B), forged);
    let third = put(&with(A, "title", clock(1, "cccc", THIS_WRITE)));
    assert_eq!(third.fields["title"], clock(2, "cccc", 2));
    // A copied profile knows of an earlier value alone, which is no later one because of that.
    let twin = put(&with(A, "title", clock(1, "aaaa", 1)));
    assert_eq!(twin.fields["title"], clock(1, "aaaa", 1));
    assert_eq!(place.header(A).backup.fields, third.fields);
}
