//! Deleting for good: what goes from the directory and from other browsers, and what stays.

use super::house::{
    House, LATER_MS, Machine, SOON_MS, backed_up, click, image, images, in_step, reactive,
    shared_chat, two_browsers,
};
use super::server::{KEY, Server};
use crate::memory_files::MemoryFiles;
use crate::store::{BackupPhase, ProblemReason};
use crate::{BackupFault, BackupProblem};
use any_spawner::Executor;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_harness::settle;
use sash_log::{Key, encode_record};
use sash_records::prompts::{PROMPT, SavedPrompt};
use std::rc::Rc;

fn has(machine: &Machine, text: &str) -> bool {
    machine.disk.contains(text)
}

#[test]
fn what_is_deleted_for_good_goes_everywhere_and_words_that_nobody_deleted_stay() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "A secret");
        there.offline.set(true);
        other.exchange(there, "My own words", "Yes");
        house.purge(machine, chat, &[], true);
        machine.pass(SOON_MS);
        assert!(!has(machine, "A secret") && has(there, "A secret"));
        there.offline.set(false);
        machine.pass(LATER_MS);
        for machine in [machine, there] {
            assert!(!has(machine, "A secret") && has(machine, "My own words"));
        }
        assert!(!machine.server.contains("A secret") && machine.server.contains("My own words"));
    });
}

/// A purge deleted words that this browser had never seen, and the other browser was refused for ever in silence.
#[test]
fn words_that_a_browser_has_not_seen_stay_when_it_empties_its_trash() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        machine.offline.set(true);
        other.exchange(there, "My own words", "Yes");
        machine.pass(SOON_MS);
        house.purge(machine, chat, &[], true);
        machine.offline.set(false);
        machine.pass(LATER_MS);
        for machine in [machine, there] {
            assert!(has(machine, "My own words") && !has(machine, "\"Hi\""));
        }
        other.exchange(there, "And more", "Yes");
        machine.pass(SOON_MS);
        assert!(machine.server.contains("And more") && has(machine, "And more"));
        assert!(other.reasons().is_empty());
    });
}

#[test]
fn emptying_the_trash_works_offline_and_the_directory_is_told_later() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "A secret");
        machine.offline.set(true);
        house.purge(machine, chat, &[], true);
        machine.pass(SOON_MS);
        assert!(!has(machine, "A secret") && machine.server.contains("A secret"));
        assert_eq!(house.state().to_purge().len(), 1);
        // The page is closed meanwhile.
        machine.close_tab();
        let later = machine.another_tab();
        let again = House::new(&later);
        machine.sleep(3);
        machine.offline.set(false);
        machine.pass(LATER_MS);
        assert!(!machine.server.contains("A secret") && !has(there, "A secret"));
        assert_eq!(
            (again.phase(), again.state().to_purge().len()),
            (BackupPhase::Done, 0)
        );
    });
}

/// A tombstone went along, and the merge of the files obeyed it.
#[test]
fn what_is_deleted_here_alone_stays_in_the_backup() {
    reactive(|machine, house| {
        backed_up(machine, house);
        let (question, _) = house.exchange(machine, "Stays there", "Yes");
        house.exchange(machine, "Stays everywhere", "Yes");
        let living = house.chat();
        house.chats.begin_chat();
        house.exchange(machine, "A whole chat", "Yes");
        let whole = house.chat();
        machine.pass(SOON_MS);
        house.purge(machine, living, &[question], false);
        house.purge(machine, whole, &[], false);
        house.chats.open_chat(living);
        house.exchange(machine, "Once more", "Yes");
        machine.pass(SOON_MS);
        for text in [
            "Stays there",
            "Stays everywhere",
            "A whole chat",
            "Once more",
        ] {
            assert!(machine.server.contains(text), "{text}");
        }
        assert!(!has(machine, "Stays there") && !has(machine, "A whole chat"));
    });
}

/// A trash of 40,000 messages could not be emptied.
#[test]
fn a_long_chat_is_deleted_for_good_in_one_request() {
    reactive(|machine, house| {
        backed_up(machine, house);
        let chat = Id(0x70);
        house.write_message(chat, 0x71, "The first word", Vec::new());
        // The disk of the test counts all of its records at each write.
        let messages = match std::env::var("SASH_TESTS").as_deref() {
            Ok("all") => 40_000,
            _ => 4_000,
        };
        house.storage.write(|log| {
            for n in 0..messages {
                let message = sash_chat::Message {
                    content: "word".to_owned(),
                    ..sash_chat::Message::new(
                        Id(100_000 + n),
                        Some(Id(0x71)),
                        2 + n as u32,
                        sash_chat::Role::User,
                        0,
                    )
                };
                log.save_message(chat, &message)?;
            }
            Ok(())
        });
        machine.pass(LATER_MS);
        assert!(machine.server.contains("The first word"));
        house.purge(machine, chat, &[], true);
        machine.pass(LATER_MS);
        assert!(!machine.server.contains("The first word"));
        assert_eq!(house.state().to_purge().len(), 0);
    });
}

#[test]
fn a_directory_of_an_earlier_day_brings_back_nothing_that_was_purged() {
    two_browsers(|machine, house, there, _| {
        house.exchange(machine, "A secret", "Yes");
        let first = house.chat();
        house.chats.begin_chat();
        let (asked, _) = house.exchange(machine, "Another secret", "Yes");
        let second = house.chat();
        machine.pass(SOON_MS);
        let earlier = machine.server.snapshot();
        house.exchange(machine, "No secret", "Yes");
        house.purge(machine, first, &[], true);
        house.purge(machine, second, &[asked], true);
        machine.pass(SOON_MS);
        machine.sleep(10);
        machine.server.restore(earlier);
        machine.pass(LATER_MS);
        for secret in ["A secret", "Another secret"] {
            assert!(!machine.server.contains(secret), "{secret}");
            assert!(!has(machine, secret) && !has(there, secret), "{secret}");
        }
        assert!(machine.server.contains("No secret"));
    });
}

/// The folder had it still, so it came back, and stayed in the others.
#[test]
fn a_prompt_deleted_for_good_before_that_was_handed_over_does_not_come_back() {
    two_browsers(|machine, house, _, other| {
        let id = house.keep_prompt(None, "Mail", "A secret");
        machine.pass(SOON_MS);
        assert!(machine.server.contains("A secret"));
        house.delete_prompt(id);
        Executor::spawn_local(async move { _ = house.library.purge(Vec::new()).await });
        machine.pass(60_000.0);
        assert!(!has(machine, "A secret") && !machine.server.contains("A secret"));
        assert!(house.prompts().is_empty() && other.prompts().is_empty());
    });
}

/// Holds `Backup::tell_purges`: what is here again is not deleted in the directory.
#[test]
fn a_message_that_is_restored_before_it_is_deleted_stays_in_both() {
    two_browsers(|machine, house, _, other| {
        let chat = shared_chat(machine, house, other, "Keep this");
        let question = house.chats.path.get_untracked()[0];
        let all = house.trash(chat, &[question]);
        Executor::spawn_local(house.backup.purge_deleted(all));
        machine.pass(SOON_MS);
        assert!(machine.server.contains("Keep this"), "it is in the trash");
        assert_eq!(house.state().to_purge().len(), 1);
        house
            .storage
            .with_log(|log| log.restore_message(chat, question));
        machine.pass(SOON_MS);
        assert_eq!(house.state().to_purge().len(), 0);
        for house in [house, other] {
            assert_eq!(house.kept(chat), ["Keep this", "Yes"]);
        }
        assert!(machine.server.contains("Keep this"));
    });
}

#[test]
fn an_image_goes_with_its_last_message_and_is_handed_over_with_the_next() {
    reactive(|machine, house| {
        backed_up(machine, house);
        let picture = image(machine, 1);
        house.write_message(Id(0x70), 0x71, "One", vec![picture.clone()]);
        house.write_message(Id(0x80), 0x81, "Two", vec![image(machine, 2)]);
        machine.pass(SOON_MS);
        assert_eq!(images(machine), 2);
        let mut all = house.trash(Id(0x70), &[]);
        all.extend(house.trash(Id(0x80), &[]));
        click(machine, async move {
            house.backup.purge_deleted(all.clone()).await;
            house.library.purge(all).await
        });
        machine.pass(SOON_MS);
        assert_eq!(images(machine), 0);
        image(machine, 1);
        house.write_message(Id(0x90), 0x91, "Three", vec![picture]);
        machine.pass(SOON_MS);
        assert_eq!(images(machine), 1);
    });
}

/// *Delete everything* emptied the other browsers, unsaid and not to be unticked.
#[test]
fn who_leaves_the_backup_first_deletes_nothing_there_and_elsewhere() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Everybody’s");
        house.keep_prompt(None, "Mail", "Write a mail");
        machine.pass(SOON_MS);
        click(machine, house.backup.leave());
        assert_eq!(house.phase(), BackupPhase::NeedsKey(None));
        house.purge(machine, chat, &[], false);
        machine.disk.clear();
        house.tabs.on_storage_event(None, false);
        machine.pass(LATER_MS);
        assert!(machine.server.contains("Everybody’s") && has(there, "Everybody’s"));
        assert_eq!(other.prompt_texts(), ["Write a mail"]);
    });
}

#[test]
fn everything_of_this_browser_is_deleted_from_the_backup_if_the_person_says_so() {
    reactive(|machine, house| {
        let there = machine.another_browser();
        let other = House::new(&there);
        in_step(machine, house);
        backed_up(&there, other);
        let chat = shared_chat(machine, house, house, "A secret");
        house.write_message(Id(0x70), 0x71, "With a picture", vec![image(machine, 1)]);
        house.keep_prompt(None, "Mail", "A secret prompt");
        other.exchange(&there, "Somebody else’s", "Yes");
        other.keep_prompt(None, "Mail", "Somebody else’s prompt");
        machine.pass(LATER_MS);
        assert_eq!(images(machine), 1);
        // What an earlier Sash wrote, also of a browser that is gone.
        let files = machine.server.files();
        let shelf = files.text(&format!("shelf/{}.jsonl", house.install()));
        let prompt = SavedPrompt::new(Id(0x99), "Mail", "Nobody’s here");
        let key = Key::Record(PROMPT, prompt.id).to_string();
        let line = sash_form::lines::line(&key, &encode_record(&prompt));
        let earlier = shelf.expect("a shelf") + &line.expect("a line");
        assert!(earlier.contains("A secret prompt"));
        files.set("prompts-and-folders.jsonl", earlier.clone());
        files.set("versions/prompts-and-folders-9-changed.jsonl", earlier);
        // Offline nothing is deleted, neither there nor here.
        machine.offline.set(true);
        let refused = click(machine, house.backup.purge_everything());
        assert!(matches!(refused, Some(Err(_))));
        assert!(machine.server.contains("A secret"));
        assert!(matches!(house.phase(), BackupPhase::Failed(_)));
        machine.offline.set(false);
        let done = click(machine, house.backup.purge_everything());
        assert!(matches!(done, Some(Ok(purged)) if purged.unreached.is_empty()));
        for text in ["A secret", "With a picture", "A secret prompt"] {
            assert!(!machine.server.contains(text), "{text}");
        }
        assert_eq!(images(machine), 0);
        assert!(machine.server.contains("Somebody else’s prompt"));
        assert_eq!(files.having("Nobody’s here".as_bytes()).len(), 2);
        // Nothing is handed over after that.
        house.chats.open_chat(chat);
        house.exchange(machine, "Later words", "Yes");
        machine.pass(SOON_MS);
        assert!(!machine.server.contains("Later words"));
    });
}

/// One such chat made *Delete everything* fail for all.
#[test]
fn a_chat_that_cannot_be_deleted_from_the_backup_is_named_and_the_others_are() {
    reactive(|machine, house| {
        let chats = house.begin_chats(machine, 3);
        backed_up(machine, house);
        let denied = BackupFault::from(BackupProblem::Denied).into();
        *machine.server.broken.borrow_mut() = Some((chats[0], denied));
        let done = click(machine, house.backup.purge_everything());
        let purged = done.expect("an end").expect("an answer");
        assert_eq!(purged.unreached, [format!("chats/{}", chats[0])]);
        assert!(machine.server.contains("Question 0"));
        for text in ["Question 1", "Question 2"] {
            assert!(!machine.server.contains(text), "{text}");
        }
    });
}

/// The other browser was refused for ever in silence.
#[test]
fn a_browser_that_is_not_in_step_is_told_what_another_one_deleted_from_the_backup() {
    reactive(|machine, house| {
        let there = machine.another_browser();
        let other = House::new(&there);
        in_step(&there, other);
        house.exchange(machine, "Hi", "Hello");
        backed_up(machine, house);
        let chat = house.chat();
        assert_eq!(other.titles(), ["Hi"]);
        other.purge(&there, chat, &[], true);
        machine.pass(SOON_MS);
        assert!(!machine.server.contains("Hello"));
        house.exchange(machine, "Here alone?", "No");
        machine.pass(SOON_MS);
        assert_eq!(house.kept(chat), ["Hi", "Hello", "Here alone?", "No"]);
        assert!(machine.server.contains("Here alone?") && !machine.server.contains("Hello"));
        assert_eq!(house.reasons(), [(chat, ProblemReason::Dropped(2))]);
        assert_eq!(other.kept(chat), ["Here alone?", "No"]);
    });
}

#[test]
fn files_that_a_purge_cannot_reach_are_named_until_they_are() {
    reactive(|machine, house| {
        backed_up(machine, house);
        house.exchange(machine, "A secret", "Yes");
        let chat = house.chat();
        machine.pass(SOON_MS);
        // A newer Sash wrote a copy of it, which is not touched.
        let path = Server::path(chat, Id(0xbb));
        let files: Rc<MemoryFiles> = machine.server.files();
        let copy = files.text(&Server::path(chat, house.install()));
        let newer = copy
            .expect("a copy")
            .replace("\"schema\":1", "\"schema\":999");
        files.set(&path, newer);
        house.purge(machine, chat, &[], true);
        machine.pass(SOON_MS);
        let state = house.state();
        assert_eq!(state.unreached(), std::slice::from_ref(&path));
        assert_eq!(
            house.reasons(),
            [(chat, ProblemReason::Unreached(vec![path.clone()]))]
        );
        assert_eq!(state.problems[0].title, "", "it is deleted");
        files.unset(&path);
        machine.pass(LATER_MS);
        assert!(house.state().unreached().is_empty() && house.reasons().is_empty());
        assert!(!machine.server.contains("A secret"));
    });
}

/// A purge that was broken off left pictures for good, and said 200 the second time.
#[test]
fn a_purge_that_was_broken_off_goes_on() {
    for operations in [1, 3, 5, 8, 12, 16, 20, 24] {
        reactive(|machine, house| {
            backed_up(machine, house);
            house.write_message(Id(0x70), 0x71, "A secret", vec![image(machine, 1)]);
            house.write_message(Id(0x80), 0x81, "Another one", vec![image(machine, 2)]);
            machine.pass(SOON_MS);
            assert_eq!(images(machine), 2);
            let mut all = house.trash(Id(0x70), &[]);
            all.extend(house.trash(Id(0x80), &[]));
            machine.server.kill.set(Some(operations));
            click(machine, async move {
                house.backup.purge_deleted(all.clone()).await;
                house.library.purge(all).await
            });
            machine.server.kill.set(None);
            machine.pass(LATER_MS);
            assert_eq!(images(machine), 0, "after {operations}");
            for text in ["A secret", "Another one"] {
                assert!(!machine.server.contains(text), "{text} after {operations}");
            }
            assert_eq!(house.state().to_purge().len(), 0);
        });
    }
}

#[test]
fn a_second_tab_tells_the_directory_what_the_first_could_not() {
    reactive(|machine, house| {
        backed_up(machine, house);
        house.exchange(machine, "A secret", "Yes");
        let chat = house.chat();
        machine.pass(SOON_MS);
        let answer = machine.server.slow_purges.hold_back();
        house.purge(machine, chat, &[], true);
        machine.close_tab();
        let there = machine.another_tab();
        let again = House::new(&there);
        drop(answer);
        machine.pass(SOON_MS);
        settle();
        assert_eq!(again.phase(), BackupPhase::Done);
        assert!(!machine.server.contains("A secret"));
        assert!(again.backup.set_key(KEY));
    });
}
