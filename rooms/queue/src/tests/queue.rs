//! Prompts that wait for the end of an answer.

use super::house::{House, reactive, two_tabs};
use crate::{QueuePause, QueueState};
use futures::channel::mpsc::UnboundedSender;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{FoundMessage, Id, ModelId, PromptDraft, RecalledBlock, RecalledPiece};
use sash_harness::{Machine, says, settle, small_image, text};
use sash_log::{DRAFT, DraftField, Key};
use sash_records::compare::{WAITING_MODELS, WaitingModel};
use sash_records::queue::{MAX_QUEUED, QUEUE};
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
        house.queue.add_draft();
        settle();
    }
}

fn waiting(house: House) -> Vec<String> {
    let prompts = house.queue.prompts.get_untracked().into_iter();
    prompts.map(|prompt| prompt.text).collect()
}

fn id(house: House, at: usize) -> Id {
    house.queue.prompts.with_untracked(|all| all[at].id)
}

fn state(house: House) -> QueueState {
    untrack(|| house.queue.state())
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
        house.queue.shift(id(house, 2), true);
        house.queue.shift(id(house, 0), true);
        assert_eq!(waiting(house), ["A", "C", "B"]);
        house.queue.shift(id(house, 0), false);
        assert_eq!(waiting(house), ["C", "A", "B"]);
        let taken = id(house, 1);
        house.queue.remove(taken);
        assert_eq!(waiting(house), ["C", "B"]);
        let offer = house.offered();
        assert!(untrack(|| house.history.holds(offer)));
        house.undo_offer();
        assert_eq!(waiting(house), ["C", "A", "B"]);
        assert!(!untrack(|| house.history.holds(offer)));
        house.queue.remove(id(house, 0));
        assert!(house.chats.undo_last());
        assert_eq!(waiting(house), ["C", "A", "B"]);
        // What is in the field is not overwritten.
        house.write("Mine");
        assert!(!house.queue.edit(taken));
        assert!(house.toast().is_some());
        assert_eq!(waiting(house), ["C", "A", "B"]);
        house.write("");
        assert!(house.queue.edit(taken));
        assert_eq!(house.drafts.draft.get_untracked(), "A");
        assert_eq!(waiting(house), ["C", "B"]);
        // It goes back to its place, and another prompt to the end.
        settle();
        add(house, &["A, edited"]);
        assert_eq!(waiting(house), ["C", "A, edited", "B"]);
        assert!(house.queue.edit(id(house, 1)));
        settle();
        house.write("");
        settle();
        add(house, &["D"]);
        assert_eq!(waiting(house), ["C", "B", "D"]);
        house.queue.remove(id(house, 2));
        // What is put back after the answer is not sent by itself.
        house.queue.remove(id(house, 0));
        house.queue.remove(id(house, 0));
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
        house.queue.go_on();
        machine.pass(100.0);
        assert_eq!(waiting(house), ["Three"]);
        second.unbounded_send(text("Half")).unwrap();
        machine.pass(100.0);
        house.answers.stop(house.chat());
        machine.pass(100.0);
        assert_eq!(state(house), QueueState::Paused(QueuePause::Stopped));
        // One goes alone, and the rest stays where it is.
        let third = machine.stream_answer();
        house.queue.send_now(id(house, 0));
        machine.pass(100.0);
        assert!(waiting(house).is_empty());
        add(house, &["Four"]);
        house.queue.pause();
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
        house.queue.send_now(id(house, 1));
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
        house.queue.go_on();
        machine.pass(100.0);
        assert_eq!(machine.requests.borrow().len(), 1);
        machine.answer(says(&["2"]));
        house.queue.send_now(id(house, 0));
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
        house.queue.add_draft();
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
        house.queue.remove(id(house, 1));
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
        assert!(!house.queue.edit(id(house, 0)));
        assert_eq!(waiting(house), ["A", "B"]);
        assert_eq!(house.drafts.draft.get_untracked(), "");
        let stored = Key::Record(QUEUE, chat).to_string();
        assert_eq!(machine.disk.keys_with("\"A\""), [stored.as_str()]);
        machine.disk.leave_room(None);
        machine.pass(1500.0);
        assert!(!machine.disk.has(&Key::Record(DRAFT, chat).to_string()));
        // The tab is closed at once after the edit.
        assert!(house.queue.edit(id(house, 0)));
        let draft = Key::Record(DRAFT, chat).to_string();
        assert_eq!(machine.disk.keys_with("\"A\""), [draft.as_str()]);
        let again = House::reopened(&machine.another_tab(), Some(chat));
        assert_eq!(again.drafts.draft.get_untracked(), "A");
        assert_eq!(waiting(again), ["B"]);
    });
}

const QUOTE: &str = "Once a month.";

fn found(message: Id) -> FoundMessage {
    RecalledPiece {
        message,
        chat: None,
        excerpt: false,
    }
    .into()
}

/// A contributor that quotes this message for each prompt.
fn recall(house: House, message: Id) {
    house.drafts.going().on(move |prompt| {
        prompt.borrow_mut().choice.found = Some(vec![found(message)]);
    });
    house.steering.contribute_quotes(|place| {
        let known = place?.prompt.choice.known();
        let pieces: Vec<_> = known.map(|found| found.piece.clone()).collect();
        (!pieces.is_empty()).then(|| RecalledBlock {
            pieces,
            text: QUOTE.to_owned(),
        })
    });
}

fn last_prompt(machine: &Machine) -> String {
    let requests = machine.requests.borrow();
    requests.last().expect("a request").prompt.clone()
}

/// What goes with a prompt of the queue.
fn kept(house: House, at: usize) -> Vec<Id> {
    let prompt = untrack(|| house.queue.prompt(id(house, at))).unwrap();
    let known = prompt.choice.known();
    known.map(|found| found.piece.message).collect()
}

/// Regression: messages found only when the prompt was sent were quoted unseen.
#[test]
fn what_is_found_after_a_prompt_was_queued_does_not_go_with_it() {
    reactive(|machine, house| {
        let (_, meant) = house.exchange(machine, "One?", "So.");
        let first = begin(machine, house);
        add(house, &["How often?"]);
        recall(house, meant);
        let _second = machine.stream_answer();
        end(machine, &first, "One");
        assert_eq!(last_prompt(machine), "How often?");
    });
}

#[test]
fn what_is_found_when_a_prompt_is_queued_is_at_its_row_and_is_what_goes() {
    reactive(|machine, house| {
        let (_, meant) = house.exchange(machine, "One?", "So.");
        let first = begin(machine, house);
        recall(house, meant);
        add(house, &["How often?", "How often?"]);
        assert_eq!((kept(house, 0), kept(house, 1)), (vec![meant], vec![meant]));
        // It is left out of one of them.
        house.queue.leave_out(id(house, 1), meant);
        assert!(kept(house, 1).is_empty());
        // Another tab has the same, and so has this one after a reload.
        let other = House::reopened(&machine.another_tab(), Some(house.chat()));
        assert_eq!(kept(other, 0), kept(house, 0));
        let second = machine.stream_answer();
        let _third = machine.stream_answer();
        end(machine, &first, "One");
        assert!(last_prompt(machine).contains(QUOTE));
        end(machine, &second, "Two");
        assert_eq!(last_prompt(machine), "How often?");
    });
}

#[test]
fn what_the_person_includes_later_goes() {
    reactive(|machine, house| {
        let (_, meant) = house.exchange(machine, "One?", "So.");
        let first = begin(machine, house);
        add(house, &["How often?"]);
        assert!(kept(house, 0).is_empty());
        recall(house, meant);
        house.queue.include(id(house, 0), found(meant));
        assert_eq!(kept(house, 0), [meant]);
        let _second = machine.stream_answer();
        end(machine, &first, "One");
        assert!(last_prompt(machine).contains(QUOTE));
    });
}

/// *Edit* forgot what was included at the row, unless the search found it again.
#[test]
fn a_prompt_that_is_edited_keeps_what_is_at_its_row() {
    reactive(|machine, house| {
        let (_, meant) = house.exchange(machine, "One?", "So.");
        let _first = begin(machine, house);
        recall(house, meant);
        add(house, &["How often?"]);
        assert_eq!(kept(house, 0), [meant]);
        assert!(house.queue.edit(id(house, 0)));
        let choice = house.drafts.choice.get_untracked();
        let mut included = choice.included.iter();
        assert!(included.any(|found| found.piece.message == meant));
    });
}

#[test]
fn a_queued_prompt_is_the_composers_in_all_its_fields() {
    reactive(|machine, house| {
        let (left_out, included) = house.exchange(machine, "One?", "So.");
        let (_, meant) = house.exchange(machine, "Two?", "Yes.");
        let _first = begin(machine, house);
        recall(house, meant);
        house.drafts.images.set(vec![small_image()]);
        house.drafts.choice.update(|choice| {
            choice.include(FoundMessage {
                words: vec!["tides".to_owned()],
                ..found(included)
            });
            choice.exclude(left_out);
        });
        house.write("Three?");
        let prompt = house.drafts.going_prompt();
        let PromptDraft {
            text,
            images,
            choice,
        } = &prompt;
        assert_eq!((text.as_str(), images.len()), ("Three?", 1));
        assert_eq!((choice.included.len(), choice.left_out.len()), (1, 1));
        assert_eq!(choice.found.as_ref().map(Vec::len), Some(1));
        assert!(house.drafts.entering().ask(&prompt), "the queue takes it");
        assert_eq!(house.drafts.prompt(), PromptDraft::default());
        let queued = untrack(|| house.queue.prompt(id(house, 0)));
        assert_eq!(queued, Some(prompt));
    });
}

#[test]
fn a_queue_waits_for_all_models_and_goes_on_behind_one_that_did_not_fail() {
    reactive(|machine, house| {
        let first = begin(machine, house);
        add(house, &["Then?"]);
        let path = house.chats.path.get_untracked();
        let waits = WaitingModel::new(path[0], ModelId::new(None, "two:latest"));
        house.chats.change_head(house.chat(), |head| {
            WAITING_MODELS.extend(&mut head.others, [waits]);
        });
        assert_eq!(state(house), QueueState::AwaitsModels);
        // A model that fails is no reason not to wait for the next one.
        let unreachable = Fault::EngineUnreachable {
            engine: "ollama".to_owned(),
        };
        assert!(first.unbounded_send(Err(unreachable)).is_ok());
        machine.pass(100.0);
        assert_eq!(state(house), QueueState::AwaitsModels);
        assert_eq!(machine.requests.borrow().len(), 1);
        // The next one is asked, and none waits any more.
        let second = machine.stream_answer();
        house.answers.answer_again(path[1]);
        machine.pass(100.0);
        house.chats.change_head(house.chat(), |head| {
            WAITING_MODELS.retain(&mut head.others, |_| false);
        });
        machine.answer(says(&["Now"]));
        end(machine, &second, "Two");
        machine.pass(100.0);
        assert_eq!(house.texts(), ["Long", "Two", "Then?", "Now"]);
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
        house.queue.add_draft();
        assert_eq!(house.drafts.draft.get_untracked(), "Half a thou");
        assert!(!house.drafts.has_aside());
        assert!(!house.drafts.has_field(DraftField::Question(question)));
    });
}
