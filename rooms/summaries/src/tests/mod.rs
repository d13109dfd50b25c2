//! Summaries of what left the window: written by the model, owned by the person.

mod house;

use house::{House, reactive};
use reactive_graph::prelude::*;
use sash_chat::{Id, Policy, RecalledBlock, RecalledPiece};
use sash_harness::{Machine, cut_off, says, settle, text};
use sash_wire::{EngineInfo, Fault};

fn talk(machine: &Machine, house: House, exchanges: usize) -> Vec<Id> {
    for n in 1..=exchanges {
        house.exchange(machine, &format!("question {n}"), &format!("answer {n}"));
    }
    house.chats.path.get_untracked()
}

fn write(machine: &Machine, house: House, words: &str) {
    machine.answer(says(&[words]));
    house.summaries.write();
    machine.pass(100.0);
}

/// What goes first of all with the next prompt.
fn system(house: House) -> Option<String> {
    house.answers.next_request().system
}

#[test]
fn what_left_the_window_is_summarized_and_goes_after_the_system_prompt() {
    reactive(|machine, house| {
        house.steering.set_system("Be brief.");
        let path = talk(machine, house, 4);
        let before = house.texts();
        assert_eq!(house.summaries.uncovered(), path[..5]);
        write(machine, house, "They talked.");
        let asked = machine.requests.borrow().last().cloned().unwrap();
        assert!(
            asked
                .prompt
                .contains("User:\n```\nquestion 1\n```\n\nAssistant:\n```\nanswer 1\n```")
        );
        assert!(asked.prompt.contains("question 3") && !asked.prompt.contains("answer 3"));
        assert!(asked.context.is_empty() && asked.system.is_none());
        assert_eq!(
            system(house).as_deref(),
            Some("Be brief.\n\nSummary of the earlier part of this conversation:\n\nThey talked.")
        );
        let summary = &house.summaries.versions()[0];
        assert_eq!(
            (summary.from, summary.through, summary.count),
            (path[0], path[4], 5)
        );
        assert_eq!(house.texts(), before, "the log is not touched");
        assert!(house.summaries.uncovered().is_empty());
        let (_, answer) = house.exchange(machine, "question 5", "answer 5");
        let receipt = house.chats.message(answer).unwrap().receipt.unwrap();
        assert_eq!(receipt.summary, Some(summary.number));
        assert_eq!(
            machine.requests.borrow().last().unwrap().system,
            system(house)
        );
    });
}

#[test]
fn the_next_one_goes_on_where_the_last_one_ends() {
    reactive(|machine, house| {
        talk(machine, house, 4);
        write(machine, house, "First part.");
        let path = talk(machine, house, 2);
        assert_eq!(house.summaries.uncovered(), path[5..9]);
        write(machine, house, "Both parts.");
        let asked = machine.requests.borrow().last().cloned().unwrap();
        assert!(asked.prompt.contains("First part.") && !asked.prompt.contains("answer 1\n"));
        let versions = house.summaries.versions();
        assert_eq!(
            (versions[1].from, versions[1].through, versions[1].count),
            (path[0], path[8], 9)
        );
        assert!(system(house).unwrap().ends_with("Both parts."));
    });
}

#[test]
fn it_is_changed_taken_out_and_brought_back_each_as_a_step() {
    reactive(|machine, house| {
        talk(machine, house, 4);
        write(machine, house, "They talked.");
        house.summaries.edit(0, " They talked of tides. ");
        let edited = house.summaries.versions()[1].clone();
        assert!(edited.edited && edited.number == 1);
        assert!(system(house).unwrap().ends_with("They talked of tides."));
        house.summaries.use_version(Some(0));
        assert!(system(house).unwrap().ends_with("They talked."));
        house.summaries.use_version(None);
        assert_eq!(system(house), None);
        assert!(house.chats.undo_last());
        assert!(system(house).is_some());
        house.summaries.edit(0, "");
        assert_eq!(system(house), None, "an empty text takes it out");
        let kept = house
            .storage
            .with_log(|log| log.load(house.chat()))
            .flatten()
            .unwrap();
        assert_eq!(kept.head.summaries.len(), 2);
    });
}

#[test]
fn one_that_is_written_anew_covers_the_same_messages() {
    reactive(|machine, house| {
        let path = talk(machine, house, 4);
        write(machine, house, "They talked.");
        machine.answer(says(&["They spoke."]));
        house.summaries.write_again(0);
        machine.pass(100.0);
        let asked = machine.requests.borrow().last().cloned().unwrap();
        assert!(asked.prompt.contains("question 1") && !asked.prompt.contains("They talked."));
        let again = &house.summaries.versions()[1];
        assert_eq!(
            (again.from, again.through, again.text.as_str()),
            (path[0], path[4], "They spoke.")
        );
    });
}

#[test]
fn one_that_is_stopped_or_fails_changes_nothing() {
    reactive(|machine, house| {
        talk(machine, house, 4);
        let stream = machine.stream_answer();
        house.summaries.write();
        settle();
        stream.unbounded_send(text("They")).unwrap();
        machine.pass(100.0);
        assert_eq!(house.summaries.answer.text.get_untracked(), "They");
        assert!(!house.summaries.may_write());
        house.summaries.stop();
        settle();
        assert!(stream.is_closed(), "the engine is told");
        machine.answer(vec![Err(Fault::ConnectionLost)]);
        house.summaries.write();
        machine.pass(100.0);
        assert!(
            house
                .toast()
                .unwrap()
                .starts_with("The summary was not written: ")
        );
        assert!(house.summaries.versions().is_empty() && system(house).is_none());
    });
}

#[test]
fn a_chat_that_wants_it_gets_one_when_its_window_was_cut_and_not_at_every_turn() {
    reactive(|machine, house| {
        house.steering.set_policy(Policy::Steady {
            keep: 2,
            grow_to: 6,
        });
        house.summaries.set_automatic(true);
        let requests = || machine.requests.borrow().len();
        let mut written = 0;
        for n in 1..=12 {
            machine.answer(says(&[&format!("answer {n}")]));
            machine.answer(says(&[&format!("summary {n}")]));
            let before = requests();
            assert!(house.answers.ask(format!("question {n}")));
            machine.pass(200.0);
            written += requests() - before - 1;
        }
        assert!(
            (2..=4).contains(&written),
            "{written} summaries in 12 turns"
        );
        assert_eq!(house.summaries.versions().len(), written);
    });
}

#[test]
fn a_summary_stays_on_its_branch_and_behind_a_fresh_start() {
    reactive(|machine, house| {
        let path = talk(machine, house, 4);
        write(machine, house, "They talked.");
        house.steering.clear_window();
        assert_eq!(system(house), None, "started afresh after it");
        assert!(house.chats.undo_last());
        machine.answer(says(&["another"]));
        assert!(
            house
                .answers
                .ask_instead_of(path[2], house.version(path[2], "other question 2"))
        );
        machine.pass(100.0);
        assert_eq!(system(house), None, "the branch has not what it covers");
        assert!(house.summaries.versions().is_empty());
    });
}

/// Deleting the first message that a summary covers hid it in the transcript, and it was sent all the same.
#[test]
fn a_summary_that_is_sent_is_shown_though_its_first_message_was_deleted() {
    reactive(|machine, house| {
        let path = talk(machine, house, 4);
        write(machine, house, "They talked.");
        house.chats.delete_message(path[0]);
        assert!(system(house).is_some());
        assert_eq!(house.summaries.shown().map(|s| s.through), Some(path[4]));
    });
}

#[test]
fn one_number_counts_the_window_what_is_recalled_and_what_the_summary_covers() {
    reactive(|machine, house| {
        let path = talk(machine, house, 4);
        let counts = || house.steering.counts.get_untracked();
        assert_eq!(counts().words(), "3 of 8 messages");
        assert_eq!(counts().parts(), "the last 3 messages");
        write(machine, house, "They talked.");
        let piece = |message| RecalledPiece {
            message,
            chat: None,
            excerpt: false,
        };
        // The last message is in the window and is not counted again.
        let block = RecalledBlock {
            pieces: vec![piece(path[0]), piece(path[1]), piece(path[7])],
            text: "quoted".to_owned(),
        };
        house
            .steering
            .contribute_quotes(move |_| Some(block.clone()));
        assert_eq!(counts().words(), "5 of 8 messages");
        assert_eq!(
            counts().parts(),
            "the last 3 messages, 2 recalled, a summary of 5"
        );
        house.steering.pin(path[2], true);
        assert_eq!(counts().words(), "6 of 8 messages");
        assert_eq!(
            counts().parts(),
            "the last 3 messages, 1 pinned, 2 recalled, a summary of 5"
        );
    });
}

#[test]
fn a_summary_that_a_reload_broke_off_is_begun_again_in_its_chat() {
    reactive(|machine, house| {
        talk(machine, house, 4);
        house.summaries.write();
        settle();
        let chat = house.summaries.unfinished.get_untracked();
        assert_eq!(chat, Some(house.chat()));
        let asked = machine.requests.borrow().len();
        let reloaded = House::reopened(machine, chat);
        machine.answer(says(&["They talked."]));
        reloaded.summaries.resume(chat);
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), asked + 1);
        assert!(system(reloaded).is_some_and(|system| system.contains("They talked.")));
        assert_eq!(reloaded.summaries.unfinished.get_untracked(), None);
        // Another chat is left alone.
        let other = House::reopened(machine, None);
        other.summaries.resume(chat);
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), asked + 1);
    });
}

/// A summary that ended in the middle of a sentence took the place of the whole one.
#[test]
fn a_summary_that_is_cut_off_is_kept_as_such_and_the_former_one_stays_in_use() {
    reactive(|machine, house| {
        talk(machine, house, 4);
        house.steering.set_parameter("num_predict", Some(3.into()));
        write(machine, house, "They talked.");
        let sent = machine.requests.borrow().last().cloned().unwrap();
        assert_eq!(sent.options, None, "the limit is one of answers");
        talk(machine, house, 2);
        machine.answer(cut_off("They talked of ti"));
        house.summaries.write();
        machine.pass(100.0);
        assert!(system(house).unwrap().ends_with("They talked."));
        assert!(house.toast().unwrap().contains("cut off"));
        assert_eq!(house.summaries.versions().len(), 2);
        // None is written again without being asked for: it would end as this one did.
        house.summaries.set_automatic(true);
        let asked = machine.requests.borrow().len();
        house.exchange(machine, "question 7", "answer 7");
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), asked + 1);
        // The person may use it all the same.
        house.summaries.use_version(Some(1));
        assert!(system(house).unwrap().ends_with("of ti"));
    });
}

/// The call of a muted question, and a summary of what is above a clearing, were among what the model read.
#[test]
fn a_summary_is_made_of_nothing_that_the_model_may_not_read() {
    reactive(|machine, house| {
        let path = talk(machine, house, 4);
        write(machine, house, "They talked of a secret.");
        house.steering.clear_window();
        house.summaries.write_again(0);
        assert!(house.toast().unwrap().contains("muted"));
        assert!(house.summaries.draft.get_untracked().is_none());
        for n in 5..=9 {
            house.exchange(machine, &format!("question {n}"), &format!("answer {n}"));
        }
        let muted = house.chats.path.get_untracked()[path.len()];
        house.steering.mute(muted, true);
        write(machine, house, "More talk.");
        let asked = machine.requests.borrow().last().cloned().unwrap();
        assert!(asked.prompt.contains("question 6"), "{}", asked.prompt);
        assert!(!asked.prompt.contains("secret"), "{}", asked.prompt);
        assert!(!asked.prompt.contains("question 5"), "{}", asked.prompt);
    });
}

/// The request for a summary brought all that left the window to whichever engine was chosen.
#[test]
fn none_is_written_by_itself_by_an_engine_that_has_not_read_the_messages() {
    reactive(|machine, house| {
        machine.is_elsewhere.set(true);
        house.engine.refresh();
        settle();
        talk(machine, house, 6);
        let engine = house.engine.engines.get_untracked().remove(0);
        let at = |digest: &str| EngineInfo {
            address_digest: digest.to_owned(),
            ..engine.clone()
        };
        for (digest, requests) in [("another digest", 0), (&*engine.address_digest, 1)] {
            *machine.engines.borrow_mut() = vec![at(digest)];
            house.engine.refresh();
            settle();
            machine.requests.borrow_mut().clear();
            house.summaries.set_automatic(true);
            settle();
            assert_eq!(machine.requests.borrow().len(), requests, "{digest}");
        }
    });
}

/// Holds `Summaries::start` and `SideAnswer::ask`: another chat ends the summary that is being written.
#[test]
fn a_summary_that_is_being_written_ends_when_another_chat_is_opened() {
    reactive(|machine, house| {
        talk(machine, house, 4);
        let stream = machine.stream_answer();
        house.summaries.write();
        settle();
        stream.unbounded_send(text("They")).unwrap();
        settle();
        assert_eq!(house.summaries.answer.text.get_untracked(), "They");
        house.chats.begin_chat();
        settle();
        assert!(stream.is_closed(), "the engine is told");
        assert_eq!(house.summaries.draft.get_untracked(), None);
    });
}
