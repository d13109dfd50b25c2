//! One question asked of several models, one after another.

use super::house::{House, reactive};
use crate::Comparison;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Id, ModelId, Outcome};
use sash_harness::{Machine, says, settle, small_image, text};
use sash_stores::ModelContext;
use sash_wire::{Fault, ModelInfo};

/// Three more models than `tiny:latest`.
fn models(machine: &Machine, house: House) -> Vec<ModelId> {
    let names = ["tiny:latest", "two:latest", "three:latest", "four:latest"];
    let more = names.iter().skip(1).map(|name| ModelInfo {
        name: (*name).to_owned(),
        capabilities: vec!["completion".to_owned()],
        ..ModelInfo::default()
    });
    machine.more_models.borrow_mut().extend(more);
    house.engine.refresh();
    settle();
    names.iter().map(|name| ModelId::new(None, name)).collect()
}

fn asked(machine: &Machine) -> Vec<String> {
    let requests = machine.requests.borrow();
    requests
        .iter()
        .map(|request| request.model.clone())
        .collect()
}

fn question(house: House) -> Id {
    match house.compare.shown.get_untracked() {
        Comparison::Sides { question, .. } => question,
        state => panic!("{state:?}"),
    }
}

fn show(house: House, question: Id) {
    let opened_at = None;
    let sides = Comparison::Sides {
        question,
        opened_at,
    };
    house.compare.shown.set(sides);
}

fn contents(house: House) -> Vec<String> {
    let (sides, _) = house.compare.sides(question(house));
    let content = |id: &Id| house.chats.message(*id).map(|message| message.content);
    sides.iter().filter_map(content).collect()
}

/// Has two models answer one question. Returns the question.
fn two_columns(machine: &Machine, house: House) -> Id {
    let models = models(machine, house);
    let (_, first) = house.exchange(machine, "Which?", "One");
    machine.answer(says(&["Two"]));
    assert!(house.compare.ask(Some(first), &models[1..2]));
    machine.pass(100.0);
    question(house)
}

#[test]
fn the_draft_goes_to_each_model_in_turn_and_all_answers_are_versions() {
    reactive(|machine, house| {
        let models = models(machine, house);
        house.exchange(machine, "Hi", "Hello");
        house.write("Which?");
        for words in ["One", "Two", "Three"] {
            machine.answer(says(&[words]));
        }
        assert!(house.compare.ask(None, &models[..3]));
        assert_eq!(house.drafts.draft.get_untracked(), "");
        assert_eq!(house.compare.waiting_for(question(house)).len(), 2);
        for _ in 0..4 {
            machine.pass(100.0);
        }
        assert_eq!(
            asked(machine)[1..],
            ["tiny:latest", "two:latest", "three:latest"]
        );
        assert_eq!(contents(house), ["One", "Two", "Three"]);
        // All of them read the same.
        let requests = machine.requests.borrow();
        let messages: Vec<_> = requests[1..]
            .iter()
            .map(|request| request.messages())
            .collect();
        assert!(
            messages.iter().all(|each| *each == messages[0]),
            "{messages:?}"
        );
        drop(requests);
        assert_eq!(
            house.steering.model.get_untracked(),
            Some(models[0].clone())
        );
        // They are there after a reload, and the columns too.
        let again = House::new(machine);
        show(again, question(house));
        assert_eq!(contents(again), ["One", "Two", "Three"]);
    });
}

#[test]
fn one_is_gone_on_with_and_the_others_stay_beside_it() {
    reactive(|machine, house| {
        let models = models(machine, house);
        let (_, first) = house.exchange(machine, "Which?", "One");
        machine.answer(says(&["Two"]));
        machine.answer(says(&["Three"]));
        assert!(house.compare.ask(Some(first), &models[1..3]));
        for _ in 0..3 {
            machine.pass(100.0);
        }
        assert_eq!(contents(house), ["One", "Two", "Three"]);
        let (sides, _) = house.compare.sides(question(house));
        house.compare.go_on_with(sides[1]);
        assert_eq!(house.compare.shown.get_untracked(), Comparison::Closed);
        house.exchange(machine, "Then?", "Now");
        assert_eq!(house.texts(), ["Which?", "Two", "Then?", "Now"]);
        let versions = house
            .chats
            .open_tree()
            .with_untracked(|tree| tree.versions(first));
        assert_eq!(versions.len(), 3);
    });
}

#[test]
fn a_stop_of_one_asks_the_next_and_any_other_stop_asks_no_more() {
    reactive(|machine, house| {
        let models = models(machine, house);
        for goes_on in [true, false] {
            house.write("Which?");
            machine.hold_open(vec![text("Begun")]);
            let before = asked(machine).len();
            assert!(house.compare.ask(None, &models[..2]));
            machine.pass(100.0);
            match goes_on {
                true => {
                    machine.answer(says(&["Two"]));
                    house.compare.stop_one();
                }
                false => house.answers.stop(house.chat()),
            }
            machine.pass(100.0);
            machine.pass(100.0);
            assert_eq!(asked(machine).len() - before, 1 + usize::from(goes_on));
            assert!(house.compare.waiting_for(question(house)).is_empty());
            let (sides, _) = house.compare.sides(question(house));
            let first = house.chats.message(sides[0]).expect("an answer");
            assert_eq!(
                (first.content.as_str(), first.outcome),
                ("Begun", Outcome::Stopped)
            );
        }
    });
}

#[test]
fn a_model_can_be_left_out_and_another_chat_does_not_stop_the_rest() {
    reactive(|machine, house| {
        let models = models(machine, house);
        house.write("Which?");
        let held = machine.stream_answer();
        machine.answer(says(&["Three"]));
        assert!(house.compare.ask(None, &models[..3]));
        machine.pass(100.0);
        assert_eq!(asked(machine), ["tiny:latest"], "one at a time");
        let chat = house.chat();
        house.compare.leave_out(question(house), &models[1]);
        house.chats.begin_chat();
        assert_eq!(house.compare.shown.get_untracked(), Comparison::Closed);
        for frame in says(&["One"]) {
            held.unbounded_send(frame).expect("the stream is open");
        }
        drop(held);
        for _ in 0..3 {
            machine.pass(100.0);
        }
        assert_eq!(asked(machine), ["tiny:latest", "three:latest"]);
        assert_eq!(house.kept(chat), ["Which?", "One"]);
    });
}

#[test]
fn nothing_is_asked_while_an_answer_runs_or_without_words() {
    reactive(|machine, house| {
        let models = models(machine, house);
        assert!(!house.compare.ask(None, &models[..2]));
        machine.hold_open(vec![text("Begun")]);
        assert!(house.answers.ask("Hi".to_owned()));
        machine.pass(100.0);
        house.write("Which?");
        assert!(!house.compare.ask(None, &models[..2]));
        assert_eq!(house.drafts.draft.get_untracked(), "Which?");
        assert_eq!(house.compare.shown.get_untracked(), Comparison::Closed);
    });
}

#[test]
fn models_that_wait_are_there_after_a_reload_and_asked_when_the_person_goes_on() {
    reactive(|machine, house| {
        let models = models(machine, house);
        house.write("Which?");
        machine.hold_open(vec![text("Begun")]);
        assert!(house.compare.ask(None, &models[..3]));
        machine.pass(100.0);
        let (chat, asked_of) = (house.chat(), question(house));
        assert!(!house.compare.is_left());
        house.answers.write_everything();
        machine.close_tab();
        machine.rest(says(&["Begun", " and done"]));

        let again = House::reopened(machine, Some(chat));
        machine.pass(100.0);
        assert_eq!(again.compare.waiting_for(asked_of), models[1..3]);
        assert!(again.compare.is_left());
        again.compare.leave_out(asked_of, &models[1]);
        machine.answer(says(&["Three"]));
        again.compare.ask_left();
        for _ in 0..3 {
            machine.pass(100.0);
        }
        assert_eq!(asked(machine), ["tiny:latest", "three:latest"]);
        assert!(!again.compare.has_waiting());
        again.compare.ask_left();
        machine.pass(100.0);
        assert_eq!(asked(machine).len(), 2, "nothing is asked twice");
    });
}

#[test]
fn all_are_gone_on_with_and_each_column_has_a_branch_of_its_own() {
    reactive(|machine, house| {
        let asked_of = two_columns(machine, house);
        assert!(!house.compare.ask_all(asked_of), "without words");
        house.write("Why?");
        machine.answer(says(&["One because"]));
        machine.answer(says(&["Two because"]));
        assert!(house.compare.ask_all(asked_of));
        assert_eq!(house.drafts.draft.get_untracked(), "");
        for _ in 0..3 {
            machine.pass(100.0);
        }
        let content = |id: &Id| house.chats.message(*id).map(|message| message.content);
        let (sides, _) = house.compare.sides(asked_of);
        let columns = sides.iter().map(|side| {
            let column = house.compare.column(*side);
            column.iter().filter_map(content).collect::<Vec<_>>()
        });
        let columns: Vec<_> = columns.collect();
        assert_eq!(
            columns,
            [
                ["One", "Why?", "One because"],
                ["Two", "Why?", "Two because"]
            ]
        );
        let requests = machine.requests.borrow();
        let last = requests.last().expect("a request");
        assert_eq!(last.model, "two:latest");
        let messages = last.messages();
        let read: Vec<&str> = messages.iter().map(|m| m.content.as_str()).collect();
        assert_eq!(read, ["Which?", "Two", "Why?"]);
    });
}

#[test]
fn a_second_row_does_not_forget_the_models_of_another_chat() {
    reactive(|machine, house| {
        let models = models(machine, house);
        let held = machine.stream_answer();
        house.write("Which?");
        assert!(house.compare.ask(None, &models[..2]));
        machine.pass(100.0);
        let first = house.chat();
        house.chats.begin_chat();
        house.write("Other?");
        machine.answer(says(&["a"]));
        machine.answer(says(&["b"]));
        assert!(house.compare.ask(None, &models[2..4]));
        for _ in 0..3 {
            machine.pass(100.0);
        }
        machine.answer(says(&["Two"]));
        for frame in says(&["One"]) {
            held.unbounded_send(frame).expect("the stream is open");
        }
        drop(held);
        for _ in 0..3 {
            machine.pass(100.0);
        }
        assert_eq!(house.kept(first), ["Which?", "One"]);
    });
}

#[test]
fn one_more_model_is_asked_beside_an_answer_that_stays_a_column_behind_newer_versions() {
    reactive(|machine, house| {
        let models = models(machine, house);
        let (_, first) = house.exchange(machine, "Which?", "One");
        for words in ["Two", "Three", "Four", "Five"] {
            machine.answer(says(&[words]));
            assert!(house.compare.ask(Some(first), &models[1..2]));
            machine.pass(100.0);
        }
        assert_eq!(contents(house), ["One", "Three", "Four", "Five"]);
        let (_, older) = house.compare.sides(question(house));
        assert_eq!(older, 1);
        show(house, question(house));
        assert_eq!(contents(house), ["Two", "Three", "Four", "Five"]);
    });
}

#[test]
fn models_that_wait_are_said_in_the_head_and_the_first_answer_that_did_not_fail_is_shown() {
    reactive(|machine, house| {
        let models = models(machine, house);
        house.write("Which?");
        let held = machine.stream_answer();
        assert!(house.compare.ask(None, &models[..2]));
        machine.pass(100.0);
        // A queue waits for as long as the head names one.
        assert!(untrack(|| house.compare.has_waiting()));
        machine.answer(says(&["Two"]));
        // A model that fails is no reason not to ask the next one.
        assert!(held.unbounded_send(Err(Fault::ConnectionLost)).is_ok());
        drop(held);
        for _ in 0..4 {
            machine.pass(100.0);
        }
        assert!(!untrack(|| house.compare.has_waiting()));
        assert_eq!(house.texts(), ["Which?", "Two"]);
        assert_eq!(asked(machine), ["tiny:latest", "two:latest"]);
    });
}

#[test]
fn all_models_get_the_images_of_the_next_question() {
    reactive(|machine, house| {
        let asked_of = two_columns(machine, house);
        house.write("And this?");
        house.drafts.images.set(vec![small_image()]);
        machine.answer(says(&["1"]));
        machine.answer(says(&["2"]));
        assert!(house.compare.ask_all(asked_of));
        machine.pass(100.0);
        machine.pass(100.0);
        assert!(house.drafts.images.get_untracked().is_empty());
        let (sides, _) = house.compare.sides(asked_of);
        for side in sides {
            let next = house.compare.column(side)[1];
            let next = house.chats.message(next).expect("a question");
            assert_eq!(next.images, [small_image()]);
        }
    });
}

/// The field was emptied, and the question was in the log, before anything was known to fit.
#[test]
fn a_next_question_that_fits_no_model_stays_in_the_field() {
    reactive(|machine, house| {
        let asked_of = two_columns(machine, house);
        for model in ["tiny:latest", "two:latest"] {
            house.settings.change(|settings| {
                settings.contexts.push(ModelContext {
                    model: model.to_owned(),
                    tokens: 64,
                });
            });
        }
        let (sides, _) = house.compare.sides(asked_of);
        let count = asked(machine).len();
        let long = "many words that fill the context ".repeat(40);
        house.write(&long);
        house.drafts.images.set(vec![small_image()]);
        assert!(!house.compare.ask_all(asked_of));
        machine.pass(100.0);
        assert_eq!(house.drafts.draft.get_untracked(), long);
        assert_eq!(house.drafts.images.get_untracked(), [small_image()]);
        assert!(house.toast().is_some_and(|words| words.contains("64")));
        assert!(!house.compare.has_waiting());
        for side in sides {
            assert_eq!(house.compare.column(side), [side], "nothing is written");
        }
        // One that it fits is asked, and the other one is named.
        house
            .settings
            .change(|settings| settings.contexts[1].tokens = 4096);
        machine.answer(says(&["2"]));
        assert!(house.compare.ask_all(asked_of));
        machine.pass(100.0);
        assert_eq!(asked(machine)[count..], ["two:latest"]);
        assert!(house.toast().is_some_and(|words| words.contains("tiny")));
        assert_eq!(house.drafts.draft.get_untracked(), "");
    });
}

/// The model that was asked last took the branch, so that closing the columns had chosen its answer.
#[test]
fn the_branch_and_the_model_stay_where_nobody_chooses() {
    reactive(|machine, house| {
        let models = models(machine, house);
        let (_, first) = house.exchange(machine, "Which?", "One");
        house.exchange(machine, "Then?", "Now");
        let shown = ["Which?", "One", "Then?", "Now"];
        let chosen = house.steering.model.get_untracked();
        machine.answer(says(&["Two"]));
        let held = machine.stream_answer();
        assert!(house.compare.ask(Some(first), &models[1..4]));
        machine.pass(100.0);
        machine.pass(100.0);
        assert_eq!(house.texts(), shown, "while answers run");
        house.compare.shown.set(Comparison::Closed);
        assert!(held.unbounded_send(Err(Fault::ConnectionLost)).is_ok());
        drop(held);
        machine.answer(says(&["Four"]));
        for _ in 0..4 {
            machine.pass(100.0);
        }
        assert_eq!(house.texts(), shown, "with one that failed");
        assert_eq!(house.kept(house.chat()), shown, "after a reload");
        assert_eq!(house.steering.model.get_untracked(), chosen);
        // The answers are versions all the same.
        let versions = |tree: &sash_chat::MessageTree| tree.versions(first).len();
        assert_eq!(house.chats.open_tree().with_untracked(versions), 4);
        // The next question follows what is shown.
        house.exchange(machine, "More?", "Yes");
        assert_eq!(house.texts()[3..], ["Now", "More?", "Yes"]);
    });
}

#[test]
fn a_draft_that_several_models_answer_shows_the_first_answer_that_did_not_fail() {
    reactive(|machine, house| {
        let models = models(machine, house);
        house.write("Which?");
        let held = machine.stream_answer();
        assert!(house.compare.ask(None, &models[..3]));
        machine.pass(100.0);
        machine.answer(says(&["Two"]));
        machine.answer(says(&["Three"]));
        assert!(held.unbounded_send(Err(Fault::ConnectionLost)).is_ok());
        drop(held);
        for _ in 0..4 {
            machine.pass(100.0);
        }
        assert_eq!(contents(house), ["", "Two", "Three"]);
        assert_eq!(house.texts(), ["Which?", "Two"]);
    });
}

#[test]
fn a_question_to_all_continues_the_branch_that_is_shown() {
    reactive(|machine, house| {
        let asked_of = two_columns(machine, house);
        assert_eq!(house.texts(), ["Which?", "One"]);
        house.write("Why?");
        machine.answer(says(&["One because"]));
        machine.answer(says(&["Two because"]));
        assert!(house.compare.ask_all(asked_of));
        for _ in 0..3 {
            machine.pass(100.0);
        }
        assert_eq!(house.texts(), ["Which?", "One", "Why?", "One because"]);
    });
}

/// The chat went on with the answer of one model and asked the next question of another.
#[test]
fn an_answer_that_is_gone_on_with_takes_its_model_along() {
    reactive(|machine, house| {
        let models = models(machine, house);
        let (_, first) = house.exchange(machine, "Which?", "One");
        machine.answer(says(&["Two"]));
        assert!(house.compare.ask(Some(first), &models[1..2]));
        machine.pass(100.0);
        let (sides, _) = house.compare.sides(question(house));
        house.compare.go_on_with(sides[1]);
        assert_eq!(
            house.steering.model.get_untracked(),
            Some(models[1].clone())
        );
        house.exchange(machine, "Then?", "Now");
        assert_eq!(
            asked(machine).last().map(String::as_str),
            Some("two:latest")
        );
        // New chats keep their own, and a model that is gone is not taken.
        house.chats.begin_chat();
        assert_eq!(
            house.steering.model.get_untracked(),
            Some(models[0].clone())
        );
    });
}

#[test]
fn nobody_goes_on_with_an_answer_that_failed_or_has_no_text() {
    reactive(|machine, house| {
        let models = models(machine, house);
        let (_, first) = house.exchange(machine, "Which?", "One");
        machine.answer(says(&[" "]));
        machine.answer(vec![text("Begun"), Err(Fault::OllamaLost)]);
        let held = machine.stream_answer();
        assert!(house.compare.ask(Some(first), &models[1..4]));
        for _ in 0..4 {
            machine.pass(100.0);
        }
        let (sides, _) = house.compare.sides(question(house));
        let offered = || {
            let offered = sides
                .iter()
                .map(|id| untrack(|| house.answers.can_go_on_with(*id)));
            offered.collect::<Vec<_>>()
        };
        assert_eq!(offered(), [true, false, false, false]);
        assert!(held.unbounded_send(text("Four")).is_ok());
        machine.pass(100.0);
        assert_eq!(offered(), [true, false, false, true]);
    });
}
