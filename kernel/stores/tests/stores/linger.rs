//! An answer goes on without its page: a reload, a crash, a network that is gone. Its text comes once and whole.

use reactive_graph::prelude::*;
use sash_chat::{AnswerId, Id, Outcome};
use sash_harness::{House, Machine, reactive, says, settle, text};
use sash_stores::{AnswerState, LiveAnswer};
use sash_wire::{Fault, Frame, ReadingProgress};

/// Asks a question whose answer stays open after these words. Returns its id at the server.
fn begin(machine: &Machine, house: House, words: &[&str]) -> AnswerId {
    machine.hold_open(words.iter().map(|word| text(word)).collect());
    assert!(house.answers.ask("Long".to_owned()));
    settle();
    machine
        .answer_ids
        .borrow()
        .last()
        .copied()
        .flatten()
        .unwrap_or_else(|| panic!("the page gives the answer an id"))
}

/// The stores after the tab was closed, or its browser killed, and opened again.
fn reload(machine: &Machine, house: House) -> House {
    let chat = house.chat();
    machine.close_tab();
    House::reopened(&machine.another_tab(), Some(chat))
}

fn last(house: House) -> (Outcome, String) {
    house.chats.open.with_untracked(|chat| {
        let last = chat.leaf().and_then(|id| chat.get(id));
        let last = last.unwrap_or_else(|| panic!("a message"));
        (last.outcome.clone(), last.content.clone())
    })
}

/// The signals of the last message.
fn live(house: House) -> LiveAnswer {
    let last = house.chats.path.with_untracked(|path| path.last().copied());
    let message = last.and_then(|last| house.chats.message(last));
    let message = message.unwrap_or_else(|| panic!("a message"));
    house.answers.live(&message)
}

/// The frames that the page said it had, in each request for the rest.
fn positions(machine: &Machine) -> Vec<usize> {
    let resumed = machine.resumed.borrow();
    resumed.iter().map(|request| request.after).collect()
}

#[test]
fn the_request_and_the_tail_have_the_same_id_and_no_two_answers_have_the_same() {
    reactive(|machine, house| {
        let first = begin(machine, house, &["One "]);
        let kept = house.storage.with_log(|log| log.kept_answers(house.chat()));
        assert_eq!(kept.unwrap()[0].1, first);
        house.answers.stop(house.chat());
        assert_ne!(begin(machine, house, &["Two "]), first);
    });
}

#[test]
fn after_a_reload_the_answer_goes_on_where_the_log_has_it() {
    reactive(|machine, house| {
        let id = begin(machine, house, &["One ", "two "]);
        machine.pass(1500.0);
        machine.rest(says(&["three ", "four"]));
        let house = reload(machine, house);
        assert_eq!(machine.resumed.borrow()[0].id, id);
        machine.pass(100.0);
        assert_eq!(positions(machine), [2]);
        assert_eq!(
            last(house),
            (Outcome::Complete, "One two three four".to_owned())
        );
        assert_eq!(house.kept(house.chat())[1], "One two three four");
        assert!(!house.answers.runs_in(house.chat()));
    });
}

#[test]
fn thinking_can_be_ended_after_a_reload_and_comes_once() {
    reactive(|machine, house| {
        let endable = || {
            Ok(Frame::Endable {
                id: "chatcmpl-1".into(),
            })
        };
        let thinking = |text: &str| Ok(Frame::Thinking { text: text.into() });
        machine.hold_open(vec![endable(), thinking("Hm")]);
        assert!(house.answers.ask("Long".to_owned()));
        settle();
        machine.pass(1500.0);
        machine.rest_held_open(vec![endable(), thinking("Hm"), thinking(", so")]);
        let house = reload(machine, house);
        machine.pass(100.0);
        assert_eq!(positions(machine), [0]);
        let live = live(house);
        assert!(live.endable.get_untracked());
        assert_eq!(live.thinking.get_untracked(), "Hm, so");
    });
}

#[test]
fn what_came_after_the_last_piece_of_the_tail_is_requested_again() {
    reactive(|machine, house| {
        let frames = machine.stream_answer();
        assert!(house.answers.ask("Long".to_owned()));
        for word in ["One ", "two "] {
            frames.unbounded_send(text(word)).unwrap();
        }
        machine.pass(1100.0);
        frames.unbounded_send(text("three ")).unwrap();
        machine.pass(100.0);
        assert_eq!(live(house).text.get_untracked(), "One two three ");
        machine.rest(says(&["three ", "four"]));
        let house = reload(machine, house);
        machine.pass(100.0);
        assert_eq!(positions(machine), [2]);
        assert_eq!(last(house).1, "One two three four");
    });
}

#[test]
fn a_resumed_answer_is_shown_as_running_at_once_and_no_prompt_can_be_sent() {
    reactive(|machine, house| {
        begin(machine, house, &["One "]);
        machine.pass(1500.0);
        machine.rest_held_open(vec![]);
        let house = reload(machine, house);
        assert_eq!(live(house).state.get_untracked(), AnswerState::Writing);
        assert_eq!(live(house).text.get_untracked(), "One ");
        assert!(!house.answers.can_send());
        house.answers.stop(house.chat());
        assert_eq!(last(house), (Outcome::Stopped, "One ".to_owned()));
    });
}

#[test]
fn an_answer_without_a_word_waits_on_for_as_long_as_it_has_waited() {
    reactive(|machine, house| {
        begin(machine, house, &[]);
        machine.pass(5_000.0);
        let frames = machine.stream_rest();
        let chat = house.chat();
        machine.close_tab();
        let house = House::reopened(&machine.another_tab(), Some(chat));
        machine.pass(100.0);
        let state = live(house).state.get_untracked();
        assert!(matches!(state, AnswerState::Waiting(_)), "{state:?}");
        frames.unbounded_send(text("Now")).unwrap();
        frames.unbounded_send(says(&[]).remove(0)).unwrap();
        machine.pass(100.0);
        assert_eq!(positions(machine), [0]);
        let answer = house
            .chats
            .path
            .with_untracked(|path| *path.last().unwrap());
        let receipt = house.chats.message(answer).unwrap().receipt.unwrap();
        assert_eq!(receipt.first_token_ms, Some(5_100));
        assert_eq!(last(house).1, "Now");
    });
}

#[test]
fn an_answer_of_another_chat_goes_on_too() {
    reactive(|machine, house| {
        begin(machine, house, &["One "]);
        let first = house.chat();
        machine.pass(1500.0);
        house.chats.begin_chat();
        settle();
        machine.rest(says(&["two"]));
        let house = reload(machine, house);
        machine.pass(100.0);
        assert_ne!(house.chat(), first);
        assert_eq!(house.kept(first), ["Long", "One two"]);
    });
}

#[test]
fn an_answer_that_the_server_does_not_know_is_interrupted_and_can_be_continued() {
    reactive(|machine, house| {
        begin(machine, house, &["One "]);
        machine.pass(1500.0);
        let house = reload(machine, house);
        machine.pass(1000.0);
        assert_eq!(last(house), (Outcome::Interrupted, "One ".to_owned()));
        assert!(house.answers.can_send());
        // It is a message now: the next start does not ask for it.
        let asked = machine.resumed.borrow().len();
        let house = reload(machine, house);
        machine.pass(1000.0);
        assert_eq!(machine.resumed.borrow().len(), asked);
        assert_eq!(last(house), (Outcome::Interrupted, "One ".to_owned()));
    });
}

/// All frames are requested again while the model thinks, so the server's word was taken for that of one which never had the
/// request, and the page said that the connection was lost.
#[test]
fn a_server_that_was_started_again_while_the_model_thought_is_told_as_what_it_is() {
    reactive(|machine, house| {
        machine.hold_open(vec![Ok(Frame::Thinking { text: "Hm".into() })]);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(1500.0);
        let house = reload(machine, house);
        machine.pass(100.0);
        assert_eq!(positions(machine), [0]);
        assert_eq!(last(house), (Outcome::Interrupted, String::new()));
        let said = house.notices.alert.get_untracked();
        assert_eq!(said, Fault::UnknownAnswer.to_string());
    });
}

#[test]
fn an_answer_that_was_stopped_while_nobody_read_it_says_why() {
    reactive(|machine, house| {
        begin(machine, house, &["One "]);
        machine.pass(1500.0);
        let error = Fault::StoppedUnread;
        machine.rest(vec![text("two "), Ok(Frame::Error { error })]);
        let house = reload(machine, house);
        machine.pass(100.0);
        let (outcome, words) = last(house);
        assert_eq!(words, "One two ");
        assert_eq!(outcome, Fault::StoppedUnread.outcome());
    });
}

#[test]
fn a_gap_of_the_network_is_said_and_costs_no_word() {
    reactive(|machine, house| {
        let frames = machine.stream_answer();
        assert!(house.answers.ask("Long".to_owned()));
        frames.unbounded_send(text("One ")).unwrap();
        machine.pass(100.0);
        machine.offline.set(true);
        frames.unbounded_send(Err(Fault::ConnectionLost)).unwrap();
        machine.pass(30_000.0);
        let goes_on = true;
        assert_eq!(
            live(house).state.get_untracked(),
            AnswerState::Reconnecting { goes_on }
        );
        assert!(house.answers.runs_in(house.chat()));
        machine.offline.set(false);
        machine.rest(says(&["two"]));
        machine.pass(5_000.0);
        assert_eq!(last(house), (Outcome::Complete, "One two".to_owned()));
        assert!(positions(machine).iter().all(|after| *after == 1));
        // Not more often than every five seconds, after the first few.
        assert!(positions(machine).len() < 14, "{:?}", positions(machine));
    });
}

#[test]
fn several_gaps_one_after_another_cost_no_word() {
    reactive(|machine, house| {
        // A connection that ends without an error and without a last frame is broken too.
        machine.answer(vec![text("0 ")]);
        assert!(house.answers.ask("Long".to_owned()));
        for n in 1..20 {
            machine.rest(vec![text(&format!("{n} "))]);
        }
        machine.rest(says(&["end"]));
        machine.pass(60_000.0);
        let whole: String = (0..20).map(|n| format!("{n} ")).collect();
        assert_eq!(last(house), (Outcome::Complete, whole + "end"));
        assert_eq!(positions(machine), (1..=20).collect::<Vec<_>>());
    });
}

#[test]
fn a_reload_in_a_gap_tries_on() {
    reactive(|machine, house| {
        begin(machine, house, &["One "]);
        machine.pass(1500.0);
        machine.offline.set(true);
        let house = reload(machine, house);
        machine.pass(20_000.0);
        assert!(house.answers.runs_in(house.chat()));
        machine.offline.set(false);
        machine.rest(says(&["two"]));
        machine.pass(5_000.0);
        assert_eq!(last(house), (Outcome::Complete, "One two".to_owned()));
    });
}

#[test]
fn after_ten_minutes_without_a_connection_the_answer_is_interrupted_and_stopped() {
    reactive(|machine, house| {
        let id = begin(machine, house, &["One "]);
        machine.pass(1500.0);
        machine.offline.set(true);
        let house = reload(machine, house);
        machine.pass(610_000.0);
        assert_eq!(last(house), (Outcome::Interrupted, "One ".to_owned()));
        assert!(machine.stopped.borrow().contains(&id));
    });
}

#[test]
fn a_request_that_never_arrived_is_given_up_after_half_a_minute() {
    reactive(|machine, house| {
        machine.offline.set(true);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(20_000.0);
        let goes_on = false;
        assert_eq!(
            live(house).state.get_untracked(),
            AnswerState::Reconnecting { goes_on }
        );
        machine.pass(20_000.0);
        assert_eq!(last(house).0, Outcome::Interrupted);
        // It may have arrived without an answer.
        assert_eq!(
            machine.stopped.borrow()[0],
            machine.answer_ids.borrow()[0].unwrap()
        );
    });
}

#[test]
fn a_request_that_arrived_while_the_connection_broke_is_taken_up() {
    reactive(|machine, house| {
        machine.offline.set(true);
        assert!(house.answers.ask("Long".to_owned()));
        settle();
        machine.offline.set(false);
        machine.rest(says(&["All of it"]));
        machine.pass(1_000.0);
        assert_eq!(last(house), (Outcome::Complete, "All of it".to_owned()));
    });
}

#[test]
fn an_answer_that_the_server_does_not_keep_ends_with_its_connection_and_that_is_said_once() {
    reactive(|machine, house| {
        machine.keeps_nothing.set(true);
        for said in [true, false] {
            machine.answer(vec![text("Half")]);
            house.notices.toast.set(None);
            assert!(house.answers.ask("Long".to_owned()));
            machine.pass(1000.0);
            assert_eq!(last(house), (Outcome::Interrupted, "Half".to_owned()));
            assert_eq!(house.toast().is_some(), said);
        }
        assert!(machine.resumed.borrow().is_empty());
    });
}

#[test]
fn without_locks_an_answer_has_no_id_and_ends_with_its_page() {
    reactive(|machine, house| {
        machine.without_locks.set(true);
        assert!(!house.answers.outlive_page());
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(1500.0);
        assert_eq!(machine.answer_ids.borrow()[0], None);
        let house = reload(machine, house);
        machine.pass(1500.0);
        assert_eq!(last(house), (Outcome::Interrupted, "Half".to_owned()));
        assert!(house.answers.can_send() && machine.resumed.borrow().is_empty());
    });
}

#[test]
fn a_stop_is_said_by_the_id_until_the_server_has_it() {
    reactive(|machine, house| {
        let id = begin(machine, house, &["One "]);
        house.answers.stop(house.chat());
        settle();
        assert_eq!(*machine.stopped.borrow(), [id]);
        machine.pass(60_000.0);
        assert_eq!(
            machine.stopped.borrow().len(),
            1,
            "once is enough if it arrives"
        );
        machine.offline.set(true);
        let id = begin(machine, house, &[]);
        house.answers.stop(house.chat());
        machine.pass(60_000.0);
        let times = machine
            .stopped
            .borrow()
            .iter()
            .filter(|stopped| **stopped == id)
            .count();
        assert!((5..12).contains(&times), "{times} times");
        machine.offline.set(false);
        machine.pass(60_000.0);
        let heard = machine.stopped.borrow().len();
        machine.pass(600_000.0);
        assert_eq!(machine.stopped.borrow().len(), heard);
        let pending = house.storage.with_log(|log| log.pending_stops(0));
        assert_eq!(pending, Some(Vec::new()));
    });
}

#[test]
fn a_stop_that_was_not_heard_is_said_again_after_a_reload_and_the_answer_is_not_taken_up() {
    reactive(|machine, house| {
        let id = begin(machine, house, &["One "]);
        machine.pass(1500.0);
        machine.offline.set(true);
        house.answers.stop(house.chat());
        settle();
        let house = reload(machine, house);
        let before = machine.stopped.borrow().len();
        machine.offline.set(false);
        machine.pass(1_000.0);
        assert!(machine.stopped.borrow()[before..].contains(&id));
        assert_eq!(last(house), (Outcome::Stopped, "One ".to_owned()));
        assert!(machine.resumed.borrow().is_empty());
    });
}

#[test]
fn a_stop_works_while_the_connection_is_lost() {
    reactive(|machine, house| {
        let id = begin(machine, house, &["One "]);
        machine.pass(1500.0);
        machine.offline.set(true);
        let house = reload(machine, house);
        machine.pass(3_000.0);
        house.answers.stop(house.chat());
        assert_eq!(last(house), (Outcome::Stopped, "One ".to_owned()));
        let asked = machine.resumed.borrow().len();
        machine.offline.set(false);
        machine.pass(60_000.0);
        assert!(machine.stopped.borrow().contains(&id));
        assert_eq!(machine.resumed.borrow().len(), asked);
    });
}

#[test]
fn deleting_the_chat_or_the_message_stops_the_answer_at_the_server() {
    for whole_chat in [true, false] {
        reactive(|machine, house| {
            let id = begin(machine, house, &["One "]);
            machine.pass(100.0);
            let answer = house
                .chats
                .path
                .with_untracked(|path| *path.last().unwrap());
            match whole_chat {
                true => house.answers.delete_chat(house.chat()),
                false => house.chats.delete_message(answer),
            }
            settle();
            assert!(machine.stopped.borrow().contains(&id), "{whole_chat}");
            assert!(!house.answers.is_any_busy());
        });
    }
}

#[test]
fn before_everything_is_deleted_all_answers_are_stopped() {
    reactive(|machine, house| {
        let first = begin(machine, house, &["One "]);
        house.chats.begin_chat();
        let second = begin(machine, house, &["Two "]);
        let done = std::rc::Rc::new(std::cell::Cell::new(false));
        let told = done.clone();
        let answers = house.answers;
        any_spawner::Executor::spawn_local(async move {
            answers.stop_everything().await;
            told.set(true);
        });
        machine.pass(200.0);
        assert!(done.get());
        let stopped = machine.stopped.borrow();
        assert!(stopped.contains(&first) && stopped.contains(&second));
        assert!(!house.answers.is_any_busy());
    });
}

#[test]
fn a_reload_shows_the_answer_that_it_carries_on_once() {
    reactive(|machine, house| {
        machine.answer(vec![
            text("Begun "),
            Ok(Frame::Error {
                error: Fault::OllamaLost,
            }),
        ]);
        assert!(house.answers.ask("Long".to_owned()));
        settle();
        let first = house
            .chats
            .path
            .with_untracked(|path| *path.last().unwrap());
        machine.hold_open(vec![text("and gone ")]);
        house.answers.continue_answer(first);
        machine.pass(1500.0);
        assert_eq!(live(house).text.get_untracked(), "Begun and gone ");
        machine.rest(says(&["on"]));
        let house = reload(machine, house);
        machine.pass(100.0);
        assert_eq!(last(house).1, "Begun and gone on");
    });
}

/// An engine that tells how far it reads sends frames that are no part of the answer.
#[test]
fn frames_of_reading_count_and_are_not_written_alone() {
    reactive(|machine, house| {
        let progress = ReadingProgress {
            total: 100,
            cached: 0,
            processed: 50,
            ms: 10,
        };
        let frames = machine.stream_answer();
        assert!(house.answers.ask("Long".to_owned()));
        frames.unbounded_send(Ok(Frame::Reading(progress))).unwrap();
        machine.pass(1500.0);
        let pieces = |house: House| {
            let kept = house.storage.with_log(|log| {
                let id = log.kept_answers(house.chat())[0].0;
                log.kept_tail(house.chat(), id).unwrap()
            });
            kept.map(|tail| (tail.pieces, tail.frames)).unwrap()
        };
        assert_eq!(pieces(house), (0, 0));
        frames.unbounded_send(Ok(Frame::Reading(progress))).unwrap();
        frames.unbounded_send(text("One ")).unwrap();
        machine.pass(1500.0);
        assert_eq!(pieces(house), (1, 3));
        machine.rest(says(&["two"]));
        let house = reload(machine, house);
        machine.pass(100.0);
        assert_eq!(positions(machine), [3]);
        assert_eq!(last(house), (Outcome::Complete, "One two".to_owned()));
    });
}

/// The id of the chat whose answer is said to run still.
fn still_running(house: House) -> Option<Id> {
    let open = house.chat();
    let id = house
        .answers
        .answering
        .with_untracked(|all| all.get(&open).copied())?;
    house.answers.still_running(id).map(|other| other.chat)
}

#[test]
fn the_next_prompt_says_what_a_former_page_has_running_and_that_can_be_stopped() {
    reactive(|machine, house| {
        let id = begin(machine, house, &["One "]);
        let first = house.chat();
        machine.pass(1500.0);
        house.chats.begin_chat();
        settle();
        machine.rest_held_open(vec![]);
        let house = reload(machine, house);
        machine.hold_open(vec![]);
        assert!(house.answers.ask("Short".to_owned()));
        settle();
        assert_eq!(still_running(house), Some(first));
        house.answers.stop(first);
        settle();
        assert_eq!(still_running(house), None);
        assert_eq!(*machine.stopped.borrow(), [id]);
    });
}

/// Holds `Stops::wait_for_server`: what is still being sent is looked up after each pause, and the time too.
#[test]
fn without_a_connection_nobody_waits_long_for_the_server_to_stop_everything() {
    reactive(|machine, house| {
        begin(machine, house, &["One "]);
        machine.offline.set(true);
        let done = std::rc::Rc::new(std::cell::Cell::new(false));
        let told = done.clone();
        let answers = house.answers;
        any_spawner::Executor::spawn_local(async move {
            answers.stop_everything().await;
            told.set(true);
        });
        machine.pass(1_900.0);
        assert!(!done.get());
        machine.pass(200.0);
        assert!(done.get());
        assert!(!house.answers.is_any_busy());
    });
}
