//! Tools: what a model calls, who answers it, and what the next request carries.

use crate::house::{House, reactive, says};
use crate::machine::{Machine, settle};
use reactive_graph::prelude::*;
use sash_chat::window::MAX_TOOL_ROUNDS;
use sash_chat::{BuiltinTool, Message, OwnTool, Role, Tool, ToolCall, file_block};
use sash_wire::{Fault, Frame, ModelInfo};
use serde_json::{Value, json};

/// An answer that calls tools: names and arguments, the id of each its number.
fn calls(calls: &[(&str, Value)]) -> Vec<Result<Frame, Fault>> {
    let calls: Vec<Value> = calls
        .iter()
        .enumerate()
        .map(|(at, (name, arguments))| {
            json!({"id": format!("call_{at}"), "function": {"name": name, "arguments": arguments}})
        })
        .collect();
    let thinking = Frame::Thinking {
        text: "A tool.".to_owned(),
    };
    let calls = Frame::ToolCalls {
        calls: ToolCall::list(&Value::Array(calls)),
    };
    [Ok(thinking), Ok(calls)]
        .into_iter()
        .chain(says(&[]))
        .collect()
}

fn switch_on(house: House, tools: &[BuiltinTool]) {
    let tools = tools.iter().copied().map(Tool::Builtin).collect();
    house.steering.set_tools(tools);
    settle();
}

fn branch(house: House) -> Vec<Message> {
    house
        .chats
        .open
        .with_untracked(|chat| chat.path().into_iter().cloned().collect())
}

fn roles(house: House) -> Vec<Role> {
    branch(house).iter().map(|message| message.role).collect()
}

#[test]
fn a_call_of_a_tool_that_is_on_is_answered_and_the_model_goes_on() {
    reactive(|machine, house| {
        switch_on(house, &[BuiltinTool::Calculate, BuiltinTool::CurrentTime]);
        house.exchange(machine, "Hi", "Hello");
        machine.answer(calls(&[
            ("calculate", json!({"expression": "1 + 1"})),
            ("current_time", json!({})),
        ]));
        machine.answer(says(&["It is 2."]));
        assert!(house.answers.ask("How much?".to_owned()));
        machine.pass(200.0);
        assert_eq!(
            house.texts(),
            [
                "Hi",
                "Hello",
                "How much?",
                "",
                "result of 1 + 1",
                "Friday, 15 January 2027, 08:00:00 (UTC+00:00)",
                "It is 2."
            ]
        );
        let [.., first, second] = &machine.requests.borrow()[..] else {
            panic!("two requests");
        };
        let names = |tools: &[Value]| -> Vec<Value> {
            let names = tools.iter().map(|tool| tool["function"]["name"].clone());
            names.collect()
        };
        assert_eq!(names(&first.tools), ["calculate", "current_time"]);
        assert_eq!(first.tools, second.tools);
        assert_eq!(first.options, second.options);
        // The second request is the first one and what came since.
        assert_eq!(second.context[..2], first.context[..]);
        assert_eq!(second.context[2].content, first.prompt);
        assert_eq!(second.prompt, "");
        assert_eq!(second.check(), Ok(()));
        let [caller, one, two] = &second.context[3..] else {
            panic!("a call and two results");
        };
        assert_eq!(caller.thinking.as_deref(), Some("A tool."));
        assert_eq!(
            caller
                .tool_calls
                .as_ref()
                .map(|c| c.as_array().map(Vec::len)),
            Some(Some(2))
        );
        assert_eq!(one.tool_call_id.as_deref(), Some("call_0"));
        assert_eq!(two.tool_name.as_deref(), Some("current_time"));
        // Receipts name what was sent, and the log has all of it.
        let branch = branch(house);
        let ids: Vec<_> = branch.iter().map(|message| message.id).collect();
        let receipt = branch[6].receipt.as_ref().unwrap();
        assert_eq!(receipt.sent, ids[..6]);
        assert_eq!(receipt.tools, ["calculate", "current_time"]);
        assert_eq!(house.kept(house.chat()), house.texts());
    });
}

#[test]
fn a_call_of_a_tool_that_is_not_on_waits_for_the_person() {
    reactive(|machine, house| {
        let own = Tool::Own(OwnTool {
            name: "stock".to_owned(),
            description: "Pieces in stock".to_owned(),
            parameters: None,
        });
        house
            .steering
            .set_tools(vec![own, Tool::Builtin(BuiltinTool::Calculate)]);
        settle();
        machine.answer(calls(&[
            ("stock", json!({"part": "A7"})),
            ("calculate", json!({"expression": "2"})),
        ]));
        assert!(house.answers.ask("How many?".to_owned()));
        machine.pass(200.0);
        assert_eq!(roles(house), [Role::User, Role::Assistant]);
        let caller = branch(house)[1].id;
        let waiting = house.answers.waiting_calls(caller);
        let automatic: Vec<bool> = waiting
            .iter()
            .map(|c| house.answers.is_automatic(c))
            .collect();
        assert_eq!(automatic, [false, true]);
        machine.answer(says(&["Seven."]));
        house
            .answers
            .answer_calls_by_hand(caller, vec![Some("7".to_owned()), None]);
        machine.pass(200.0);
        assert_eq!(house.texts()[2..], ["7", "result of 2", "Seven."]);
        assert_eq!(house.answers.waiting_calls(caller), []);
        let request = machine.requests.borrow().last().cloned().unwrap();
        assert_eq!(request.context.len(), 4);
        assert_eq!(request.check(), Ok(()));
    });
}

/// A model that calls without end costs as many requests as the limit says, and then waits.
#[test]
fn the_rounds_end_at_the_limit() {
    reactive(|machine, house| {
        switch_on(house, &[BuiltinTool::CurrentTime]);
        for _ in 0..2 * MAX_TOOL_ROUNDS {
            machine.answer(calls(&[("current_time", json!({}))]));
        }
        assert!(house.answers.ask("When?".to_owned()));
        machine.pass(5_000.0);
        assert_eq!(machine.requests.borrow().len(), MAX_TOOL_ROUNDS);
        let last = branch(house).pop().unwrap();
        assert!(house.answers.is_last_round(last.id));
        house.answers.answer_calls_by_hand(last.id, vec![None]);
        machine.pass(5_000.0);
        assert_eq!(machine.requests.borrow().len(), MAX_TOOL_ROUNDS + 1);
    });
}

#[test]
fn the_model_goes_on_in_a_chat_that_is_not_open_any_more() {
    reactive(|machine, house| {
        switch_on(house, &[BuiltinTool::ReadFile]);
        let asked = format!("Read.\n\n{}", file_block("a.txt", "one\ntwo\n"));
        let chat = house.chat();
        let send = machine.stream_answer();
        assert!(house.answers.ask(asked));
        machine.pass(50.0);
        house.chats.begin_chat();
        settle();
        machine.answer(says(&["Two lines."]));
        for frame in calls(&[("read_file", json!({"name": "a.txt", "first_line": 2}))]) {
            send.unbounded_send(frame).unwrap();
        }
        machine.pass(500.0);
        let kept = house.kept(chat);
        assert_eq!(kept[2], "a.txt, lines 2 to 2 of 2\n2: two\n");
        assert_eq!(kept[3], "Two lines.");
        assert_ne!(house.chat(), chat);
    });
}

#[test]
fn an_answer_after_calls_can_be_asked_for_again() {
    reactive(|machine, house| {
        switch_on(house, &[BuiltinTool::CurrentTime]);
        machine.answer(calls(&[("current_time", json!({}))]));
        machine.answer(says(&["Friday."]));
        assert!(house.answers.ask("Which day?".to_owned()));
        machine.pass(300.0);
        let answer = branch(house)[3].id;
        machine.answer(says(&["It is Friday."]));
        house.answers.answer_again(answer);
        machine.pass(300.0);
        assert_eq!(house.texts()[3], "It is Friday.");
        let requests = machine.requests.borrow();
        assert_eq!(requests[1], requests[2]);
    });
}

#[test]
fn a_later_question_has_calls_and_results_together_and_no_thinking() {
    reactive(|machine, house| {
        switch_on(house, &[BuiltinTool::CurrentTime]);
        house.steering.set_policy(sash_chat::Policy::Everything);
        machine.answer(calls(&[("current_time", json!({}))]));
        machine.answer(says(&["Friday."]));
        assert!(house.answers.ask("Which day?".to_owned()));
        machine.pass(300.0);
        house.exchange(machine, "Thanks", "Bye");
        let request = machine.requests.borrow().last().cloned().unwrap();
        let roles: Vec<_> = request.context.iter().map(|m| m.role).collect();
        assert_eq!(
            roles,
            [Role::User, Role::Assistant, Role::Tool, Role::Assistant]
        );
        assert!(request.context.iter().all(|m| m.thinking.is_none()));
    });
}

#[test]
fn tools_are_not_sent_to_a_model_that_calls_none() {
    reactive(|machine, house| {
        machine.more_models.borrow_mut().push(ModelInfo {
            name: "plain:latest".to_owned(),
            capabilities: vec!["completion".to_owned()],
            ..ModelInfo::default()
        });
        house.engine.refresh();
        settle();
        switch_on(house, &[BuiltinTool::CurrentTime]);
        let with_tools = house.steering.size.get_untracked();
        house.chats.choose_model("plain:latest");
        settle();
        assert!(house.steering.tools.get_untracked().is_empty());
        assert!(house.steering.size.get_untracked().units < with_tools.units);
        house.exchange(machine, "Hi", "Hello");
        let request = machine.requests.borrow().last().cloned().unwrap();
        assert!(request.tools.is_empty());
        assert!(branch(house)[1].receipt.as_ref().unwrap().tools.is_empty());
    });
}

#[test]
fn what_fails_while_a_tool_runs_is_its_result() {
    reactive(|machine: &Machine, house| {
        switch_on(house, &[BuiltinTool::Calculate]);
        machine.answer(calls(&[("calculate", json!({"wrong": 1}))]));
        machine.answer(calls(&[("calculate", json!({"expression": "1"}))]));
        machine.answer(says(&["Sorry."]));
        *machine.refusal.borrow_mut() = Some(Fault::ConnectionLost);
        assert!(house.answers.ask("How much?".to_owned()));
        machine.pass(500.0);
        let texts = house.texts();
        assert_eq!(texts[2], "Error: there is no argument “expression”.");
        assert!(texts[4].starts_with("Error: "), "{}", texts[4]);
        assert_eq!(texts[5], "Sorry.");
    });
}

#[test]
fn switching_a_tool_on_can_be_undone() {
    reactive(|_, house| {
        switch_on(house, &[BuiltinTool::Calculate]);
        assert!(house.steering.undo_step());
        let tools = house
            .chats
            .open
            .with_untracked(|chat| chat.head.tools.clone());
        assert_eq!(tools, []);
    });
}
