//! Merging never changes existing messages.

use super::*;
use sash_chat::{Outcome, Policy};
use sash_log::Key;

fn fates(plan: &ImportPlan) -> Vec<ImportOutcome> {
    plan.chats.iter().map(|chat| chat.fate).collect()
}

#[test]
fn a_file_has_a_header_and_a_line_a_record_with_its_own_checksum() {
    let mut log = log_of(&[simple(1), simple(2)]);
    let file = exported(&mut log, ExportScope::All);
    let lines: Vec<&str> = file.lines().collect();
    assert_eq!(
        lines[0],
        format!("{{\"app\":\"sash\",\"schema\":1,\"exported\":{NOW},\"chats\":2,\"messages\":4}}")
    );
    assert_eq!(lines.len(), 7);
    for (line, kind) in lines[1..].iter().zip(["c", "c", "m", "m", "m", "m"]) {
        let value = serde_json::from_str::<serde_json::Value>(line).unwrap();
        let key = value["key"].as_str().unwrap();
        assert!(key.starts_with(&format!("sash:{kind}:")), "{key}");
        let record = format!(
            "1|{}|{}",
            value["crc"].as_str().unwrap(),
            line.split_once("\"data\":")
                .unwrap()
                .1
                .strip_suffix('}')
                .unwrap()
        );
        assert_eq!(log.store().get(key), Some(record));
    }
    assert_eq!(
        exported(&mut log, ExportScope::One(Id(2))).lines().count(),
        4
    );
}

#[test]
fn an_export_has_no_drafts() {
    let mut log = log_of(&[simple(1)]);
    for chat in [Id(1), Id(77)] {
        log.save_draft(chat, "half a thought", 9).unwrap();
    }
    let file = exported(&mut log, ExportScope::AllAndDeleted);
    assert!(!file.contains("half a thought"));
}

#[test]
fn a_damaged_record_leaves_as_it_is_and_is_told_where_it_comes_in() {
    let log = log_of(&[simple(1), simple(2)]);
    let key = Key::Message(Id(1), 2, Id(102)).to_string();
    let damaged = log
        .store()
        .get(&key)
        .unwrap()
        .replace("An answer", "A\"n\" answer");
    let mut log = with_record(&log, &key, &damaged);
    let cases = [
        (ExportScope::One(Id(2)), 0),
        (ExportScope::One(Id(1)), 1),
        (ExportScope::All, 1),
    ];
    for (which, aside) in cases {
        let file = exported(&mut log, which);
        let raw: Vec<String> = file
            .lines()
            .filter_map(|line| {
                serde_json::from_str::<serde_json::Value>(line).ok()?["raw"]
                    .as_str()
                    .map(str::to_owned)
            })
            .collect();
        assert_eq!(raw, vec![damaged.clone(); aside]);
        let plan = planned(&mut log_of(&[]), &file);
        assert_eq!(plan.notes.aside, aside);
    }
    // Where the damage was found only while exporting, the header had counted the message.
    let mut log = with_record(&log_of(&[simple(1)]), &key, &damaged);
    let file = exported(&mut log, ExportScope::All);
    let plan = planned(&mut log_of(&[]), &file);
    assert_eq!((plan.notes.aside, plan.notes.missing), (1, 1));
}

#[test]
fn packed_chats_leave_as_their_messages_and_are_known_when_they_come() {
    let mut chat = simple(1);
    for seq in 3..80 {
        let id = 100 + u64::from(seq);
        chat.insert(message(
            id,
            id - 1,
            seq,
            &format!("Word {seq} of many words"),
        ));
    }
    let raw = exported(&mut log_of(std::slice::from_ref(&chat)), ExportScope::All);
    let mut log = log_of(std::slice::from_ref(&chat));
    assert!(log.pack(Id(1)).unwrap().messages > 70);
    let packed = dump(log.store());
    let file = exported(&mut log, ExportScope::All);
    let messages = |file: &str| -> Vec<String> {
        let lines = file.lines().filter(|line| line.contains("sash:m:"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(messages(&file), messages(&raw));
    assert_eq!(dump(log.store()), packed, "nothing stays unpacked");
    assert_eq!(imported(&mut log, &file), [ImportOutcome::Here]);
    let mut other = log_of(&[]);
    assert_eq!(imported(&mut other, &file), [ImportOutcome::New]);
    assert!(other.load(Id(1)).unwrap().messages().eq(chat.messages()));
    // New messages are added beside the packed ones.
    chat.insert(message(500, 101, 80, "One more"));
    let longer = exported(&mut log_of(&[chat]), ExportScope::All);
    assert_eq!(imported(&mut log, &longer), [ImportOutcome::More(1)]);
}

#[test]
fn long_chats_leave_in_pieces() {
    let mut chat = simple(1);
    for seq in 3..400 {
        chat.insert(message(
            100 + u64::from(seq),
            99 + u64::from(seq),
            seq,
            &"word ".repeat(400),
        ));
    }
    let mut log = log_of(&[chat]);
    let mut export = Export::new(&log, ExportScope::All, NOW);
    let mut pieces = 0;
    while let Some(piece) = export.next(&mut log) {
        assert!(piece.len() < 70_000, "{}", piece.len());
        pieces += 1;
    }
    assert!(pieces > 10);
}

#[test]
fn the_trash_stays_at_home_unless_it_is_asked_for_and_goes_to_the_trash() {
    let mut log = log_of(&[simple(1), simple(2)]);
    log.delete(Id(2), NOW - 7).unwrap();
    let file = exported(&mut log, ExportScope::All);
    assert!(!file.contains(&Id(2).to_string()));
    let file = exported(&mut log, ExportScope::AllAndDeleted);
    let mut other = log_of(&[]);
    let plan = planned(&mut other, &file);
    assert_eq!(fates(&plan), [ImportOutcome::New, ImportOutcome::New]);
    assert_eq!(plan.chats.iter().filter(|c| c.deleted).count(), 1);
    applied(&mut other, plan).unwrap();
    assert_eq!(other.chat_list().len(), 1);
    assert_eq!(other.deleted().len(), 1);
    other.restore(Id(2));
    assert_eq!(other.load(Id(2)).unwrap(), simple(2));
    // In the trash of the file and alive here: an import deletes nothing.
    assert_eq!(
        imported(&mut other, &file),
        [ImportOutcome::Here, ImportOutcome::Here]
    );
    assert_eq!(other.chat_list().len(), 2);
}

#[test]
fn a_plan_writes_nothing_and_tells_what_it_needs() {
    let file = exported(&mut log_of(&[simple(1)]), ExportScope::All);
    let mut log = log_of(&[simple(2)]);
    let before = dump(log.store());
    let plan = planned(&mut log, &file);
    assert_eq!(dump(log.store()), before);
    assert_eq!((plan.chats.len(), plan.records()), (1, 3));
    assert_eq!(plan.chats[0].title, "A question");
    assert_eq!(plan.chats[0].messages, 2);
    let needs = plan.needs;
    applied(&mut log, plan).unwrap();
    let size = |dump: &[(String, String)]| {
        dump.iter()
            .map(|(k, v)| (k.len() + v.len()) as u64)
            .sum::<u64>()
    };
    assert_eq!(size(&dump(log.store())) - size(&before), needs);
}

#[test]
fn messages_the_chat_here_lacks_are_added_to_it() {
    let mut longer = simple(1);
    longer.head.title = Some("Renamed there".into());
    longer.insert(message(103, 102, 3, "More?"));
    longer.insert(message(104, 103, 4, "More."));
    longer.insert(Message {
        outcome: Outcome::failed("no model"),
        ..message(105, 101, 5, "Another version")
    });
    let file = exported(&mut log_of(std::slice::from_ref(&longer)), ExportScope::All);
    let mut here = simple(1);
    here.head.title = Some("Renamed here".into());
    here.head.settings.policy = Policy::Everything;
    let mut log = log_of(&[here.clone()]);
    let before = dump(log.store());
    assert_eq!(imported(&mut log, &file), [ImportOutcome::More(3)]);
    let merged = log.load(Id(1)).unwrap();
    assert_eq!(merged.head, here.head);
    assert!(merged.messages().eq(longer.messages()));
    for (key, value) in before {
        assert_eq!(log.store().get(&key), Some(value));
    }
    assert_eq!(imported(&mut log, &file), [ImportOutcome::Here]);
}

#[test]
fn a_chat_that_says_something_else_comes_beside_the_one_that_is_here() {
    let mut other = simple(1);
    other.head.pin(Id(101), true);
    other.head.mute(Id(102), true);
    other.head.settings.cleared.push(Id(101));
    other.insert(message(102, 101, 2, "Something else"));
    other.insert(message(103, 102, 3, "And on"));
    other.head.at = other.tree.position_through(Id(103));
    let file = exported(&mut log_of(&[other]), ExportScope::All);
    let mut log = log_of(&[simple(1)]);
    assert_eq!(
        imported(&mut log, &file),
        [ImportOutcome::Copy(CopyReason::Differs)]
    );
    assert_eq!(log.load(Id(1)).unwrap(), simple(1));
    let beside = log.chat_list().into_iter().find(|s| s.id != Id(1)).unwrap();
    let copy = log.load(beside.id).unwrap();
    let texts: Vec<&str> = copy.path().iter().map(|m| m.content.as_str()).collect();
    assert_eq!(texts, ["A question", "Something else", "And on"]);
    let path = copy.path();
    assert_eq!(copy.head.settings.pins, [path[0].id]);
    assert_eq!(copy.head.settings.mutes, [path[1].id]);
    assert_eq!(copy.head.settings.cleared, [path[0].id]);
    assert_eq!(copy.head.at.unwrap().leaf, path[2].id);
    assert_eq!(path[1].receipt.as_ref().unwrap().sent, [path[0].id]);
    assert_eq!(path[2].parent, Some(path[1].id));
    // The copy is recognised the next time.
    assert_eq!(imported(&mut log, &file), [ImportOutcome::Here]);
    assert_eq!(log.chat_list().len(), 2);
}

#[test]
fn an_answer_that_was_exported_half_is_known_when_it_is_whole_here() {
    let running = |content: &str, outcome: Outcome| {
        let mut chat = simple(1);
        chat.insert(Message {
            outcome,
            ..message(104, 101, 4, content)
        });
        chat
    };
    let half = running("It goes", Outcome::Interrupted);
    let file = exported(&mut log_of(&[half]), ExportScope::All);
    let mut log = log_of(&[running("It goes on.", Outcome::Complete)]);
    assert_eq!(imported(&mut log, &file), [ImportOutcome::Here]);
    // In the other direction the file holds more text than the log, and it is not lost.
    let file = exported(&mut log, ExportScope::All);
    let mut log = log_of(&[running("It goes", Outcome::Interrupted)]);
    assert_eq!(
        imported(&mut log, &file),
        [ImportOutcome::Copy(CopyReason::Differs)]
    );
}

#[test]
fn what_was_deleted_here_comes_back_only_as_a_chat_of_its_own() {
    let file = exported(&mut log_of(&[simple(1)]), ExportScope::All);
    let mut log = log_of(&[simple(1)]);
    log.delete(Id(1), NOW).unwrap();
    assert_eq!(
        imported(&mut log, &file),
        [ImportOutcome::Copy(CopyReason::Deleted)]
    );
    assert_eq!((log.chat_list().len(), log.deleted().len()), (1, 1));
    assert_eq!(imported(&mut log, &file), [ImportOutcome::Here]);
    // The same again, after the copy was deleted too.
    let copy = log.chat_list()[0].id;
    log.delete(copy, NOW).unwrap();
    assert_eq!(
        imported(&mut log, &file),
        [ImportOutcome::Copy(CopyReason::Deleted)]
    );
    assert_eq!((log.chat_list().len(), log.deleted().len()), (1, 2));
}

/// Deletes the answer of [`simple`] chat 1.
fn remove_answer(log: &mut Log<MemoryStore>) {
    let chat = simple(1);
    let answer = chat.get(Id(102)).unwrap();
    log.remove_message(Id(1), answer, NOW).unwrap();
}

#[test]
fn a_message_that_was_deleted_here_stays_deleted() {
    let file = exported(&mut log_of(&[simple(1)]), ExportScope::All);
    let mut log = log_of(&[simple(1)]);
    remove_answer(&mut log);
    log.purge_messages(Id(1), &[Id(102)], NOW).unwrap();
    let plan = planned(&mut log, &file);
    assert_eq!(
        (fates(&plan), plan.notes.stay_deleted),
        (vec![ImportOutcome::Here], 1)
    );
}

#[test]
fn deleted_messages_leave_with_their_tombstones() {
    let mut log = log_of(&[simple(1)]);
    remove_answer(&mut log);
    let file = exported(&mut log, ExportScope::All);
    let mut other = log_of(&[]);
    assert_eq!(imported(&mut other, &file), [ImportOutcome::New]);
    assert_eq!(dump(other.store()), dump(log.store()));
}

#[test]
fn receipts_that_come_find_their_system_prompts() {
    let answer = |id: u64, parent: u64, seq: u32, system: u32| {
        let mut answer = message(id, parent, seq, "By the book");
        answer.receipt.as_mut().unwrap().system = Some(system);
        answer
    };
    let mut here = simple(1);
    here.head.set_system("first");
    let mut there = here.clone();
    there.head.set_system("second");
    there.insert(message(103, 102, 3, "And?"));
    there.insert(answer(104, 103, 4, 1));
    let file = exported(&mut log_of(&[there.clone()]), ExportScope::All);
    let mut log = log_of(&[here.clone()]);
    assert_eq!(imported(&mut log, &file), [ImportOutcome::More(2)]);
    let head = log.head(Id(1)).unwrap();
    assert_eq!(
        (head.systems, head.settings.system),
        (vec!["first".into(), "second".into()], Some(0))
    );
    // The second prompt differs here, so the receipt would be wrong.
    here.head.set_system("third");
    let mut log = log_of(&[here]);
    assert_eq!(
        imported(&mut log, &file),
        [ImportOutcome::Copy(CopyReason::Differs)]
    );
}

/// A file may be another person's: it must not say that an engine here has read its messages.
#[test]
fn no_file_says_which_engine_here_has_read_a_message_and_a_chat_is_known_without_that() {
    let mut chat = simple(1);
    let mut answer = chat.get(Id(102)).cloned().unwrap();
    answer.receipt.as_mut().unwrap().engine_address = Some("digest".to_owned());
    chat.insert(answer);
    let mut here = log_of(&[chat]);
    let file = exported(&mut here, ExportScope::All);
    let mut there = open(MemoryStore::default());
    assert_eq!(imported(&mut there, &file), [ImportOutcome::New]);
    let came = there.load(Id(1)).unwrap();
    let receipt = came.get(Id(102)).unwrap().receipt.clone().unwrap();
    assert_eq!(receipt.engine_address, None);
    assert_eq!(imported(&mut there, &file), [ImportOutcome::Here]);
    assert_eq!(imported(&mut here, &file), [ImportOutcome::Here]);
}

#[test]
fn a_log_that_changed_after_the_plan_stops_the_import_and_nothing_is_left() {
    let mut longer = simple(1);
    longer.insert(message(103, 102, 3, "More?"));
    let file = exported(&mut log_of(&[longer.clone()]), ExportScope::All);
    let mut log = log_of(&[simple(1)]);
    let plan = planned(&mut log, &file);
    write(&mut log, &longer);
    let before = dump(log.store());
    assert_eq!(applied(&mut log, plan), Err(ImportAborted::Changed));
    assert_eq!(dump(log.store()), before);
    // The same while the import runs: a value that another tab wrote is not removed with the import's own.
    let mut log = log_of(&[simple(1)]);
    let plan = planned(&mut log, &file);
    let mut import = Import::begin(plan, Vec::new(), &mut log, Id(5)).unwrap();
    write(&mut log, &longer);
    assert_eq!(import.step(&mut log), Err(ImportAborted::Changed));
    assert_eq!(dump(log.store()), before);
}

#[test]
fn two_imports_do_not_run_at_once() {
    let file = exported(&mut log_of(&[simple(1)]), ExportScope::All);
    let mut log = log_of(&[]);
    let plans = [planned(&mut log, &file), planned(&mut log, &file)];
    let [one, two] = plans.map(|plan| Import::begin(plan, Vec::new(), &mut log, Id(5)));
    assert_eq!(two.map(|_| ()), Err(ImportAborted::Busy));
    assert!(matches!(one.unwrap().step(&mut log), Ok(ImportStep::Done)));
}

#[test]
fn an_import_notices_that_another_tab_cleaned_up() {
    let file = exported(&mut log_of(&[simple(1), simple(2)]), ExportScope::All);
    let mut log = open(SharedStore::default());
    write(&mut log, &simple(3));
    let before = dump(log.store());
    let plan = planned(&mut log, &file);
    let mut import = Import::begin(plan, Vec::new(), &mut log, Id(5)).unwrap();
    // The other tab opens the same store.
    open(log.store().clone());
    assert_eq!(import.step(&mut log), Err(ImportAborted::Elsewhere));
    assert_eq!(dump(log.store()), before);
}

#[test]
fn one_that_is_stopped_leaves_nothing() {
    let chats: Vec<_> = (1..60)
        .map(|id| {
            let mut chat = simple(id);
            chat.insert(message(
                id * 100 + 3,
                id * 100 + 2,
                3,
                &"word ".repeat(2000),
            ));
            chat
        })
        .collect();
    let file = exported(&mut log_of(&chats), ExportScope::All);
    let mut log = log_of(&[simple(70)]);
    let before = dump(log.store());
    let plan = planned(&mut log, &file);
    let mut import = Import::begin(plan, Vec::new(), &mut log, Id(5)).unwrap();
    let mut last = 0;
    for _ in 0..4 {
        match import.step(&mut log).unwrap() {
            ImportStep::More(written) => {
                assert!(written > last && written < import.records());
                last = written;
            }
            ImportStep::Done => panic!("in steps"),
        }
    }
    assert!(dump(log.store()).len() > before.len());
    import.stop(&mut log);
    assert_eq!(dump(log.store()), before);
    assert_eq!(log.chat_list().len(), 1);
}
