use super::*;
use crate::form::SHELF;
use crate::gone::parse_gone;
use futures::future::join;

const EARLIER: &str = "chats/0000000000000007.jsonl";
const VERSION: &str = "versions/0000000000000007/0000000000009-v1.jsonl";

fn gone_path(browser: Id) -> String {
    format!("chats/{CHAT}/{browser}.gone")
}

/// A chat of two browsers, with former files, of an earlier Sash too.
fn full_place() -> Place {
    let place = Place::new();
    let texts = [(1, "A secret"), (2, "An answer"), (3, "Something else")];
    place.put(B, &[(1, "Also A secret"), (2, "An answer")]);
    place.put(B, &texts);
    place.set(&path(A), chat_lines(&texts));
    place.put(A, &texts);
    place.set(EARLIER, earlier(&chat_lines(&texts), 4, "A secret"));
    place.set(VERSION, earlier(&chat_lines(&texts[..2]), 3, "A secret"));
    place
}

#[test]
fn what_is_deleted_for_good_leaves_all_files_and_nothing_else_does() {
    let place = full_place();
    assert_eq!(place.files.having(b"A secret").len(), 6);
    place.purge(A, &[1], false);
    assert!(
        !place.has("A secret"),
        "{:?}",
        place.files.having(b"A secret")
    );
    assert_eq!(place.files.having(b"An answer").len(), 6);
    assert_eq!(place.files.having(b"Something else").len(), 4);
    let gone = block_on(place.directory().gone(CHAT)).unwrap();
    assert_eq!((gone.gone.chat, gone.gone.ids), (false, [Id(1)].into()));
    let text = place.files.text(&gone_path(A)).unwrap();
    assert_eq!(gone.bytes, BTreeMap::from([(A, text.len() as u64)]));
    // The other browser's copy is sealed still, and says what was taken out of it.
    let header = place.header(B);
    assert_eq!((header.messages, header.backup.write), (2, 2));
    assert_eq!(header.backup.gone, gone.bytes);
    assert_eq!(header.backup.title, "");
    // Once more changes nothing.
    let files = place.files.files.borrow().clone();
    place.purge(A, &[1], false);
    assert_eq!(*place.files.files.borrow(), files);
}

/// In the earlier backup a chat that another browser had written on was refused, or its words went.
#[test]
fn of_a_chat_that_is_deleted_the_words_stay_that_the_browser_never_saw() {
    let place = Place::new();
    place.put(A, &[(1, "Mine"), (2, "Also mine")]);
    place.put(B, &[(1, "Mine"), (3, "Never seen there")]);
    place.purge(A, &[1, 2], true);
    assert!(!place.has("Mine") && !place.has("Also mine"));
    assert_eq!(place.files.paths(), [gone_path(A), path(B)]);
    assert!(place.text(B).contains("Never seen there") && place.text(B).contains("sash:c:"));
    // The other one goes on, in the chat as it is.
    let put = place.put(B, &[(1, "Mine"), (3, "Never seen there"), (4, "More")]);
    assert_eq!((put.write, put.dropped), (2, vec![Id(1)]));
    assert!(!place.has("Mine") && place.text(B).contains("More"));
    // A title may be the beginning of what was dropped.
    assert_eq!(place.header(B).backup.title, "");
    // Who has nothing else of it writes nothing.
    let put = place.put(A, &[(2, "Also mine")]);
    assert_eq!((put.write, put.dropped), (0, vec![Id(2)]));
    assert_eq!(place.files.paths(), [gone_path(A), path(B)]);
}

#[test]
fn nothing_is_left_of_a_chat_that_is_deleted_as_a_whole() {
    let place = full_place();
    place.purge(B, &[1, 2, 3], true);
    assert_eq!(place.files.paths(), [gone_path(B)]);
    let text = place.files.text(&gone_path(B)).unwrap();
    assert_eq!(text.lines().count(), 4);
    let of = CopyId {
        chat: CHAT,
        browser: B,
    };
    assert!(parse_gone(&text, of, &place.key).chat);
}

/// In the earlier backup all of these outlived a purge.
#[test]
fn half_written_files_and_reformatted_lines_do_not_outlive_a_purge() {
    let secret = message_line(&text(1, "A secret"));
    let other = message_line(&text(2, "An answer"));
    let pretty = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        serde_json::to_string_pretty(&value).unwrap()
    };
    let raw = lines::raw(
        "sash:bad:sash:m:0000000000000007:000001-0000000000000001",
        "\"1|0|A secret\"",
    );
    let child = "sash:bad:sash:m:0000000000000007:000002-0000000000000002";
    let raw_child = lines::raw(child, "\"parent 0000000000000001, An answer\"");
    for (n, (changed, stays)) in [
        (pretty(&secret) + "\n" + &pretty(&other), true),
        (pretty(&other) + "\n" + &pretty(&secret) + "\n", true),
        (secret.trim().to_owned() + &other, true),
        (other.trim().to_owned() + &secret, true),
        (secret.replace("\":", "\": "), false),
        (secret.replace('\n', "\r\n") + &other, true),
        (secret.replace("sash", "s\\u0061sh") + &other, true),
        (other.clone() + &secret[..secret.len() - 9], true),
        (secret[..secret.len() - 9].to_owned() + "\n" + &other, true),
        (raw + &raw_child, true),
        (format!("[{}]", secret.trim()), false),
        ("[".repeat(100_000) + &secret, false),
    ]
    .into_iter()
    .enumerate()
    {
        let place = Place::new();
        place.put(A, &[(1, "A secret"), (3, "Else")]);
        place.set(&path(B), head_line() + &changed);
        for unfinished in [
            format!("tmp/{n}.new"),
            path(B) + ".crswap",
            EARLIER.to_owned() + ".new",
            "prompts-and-folders.jsonl.new".to_owned(),
            format!("images/{}.png.crswap", hash(1)),
            format!("versions/{CHAT}/x.new"),
        ] {
            place.set(&unfinished, secret.as_str());
        }
        place.purge(A, &[1], false);
        assert!(!place.has("A secret"), "{n}: {:?}", place.files.paths());
        assert_eq!(place.has("An answer"), stays, "{n}: {}", place.text(B));
        assert!(place.has("Else"), "{n}");
        assert_eq!(place.files.paths().len(), 3, "{n}");
        // As a whole it goes whatever is in it.
        place.purge(A, &[1, 2, 3], true);
        assert_eq!(place.files.paths(), [gone_path(A)], "{n}");
    }
}

/// In the earlier backup a purge that was broken off left images for good, and the second one said that all was done.
#[test]
fn a_purge_that_is_broken_off_anywhere_is_ended_by_the_same_request() {
    let mut is_done = false;
    for n in 0.. {
        let place = full_place();
        let lines = head_line() + &message_line(&picture(1, "A secret", 1));
        place.put_lines(A, lines).unwrap();
        place.put_image(A, 1).unwrap();
        place.files.stop_after(n);
        let purged = place.try_purge(A, &[1], false);
        if purged.is_ok_and(|purged| purged.unreached.is_empty()) {
            is_done = true;
        }
        let place = place.restarted();
        place.purge(A, &[1], false);
        assert!(!place.has("A secret") && !place.has("img\u{1}."), "{n}");
        assert!(place.has("An answer") && place.has("Something else"), "{n}");
        if is_done {
            assert!(n > 20, "{n}");
            break;
        }
    }
}

#[test]
fn an_image_goes_with_the_last_file_that_names_it() {
    let place = Place::new();
    let both = message_line(&picture(1, "One", 1)) + &message_line(&picture(2, "Two", 2));
    place.put_lines(A, head_line() + &both).unwrap();
    place
        .put_lines(B, head_line() + &message_line(&picture(3, "Three", 1)))
        .unwrap();
    for n in [1, 2] {
        place.put_image(A, n).unwrap();
    }
    place.purge(A, &[1], false);
    assert!(place.has("img\u{1}.") && place.has("img\u{2}."));
    // A browser that did not know it hands it over again: it is named nowhere by that.
    place.put_lines(A, head_line() + &both).unwrap();
    place.purge(A, &[2], false);
    assert!(place.has("img\u{1}.") && !place.has("img\u{2}."));
    // One that was on its way meanwhile does not come back.
    assert_eq!(place.put_image(A, 2), Err(BackupFault::Absent.into()));
    // What has no seal names what its text names.
    place.set(
        EARLIER,
        earlier(&message_line(&picture(4, "Four", 1)), 1, ""),
    );
    place.purge(B, &[3], false);
    assert!(place.has("img\u{1}."));
    place.purge(B, &[4], false);
    assert!(!place.has("img\u{1}."));
}

/// In the earlier backup images of other chats went if an entry could not be read.
#[test]
fn what_cannot_be_read_keeps_all_images_and_stops_nothing_else() {
    let place = Place::new();
    let lines = head_line() + &message_line(&picture(1, "A secret", 1));
    place.put_lines(A, lines).unwrap();
    place.put_image(A, 1).unwrap();
    place.put(B, &[(1, "A secret"), (2, "An answer")]);
    for directory in ["kept", "versions"] {
        let chat = format!("{directory}/{CHAT}");
        place.files.oddities.borrow_mut().insert(chat);
    }
    place
        .files
        .oddities
        .borrow_mut()
        .insert("versions/pipe".to_owned());
    place.files.oddities.borrow_mut().insert(path(Id(0xc)));
    place.files.oddities.borrow_mut().insert(EARLIER.to_owned());
    let purged = place.try_purge(A, &[1], false).unwrap();
    assert!(!place.has("A secret") && place.has("An answer"));
    assert_eq!(purged.unreached.len(), 2, "{:?}", purged.unreached);
    assert_eq!(purged.others, 5);
    assert!(!place.has("img\u{1}."), "a link is no file of the backup");
    // A file that is there, and that the disk does not give.
    place.files.oddities.borrow_mut().clear();
    let lines = head_line() + &message_line(&picture(3, "A secret", 3));
    place.put_lines(A, lines).unwrap();
    place.put_image(A, 3).unwrap();
    let lines = head_line() + &message_line(&picture(2, "An answer", 4));
    place.put_lines(B, lines).unwrap();
    place.put_image(B, 4).unwrap();
    let counted = place.restarted();
    counted.purge(A, &[3], false);
    for n in 1..=counted.files.operations.get() {
        let place = place.restarted();
        place.files.fail(n, BackupProblem::Denied);
        let purged = place.try_purge(A, &[3], false);
        if !purged.is_ok_and(|purged| purged.unreached.is_empty()) {
            assert!(place.has("img\u{4}."), "{n}");
            place.purge(A, &[3], false);
        }
        assert!(!place.has("A secret") && !place.has("img\u{3}."), "{n}");
        assert!(place.has("An answer") && place.has("img\u{4}."), "{n}");
    }
}

#[test]
fn a_picture_stays_that_something_else_added_to_a_copy() {
    let place = Place::new();
    let lines = head_line() + &message_line(&picture(1, "A secret", 1));
    place.put_lines(A, lines).unwrap();
    place.put_image(A, 1).unwrap();
    let another = PutRequest {
        chat: Id(8),
        ..request(B, String::new())
    };
    block_on(place.directory().put(&another)).unwrap();
    let path = format!("chats/{}/{B}.jsonl", Id(8));
    let text = place.files.text(&path).unwrap();
    place.set(&path, format!("{text}{}\n", hash(1)));
    place.purge(A, &[1], false);
    assert!(!place.has("A secret") && place.has("img\u{1}."));
}

/// It made *Delete everything* fail for all.
#[test]
fn a_pipe_in_the_place_of_what_was_deleted_is_named_and_stops_nothing() {
    let place = full_place();
    place.files.oddities.borrow_mut().insert(gone_path(A));
    let purged = place.try_purge(A, &[1], false).unwrap();
    assert_eq!(purged.unreached, [gone_path(A)]);
    assert!(!place.has("A secret") && place.has("An answer"));
}

/// In the earlier backup such a file made it fail for all.
#[test]
fn a_file_that_is_too_long_is_named_and_stops_nothing() {
    let place = full_place();
    let long = format!("chats/{CHAT}/{}.jsonl", Id(0xc));
    place.set(&long, vec![b'x'; crate::form::MAX_TEXT + 1]);
    let newer = format!("chats/{CHAT}/{}.jsonl", Id(0xd));
    let text = "{\"app\":\"sash\",\"schema\":9}\n".to_owned();
    place.set(&newer, text + &message_line(&super::text(1, "A secret")));
    let purged = place.try_purge(A, &[1], false).unwrap();
    assert_eq!(purged.unreached, [long, newer.clone()]);
    assert_eq!(place.files.having(b"A secret"), [newer]);
}

/// In the earlier backup they made 5,000 files.
#[test]
fn chats_that_are_not_there_make_no_files() {
    let place = Place::new();
    for chat in 1..=5000 {
        let request = PurgeRequest {
            chat: Id(chat),
            browser: A,
            ids: vec![Id(1)],
            is_whole: true,
            is_last: false,
        };
        let purged = block_on(place.directory().purge(&request)).unwrap();
        assert_eq!(purged, Purged::default());
    }
    assert_eq!(place.files.paths(), Vec::<String>::new());
}

/// In the earlier backup such a trash could not be emptied.
#[test]
fn forty_thousand_messages_are_deleted_at_once() {
    let place = Place::new();
    place.put(B, &[(1, "A secret"), (50_000, "Stays")]);
    let ids: Vec<u64> = (1..=40_000).collect();
    place.purge(A, &ids, false);
    assert!(!place.has("A secret") && place.has("Stays"));
    let gone = block_on(place.directory().gone(CHAT)).unwrap();
    assert_eq!(gone.gone.ids.len(), 40_000);
}

/// In the earlier backup nothing could be deleted on a full disk.
#[test]
fn on_a_full_disk_a_chat_can_be_deleted() {
    let place = full_place();
    let used: usize = {
        let files = place.files.files.borrow();
        files.values().map(|file| file.bytes.len()).sum()
    };
    place.files.room.set(Some(used as u64));
    // To take one message out there is no room: nothing is lost, and it is said.
    assert_eq!(place.try_purge(A, &[1], false), Err(FULL));
    assert_eq!(place.files.having(b"An answer").len(), 6);
    place.purge(A, &[1, 2, 3], true);
    assert_eq!(place.files.paths(), [gone_path(A)]);
}

/// In the earlier backup forged tombstones destroyed messages and a chat for good.
#[test]
fn a_deletion_that_no_key_sealed_deletes_nothing() {
    let place = Place::new();
    place.put(A, &[(1, "One"), (2, "Two")]);
    let own = Place::of(MemoryFiles::default());
    own.put(A, &[(1, "One")]);
    own.purge(A, &[1], true);
    let sealed = own.files.text(&gone_path(A)).unwrap();
    let forged = format!(
        "{{\"id\":\"{}\",\"seal\":\"\"}}\n{{\"chat\":true}}\n",
        Id(1)
    );
    // Forged, and one of another browser under this name.
    for text in [forged, sealed.clone(), sealed[1..].to_owned()] {
        place.set(&gone_path(B), text);
        block_on(place.directory().list()).unwrap();
        let put = place.put(A, &[(1, "One"), (2, "Two")]);
        assert_eq!(put.dropped, []);
        assert!(place.has("One") && place.has("Two"));
        assert_eq!(place.header(A).messages, 2);
    }
    // A file of it that is longer than any says nothing either, and the next purge replaces it.
    place.set(&gone_path(A), vec![b' '; crate::form::MAX_TEXT + 1]);
    assert_eq!(place.put(A, &[(1, "One"), (2, "Two")]).dropped, []);
    place.purge(A, &[2], false);
    assert!(place.has("One") && !place.has("Two"));
    assert!(place.files.text(&gone_path(A)).unwrap().len() < 500);
}

#[test]
fn what_another_program_writes_or_purges_meanwhile_is_not_lost_and_does_not_come_back() {
    for delay in 0..40 {
        let place = full_place();
        let other = Place {
            files: MemoryFiles::default(),
            headers: HeaderCache::default(),
            key: key(),
        };
        place.files.is_slow.set(true);
        // Two servers with one directory.
        let here = place.directory();
        let there = BackupDirectory::new(&place.files, &other.key, &other.headers);
        let purge = PurgeRequest {
            chat: CHAT,
            browser: A,
            ids: vec![Id(1)],
            is_whole: false,
            is_last: true,
        };
        let texts = [(1, "A secret"), (2, "An answer"), (9, "New words")];
        let put = request(B, chat_lines(&texts));
        place.pass();
        let (purged, written) = block_on(join(here.purge(&purge), async {
            for _ in 0..delay {
                there.gone(CHAT).await.unwrap();
            }
            there.put(&put).await
        }));
        if !purged.unwrap().unreached.is_empty() {
            // Of a file that another one writes nothing is taken out: the same request goes on with it.
            let purged = block_on(here.purge(&purge)).unwrap();
            assert_eq!(purged.unreached, Vec::<String>::new());
        }
        let written = written.unwrap().write;
        let list = block_on(here.list()).unwrap();
        let listed = list.copies.iter().find(|copy| copy.browser == B).unwrap();
        if listed.write != written {
            // The one took lines out of the former copy at the moment in which the other one wrote the new one. The browser
            // hears of a number that is not its own, and hands the chat over again.
            place.pass();
            block_on(there.put(&put)).unwrap();
        }
        assert!(!place.has("A secret"), "{delay}");
        assert!(place.has("New words") && place.has("An answer"), "{delay}");
    }
}

#[test]
fn an_older_copy_that_something_puts_back_loses_what_was_deleted() {
    let place = full_place();
    let files = place.files.files.borrow().clone();
    place.purge(A, &[1], false);
    for (path, file) in files {
        if path.starts_with("chats/") || path.starts_with("kept/") {
            place.set(&path, file.bytes);
        }
    }
    assert!(place.has("A secret"));
    let list = block_on(place.directory().list()).unwrap();
    assert!(
        !place.has("A secret"),
        "{:?}",
        place.files.having(b"A secret")
    );
    assert!(place.has("An answer"));
    assert_eq!(list.gone[&CHAT].len(), 1);
    // After that the headers are read, and no text.
    let before = place.files.bytes.get();
    assert_eq!(block_on(place.directory().list()), Ok(list));
    assert_eq!(place.files.bytes.get(), before);
}

#[test]
fn prompts_are_deleted_from_the_own_shelf_and_that_of_an_earlier_sash() {
    let place = Place::new();
    let prompt = |id: u64, text: &str| {
        let record = serde_json::json!({"id": Id(id), "name": text, "text": text, "rev": 1});
        let key = format!("sash:p:{}", Id(id));
        lines::line(&key, &encode_record(&record)).unwrap()
    };
    for browser in [A, B] {
        let shelf = PutRequest {
            chat: SHELF,
            ..request(browser, prompt(1, "A secret") + &prompt(2, "Stays"))
        };
        place.pass();
        block_on(place.directory().put(&shelf)).unwrap();
    }
    let all = prompt(1, "A secret") + &prompt(2, "Stays");
    place.set("prompts-and-folders.jsonl", earlier(&all, 1, ""));
    place.set("versions/prompts-and-folders-9-changed.jsonl", all);
    let purge = PurgeRequest {
        chat: SHELF,
        browser: A,
        ids: vec![Id(1)],
        is_whole: false,
        is_last: true,
    };
    let purged = block_on(place.directory().purge(&purge)).unwrap();
    assert_eq!(purged, Purged::default());
    // The other browser has it still.
    assert_eq!(
        place.files.having(b"A secret"),
        [format!("shelf/{B}.jsonl")]
    );
    assert_eq!(place.files.having(b"Stays").len(), 4);
    let list = block_on(place.directory().list()).unwrap();
    assert!(list.gone.is_empty());
    let titles: Vec<&str> = list.copies.iter().map(|it| it.title.as_str()).collect();
    assert_eq!(titles, ["A title", "A title", ""]);
}
