//! From a prompt to the end of its answer, in stores without a browser.

mod house;

use house::{House, Machine, reactive, says, settle};
use reactive_graph::prelude::*;
use sash_chat::{Outcome, Policy};
use sash_state::{AnswerState, Asked};
use sash_wire::{Fault, Frame};

fn last_text(house: House) -> String {
    house.chats.open.with_untracked(|chat| {
        let last = chat.leaf().and_then(|id| chat.get(id));
        last.map(|message| message.content.clone())
            .unwrap_or_default()
    })
}

#[test]
fn a_prompt_is_in_the_log_before_it_is_sent_and_the_answer_after_it() {
    reactive(|machine, house| {
        machine.answer(says(&["Hello", " there"]));
        assert!(house.answers.ask("Hi".to_owned()));
        let chat = house.chats.open_id_untracked();
        let kept = house.storage.with_log(|log| log.load(chat)).flatten();
        assert!(
            kept.is_some_and(|chat| chat.newest().is_some()),
            "the question is kept"
        );
        machine.pass(100.0);
        assert_eq!(last_text(house), "Hello there");
        assert!(!house.answers.runs_in(chat));
        let kept = house.storage.with_log(|log| log.load(chat)).flatten();
        let kept = kept.map(|chat| {
            chat.path()
                .iter()
                .map(|m| m.content.clone())
                .collect::<Vec<_>>()
        });
        assert_eq!(kept, Some(vec!["Hi".to_owned(), "Hello there".to_owned()]));
    });
}

#[test]
fn the_request_carries_what_the_window_shows() {
    reactive(|machine, house| {
        for n in 0..4 {
            machine.answer(says(&[&format!("answer {n}")]));
            assert!(house.answers.ask(format!("question {n}")));
            machine.pass(100.0);
        }
        let shown = house
            .steering
            .window
            .with_untracked(|window| window.entries.len());
        assert_eq!(shown, 3);
        house.drafts.draft.set("and now?".to_owned());
        let next = house.answers.next_request();
        assert!(house.answers.ask("and now?".to_owned()));
        settle();
        let sent = machine.requests.borrow().last().cloned();
        assert_eq!(sent.as_ref(), Some(&next));
        assert_eq!(sent.map(|request| request.context.len()), Some(3));
    });
}

#[test]
fn stopping_keeps_what_came() {
    reactive(|machine, house| {
        assert!(house.answers.ask("Hi".to_owned()));
        machine.pass(50.0);
        let chat = house.chats.open_id_untracked();
        assert!(house.answers.runs_in(chat));
        assert!(!house.answers.may_ask(), "one answer at a time in a chat");
        house.answers.stop(chat);
        assert!(!house.answers.runs_in(chat));
        let outcome = house.chats.open.with_untracked(|chat| {
            chat.leaf()
                .and_then(|id| chat.get(id))
                .map(|m| m.outcome.clone())
        });
        assert_eq!(outcome, Some(Outcome::Stopped));
    });
}

#[test]
fn a_fault_keeps_the_text_that_came_and_is_said() {
    reactive(|machine, house| {
        let frames = vec![
            Ok(Frame::Text {
                text: "Half a".to_owned(),
            }),
            Ok(Frame::Error {
                error: Fault::OllamaLost,
            }),
        ];
        machine.answer(frames);
        assert!(house.answers.ask("Hi".to_owned()));
        settle();
        assert_eq!(
            house.notices.alert.get_untracked(),
            Fault::OllamaLost.to_string()
        );
        assert_eq!(last_text(house), "Half a");
        machine.pass(2000.0);
        assert_eq!(
            house.notices.alert.get_untracked(),
            "",
            "it can be said again"
        );
    });
}

#[test]
fn a_stream_without_an_end_is_not_a_complete_answer() {
    reactive(|machine, house| {
        let text = "Half".to_owned();
        machine.answer(vec![Ok(Frame::Text { text })]);
        assert!(house.answers.ask("Hi".to_owned()));
        settle();
        let outcome = house.chats.open.with_untracked(|chat| {
            chat.leaf()
                .and_then(|id| chat.get(id))
                .map(|m| m.outcome.clone())
        });
        assert_ne!(outcome, Some(Outcome::Complete));
    });
}

#[test]
fn the_tail_of_a_running_answer_is_written_once_a_second() {
    reactive(|machine: &Machine, house| {
        let many: Vec<_> = (0..5).map(|n| format!("word{n} ")).collect();
        let frames = many
            .iter()
            .map(|text| Ok(Frame::Text { text: text.clone() }));
        let pending = frames.collect::<Vec<_>>();
        // A stream that goes on: what came is written, and no end is there.
        machine.hold_open(pending);
        assert!(house.answers.ask("Hi".to_owned()));
        machine.pass(1500.0);
        let chat = house.chats.open_id_untracked();
        assert!(
            house
                .storage
                .with_log(|log| log.has_tail(chat))
                .unwrap_or_default()
        );
        let id = house
            .answers
            .answering
            .with_untracked(|all| all.get(&chat).copied());
        let message = id.and_then(|id| house.chats.message(id));
        let answer = message.map(|message| house.answers.live(&message));
        let shown = answer.map(|a| (a.text.get_untracked(), a.state.get_untracked()));
        assert_eq!(
            shown,
            Some((
                "word0 word1 word2 word3 word4 ".to_owned(),
                AnswerState::Writing
            ))
        );
    });
}

#[test]
fn what_does_not_fit_is_not_sent_and_nothing_is_written() {
    reactive(|machine, house| {
        house.settings.change(|settings| {
            settings.contexts.push(sash_state::ModelContext {
                model: "tiny:latest".to_owned(),
                tokens: 64,
            });
        });
        let long = "many words that fill the context ".repeat(40);
        assert!(!house.answers.ask(long.clone()));
        assert!(machine.requests.borrow().is_empty());
        assert!(house.chats.open.with_untracked(sash_chat::Chat::is_empty));
        let told = house.steering.overflow.get_untracked();
        assert!(
            told.is_some_and(|told| told.guessed
                && told.asked == Asked::Draft
                && told.context == 64)
        );
        // Who sends it again means it: Ollama counts, and cuts nothing.
        assert!(house.answers.ask(long));
    });
}

#[test]
fn a_deleted_chat_stops_its_answer_and_comes_back_with_it() {
    reactive(|machine, house| {
        assert!(house.answers.ask("Hi".to_owned()));
        machine.pass(20.0);
        let chat = house.chats.open_id_untracked();
        house.answers.delete_chat(chat);
        assert!(!house.answers.runs_in(chat));
        assert!(house.chats.list.with_untracked(Vec::is_empty));
        assert!(house.steering.undo());
        assert_eq!(house.chats.open_id_untracked(), chat);
        assert_eq!(house.chats.list.with_untracked(Vec::len), 1);
    });
}

#[test]
fn steering_is_taken_back_step_by_step() {
    reactive(|_, house| {
        house.steering.set_policy(Policy::Messages(7));
        house.steering.set_policy(Policy::Everything);
        let policy = || house.chats.open.with_untracked(|chat| chat.head.policy);
        assert_eq!(policy(), Policy::Everything);
        assert!(house.steering.undo());
        assert_eq!(policy(), Policy::Messages(7));
        assert!(house.steering.undo());
        assert_eq!(policy(), Policy::default());
        assert!(!house.steering.undo());
    });
}
