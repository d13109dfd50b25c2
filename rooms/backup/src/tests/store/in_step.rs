//! Browsers in step with one directory.

use super::house::{LATER_MS, SOON_MS, shared_chat, two_browsers};
use reactive_graph::prelude::*;
use sash_chat::{Folder, Id, Message, Role};
use sash_harness::{Dice, says, text};
use sash_records::backup::former_values;

#[test]
fn what_another_browser_writes_appears_and_a_hidden_page_asks_for_nothing() {
    two_browsers(|machine, house, there, other| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        machine.pass(SOON_MS);
        assert_eq!(other.titles(), ["Hi"]);
        other.chats.open_chat(chat);
        assert_eq!(other.texts(), ["Hi", "Hello"]);
        // Into the open chat, while a draft is being written.
        other.write("A draft");
        house.exchange(machine, "And?", "More");
        machine.pass(SOON_MS);
        assert_eq!(other.texts(), ["Hi", "Hello", "And?", "More"]);
        assert_eq!(other.drafts.draft.get_untracked(), "A draft");
        // Nothing goes back and forth.
        let server = &machine.server;
        let counts = || (server.puts.get(), server.gets.get(), server.lists.get());
        let (before, asked) = (counts(), server.asked_for_news.get());
        machine.pass(60_000.0);
        assert_eq!(counts(), before);
        // Each page asks again after some time, in case its connection is gone.
        assert!(server.asked_for_news.get() <= asked + 4);
        there.hidden.set(true);
        machine.pass(2_000.0);
        house.chats.rename(chat, "While it was hidden");
        machine.pass(SOON_MS);
        assert_eq!(other.titles(), ["Hi"]);
        there.hidden.set(false);
        machine.pass(SOON_MS);
        assert_eq!(other.titles(), ["While it was hidden"]);
    });
}

#[test]
fn of_a_hundred_messages_95_are_elsewhere_within_5_seconds() {
    two_browsers(|machine, house, _, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        let mut dice = Dice(7);
        let mut waits: Vec<u32> = (0..100)
            .map(|n| {
                machine.pass(dice.roll(4_000) as f64);
                let (id, seq) = (Id(70_000 + n), 10 + n as u32);
                let message = Message {
                    content: format!("Message {n}"),
                    ..Message::new(id, None, seq, Role::User, 0)
                };
                assert!(house.storage.write(|log| log.save_message(chat, &message)));
                let is_there = || {
                    let loaded = other.storage.with_log(|log| log.load(chat)).flatten();
                    loaded.is_some_and(|chat| chat.get(id).is_some())
                };
                let mut waited = 0;
                while !is_there() && waited < 60_000 {
                    machine.pass(250.0);
                    waited += 250;
                }
                waited
            })
            .collect();
        waits.sort_unstable();
        // By the page's own clock: what is collected, handed over, told and fetched, without the network.
        assert!(waits[94] <= 5_000, "{waits:?}");
    });
}

/// It was "Interrupted" there, with *Continue*.
#[test]
fn an_answer_that_runs_is_elsewhere_once_it_has_ended() {
    two_browsers(|machine, house, _, other| {
        let answer = machine.stream_answer();
        assert!(house.answers.ask("A question".to_owned()));
        machine.pass(100.0);
        let chat = house.chat();
        answer.unbounded_send(text("One two")).expect("a page");
        machine.pass(100_000.0);
        assert!(machine.server.contains("One two"));
        assert_eq!(other.kept(chat), ["A question"]);
        for frame in says(&[" three"]) {
            answer.unbounded_send(frame).expect("a page");
        }
        machine.pass(SOON_MS);
        assert_eq!(other.kept(chat), ["A question", "One two three"]);
        assert_eq!(house.kept(chat), other.kept(chat));
    });
}

#[test]
fn the_beginning_of_an_answer_whose_browser_is_gone_is_elsewhere_after_ten_minutes() {
    two_browsers(|machine, house, _, other| {
        let answer = machine.stream_answer();
        assert!(house.answers.ask("A question".to_owned()));
        answer.unbounded_send(text("One two")).expect("a page");
        machine.pass(70_000.0);
        machine.offline.set(true);
        machine.pass(400_000.0);
        assert_eq!(other.kept(house.chat()), ["A question"]);
        machine.pass(400_000.0);
        assert_eq!(other.kept(house.chat()), ["A question", "One two"]);
        // It comes back, and the answer ends: it is whole in both, and there once.
        machine.offline.set(false);
        for frame in says(&[" three"]) {
            answer.unbounded_send(frame).expect("a page");
        }
        machine.pass(LATER_MS);
        let whole = ["A question", "One two three"];
        assert_eq!(house.kept(house.chat()), whole);
        assert_eq!(other.kept(house.chat()), whole);
    });
}

#[test]
fn fields_merge_one_by_one_and_the_value_that_gives_way_comes_back() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        there.offline.set(true);
        house.chats.rename(chat, "From here");
        house.chats.change_head(chat, |head| head.pinned = Some(1));
        other.chats.rename(chat, "From there");
        other.steering.set_system("Be brief.");
        machine.sleep(60);
        there.offline.set(false);
        machine.pass(LATER_MS);
        // Both changed the title as often: which of them counts is the same everywhere.
        let title = house.head(chat).title().map(str::to_owned);
        let (title, gave_way) = match title.as_deref() {
            Some("From here") => ("From here", "From there"),
            _ => ("From there", "From here"),
        };
        for house in [house, other] {
            let head = house.head(chat);
            assert_eq!(head.title(), Some(title));
            assert_eq!(head.system_at(head.settings.system), Some("Be brief."));
            assert!(head.pinned.is_some());
        }
        let writer = match title {
            "From here" => other,
            _ => house,
        };
        let former = former_values(&writer.head(chat).others);
        assert_eq!(former.len(), 1);
        assert_eq!(former[0].words(), gave_way);
        writer.chats.open_chat(chat);
        crate::store::use_former_value(writer.steering, writer.chats, &former[0], 1);
        machine.pass(SOON_MS);
        for house in [house, other] {
            assert_eq!(house.head(chat).title(), Some(gave_way));
        }
    });
}

/// The receipt of an answer named the wrong system prompt.
#[test]
fn receipts_keep_their_system_prompt_when_both_wrote_one() {
    two_browsers(|machine, house, there, other| {
        let chat = shared_chat(machine, house, other, "Hi");
        there.offline.set(true);
        house.steering.set_system("Be brief.");
        other.steering.set_system("Be kind.");
        let (_, brief) = house.exchange(machine, "Here", "Brief");
        let (_, kind) = other.exchange(there, "There", "Kind");
        machine.pass(SOON_MS);
        there.offline.set(false);
        machine.pass(LATER_MS);
        for house in [house, other] {
            let head = house.head(chat);
            for (answer, prompt) in [(brief, "Be brief."), (kind, "Be kind.")] {
                let answer = house.storage.with_log(|log| log.find_message(chat, answer));
                let answer = answer.flatten().expect("the answer");
                let system = answer.receipt.expect("a receipt").system;
                assert_eq!(head.system_at(system), Some(prompt));
            }
        }
    });
}

#[test]
fn deleting_and_restoring_reach_the_others_and_a_chat_that_goes_on_stays() {
    two_browsers(|machine, house, there, other| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        machine.pass(SOON_MS);
        house.chats.delete_chat(chat);
        machine.pass(SOON_MS);
        assert!(other.titles().is_empty());
        other.chats.restore_chat(chat);
        machine.pass(SOON_MS);
        assert_eq!(
            (house.titles(), other.titles()),
            (vec!["Hi".into()], vec!["Hi".into()])
        );
        other.chats.open_chat(chat);
        there.offline.set(true);
        other.exchange(there, "Still here", "Yes");
        house.chats.delete_chat(chat);
        machine.pass(SOON_MS);
        there.offline.set(false);
        machine.pass(LATER_MS);
        assert_eq!((house.titles().len(), other.titles().len()), (1, 1));
        assert_eq!(house.kept(chat).len(), 4);
    });
}

/// Prompts past 2,000 vanished.
#[test]
fn prompts_and_empty_folders_are_in_the_directory_and_in_every_browser() {
    two_browsers(|machine, house, there, other| {
        let id = house.keep_prompt(None, "Mail", "Write a mail");
        let folder = Folder::new(Id(4), "Empty", 1);
        assert!(house.storage.write(|log| log.save_folder(&folder)));
        machine.pass(SOON_MS);
        assert_eq!(other.prompt_texts(), ["Write a mail"]);
        let folders = other.storage.with_log(|log| log.list_folders());
        assert_eq!(folders.expect("a log")[0].name, "Empty");
        // Nothing goes back and forth.
        let puts = machine.server.puts.get();
        machine.pass(60_000.0);
        assert_eq!(machine.server.puts.get(), puts);
        // Both write it anew while one is away.
        there.offline.set(true);
        house.keep_prompt(Some(id), "Mail", "Write a short mail");
        other.keep_prompt(Some(id), "Mail", "Write a long mail");
        machine.pass(SOON_MS);
        there.offline.set(false);
        machine.pass(LATER_MS);
        let both = ["Write a long mail", "Write a short mail"];
        assert_eq!(
            (house.prompt_texts(), other.prompt_texts()),
            (both.map(Into::into).into(), both.map(Into::into).into())
        );
        // A deleted one goes everywhere, and no text of it stays in the directory.
        let present = house.prompts().into_iter().find(|prompt| prompt.id == id);
        house.delete_prompt(id);
        machine.pass(SOON_MS);
        assert_eq!(other.prompt_texts().len(), 1);
        assert!(!machine.server.contains(&present.expect("a prompt").text));
    });
    two_browsers(|machine, house, _, other| {
        for n in 0..2_100 {
            house.keep_prompt(None, &format!("Prompt {n}"), &format!("Text {n}"));
        }
        machine.pass(LATER_MS);
        assert_eq!(other.prompts().len(), 2_100);
    });
}
