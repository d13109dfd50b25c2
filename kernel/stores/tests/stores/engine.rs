//! The engine's state, and when the page checks again.

use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::ModelId;
use sash_harness::{House, Machine, reactive, settle};
use sash_stores::Readiness;
use sash_wire::{EngineInfo, EngineState, Fault, LoadedModel, Upstream};

/// The waits between the checks of the next `seconds`, in whole seconds.
fn waits(machine: &Machine, seconds: f64) -> Vec<u64> {
    machine.looks.borrow_mut().clear();
    machine.pass(seconds * 1000.0);
    let looks = machine.looks.borrow();
    let pairs = looks.iter().zip(looks.iter().skip(1));
    pairs
        .map(|((a, _), (b, _))| ((b - a) / 1000.0) as u64)
        .collect()
}

fn go_away(machine: &Machine, house: House) {
    *machine.found.borrow_mut() = Some(Ok(EngineState::default()));
    house.engine.refresh();
    settle();
}

#[test]
fn ollama_that_is_there_is_looked_at_twice_a_minute() {
    reactive(|machine, house| {
        assert!(house.engine.is_reachable());
        assert_eq!(waits(machine, 121.0), [30, 30, 30]);
    });
}

#[test]
fn ollama_that_is_away_is_looked_for_every_two_seconds_for_a_minute_and_then_every_five() {
    reactive(|machine, house| {
        go_away(machine, house);
        assert!(!house.engine.is_reachable());
        let first = waits(machine, 60.0);
        assert!(first.len() > 25 && first.iter().all(|wait| *wait == 2));
        let later = waits(machine, 600.0);
        assert!(later.len() > 100, "{later:?}");
        assert!(later[1..].iter().all(|wait| *wait == 5), "{later:?}");
        // Ollama answers and disappears again, while the page is visible.
        *machine.found.borrow_mut() = None;
        machine.pass(30_000.0);
        assert!(house.engine.is_reachable());
        go_away(machine, house);
        assert_eq!(waits(machine, 7.0), [2, 2]);
    });
}

/// Whoever pulls the first model by Ollama's command waited half a minute for the page to see it.
#[test]
fn an_ollama_without_a_model_is_looked_at_as_one_that_is_away() {
    reactive(|machine, house| {
        machine.has_no_model.set(true);
        house.engine.refresh();
        settle();
        assert!(house.engine.is_reachable());
        assert!(house.engine.models.get_untracked().is_empty());
        assert!(waits(machine, 60.0).iter().all(|wait| *wait == 2));
        assert!(waits(machine, 300.0)[1..].iter().all(|wait| *wait == 5));
        machine.has_no_model.set(false);
        machine.pass(5000.0);
        assert!(!house.engine.models.get_untracked().is_empty());
        assert_eq!(waits(machine, 91.0), [30, 30]);
    });
}

#[test]
fn an_ollama_that_cuts_in_silence_is_named_with_its_version_while_it_answers() {
    reactive(|machine, house| {
        let old = || untrack(|| house.engine.old_ollamas());
        let answers = |reachable, version: &str| {
            let state = EngineState {
                reachable,
                version: Some(version.to_owned()),
                engines: vec![EngineInfo::default()],
                ..EngineState::default()
            };
            *machine.found.borrow_mut() = Some(Ok(state));
            house.engine.refresh();
            settle();
        };
        assert_eq!(old(), [], "its version is not known");
        answers(true, "0.12.5");
        assert_eq!(old(), [("Ollama".to_owned(), "0.12.5".to_owned())]);
        answers(false, "0.12.5");
        assert_eq!(old(), []);
        answers(true, "0.12.6");
        assert_eq!(old(), []);
    });
}

#[test]
fn a_page_that_nobody_sees_does_not_look_every_two_seconds() {
    reactive(|machine, house| {
        machine.hidden.set(true);
        go_away(machine, house);
        assert_eq!(waits(machine, 63.0), [4, 8, 16, 30]);
    });
}

#[test]
fn a_wrong_token_is_not_tried_again_until_someone_asks() {
    reactive(|machine, house| {
        *machine.found.borrow_mut() = Some(Err(Fault::Unauthorized));
        house.engine.refresh();
        settle();
        assert!(house.engine.needs_token.get_untracked());
        machine.looks.borrow_mut().clear();
        machine.pass(600_000.0);
        assert!(machine.looks.borrow().is_empty());
        let fault = house.engine.token_fault;
        assert_eq!(fault.get_untracked(), None, "nobody gave a token");
        house.engine.poll_now();
        settle();
        assert_eq!(fault.get_untracked(), Some(Fault::Unauthorized));
        *machine.found.borrow_mut() = None;
        house.engine.poll_now();
        settle();
        assert_eq!(fault.get_untracked(), None);
        assert!(!house.engine.needs_token.get_untracked());
        assert!(house.engine.is_reachable());
    });
}

/// The address of this page was opened by somebody else, too: the page says so without being asked.
#[test]
fn a_page_whose_address_was_opened_twice_asks_for_the_token_and_says_why() {
    reactive(|machine, house| {
        *machine.found.borrow_mut() = Some(Err(Fault::OpenedTwice));
        house.engine.refresh();
        settle();
        assert!(house.engine.needs_token.get_untracked());
        let fault = house.engine.token_fault;
        assert_eq!(fault.get_untracked(), Some(Fault::OpenedTwice));
        machine.looks.borrow_mut().clear();
        machine.pass(600_000.0);
        assert!(machine.looks.borrow().is_empty());
        // A further look that nobody asked for leaves the words there.
        *machine.found.borrow_mut() = Some(Err(Fault::Unauthorized));
        house.engine.refresh();
        settle();
        assert_eq!(fault.get_untracked(), Some(Fault::OpenedTwice));
    });
}

#[test]
fn whoever_looks_again_is_told_that_it_is_still_away_and_nobody_else() {
    reactive(|machine, house| {
        go_away(machine, house);
        assert_eq!(house.notices.status.get_untracked(), "");
        house.engine.poll_now();
        settle();
        let said = house.notices.status.get_untracked();
        assert_eq!(said, "Ollama is still not reachable");
        assert!(!house.engine.polling.get_untracked());
    });
}

#[test]
fn sash_itself_that_is_gone_is_told_from_ollama_that_is_away() {
    reactive(|machine, house| {
        go_away(machine, house);
        assert!(!house.engine.server_gone.get_untracked());
        *machine.found.borrow_mut() = Some(Err(Fault::ConnectionLost));
        machine.pass(2000.0);
        assert!(house.engine.server_gone.get_untracked());
        *machine.found.borrow_mut() = None;
        machine.pass(2000.0);
        assert!(!house.engine.server_gone.get_untracked());
        assert!(house.engine.is_reachable());
    });
}

#[test]
fn what_the_former_server_says_late_is_not_taken_for_the_one_chosen_since() {
    reactive(|machine, house| {
        let late = machine.slow_look();
        house.engine.refresh();
        settle();
        house.engine.use_upstream(Upstream::Demo);
        settle();
        assert!(house.engine.is_demo());
        assert!(late.send(Ok(EngineState::default())).is_ok());
        settle();
        assert!(house.engine.is_demo() && house.engine.is_reachable());
    });
}

/// Holds `EngineStore::fetch_list`: a list of the former server is dropped, also where no other one is asked for.
#[test]
fn a_list_of_the_former_server_is_not_taken_for_that_of_one_that_is_away() {
    reactive(|machine, house| {
        let list = machine.slow_list();
        house.engine.refresh();
        settle();
        *machine.found.borrow_mut() = Some(Ok(EngineState::default()));
        house.engine.use_upstream(Upstream::Demo);
        settle();
        assert!(list.send(()).is_ok());
        settle();
        assert!(house.engine.models.get_untracked().is_empty());
        assert!(!untrack(|| house.engine.has_listed(None)));
    });
}

#[test]
fn a_prompt_waits_for_the_list_of_models_and_without_an_engine_the_reason_is_said() {
    reactive(|machine, house| {
        let readiness = || untrack(|| house.answers.readiness());
        assert_eq!(readiness(), Readiness::Ready);
        let list = machine.slow_list();
        house.engine.use_upstream(Upstream::Demo);
        settle();
        assert_eq!(readiness(), Readiness::Pending, "the list is on its way");
        assert!(list.send(()).is_ok());
        settle();
        assert_eq!(readiness(), Readiness::Ready);
        go_away(machine, house);
        assert_eq!(readiness(), Readiness::Ready, "the models stay listed");
        house.engine.use_upstream(Upstream::Configured);
        settle();
        let refused = |words: &str| Readiness::Refused(words.to_owned());
        assert_eq!(readiness(), refused("Not sent: Ollama is not reachable."));
        *machine.found.borrow_mut() = Some(Err(Fault::ConnectionLost));
        machine.pass(2000.0);
        assert_eq!(
            readiness(),
            refused("Not sent: Sash’s server does not respond.")
        );
        *machine.found.borrow_mut() = Some(Err(Fault::Unauthorized));
        machine.pass(4000.0);
        assert_eq!(
            readiness(),
            refused("Not sent: Sash needs its token first.")
        );
    });
}

#[test]
fn the_context_of_a_model_is_remembered_when_it_is_unloaded() {
    reactive(|machine, house| {
        let state = |loaded| {
            Some(Ok(EngineState {
                reachable: true,
                loaded,
                ..EngineState::default()
            }))
        };
        *machine.found.borrow_mut() = state(vec![LoadedModel {
            name: "tiny:latest".to_owned(),
            context_length: Some(8192),
            ..LoadedModel::default()
        }]);
        house.engine.refresh();
        settle();
        assert_eq!(house.engine.loaded_context(&"tiny".into()), Some(8192));
        *machine.found.borrow_mut() = state(Vec::new());
        machine.pass(30_000.0);
        assert_eq!(house.engine.loaded_context(&"tiny".into()), None);
        assert_eq!(house.engine.last_context(&"tiny".into()), Some(8192));
    });
}

/// A prompt that was sent before the list of models had come lost its images, its tools and its thinking.
#[test]
fn what_a_model_can_do_is_left_to_its_engine_until_the_list_has_come() {
    reactive(|machine, house| {
        let unknown = ModelId::new(None, "unknown:latest");
        let may = || {
            untrack(|| {
                let engine = house.engine;
                let think = !engine.sendable_think(&unknown).is_empty();
                [
                    engine.sees_images(&unknown),
                    engine.uses_tools(&unknown),
                    think,
                ]
            })
        };
        assert_eq!(
            may(),
            [false; 3],
            "the list has come, and has no such model"
        );
        go_away(machine, house);
        assert_eq!(may(), [true; 3]);
        assert_eq!(untrack(|| house.engine.think_choices(&unknown)), []);
    });
}
