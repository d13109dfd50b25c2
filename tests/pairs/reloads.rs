//! No request makes Ollama reload a model by accident: over random actions every request to a model
//! carries the same runner options, unless the person changed them.

use crate::house::{House, reactive};
use crate::machine::Machine;
use compare::Compare;
use futures::FutureExt;
use futures::future::ready;
use models::{ModelCalls, Models};
use reactive_graph::prelude::*;
use sash_chat::{AnswerFormat, Policy, Role, Think};
use sash_harness::{Dice, call, says, settle};
use sash_stores::OtherWindow;
use sash_wire::{Fault, ModelDetails, ModelInfo, RUNNER_OPTIONS};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The number of actions of a session.
const ACTIONS: usize = 200;
/// The number of sessions.
const SESSIONS: u64 = 12;

const MODELS: [&str; 3] = ["tiny:latest", "thinker:latest", "large:latest"];

/// The runner options that the person chose, by model.
type Chosen = BTreeMap<String, Map<String, Value>>;

/// A server that notes what it is to load.
fn model_calls(machine: &Machine) -> ModelCalls {
    ModelCalls {
        show: call(machine, |_, _| {
            ready(Ok(ModelDetails::default())).boxed_local()
        }),
        load: call(machine, |machine, request| {
            let options = Value::Object(request.options);
            machine.act(format!("load {} {options}", request.of.model))
        }),
        unload: call(machine, |_, _| ready(Ok(())).boxed_local()),
        delete: call(machine, |_, _| ready(Ok(())).boxed_local()),
        pull: call(machine, |_, _| {
            ready(Err(Fault::ConnectionLost)).boxed_local()
        }),
    }
}

fn act(
    machine: &Machine,
    house: House,
    rooms: (Compare, Models),
    dice: &mut Dice,
    chosen: &mut Chosen,
) {
    let (compare, models) = rooms;
    let steering = house.steering;
    let path = house.chats.path.get_untracked();
    let some = (!path.is_empty()).then(|| path[dice.roll(path.len())]);
    let model = || steering.model.get_untracked().unwrap_or_default();
    machine.answer(says(&["An answer."]));
    match dice.roll(16) {
        0..=2 => _ = house.answers.ask("A question?".to_owned()),
        3 => house.chats.begin_chat(),
        4 => {
            let chats = house.chats.list.get_untracked();
            if !chats.is_empty() {
                house.chats.open_chat(chats[dice.roll(chats.len())].id);
            }
        }
        5 => house.chats.choose_model(MODELS[dice.roll(MODELS.len())]),
        6 => steering
            .set_policy([Policy::Messages(3), Policy::Everything, Policy::Fits][dice.roll(3)]),
        7 => steering.set_parameter("temperature", Some(json!(dice.roll(9)))),
        8 => steering.set_think([None, Some(Think::On), Some(Think::Off)][dice.roll(3)]),
        9 => steering.set_format([None, Some(AnswerFormat::Json)][dice.roll(2)].clone()),
        10 => steering.share_parameters(),
        11 => {
            if let Some(id) = some {
                steering.pin(id, dice.roll(2) == 0);
            }
        }
        12 => {
            let role = some.and_then(|id| house.chats.with_message(id, |message| message.role));
            match (some, role) {
                (Some(id), Some(Role::User)) => {
                    _ = house.answers.ask_instead_of(id, house.version(id, "Else?"))
                }
                (Some(id), Some(_)) => house.answers.answer_again(id),
                _ => {}
            }
        }
        13 => models.load(&MODELS[dice.roll(MODELS.len())].into()),
        14 => {
            if let Some(&answer) = path.last() {
                _ = compare.try_other(answer, OtherWindow::Rule(Policy::Everything));
                compare.close();
            }
        }
        // What the person changes knowingly, and rarely.
        _ => match dice.roll(4) {
            0 => {
                steering.raise_context(4096);
                chosen
                    .entry(model().name)
                    .or_default()
                    .insert("num_ctx".to_owned(), json!(4096));
            }
            1 => {
                steering.set_parameter("num_gpu", Some(json!(7)));
                chosen
                    .entry(model().name)
                    .or_default()
                    .insert("num_gpu".to_owned(), json!(7));
            }
            2 => {
                steering.clear_context();
                chosen
                    .entry(model().name)
                    .or_default()
                    .retain(|name, _| name != "num_ctx");
            }
            _ => _ = house.chats.undo_last(),
        },
    }
    settle();
    machine.pass(3000.0);
}

/// The options of a request that concern Ollama's runner.
fn runner_options(options: Option<&Map<String, Value>>) -> Map<String, Value> {
    let mut options = options.cloned().unwrap_or_default();
    options.retain(|name, _| RUNNER_OPTIONS.contains(&name.as_str()));
    options
}

#[test]
fn over_random_actions_a_model_gets_the_same_runner_options() {
    let mut requests = 0;
    for session in 0..SESSIONS {
        reactive(|machine, house| {
            for name in &MODELS[1..] {
                machine.more_models.borrow_mut().push(ModelInfo {
                    name: (*name).to_owned(),
                    think: vec![Think::On, Think::Off],
                    ..ModelInfo::default()
                });
            }
            house.engine.refresh();
            settle();
            let models = Models::new(house.kernel, model_calls(machine));
            let rooms = (Compare::new(house.kernel), models);
            let (mut dice, mut chosen) = (Dice(session), Chosen::new());
            for _ in 0..ACTIONS {
                // What the person chose before the action holds for what the action sends.
                let mut before = chosen.clone();
                act(machine, house, rooms, &mut dice, &mut chosen);
                for request in machine.requests.borrow_mut().drain(..) {
                    let expected = before.entry(request.model.clone()).or_default();
                    assert_eq!(
                        &runner_options(request.options.as_ref()),
                        expected,
                        "session {session}, {}",
                        request.model
                    );
                    requests += 1;
                }
                for load in machine.asked.borrow_mut().drain(..) {
                    let (model, options) =
                        load.trim_start_matches("load ").split_once(' ').unwrap();
                    let options: Map<String, Value> = serde_json::from_str(options).unwrap();
                    assert_eq!(
                        &options,
                        before.entry(model.to_owned()).or_default(),
                        "{load}"
                    );
                    requests += 1;
                }
            }
        });
    }
    assert!(requests > 500, "{requests} requests say nothing");
}
