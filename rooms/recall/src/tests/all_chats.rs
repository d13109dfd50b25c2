//! The index of all chats follows the log by its keys.

use super::embedder::by_itself;
use super::house::{House, Machine, reactive, two_tabs};
use reactive_graph::prelude::*;
use sash_chat::{Head, Id, Message, RecallSetting, Role};
use sash_harness::{Dice, settle};
use sash_search::SearchQuery;

const DRAFT: &str = "How often did you say to run ANALYZE on the SQLite database?";
const MEANT: &str = "Run ANALYZE on the SQLite database once a month.";

/// The texts and titles that a query finds, newest first.
fn found(machine: &Machine, house: House, query: &str) -> Vec<String> {
    house.all_chats.begin();
    machine.pass(50.0);
    assert!(house.all_chats.progress.get_untracked().is_complete);
    let all = house
        .all_chats
        .search(&SearchQuery::read(query))
        .into_iter();
    let text = all.map(|found| match found.message {
        Some(id) => {
            let message = house.chats.read_message(found.chat, id);
            message.map_or("gone".to_owned(), |message| message.content)
        }
        None => "a title".to_owned(),
    });
    text.collect()
}

/// Writes chats of two messages each straight into the log, one of them with [`MEANT`].
fn write_chats(house: House, count: u64) {
    for n in 0..count {
        let chat = Id(50_000 + n);
        let text = match n {
            7 => MEANT.to_owned(),
            n => format!("Answer {n} about gardens, boats and the weather of week {n}."),
        };
        house
            .storage
            .write(|log| log.save_head(&Head::new(chat, n)));
        for (seq, text) in [(1, format!("Question {n}")), (2, text)] {
            let message = Message {
                content: text,
                ..Message::new(
                    Id(100_000 + n * 10 + u64::from(seq)),
                    None,
                    seq,
                    Role::User,
                    n,
                )
            };
            house.storage.write(|log| log.save_message(chat, &message));
        }
    }
    house.chats.refresh_list();
}

fn recall_from_all(house: House) {
    house.steering.set_recall(RecallSetting {
        all_chats: true,
        ..by_itself()
    });
}

#[test]
fn what_is_written_deleted_restored_and_removed_for_good_is_followed() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "The red boat");
        let chat = house.chat();
        assert_eq!(found(machine, house, "boat"), ["The red boat"]);
        house.exchange(machine, "More", "The blue boat");
        assert_eq!(
            found(machine, house, "boat"),
            ["The blue boat", "The red boat"]
        );

        house.chats.delete_message(answer);
        assert_eq!(found(machine, house, "boat"), ["The blue boat"]);
        house.chats.restore_message(chat, answer);
        assert_eq!(found(machine, house, "boat").len(), 2);
        house.chats.delete_message(answer);
        house
            .storage
            .with_log(|log| log.purge_messages(chat, &[answer], 9));
        assert_eq!(found(machine, house, "boat"), ["The blue boat"]);

        house.chats.rename(chat, "Boats");
        assert_eq!(found(machine, house, "boats"), ["a title"]);
        house.chats.rename(chat, "");
        assert!(found(machine, house, "boats").is_empty());
        let messages = house.all_chats.progress.get_untracked().messages;
        assert_eq!(messages, 3);

        house.answers.delete_chat(chat);
        assert!(found(machine, house, "boat").is_empty());
        house.chats.restore_chat(chat);
        assert_eq!(found(machine, house, "boat"), ["The blue boat"]);
        house.answers.delete_chat(chat);
        house.storage.with_log(|log| log.purge(chat, 9));
        assert!(found(machine, house, "boat").is_empty());
    });
}

#[test]
fn what_is_packed_is_found_as_before_and_so_is_what_is_purged_from_a_segment() {
    reactive(|machine, house| {
        for n in 0..20 {
            let answer = format!("In answer {n} is a boat{n}. ").repeat(40);
            house.exchange(machine, &format!("Question {n}"), &answer);
        }
        let chat = house.chat();
        let path = house.chats.path.get_untracked();
        house.chats.begin_chat();
        assert_eq!(found(machine, house, "boat7 ").len(), 1);
        let messages = house.all_chats.progress.get_untracked().messages;
        let gain = house.storage.with_log(|log| log.pack(chat));
        assert!(gain.is_some_and(|gain| gain.is_ok_and(|gain| gain.messages == 40)));
        assert!(found(machine, house, "boat7 ")[0].contains("answer 7"));
        assert_eq!(house.all_chats.progress.get_untracked().messages, messages);

        house.chats.open_chat(chat);
        house.chats.delete_message(path[15]);
        house
            .storage
            .with_log(|log| log.purge_messages(chat, &[path[15]], 9));
        assert!(found(machine, house, "boat7 ").is_empty());
        assert!(found(machine, house, "boat8 ")[0].contains("answer 8"));
        assert_eq!(
            house.all_chats.progress.get_untracked().messages,
            messages - 1
        );
        house.exchange(machine, "And on", "A boat99");
        assert_eq!(found(machine, house, "boat99 "), ["A boat99"]);
    });
}

#[test]
fn what_another_tab_writes_is_found_here() {
    two_tabs(|machine, house, there, other| {
        assert!(found(machine, house, "boat").is_empty());
        other.exchange(there, "From there", "A boat");
        machine.tell(house.tabs);
        assert_eq!(found(machine, house, "boat"), ["A boat"]);
        machine.disk.clear();
        house.tabs.on_storage_event(None, false);
        machine.pass(50.0);
        assert!(found(machine, house, "boat").is_empty());
    });
}

#[test]
fn a_change_of_one_chat_costs_one_reading_and_not_all_chats_again() {
    reactive(|machine, house| {
        write_chats(house, 50);
        house.exchange(machine, "Hello", "Hello to you.");
        recall_from_all(house);
        house.write(DRAFT);
        machine.pass(300.0);
        let shown = || house.steering.quotes.get_untracked();
        assert!(shown().is_some_and(|block| block.text.contains(MEANT)));
        // A message comes into another chat, as from an answer that runs there.
        let message = Message {
            content: "A late answer about boats".to_owned(),
            ..Message::new(Id(700_000), None, 3, Role::Assistant, 999)
        };
        machine.disk.contents_read();
        house
            .storage
            .write(|log| log.save_message(Id(50_020), &message));
        house.chats.refresh_chat(Id(50_020));
        let for_the_list = machine.disk.contents_read();
        house.write(&format!("{DRAFT} Please"));
        machine.pass(300.0);
        assert!(shown().is_some_and(|block| block.text.contains(MEANT)));
        let read = machine.disk.contents_read();
        println!(
            "{for_the_list} records for the list of chats, {read} for the index and the quotation"
        );
        // The new message, and the one that is quoted.
        assert!(read <= 2, "{read} records");
        assert_eq!(
            found(machine, house, "late answer"),
            ["A late answer about boats"]
        );
    });
}

#[test]
fn a_recalled_message_is_read_without_its_chat() {
    reactive(|machine, house| {
        let chat = Id(50_000);
        house
            .storage
            .write(|log| log.save_head(&Head::new(chat, 1)));
        for seq in 1..=500 {
            let text = match seq {
                250 => MEANT.to_owned(),
                seq => format!("Message {seq} about gardens and the weather of week {seq}."),
            };
            let id = Id(100_000 + u64::from(seq));
            let message = Message {
                content: text,
                ..Message::new(id, None, seq, Role::User, 1)
            };
            house.storage.write(|log| log.save_message(chat, &message));
        }
        house.chats.refresh_list();
        house.exchange(machine, "Hello", "Hello to you.");
        recall_from_all(house);
        house.write(DRAFT);
        machine.pass(300.0);
        let block = house.steering.quotes.get_untracked();
        let pieces = block.map(|block| block.pieces.len()).unwrap_or_default();
        assert!(pieces > 0);
        machine.disk.contents_read();
        house.write(&format!("{DRAFT} Please"));
        machine.pass(300.0);
        let read = machine.disk.contents_read();
        println!("{read} records for {pieces} pieces");
        assert!(read <= 24, "{read} records");
        // A row that quotes it.
        let quoted = house.chats.read_message(chat, Id(100_250));
        assert_eq!(
            quoted.map(|message| message.content).as_deref(),
            Some(MEANT)
        );
        assert_eq!(machine.disk.contents_read(), 1);
        assert_eq!(
            house.chats.title_now(chat),
            "Message 1 about gardens and the weather of week 1."
        );
        assert_eq!(machine.disk.contents_read(), 0);
    });
}

#[test]
fn messages_that_come_in_between_are_recalled_too() {
    reactive(|machine, house| {
        write_chats(house, 5);
        house.exchange(machine, "Hello", "Hello to you.");
        recall_from_all(house);
        house.write(DRAFT);
        machine.pass(300.0);
        assert_eq!(house.steering.quotes.get_untracked(), None);
        // An import brings an older branch of a chat.
        let message = Message {
            content: MEANT.to_owned(),
            ..Message::new(Id(700_000), None, 1, Role::Assistant, 1)
        };
        house
            .storage
            .write(|log| log.save_message(Id(50_002), &message));
        settle();
        house.write(&format!("{DRAFT} Please"));
        machine.pass(300.0);
        let block = house.steering.quotes.get_untracked();
        assert!(block.is_some_and(|block| block.quotes(Id(700_000))));
    });
}

/// The screen has the only copy of a chat whose log was cleared: its branch is recalled, and the search does not find it.
#[test]
fn a_chat_that_was_cleared_is_in_its_branch_and_nowhere_else_until_it_is_left() {
    reactive(|machine, house| {
        house.exchange(machine, "What is tea?", "A drink of leaves.");
        let (chat, path) = (house.chat(), house.chats.path.get_untracked());
        assert_eq!(found(machine, house, "leaves"), ["A drink of leaves."]);
        machine.disk.clear();
        house.tabs.on_storage_event(None, false);
        machine.pass(50.0);
        let count = || {
            let path = path.iter().copied();
            let in_branch = house.all_chats.with_index(|index, _| {
                let found = index.branch(chat, path).rank("", &|_, _| true);
                found.len()
            });
            in_branch.unwrap_or_default()
        };
        assert_eq!(count(), 0);
        assert!(house.all_chats.extend_branch());
        assert_eq!(count(), 2);
        assert!(found(machine, house, "leaves").is_empty());
        house.chats.begin_chat();
        machine.pass(50.0);
        assert_eq!(count(), 0);
    });
}

/// Changes one of four chats in a random way. `n` numbers the changes.
fn change(house: House, dice: &mut Dice, n: u64) {
    let chat = Id(60_000 + dice.roll(4) as u64);
    let words = ["alpha", "beta", "gamma"][dice.roll(3)];
    let message = |seq: u32| Message {
        content: format!("{words} {}", "and some more words of it ".repeat(20)),
        ..Message::new(Id(200_000 + n), None, seq, Role::User, n)
    };
    house.storage.write(|log| {
        let loaded = log.load(chat);
        let next = loaded.as_ref().map_or(1, sash_chat::Chat::next_seq);
        let living: Vec<Message> = loaded
            .iter()
            .flat_map(|chat| chat.messages().cloned())
            .collect();
        let one = living.get(dice.roll(living.len().max(1)));
        let (removed, _) = log.removed_messages(chat);
        let gone = removed.get(dice.roll(removed.len().max(1)));
        let gone = gone.map(|removed| removed.message.id);
        match dice.roll(16) {
            0 => log.save_head(&Head {
                title: Some(format!("{words} title")),
                ..Head::new(chat, n)
            })?,
            1..=5 => log.save_message(chat, &message(next))?,
            6 => log.save_message(chat, &message(1 + dice.roll(next as usize) as u32))?,
            7 => {
                let answer = message(next);
                log.begin_tail(
                    chat,
                    &Message {
                        content: String::new(),
                        ..answer.clone()
                    },
                    None,
                )?;
                log.append_tail(chat, answer.id, 1, "alpha")?;
                log.save_message(chat, &answer)?;
            }
            8 | 9 => {
                if let Some(one) = one {
                    log.remove_message(chat, one, n)?;
                }
            }
            10 => gone
                .into_iter()
                .for_each(|id| log.restore_message(chat, id)),
            11 => {
                let ids: Vec<Id> = gone.into_iter().collect();
                assert_eq!(log.purge_messages(chat, &ids, n), Ok(()));
            }
            12 | 13 => _ = log.pack(chat),
            14 => log.delete(chat, n)?,
            _ => {
                if dice.roll(4) == 0 {
                    log.purge(chat, n);
                }
                log.restore(chat);
            }
        }
        Ok(())
    });
}

#[test]
fn after_any_changes_it_finds_what_an_index_made_anew_finds() {
    reactive(|machine, house| {
        let mut dice = Dice(7);
        house.all_chats.begin();
        let all = |house: House| {
            let found = ["alpha", "beta ", "title", "more of"].map(|query| {
                let found = house
                    .all_chats
                    .search(&SearchQuery::read(query))
                    .into_iter();
                let mut found: Vec<_> = found.map(|one| (one.chat, one.message)).collect();
                found.sort();
                found
            });
            (house.all_chats.progress.get_untracked().messages, found)
        };
        for n in 0..600 {
            change(house, &mut dice, n);
            if dice.roll(3) == 0 {
                machine.pass(10.0);
            }
            if n % 20 == 19 {
                machine.pass(10.0);
                let anew = House::new(machine);
                anew.all_chats.begin();
                machine.pass(10.0);
                assert_eq!(all(house), all(anew), "after {n} changes");
                for (chat, message) in all(house).1.concat() {
                    assert!(message.is_none_or(|id| house.chats.read_message(chat, id).is_some()));
                }
            }
        }
    });
}
