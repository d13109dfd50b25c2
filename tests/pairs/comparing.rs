//! Other models and other windows for a question, beside recall and tools.

use crate::house::{House, reactive};
use crate::machine::Machine;
use compare::{Compare, Comparison};
use reactive_graph::prelude::*;
use sash_chat::{
    AnswerFormat, BuiltinTool, Id, ModelId, OwnTool, Policy, PromptChoice, RecallMode,
    RecallSetting, Think, Tool, ToolCall,
};
use sash_harness::{says, settle};
use sash_stores::{ModelContext, OtherWindow, WhatIfDifference};
use sash_wire::{ChatRequest, Frame, ModelInfo};
use serde_json::json;

/// Three more models than `tiny:latest`.
pub fn models(machine: &Machine, house: House) -> Vec<ModelId> {
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

pub fn asked(machine: &Machine) -> Vec<String> {
    let requests = machine.requests.borrow();
    requests
        .iter()
        .map(|request| request.model.clone())
        .collect()
}

fn question(compare: Compare) -> Id {
    match compare.shown.get_untracked() {
        Comparison::Sides { question, .. } => question,
        state => panic!("{state:?}"),
    }
}

/// Has two models answer one question. Returns the question.
fn two_columns(machine: &Machine, house: House, compare: Compare) -> Id {
    let models = models(machine, house);
    let (_, first) = house.exchange(machine, "Which?", "One");
    machine.answer(says(&["Two"]));
    assert!(compare.ask(Some(first), &models[1..2]));
    machine.pass(100.0);
    question(compare)
}

/// Installs a model that thinks and calls tools, and chooses it.
fn choose_large(machine: &Machine, house: House) {
    house.use_tools(machine);
    machine.more_models.borrow_mut().push(ModelInfo {
        name: "large:latest".to_owned(),
        digest: Some("a".repeat(64)),
        capabilities: ["completion", "tools", "thinking"]
            .map(str::to_owned)
            .to_vec(),
        think: vec![Think::Off, Think::On],
        ..ModelInfo::default()
    });
    house.engine.refresh();
    settle();
    house.chats.choose_model("large:latest");
}

fn last_request(machine: &Machine) -> ChatRequest {
    let last = machine.requests.borrow().last().cloned();
    last.unwrap_or_default()
}

/// Asks the question of an answer again without context.
fn try_alone(machine: &Machine, compare: Compare, answer: Id) -> ChatRequest {
    machine.answer(says(&["What of?"]));
    let none = OtherWindow::Rule(Policy::Messages(0));
    assert!(compare.try_other(answer, none));
    machine.pass(100.0);
    last_request(machine)
}

/// What was recalled for it went with the next question instead, which nobody had meant.
#[test]
fn the_next_question_of_all_has_what_is_recalled_for_it() {
    reactive(|machine, house| {
        let compare = Compare::new(house.kernel);
        house.steering.set_recall(RecallSetting {
            mode: RecallMode::ByItself,
            ..RecallSetting::default()
        });
        for (question, answer) in [
            (
                "The search page is slow.",
                "Add an index on the title column, and run ANALYZE on the SQLite database once a month.",
            ),
            ("And pictures?", "Save them as WebP, and load them late."),
            ("And caching?", "Name each picture by its hash."),
        ] {
            house.exchange(machine, question, answer);
        }
        let asked_of = two_columns(machine, house, compare);
        let prompt = "How often did you say to run ANALYZE on the SQLite database?";
        // Sent at once: what fits is looked for before.
        house.write(prompt);
        machine.answer(says(&["1"]));
        machine.answer(says(&["2"]));
        assert!(compare.ask_all(asked_of));
        assert_eq!(house.drafts.choice.get_untracked(), PromptChoice::default());
        assert_eq!(house.steering.quotes.get_untracked(), None);
        for _ in 0..3 {
            machine.pass(100.0);
        }
        let requests = machine.requests.borrow();
        let [.., one, two] = &requests[..] else {
            panic!("two requests");
        };
        for request in [one, two] {
            assert!(request.prompt.ends_with(prompt), "{}", request.prompt);
            assert!(
                request.prompt.contains("once a month"),
                "{}",
                request.prompt
            );
        }
        let (sides, _) = compare.sides(asked_of);
        for side in sides {
            let next = compare.column(side)[1];
            let next = house.chats.message(next).expect("a question");
            assert!(next.recalled.is_some());
        }
    });
}

/// With *as much as fits*, room was kept for the recall of the chat that was open.
#[test]
fn a_model_that_is_asked_in_the_background_has_the_window_of_its_own_chat() {
    reactive(|machine, house| {
        let compare = Compare::new(house.kernel);
        let models = models(machine, house);
        for model in &models[..2] {
            let model = model.key().into_owned();
            let tokens = 1024;
            house
                .settings
                .change(|settings| settings.contexts.push(ModelContext { model, tokens }));
        }
        house.steering.set_policy(Policy::Fits);
        let words = "some words of talk ".repeat(8);
        for n in 0..12 {
            house.exchange(machine, &format!("{n} {words}"), &words);
        }
        house.write("Which?");
        let held = machine.stream_answer();
        assert!(compare.ask(None, &models[..2]));
        machine.pass(100.0);
        house.chats.begin_chat();
        house.steering.set_recall(RecallSetting {
            mode: RecallMode::ByItself,
            ..RecallSetting::default()
        });
        machine.answer(says(&["Two"]));
        for frame in says(&["One"]) {
            held.unbounded_send(frame).expect("the stream is open");
        }
        drop(held);
        machine.pass(100.0);
        machine.pass(100.0);
        let requests = machine.requests.borrow();
        let [.., one, two] = &requests[..] else {
            panic!("two requests");
        };
        assert_eq!(two.model, "two:latest");
        assert!(one.context.len() < 24, "not all of it fits");
        assert_eq!(one.context, two.context);
    });
}

/// The branch of a model that was asked beside another is not shown, but its tools are answered there.
#[test]
fn tools_that_a_model_beside_another_calls_are_answered_on_its_own_branch() {
    reactive(|machine, house| {
        let compare = Compare::new(house.kernel);
        house.use_tools(machine);
        machine.more_models.borrow_mut().push(ModelInfo {
            name: "caller:latest".to_owned(),
            capabilities: ["completion", "tools"].map(str::to_owned).to_vec(),
            ..ModelInfo::default()
        });
        house.engine.refresh();
        settle();
        house
            .steering
            .set_tools(vec![Tool::Builtin(BuiltinTool::CurrentTime)]);
        let (_, first) = house.exchange(machine, "When?", "Soon");
        let called = json!([{"function": {"name": "current_time", "arguments": {}}}]);
        let calls = Frame::ToolCalls {
            calls: ToolCall::list(&called),
            left_out: 0,
        };
        machine.answer([Ok(calls)].into_iter().chain(says(&[])).collect());
        machine.answer(says(&["Now"]));
        let caller = ModelId::new(None, "caller:latest");
        assert!(compare.ask(Some(first), &[caller]));
        for _ in 0..4 {
            machine.pass(100.0);
        }
        let (sides, _) = compare.sides(question(compare));
        let column = compare.column(sides[1]);
        let end = column
            .last()
            .copied()
            .and_then(|id| house.chats.message(id));
        assert_eq!(end.map(|end| end.content).as_deref(), Some("Now"));
        assert_eq!(house.texts(), ["When?", "Soon"]);
    });
}

#[test]
fn the_window_is_the_only_difference() {
    reactive(|machine, house| {
        let compare = Compare::new(house.kernel);
        choose_large(machine, house);
        let own = OwnTool {
            name: "stock".to_owned(),
            description: String::new(),
            parameters: None,
        };
        let steering = house.steering;
        steering.set_parameter("temperature", Some(json!(0.1)));
        steering.set_parameter("num_ctx", Some(json!(8192)));
        steering.set_format(Some(AnswerFormat::Json));
        steering.set_tools(vec![
            Tool::Builtin(BuiltinTool::CurrentTime),
            Tool::Own(own.clone()),
        ]);
        steering.set_think(Some(Think::On));
        steering.set_system("Be brief.");
        house.exchange(machine, "Hi", "Hello");
        let (_, answer) = house.exchange(machine, "More", "Enough");
        let first = last_request(machine);
        assert_eq!((first.tools.len(), first.context.len()), (2, 2));
        house.chats.choose_model("tiny:latest");
        steering.set_parameter("temperature", Some(json!(0.9)));
        steering.set_parameter("top_k", Some(json!(7)));
        steering.set_format(None);
        steering.set_tools(vec![Tool::Own(own)]);
        steering.set_think(None);
        steering.set_system("Be verbose.");
        assert_eq!(compare.differences_from(answer), []);
        let second = try_alone(machine, compare, answer);
        assert!(second.context.is_empty());
        let context = first.context.clone();
        assert_eq!(ChatRequest { context, ..second }, first);
        let model = house.chats.open.with_untracked(|chat| chat.head.model_id());
        assert_eq!(model.unwrap().name, "tiny:latest", "the chat keeps its own");
        let next = house.answers.next_request();
        assert_eq!(next.format, None);
    });
}

#[test]
fn what_cannot_be_as_it_was_is_said() {
    reactive(|machine, house| {
        let compare = Compare::new(house.kernel);
        choose_large(machine, house);
        let own = OwnTool {
            name: "stock".to_owned(),
            description: String::new(),
            parameters: None,
        };
        house.steering.set_tools(vec![Tool::Own(own)]);
        house.steering.set_think(Some(Think::On));
        house
            .steering
            .set_parameter("temperature", Some(json!(0.1)));
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        house.steering.set_tools(Vec::new());
        let tools = WhatIfDifference::ToolsGone(vec!["stock".to_owned()]);
        assert_eq!(
            compare.differences_from(answer),
            std::slice::from_ref(&tools),
            "a tool was removed"
        );
        machine.more_models.borrow_mut()[0].digest = Some("b".repeat(64));
        house.engine.refresh();
        settle();
        let changed = WhatIfDifference::ModelChanged("large:latest".to_owned());
        assert_eq!(compare.differences_from(answer), [changed, tools.clone()]);
        house.chats.choose_model("tiny:latest");
        machine.more_models.borrow_mut().clear();
        house.engine.refresh();
        settle();
        let gone = WhatIfDifference::ModelGone {
            former: "large:latest".to_owned(),
            now: "tiny:latest".to_owned(),
        };
        let expected = [gone, WhatIfDifference::ThinkGone, tools];
        assert_eq!(compare.differences_from(answer), expected);
        let second = try_alone(machine, compare, answer);
        assert_eq!(second.model, "tiny:latest");
        assert_eq!(second.options.unwrap()["temperature"], json!(0.1));
        let shown = compare.shown.get_untracked();
        assert!(
            matches!(shown, Comparison::Windows { differences, .. } if differences == expected)
        );
    });
}
