//! Prompts that wait for the end of an answer.

use crate::house::{House, reactive, two_tabs};
use crate::machine::Machine;
use futures::channel::mpsc::UnboundedSender;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Id, RecallMode, RecallSetting};
use sash_harness::{says, settle, small_image, text};
use sash_log::{DRAFT, DraftField, Key};
use sash_records::queue::{MAX_QUEUED, QUEUE};
use sash_state::{QueuePause, QueueState};
use sash_stores::OverflowSource;
use sash_wire::{Fault, Frame};

type Answer = UnboundedSender<Result<Frame, Fault>>;

/// Asks a question and begins its answer, whose frames the test sends.
fn begin(machine: &Machine, house: House) -> Answer {
    let answer = machine.stream_answer();
    assert!(house.answers.ask("Long".to_owned()));
    machine.pass(100.0);
    answer
}

fn end(machine: &Machine, answer: &Answer, words: &str) {
    for frame in says(&[words]) {
        assert!(answer.unbounded_send(frame).is_ok());
    }
    machine.pass(100.0);
}

fn add(house: House, prompts: &[&str]) {
    for prompt in prompts {
        house.write(prompt);
        house.rooms.queue.add_draft();
        settle();
    }
}

fn waiting(house: House) -> Vec<String> {
    let prompts = house.rooms.queue.prompts.get_untracked().into_iter();
    prompts.map(|prompt| prompt.text).collect()
}

fn id(house: House, at: usize) -> Id {
    house.rooms.queue.prompts.with_untracked(|all| all[at].id)
}

fn state(house: House) -> QueueState {
    untrack(|| house.rooms.queue.state())
}

#[test]
fn prompts_go_one_after_the_other_and_the_draft_stays() {
    reactive(|machine, house| {
        let first = begin(machine, house);
        house.drafts.images.set(vec![small_image()]);
        add(house, &["Two", "Three"]);
        assert_eq!(waiting(house), ["Two", "Three"]);
        assert_eq!(state(house), QueueState::Goes);
        assert!(house.drafts.images.get_untracked().is_empty());
        house.write("Being written");
        let second = machine.stream_answer();
        let third = machine.stream_answer();
        end(machine, &first, "One");
        assert_eq!(house.texts(), ["Long", "One", "Two", ""]);
        assert_eq!(waiting(house), ["Three"]);
        let question = house.chats.path.get_untracked()[2];
        let question = house.chats.message(question).unwrap();
        assert_eq!(question.images, [small_image()]);
        end(machine, &second, "2");
        end(machine, &third, "3");
        let all = ["Long", "One", "Two", "2", "Three", "3"];
        assert_eq!(house.texts(), all);
        assert_eq!(house.kept(house.chat()), all);
        assert_eq!(house.drafts.draft.get_untracked(), "Being written");
        assert!(
            !machine
                .disk
                .has(&Key::Record(QUEUE, house.chat()).to_string())
        );
        // Each was an ordinary prompt: its window was chosen when it went.
        let requests = machine.requests.borrow();
        let last = requests.last().unwrap().messages();
        assert!(last.iter().any(|message| message.content == "2"));
    });
}

#[test]
fn a_prompt_is_moved_edited_and_taken_out_and_that_is_undone() {
    reactive(|machine, house| {
        let first = begin(machine, house);
        add(house, &["A", "B", "C"]);
        house.rooms.queue.shift(id(house, 2), true);
        house.rooms.queue.shift(id(house, 0), true);
        assert_eq!(waiting(house), ["A", "C", "B"]);
        house.rooms.queue.shift(id(house, 0), false);
        assert_eq!(waiting(house), ["C", "A", "B"]);
        let taken = id(house, 1);
        house.rooms.queue.remove(taken);
        assert_eq!(waiting(house), ["C", "B"]);
        let offer = house.offered();
        assert!(untrack(|| house.history.holds(offer)));
        house.undo_offer();
        assert_eq!(waiting(house), ["C", "A", "B"]);
        assert!(!untrack(|| house.history.holds(offer)));
        house.rooms.queue.remove(id(house, 0));
        assert!(house.chats.undo_last());
        assert_eq!(waiting(house), ["C", "A", "B"]);
        // What is in the field is not overwritten.
        house.write("Mine");
        assert!(!house.rooms.queue.edit(taken));
        assert!(house.toast().is_some());
        assert_eq!(waiting(house), ["C", "A", "B"]);
        house.write("");
        assert!(house.rooms.queue.edit(taken));
        assert_eq!(house.drafts.draft.get_untracked(), "A");
        assert_eq!(waiting(house), ["C", "B"]);
        // It goes back to its place, and another prompt to the end.
        settle();
        add(house, &["A, edited"]);
        assert_eq!(waiting(house), ["C", "A, edited", "B"]);
        assert!(house.rooms.queue.edit(id(house, 1)));
        settle();
        house.write("");
        settle();
        add(house, &["D"]);
        assert_eq!(waiting(house), ["C", "B", "D"]);
        house.rooms.queue.remove(id(house, 2));
        // What is put back after the answer is not sent by itself.
        house.rooms.queue.remove(id(house, 0));
        house.rooms.queue.remove(id(house, 0));
        end(machine, &first, "1");
        assert!(house.chats.undo_last());
        machine.pass(100.0);
        assert_eq!(waiting(house), ["B"]);
        assert_eq!(state(house), QueueState::Paused(QueuePause::ByHand));
        assert_eq!(machine.requests.borrow().len(), 1);
    });
}

#[test]
fn a_failed_or_stopped_answer_pauses_the_queue_until_the_person_goes_on() {
    reactive(|machine, house| {
        let first = begin(machine, house);
        add(house, &["Two", "Three"]);
        first
            .unbounded_send(Err(Fault::EngineUnreachable {
                engine: "ollama".to_owned(),
            }))
            .unwrap();
        machine.pass(100.0);
        assert_eq!(state(house), QueueState::Paused(QueuePause::Failed));
        assert_eq!(machine.requests.borrow().len(), 1);
        // What is sent meanwhile goes at once, and does not let the queue go on.
        house.exchange(machine, "Other", "Yes");
        assert_eq!(waiting(house), ["Two", "Three"]);
        let second = machine.stream_answer();
        house.rooms.queue.go_on();
        machine.pass(100.0);
        assert_eq!(waiting(house), ["Three"]);
        second.unbounded_send(text("Half")).unwrap();
        machine.pass(100.0);
        house.answers.stop(house.chat());
        machine.pass(100.0);
        assert_eq!(state(house), QueueState::Paused(QueuePause::Stopped));
        // One goes alone, and the rest stays where it is.
        let third = machine.stream_answer();
        house.rooms.queue.send_now(id(house, 0));
        machine.pass(100.0);
        assert!(waiting(house).is_empty());
        add(house, &["Four"]);
        house.rooms.queue.pause();
        end(machine, &third, "3");
        assert_eq!(waiting(house), ["Four"]);
        assert_eq!(state(house), QueueState::Paused(QueuePause::ByHand));
    });
}

#[test]
fn send_now_stops_the_answer_and_the_rest_follows() {
    reactive(|machine, house| {
        let _first = begin(machine, house);
        add(house, &["Two", "Three"]);
        let third = machine.stream_answer();
        machine.answer(says(&["2"]));
        house.rooms.queue.send_now(id(house, 1));
        machine.pass(100.0);
        assert_eq!(house.texts(), ["Long", "", "Three", ""]);
        assert_eq!(waiting(house), ["Two"]);
        end(machine, &third, "3");
        assert_eq!(house.texts(), ["Long", "", "Three", "3", "Two", "2"]);
    });
}

#[test]
fn a_prompt_that_does_not_fit_goes_back_to_its_place_and_pauses_the_queue() {
    reactive(|machine, house| {
        let first = begin(machine, house);
        let long = "many words that fill the context ".repeat(40);
        add(house, &[&long, "Short"]);
        house.settings.change(|settings| {
            settings.contexts.push(sash_stores::ModelContext {
                model: "tiny:latest".to_owned(),
                tokens: 64,
            });
        });
        end(machine, &first, "1");
        assert_eq!(waiting(house), [long.as_str(), "Short"]);
        assert_eq!(state(house), QueueState::Paused(QueuePause::DoesNotFit));
        let told = house.steering.overflow.get_untracked().unwrap();
        assert_eq!(told.asked, OverflowSource::PutAside(id(house, 0)));
        assert!(told.tokens > told.context && told.guessed);
        // It is counted again, and goes as it is only where the person says so.
        house.rooms.queue.go_on();
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), 1);
        machine.answer(says(&["2"]));
        house.rooms.queue.send_now(id(house, 0));
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), 2);
        assert_eq!(waiting(house), ["Short"]);
    });
}

#[test]
fn a_queue_waits_for_its_chat_to_be_open_and_is_bounded() {
    reactive(|machine, house| {
        let first = begin(machine, house);
        let chat = house.chat();
        add(house, &["Two"]);
        house.chats.begin_chat();
        settle();
        assert!(waiting(house).is_empty());
        end(machine, &first, "1");
        assert_eq!(machine.requests.borrow().len(), 1);
        let second = machine.stream_answer();
        house.chats.open_chat(chat);
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), 2);
        assert!(waiting(house).is_empty());
        for n in 0..MAX_QUEUED {
            add(house, &[&format!("No. {n}")]);
        }
        house.write("One too many");
        house.rooms.queue.add_draft();
        assert_eq!(waiting(house).len(), MAX_QUEUED);
        assert_eq!(house.drafts.draft.get_untracked(), "One too many");
        assert!(house.toast().unwrap().contains("20"));
        drop(second);
    });
}

#[test]
fn after_a_reload_the_queue_is_there_and_paused_and_comes_back_with_its_chat() {
    reactive(|machine, house| {
        let _first = begin(machine, house);
        add(house, &["Three", "Four"]);
        let chat = house.chat();
        machine.close_tab();
        let again = House::reopened(&machine.another_tab(), Some(chat));
        machine.pass(100.0);
        let sent = machine.requests.borrow().len();
        assert_eq!(waiting(again).last().map(String::as_str), Some("Four"));
        assert_eq!(state(again), QueueState::Paused(QueuePause::NotOfThisPage));
        again.answers.delete_chat(chat);
        assert!(waiting(again).is_empty());
        again.chats.restore_chat(chat);
        machine.pass(100.0);
        assert_eq!(waiting(again).last().map(String::as_str), Some("Four"));
        assert_eq!(machine.requests.borrow().len(), sent);
    });
}

#[test]
fn of_two_tabs_the_one_that_holds_the_chat_sends_and_both_may_change_the_queue() {
    two_tabs(|machine, house, there, other| {
        let first = begin(there, other);
        add(other, &["Two", "Three", "Four"]);
        there.pass(1500.0);
        machine.tell(house.tabs);
        assert_eq!(waiting(house), ["Two", "Three", "Four"]);
        assert_eq!(state(house), QueueState::Elsewhere);
        house.rooms.queue.remove(id(house, 1));
        there.tell(other.tabs);
        assert_eq!(waiting(other), ["Two", "Four"]);
        assert_eq!(state(other), QueueState::Goes);
        let second = there.stream_answer();
        end(there, &first, "1");
        // Between the two answers there was no moment in which the chat was free.
        machine.tell(house.tabs);
        assert_eq!(state(house), QueueState::Elsewhere);
        assert_eq!(waiting(house), ["Four"]);
        let third = there.stream_answer();
        end(there, &second, "2");
        end(there, &third, "4");
        machine.tell(house.tabs);
        machine.pass(10_000.0);
        assert_eq!(
            house.texts(),
            ["Hi", "Hello", "Long", "1", "Two", "2", "Four", "4"]
        );
        assert!(waiting(house).is_empty());
    });
}

#[test]
fn the_queue_of_a_temporary_chat_is_not_stored() {
    reactive(|machine, house| {
        house.chats.begin_temporary();
        let _first = begin(machine, house);
        add(house, &["A secret"]);
        assert_eq!(waiting(house), ["A secret"]);
        assert!(
            !machine
                .disk
                .has(&Key::Record(QUEUE, house.chat()).to_string())
        );
        house.chats.begin_chat();
        machine.pass(100.0);
        assert!(waiting(house).is_empty());
        assert_eq!(machine.requests.borrow().len(), 1);
    });
}

/// The prompt left the log first, and was in no record until the draft was written a second later.
#[test]
fn a_prompt_that_is_edited_is_in_the_log_all_the_time() {
    reactive(|machine, house| {
        let _first = begin(machine, house);
        add(house, &["A", "B"]);
        let chat = house.chat();
        machine.pass(1500.0);
        // No room for the draft: the prompt stays where it is, and the field as it was.
        machine.disk.leave_room(Some(0));
        assert!(!house.rooms.queue.edit(id(house, 0)));
        assert_eq!(waiting(house), ["A", "B"]);
        assert_eq!(house.drafts.draft.get_untracked(), "");
        let stored = Key::Record(QUEUE, chat).to_string();
        assert_eq!(machine.disk.keys_with("\"A\""), [stored.as_str()]);
        machine.disk.leave_room(None);
        machine.pass(1500.0);
        assert!(!machine.disk.has(&Key::Record(DRAFT, chat).to_string()));
        // The tab is closed at once after the edit.
        assert!(house.rooms.queue.edit(id(house, 0)));
        let draft = Key::Record(DRAFT, chat).to_string();
        assert_eq!(machine.disk.keys_with("\"A\""), [draft.as_str()]);
        let again = House::reopened(&machine.another_tab(), Some(chat));
        assert_eq!(again.drafts.draft.get_untracked(), "A");
        assert_eq!(waiting(again), ["B"]);
    });
}

const REFERS: &str = "How often did you say to run ANALYZE on the SQLite database?";

/// A chat with talk of a database far above the window. Returns the answer about it.
fn talk_of_a_database(machine: &Machine, house: House) -> Id {
    for (question, answer) in [
        (
            "The search page is slow, it takes almost two seconds.",
            "Add an index on the title column, and run ANALYZE on the SQLite database once a month.",
        ),
        (
            "How do I make pictures load faster?",
            "Save them as WebP, and load what is below the fold late.",
        ),
        (
            "And caching?",
            "Give each picture a name that holds a hash of its content.",
        ),
        (
            "What does a good 404 page say?",
            "That the page is gone, and where to go.",
        ),
    ] {
        house.exchange(machine, question, answer);
    }
    house.chats.path.get_untracked()[1]
}

fn recall_by_itself(house: House) {
    house.steering.set_recall(RecallSetting {
        mode: RecallMode::ByItself,
        ..RecallSetting::default()
    });
}

/// What was found when its turn came went along, though nobody had seen it.
#[test]
fn what_is_found_after_a_prompt_was_queued_does_not_go_with_it() {
    reactive(|machine, house| {
        talk_of_a_database(machine, house);
        let first = begin(machine, house);
        add(house, &[REFERS]);
        recall_by_itself(house);
        let _second = machine.stream_answer();
        end(machine, &first, "One");
        let requests = machine.requests.borrow();
        assert_eq!(requests.last().unwrap().prompt, REFERS);
    });
}

/// What goes with a prompt of the queue.
fn kept(house: House, at: usize) -> Vec<Id> {
    let prompt = house
        .rooms
        .queue
        .prompts
        .with_untracked(|all| all[at].recalled());
    prompt.iter().map(|found| found.piece.message).collect()
}

#[test]
fn what_is_found_when_a_prompt_is_queued_is_at_its_row_and_is_what_goes() {
    reactive(|machine, house| {
        let meant = talk_of_a_database(machine, house);
        recall_by_itself(house);
        let first = begin(machine, house);
        // Queued in a hurry: it is looked for at once.
        add(house, &[REFERS, REFERS]);
        assert!(kept(house, 0).contains(&meant) && kept(house, 1).contains(&meant));
        assert_eq!(house.steering.quotes.get_untracked(), None);
        // It is left out of one of them.
        house.rooms.queue.leave_out(id(house, 1), meant);
        assert!(!kept(house, 1).contains(&meant));
        // Another tab has the same, and so has this one after a reload.
        let other = House::reopened(&machine.another_tab(), Some(house.chat()));
        assert_eq!(kept(other, 0), kept(house, 0));
        // Nothing is found at its turn that was not there.
        house.steering.set_recall(RecallSetting::default());
        let second = machine.stream_answer();
        let _third = machine.stream_answer();
        end(machine, &first, "One");
        let prompt = |machine: &Machine| machine.requests.borrow().last().unwrap().prompt.clone();
        assert!(
            prompt(machine).contains("once a month"),
            "{}",
            prompt(machine)
        );
        end(machine, &second, "Two");
        assert!(
            !prompt(machine).contains("once a month"),
            "{}",
            prompt(machine)
        );
    });
}

#[test]
fn what_is_found_later_is_offered_and_goes_once_the_person_includes_it() {
    reactive(|machine, house| {
        let meant = talk_of_a_database(machine, house);
        let first = begin(machine, house);
        add(house, &[REFERS]);
        let queued = id(house, 0);
        assert!(kept(house, 0).is_empty());
        let since = || {
            let prompt = untrack(|| house.rooms.queue.prompt(queued)).unwrap();
            house.rooms.recalls.found_since(&prompt)
        };
        assert!(since().is_empty());
        recall_by_itself(house);
        let offers = since();
        let found = offers.iter().find(|found| found.piece.message == meant);
        let found = found.expect("an offer");
        assert!(!found.words.is_empty());
        house.rooms.queue.include(queued, found.clone());
        assert_eq!(kept(house, 0), [meant]);
        let offers = since();
        assert!(offers.iter().all(|found| found.piece.message != meant));
        // What is muted by then does not go all the same.
        add(house, &[REFERS]);
        let second = machine.stream_answer();
        let _third = machine.stream_answer();
        end(machine, &first, "One");
        let prompt = |machine: &Machine| machine.requests.borrow().last().unwrap().prompt.clone();
        assert!(prompt(machine).contains("once a month"));
        let asked = house.chats.path.get_untracked()[10];
        house.steering.unrecall(asked, true);
        house.steering.mute(meant, true);
        end(machine, &second, "Two");
        assert!(
            !prompt(machine).contains("once a month"),
            "{}",
            prompt(machine)
        );
    });
}

/// *Edit* forgot what was included at the row, unless the search found it again.
#[test]
fn a_prompt_that_is_edited_keeps_what_is_at_its_row() {
    reactive(|machine, house| {
        let meant = talk_of_a_database(machine, house);
        let _first = begin(machine, house);
        recall_by_itself(house);
        add(house, &[REFERS]);
        assert_eq!(kept(house, 0), [meant]);
        house.steering.set_recall(RecallSetting {
            mode: RecallMode::Offer,
            ..RecallSetting::default()
        });
        assert!(house.rooms.queue.edit(id(house, 0)));
        let choice = house.drafts.choice.get_untracked();
        let mut included = choice.included.iter();
        assert!(included.any(|found| found.piece.message == meant));
    });
}

#[test]
fn the_own_draft_is_back_once_an_earlier_question_was_queued() {
    reactive(|machine, house| {
        let (question, _) = house.exchange(machine, "One?", "So.");
        house.write("Half a thou");
        let open = house.chats.open;
        let asked = open.with_untracked(|chat| chat.tree.get(question).cloned());
        house.drafts.show_question(&asked.expect("the question"));
        house.rooms.queue.add_draft();
        assert_eq!(house.drafts.draft.get_untracked(), "Half a thou");
        assert!(!house.drafts.has_aside());
        assert!(!house.drafts.has_field(DraftField::Question(question)));
    });
}
