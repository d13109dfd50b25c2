//! The installed models.

use super::house::{House, Machine, reactive};
use crate::{ModelAction, ModelFault, ModelProblem, SortColumn};
use futures::FutureExt;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_harness::{llama_router, settle};
use sash_wire::{EngineState, Fault, LoadedModel, ModelDetails, ModelInfo, PageAddress, SubPage};

fn model(name: &str, size: u64, capability: &str) -> ModelInfo {
    ModelInfo {
        name: name.to_owned(),
        size,
        capabilities: vec![capability.to_owned()],
        ..ModelInfo::default()
    }
}

/// Shows the page of models of an Ollama that has `tiny`, `big` and `embed`.
fn begin(machine: &Machine, house: House) {
    *machine.more_models.borrow_mut() = vec![
        model("big:latest", 900, "completion"),
        model("embed:latest", 20, "embedding"),
    ];
    house.models.show_all();
    house.models.begin();
    settle();
}

fn names(house: House) -> Vec<String> {
    let rows = house.models.rows();
    rows.into_iter().map(|model| model.name).collect()
}

fn action(house: House) -> Option<ModelAction> {
    house.models.action(&"tiny:latest".into())
}

/// What is answered when the details of `big` are asked for.
fn details(house: House) -> Result<ModelDetails, Fault> {
    let asked = house.models.details("big:latest".into());
    asked.now_or_never().expect("nothing is waited for")
}

#[test]
fn the_list_has_models_that_cannot_chat_and_the_picker_has_not() {
    reactive(|machine, house| {
        assert_eq!(house.models.installed.get_untracked(), None);
        begin(machine, house);
        house.models.sort_by(SortColumn::Size);
        assert_eq!(names(house), ["big:latest", "embed:latest", "tiny:latest"]);
        house.models.sort_by(SortColumn::Size);
        assert_eq!(names(house), ["tiny:latest", "embed:latest", "big:latest"]);
        house.models.search.set("EMB".to_owned());
        assert_eq!(names(house), ["embed:latest"]);
        let offered = house.engine.models.get_untracked();
        assert!(offered.iter().all(|model| model.name != "embed:latest"));
    });
}

#[test]
fn the_list_is_asked_for_again_and_its_search_ends_with_the_page() {
    reactive(|machine, house| {
        begin(machine, house);
        machine.more_models.borrow_mut().clear();
        machine.pass(1_000.0);
        house.models.tick();
        settle();
        assert_eq!(names(house).len(), 3);
        house.models.refresh_if_visible();
        settle();
        assert_eq!(names(house), ["tiny:latest"]);
        house.models.search.set("t".to_owned());
        house.models.end();
        assert_eq!(house.models.search.get_untracked(), "");
    });
}

#[test]
fn a_list_that_cannot_be_had_keeps_the_former_one() {
    reactive(|machine, house| {
        begin(machine, house);
        *machine.refusal.borrow_mut() = Some(Fault::OllamaLost);
        house.models.refresh();
        settle();
        assert_eq!(
            house.models.list_fault.get_untracked(),
            Some(Fault::OllamaLost)
        );
        assert_eq!(names(house).len(), 3);
        *machine.refusal.borrow_mut() = None;
        house.models.refresh();
        settle();
        assert_eq!(house.models.list_fault.get_untracked(), None);
    });
}

#[test]
fn a_model_is_loaded_with_the_context_that_its_prompts_have() {
    reactive(|machine, house| {
        begin(machine, house);
        let done = machine.slow_action();
        house.models.load(&"tiny:latest".into());
        settle();
        assert_eq!(action(house), Some(ModelAction::Load));
        // A second press does nothing.
        house.models.unload(&"tiny:latest".into());
        assert!(done.send(()).is_ok());
        settle();
        assert_eq!(action(house), None);
        assert_eq!(house.notices.status.get_untracked(), "Loaded tiny");
        house.settings.change(|settings| {
            settings.contexts.push(sash_stores::ModelContext {
                model: "tiny:latest".to_owned(),
                tokens: 8192,
            });
        });
        house.models.load(&"tiny:latest".into());
        house.models.unload(&"big:latest".into());
        settle();
        assert_eq!(
            *machine.asked.borrow(),
            [
                "load tiny:latest {}",
                "load tiny:latest {\"num_ctx\":8192}",
                "unload big:latest"
            ]
        );
    });
}

#[test]
fn a_load_that_is_cancelled_ends_its_request() {
    reactive(|machine, house| {
        begin(machine, house);
        let done = machine.slow_action();
        house.models.load(&"tiny:latest".into());
        settle();
        house.models.cancel(&"tiny:latest".into());
        settle();
        assert!(done.is_canceled());
        assert_eq!(action(house), None);
        assert_eq!(house.models.problem.get_untracked(), None);
    });
}

#[test]
fn what_fails_is_said_and_leaves_the_list_as_it_is() {
    reactive(|machine, house| {
        begin(machine, house);
        let reason = "permission denied".to_owned();
        let fault = Fault::from(ModelFault::DeleteFailed { reason });
        *machine.refusal.borrow_mut() = Some(fault.clone());
        house.models.delete(&"tiny:latest".into());
        settle();
        let model = "tiny:latest".into();
        assert_eq!(house.notices.alert.get_untracked(), fault.to_string());
        let problem = ModelProblem { model, fault };
        assert_eq!(house.models.problem.get_untracked(), Some(problem));
        assert_eq!(names(house).len(), 3);
        assert_eq!(house.toast(), None, "the page shows it");
        *machine.refusal.borrow_mut() = None;
        house.models.unload(&"big:latest".into());
        settle();
        let of = || {
            house
                .models
                .problem
                .get_untracked()
                .map(|problem| problem.model)
        };
        assert_eq!(of(), Some("tiny:latest".into()), "it helps that one");
        house.models.load(&"tiny:latest".into());
        settle();
        assert_eq!(of(), None);
    });
}

/// The button of a note in the chat only became enabled again.
#[test]
fn what_fails_while_the_page_of_models_is_closed_is_shown() {
    reactive(|machine, house| {
        begin(machine, house);
        house.models.view().sub_page.set(None);
        house.models.end();
        let reason = "permission denied".to_owned();
        let fault = Fault::from(ModelFault::DeleteFailed { reason });
        *machine.refusal.borrow_mut() = Some(fault.clone());
        house.models.unload(&"tiny:latest".into());
        settle();
        assert_eq!(house.toast(), Some(format!("tiny: {fault}")));
        assert_eq!(house.notices.alert.get_untracked(), "", "it is said once");
    });
}

#[test]
fn a_deleted_model_is_gone_from_the_list_and_its_details_close() {
    reactive(|machine, house| {
        begin(machine, house);
        house.models.show(&"big:latest".into());
        let details = details(house).unwrap();
        assert_eq!(details.template, "template of big:latest");
        house.models.doubtful.set(Some("big:latest".into()));
        machine.more_models.borrow_mut().clear();
        house.models.delete(&"big:latest".into());
        assert_eq!(house.models.doubtful.get_untracked(), None);
        settle();
        assert_eq!(house.models.open.get_untracked(), None);
        assert_eq!(names(house), ["tiny:latest"]);
        assert_eq!(house.notices.status.get_untracked(), "Deleted big");
    });
}

#[test]
fn the_details_of_a_model_have_an_address_and_leave_the_chat_as_it_is() {
    reactive(|machine, house| {
        begin(machine, house);
        let address = || untrack(|| house.chats.address().to_string());
        let chat = house.chat();
        house.models.show(&"engine/big:latest".into());
        assert_eq!(address(), "/models/engine%2Fbig:latest");
        assert!(
            house
                .chats
                .follow(PageAddress::Sub(SubPage::whole("models")))
        );
        assert_eq!(house.models.open.get_untracked(), None);
        // What another page shows a part of is no model.
        let other = SubPage {
            name: "numbers",
            part: Some("big:latest".to_owned()),
        };
        assert!(house.chats.follow(PageAddress::Sub(other)));
        assert_eq!(house.models.open.get_untracked(), None);
        assert!(house.chats.follow(PageAddress::NewChat));
        assert_eq!((house.chat(), &*address()), (chat, "/"));
    });
}

#[test]
fn details_of_a_model_that_is_gone_say_so() {
    reactive(|machine, house| {
        begin(machine, house);
        let model = "big:latest".to_owned();
        let gone = Fault::ModelNotFound { model };
        *machine.refusal.borrow_mut() = Some(gone.clone());
        assert_eq!(details(house), Err(gone));
    });
}

#[test]
fn ollama_is_asked_again_when_the_time_of_a_loaded_model_runs_out() {
    reactive(|machine, house| {
        *machine.found.borrow_mut() = Some(Ok(EngineState {
            reachable: true,
            loaded: vec![LoadedModel {
                name: "tiny:latest".to_owned(),
                // The machine's clock begins at 2027-01-15T08:00:00Z.
                expires_at: "2027-01-15T08:00:03.5Z".to_owned(),
                ..LoadedModel::default()
            }],
            ..EngineState::default()
        }));
        begin(machine, house);
        machine.looks.borrow_mut().clear();
        machine.pass(3_400.0);
        house.models.tick();
        assert_eq!(machine.looks.borrow().len(), 0);
        machine.pass(1_000.0);
        house.models.tick();
        settle();
        assert_eq!(machine.looks.borrow().len(), 1);
    });
}

#[test]
fn a_list_that_was_asked_for_before_a_deletion_brings_nothing_back() {
    reactive(|machine, house| {
        begin(machine, house);
        let (installed, picker) = (machine.slow_list(), machine.slow_list());
        house.models.refresh();
        settle();
        machine.more_models.borrow_mut().clear();
        let done = machine.slow_action();
        house.models.delete(&"big:latest".into());
        // The lists that are asked for after the deletion wait too.
        let later = [machine.slow_list(), machine.slow_list()];
        done.send(()).unwrap();
        settle();
        let offered = || -> Vec<String> {
            let models = house.engine.models.get_untracked();
            models.into_iter().map(|model| model.name).collect()
        };
        assert_eq!(names(house), ["embed:latest", "tiny:latest"]);
        assert_eq!(offered(), ["tiny:latest"]);
        installed.send(()).unwrap();
        picker.send(()).unwrap();
        settle();
        assert_eq!(names(house), ["embed:latest", "tiny:latest"]);
        assert_eq!(offered(), ["tiny:latest"]);
        for list in later {
            list.send(()).unwrap();
        }
        settle();
        assert_eq!(names(house), ["tiny:latest"]);
    });
}

#[test]
fn of_two_lists_the_one_that_was_asked_for_last_is_shown() {
    reactive(|machine, house| {
        begin(machine, house);
        let former = [machine.slow_list(), machine.slow_list()];
        house.models.refresh();
        settle();
        machine.more_models.borrow_mut().clear();
        house.models.refresh();
        settle();
        assert_eq!(names(house), ["tiny:latest"]);
        for list in former {
            list.send(()).unwrap();
        }
        settle();
        assert_eq!(names(house), ["tiny:latest"]);
        assert_eq!(house.engine.models.get_untracked().len(), 1);
    });
}

#[test]
fn a_load_that_is_given_up_is_ended_at_the_router() {
    reactive(|machine, house| {
        llama_router(machine, *house, Some(1));
        let (_load, _unload) = (machine.slow_action(), machine.slow_action());
        house.models.load(&"tiny:latest".into());
        house.models.cancel(&"tiny:latest".into());
        settle();
        let asked = machine.asked.borrow().clone();
        assert_eq!(asked, ["load tiny:latest {}", "unload tiny:latest"]);
    });
}

#[test]
fn what_loads_is_looked_at_every_other_second_while_the_page_of_models_is_shown() {
    reactive(|machine, house| {
        llama_router(machine, *house, Some(1));
        let looks = |seconds: u32| {
            machine.looks.borrow_mut().clear();
            for _ in 0..seconds {
                machine.pass(1_000.0);
                house.models.tick();
                settle();
            }
            machine.looks.borrow().len()
        };
        assert_eq!(looks(4), 2);
        llama_router(machine, *house, None);
        assert_eq!(looks(4), 0);
    });
}

/// Holds `Models::run`: an action is looked up by its model when it ends.
#[test]
fn of_two_models_that_are_being_loaded_one_is_done_before_the_other() {
    reactive(|machine, house| {
        begin(machine, house);
        let [tiny, _big] = [machine.slow_action(), machine.slow_action()];
        house.models.load(&"tiny:latest".into());
        house.models.load(&"big:latest".into());
        settle();
        tiny.send(()).unwrap();
        settle();
        assert_eq!(action(house), None);
        let other = house.models.action(&"big:latest".into());
        assert_eq!(other, Some(ModelAction::Load));
    });
}
