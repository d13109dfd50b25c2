//! One question asked of several models, one after another.

use crate::house::{House, reactive, says, text};
use crate::machine::{Machine, settle};
use reactive_graph::prelude::*;
use sash_chat::{Id, ModelId, Outcome};
use sash_state::SidesState;
use sash_wire::ModelInfo;

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
    match house.side_by_side.state.get_untracked() {
        SidesState::Comparing(question) => question,
        state => panic!("{state:?}"),
    }
}

fn contents(house: House) -> Vec<String> {
    let (sides, _) = house.side_by_side.sides(question(house));
    let content = |id: &Id| house.chats.message(*id).map(|message| message.content);
    sides.iter().filter_map(content).collect()
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
        assert!(house.side_by_side.ask(None, &models[..3]));
        assert_eq!(house.drafts.draft.get_untracked(), "");
        assert_eq!(house.side_by_side.waiting_for(question(house)).len(), 2);
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
        again.side_by_side.compare(question(house));
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
        assert!(house.side_by_side.ask(Some(first), &models[1..3]));
        for _ in 0..3 {
            machine.pass(100.0);
        }
        assert_eq!(contents(house), ["One", "Two", "Three"]);
        let (sides, _) = house.side_by_side.sides(question(house));
        house.side_by_side.go_on_with(sides[1]);
        assert_eq!(house.side_by_side.state.get_untracked(), SidesState::Closed);
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
            assert!(house.side_by_side.ask(None, &models[..2]));
            machine.pass(100.0);
            match goes_on {
                true => {
                    machine.answer(says(&["Two"]));
                    house.side_by_side.stop_one();
                }
                false => house.answers.stop(house.chat()),
            }
            machine.pass(100.0);
            machine.pass(100.0);
            assert_eq!(asked(machine).len() - before, 1 + usize::from(goes_on));
            assert!(house.side_by_side.waiting_for(question(house)).is_empty());
            let (sides, _) = house.side_by_side.sides(question(house));
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
        assert!(house.side_by_side.ask(None, &models[..3]));
        machine.pass(100.0);
        assert_eq!(asked(machine), ["tiny:latest"], "one at a time");
        let chat = house.chat();
        house.side_by_side.leave_out(question(house), &models[1]);
        house.chats.begin_chat();
        assert_eq!(house.side_by_side.state.get_untracked(), SidesState::Closed);
        for frame in says(&["One"]) {
            held.unbounded_send(frame).expect("the stream is open");
        }
        drop(held);
        for _ in 0..3 {
            machine.pass(100.0);
        }
        assert_eq!(asked(machine), ["tiny:latest", "three:latest"]);
        assert_eq!(house.kept(chat), ["Which?", "Three"]);
    });
}

#[test]
fn nothing_is_asked_while_an_answer_runs_or_without_words() {
    reactive(|machine, house| {
        let models = models(machine, house);
        assert!(!house.side_by_side.ask(None, &models[..2]));
        machine.hold_open(vec![text("Begun")]);
        assert!(house.answers.ask("Hi".to_owned()));
        machine.pass(100.0);
        house.write("Which?");
        assert!(!house.side_by_side.ask(None, &models[..2]));
        assert_eq!(house.drafts.draft.get_untracked(), "Which?");
        assert_eq!(house.side_by_side.state.get_untracked(), SidesState::Closed);
    });
}
