//! Tools: what a model calls, who answers it, and what the next request carries.

use super::house::{House, Machine, reactive, two_tabs};
use reactive_graph::prelude::*;
use sash_chat::window::{Estimate, MAX_TOOL_ROUNDS, ToolLimit, Window};
use sash_chat::{
    BuiltinTool, Id, MAX_CALLS, Message, Outcome, OwnTool, Role, Tool, ToolCall, file_block,
};
use sash_harness::{says, settle, text};
use sash_log::{DRAFT, Key};
use sash_wire::{Fault, Frame, ModelInfo};
use serde_json::{Value, json};

/// An answer that calls tools: names and arguments, the id of each its number.
pub fn calls(calls: &[(&str, Value)]) -> Vec<Result<Frame, Fault>> {
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
        left_out: 0,
    };
    [Ok(thinking), Ok(calls)]
        .into_iter()
        .chain(says(&[]))
        .collect()
}

pub fn switch_on(house: House, tools: &[BuiltinTool]) {
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

/// With the default rule, the last 3 messages, a call and its result once took the question's and the file's place.
#[test]
fn the_next_request_has_the_question_its_file_and_what_was_called_for_it() {
    reactive(|machine, house| {
        switch_on(house, &[BuiltinTool::ReadFile]);
        machine.answer(calls(&[("read_file", json!({"name": "a.txt"}))]));
        machine.answer(says(&["It says one."]));
        let question = format!("What is in it?\n\n{}", file_block("a.txt", "one"));
        assert!(house.answers.ask(question.clone()));
        machine.pass(200.0);
        house.write("And then?");
        let next = house.answers.next_request();
        let sent: Vec<(&str, &str)> = next
            .context
            .iter()
            .map(|m| (m.role.as_str(), &*m.content))
            .collect();
        assert_eq!(
            sent,
            [
                ("user", &*question),
                ("assistant", ""),
                ("tool", "a.txt, lines 1 to 1 of 1\n1: one\n"),
                ("assistant", "It says one."),
            ]
        );
        let counts = |window: &Window| (window.messages(), window.left_out);
        assert_eq!(house.steering.window.with_untracked(counts), (2, 0));
        // The count of the receipt is that of the window.
        let (_, answer) = house.exchange(machine, "And then?", "Nothing.");
        let receipt = house.chats.message(answer).and_then(|m| m.receipt);
        let sent = receipt.map(|receipt| receipt.sent).unwrap_or_default();
        let open = house.chats.open;
        assert_eq!(sent.len(), 5);
        assert_eq!(
            open.with_untracked(|chat| chat.tree.count_messages(&sent)),
            3
        );
        assert_eq!(house.steering.window.with_untracked(counts), (3, 1));
    });
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
        let waiting = house.tools.waiting_calls(caller);
        let automatic: Vec<bool> = waiting
            .iter()
            .map(|c| house.tools.is_automatic(c))
            .collect();
        assert_eq!(automatic, [false, true]);
        machine.answer(says(&["Seven."]));
        house
            .tools
            .answer_calls_by_hand(caller, vec![Some("7".to_owned()), None]);
        machine.pass(200.0);
        assert_eq!(house.texts()[2..], ["7", "result of 2", "Seven."]);
        assert_eq!(house.tools.waiting_calls(caller), []);
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
        let limit = house.tools.tool_limit(last.id);
        assert_eq!(limit, Some(ToolLimit::Rounds(MAX_TOOL_ROUNDS)));
        house.tools.answer_calls_by_hand(last.id, vec![None]);
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
        let tokens = || Estimate::default().whole(house.steering.size.get_untracked());
        let with_tools = tokens();
        house.chats.choose_model("plain:latest");
        settle();
        assert!(house.steering.window.get_untracked().tools.is_empty());
        assert!(tokens() < with_tools);
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
        assert!(house.chats.undo_last());
        let tools = house
            .chats
            .open
            .with_untracked(|chat| chat.head.settings.tools.clone());
        assert_eq!(tools, []);
    });
}

/// A question whose answer calls the person's tool `stock` and the calculator. Returns the answer.
fn ask_for_both(machine: &Machine, house: House) -> Id {
    let own = Tool::Own(OwnTool {
        name: "stock".to_owned(),
        description: String::new(),
        parameters: None,
    });
    let calculate = Tool::Builtin(BuiltinTool::Calculate);
    house.steering.set_tools(vec![own, calculate]);
    settle();
    machine.answer(calls(&[
        ("stock", json!({})),
        ("calculate", json!({"expression": "2"})),
    ]));
    assert!(house.answers.ask("How many?".to_owned()));
    machine.pass(200.0);
    branch(house)[1].id
}

#[test]
fn a_result_that_is_being_written_is_a_draft_of_its_chat() {
    reactive(|machine, house| {
        let caller = ask_for_both(machine, house);
        let chat = house.chat();
        let key = Key::Record(DRAFT, chat).to_string();
        house.drafts.write_result(caller, 0, "7 pieces".to_owned());
        settle();
        assert!(!machine.disk.has(&key), "it is written a second later");
        machine.pass(1_000.0);
        assert!(machine.disk.has(&key));
        house
            .drafts
            .write_result(caller, 0, "7 pieces here".to_owned());
        house.chats.begin_chat();
        settle();
        assert_eq!(house.drafts.result(caller, 0), "");
        house.chats.open_chat(chat);
        settle();
        assert_eq!(house.drafts.result(caller, 0), "7 pieces here");
        let reloaded = House::reopened(machine, Some(chat));
        assert_eq!(reloaded.drafts.result(caller, 0), "7 pieces here");
        // A prompt in the composer, and sending it, leaves it alone.
        house.write("and");
        house.write("");
        assert_eq!(house.drafts.result(caller, 0), "7 pieces here");
        machine.answer(says(&["Seven."]));
        house
            .tools
            .answer_calls_by_hand(caller, vec![Some("7".to_owned()), None]);
        machine.pass(200.0);
        assert_eq!(house.texts()[2..], ["7", "result of 2", "Seven."]);
        assert_eq!(house.drafts.result(caller, 0), "");
        assert!(!machine.disk.has(&key));
    });
}

#[test]
fn a_result_by_hand_belongs_to_its_chat_when_another_is_open_at_the_end_of_the_tools() {
    reactive(|machine, house| {
        let caller = ask_for_both(machine, house);
        let chat = house.chat();
        house.drafts.write_result(caller, 0, "7".to_owned());
        let calculated = machine.slow_calculation();
        house
            .tools
            .answer_calls_by_hand(caller, vec![Some("7".to_owned()), None]);
        settle();
        assert!(house.tools.runs_tools(caller));
        house.chats.begin_chat();
        settle();
        machine.answer(says(&["Seven."]));
        calculated.send(()).unwrap();
        machine.pass(200.0);
        assert_eq!(house.kept(chat)[2..], ["7", "result of 2", "Seven."]);
        assert!(house.texts().is_empty(), "nothing came into the open chat");
        assert!(!machine.disk.has(&Key::Record(DRAFT, chat).to_string()));
    });
}

#[test]
fn tools_are_stopped_and_their_calls_wait_with_what_was_written() {
    reactive(|machine, house| {
        let caller = ask_for_both(machine, house);
        let chat = house.chat();
        house.drafts.write_result(caller, 0, "7".to_owned());
        let calculated = machine.slow_calculation();
        let by_hand = || vec![Some("7".to_owned()), None];
        house.tools.answer_calls_by_hand(caller, by_hand());
        settle();
        assert!(house.answers.is_busy(chat) && !house.answers.can_send());
        house.answers.stop(chat);
        settle();
        assert!(calculated.is_canceled(), "the server is told");
        assert!(!house.answers.is_busy(chat) && house.answers.can_send());
        assert_eq!(house.tools.waiting_calls(caller).len(), 2);
        assert_eq!(house.drafts.result(caller, 0), "7");
        assert_eq!(branch(house)[1].outcome, Outcome::Complete);
        machine.answer(says(&["Seven."]));
        house.tools.answer_calls_by_hand(caller, by_hand());
        machine.pass(200.0);
        assert_eq!(house.texts()[2..], ["7", "result of 2", "Seven."]);
    });
}

#[test]
fn tools_end_with_their_chat_and_with_their_answer() {
    type Deletion = fn(House, Id);
    let deletions: [Deletion; 2] = [
        |house, _| house.answers.delete_chat(house.chat()),
        |house, caller| house.chats.delete_message(caller),
    ];
    for delete in deletions {
        reactive(|machine, house| {
            switch_on(house, &[BuiltinTool::Calculate]);
            let calculated = machine.slow_calculation();
            machine.answer(calls(&[("calculate", json!({"expression": "1"}))]));
            assert!(house.answers.ask("How much?".to_owned()));
            machine.pass(200.0);
            let (chat, caller) = (house.chat(), branch(house)[1].id);
            assert!(house.tools.runs_tools(caller));
            delete(house, caller);
            settle();
            assert!(calculated.is_canceled(), "the server is told");
            assert!(!house.answers.is_busy(chat));
            assert_eq!(machine.requests.borrow().len(), 1);
        });
    }
}

#[test]
fn tools_end_with_a_chat_that_another_tab_deletes() {
    two_tabs(|machine, house, _, other| {
        switch_on(house, &[BuiltinTool::Calculate]);
        let calculated = machine.slow_calculation();
        machine.answer(calls(&[("calculate", json!({"expression": "1"}))]));
        assert!(house.answers.ask("How much?".to_owned()));
        machine.pass(200.0);
        other.answers.delete_chat(house.chat());
        machine.tell(house.tabs);
        assert!(calculated.is_canceled(), "the server is told");
    });
}

#[test]
fn calls_without_number_are_counted_and_wait_for_the_person() {
    reactive(|machine, house| {
        switch_on(house, &[BuiltinTool::CurrentTime]);
        let many: Vec<(&str, Value)> = vec![("current_time", json!({})); 5_000];
        let mut frames = calls(&many);
        frames.splice(0..0, calls(&many).into_iter().take(2));
        machine.answer(frames);
        assert!(house.answers.ask("When?".to_owned()));
        let writes = machine.disk.changes();
        machine.pass(500.0);
        let caller = branch(house)[1].clone();
        let (kept, left_out) = caller.first_calls();
        assert_eq!((kept.len(), left_out), (MAX_CALLS, 10_000 - MAX_CALLS));
        assert_eq!(roles(house), [Role::User, Role::Assistant]);
        assert!(machine.disk.changes() - writes < 10);
        let limit = house.tools.tool_limit(caller.id);
        assert_eq!(limit, Some(ToolLimit::CallsOfAnswer(10_000)));
        assert_eq!(house.tools.waiting_calls(caller.id).len(), MAX_CALLS);
        let said = house.notices.status.get_untracked();
        assert!(said.ends_with("current_time and 9997 more"), "{said}");
        // The person has those answered that are kept.
        machine.answer(says(&["Now."]));
        house
            .tools
            .answer_calls_by_hand(caller.id, vec![None; MAX_CALLS]);
        machine.pass(500.0);
        assert_eq!(branch(house).len(), 2 + MAX_CALLS + 1);
        assert_eq!(house.texts().last().map(String::as_str), Some("Now."));
    });
}

#[test]
fn the_calls_for_a_question_end_at_the_limit() {
    reactive(|machine, house| {
        switch_on(house, &[BuiltinTool::CurrentTime]);
        for _ in 0..4 {
            machine.answer(calls(&vec![("current_time", json!({})); MAX_CALLS]));
        }
        assert!(house.answers.ask("When?".to_owned()));
        machine.pass(5_000.0);
        assert_eq!(machine.requests.borrow().len(), 4);
        let last = branch(house).pop().unwrap();
        let limit = house.tools.tool_limit(last.id);
        assert_eq!(limit, Some(ToolLimit::CallsOfQuestion(4 * MAX_CALLS)));
    });
}

#[test]
fn a_name_that_only_looks_like_a_tools_is_not_answered_by_it() {
    reactive(|machine, house| {
        switch_on(house, &[BuiltinTool::Calculate]);
        let names = ["calculate ", "c\u{430}lculate", "calc\u{200b}ulate"];
        let made = names.map(|name| (name, json!({"expression": "1"})));
        machine.answer(calls(&made));
        assert!(house.answers.ask("How much?".to_owned()));
        machine.pass(200.0);
        let caller = branch(house)[1].id;
        let waiting = house.tools.waiting_calls(caller);
        assert_eq!(waiting.len(), 3);
        assert!(waiting.iter().all(|call| !house.tools.is_automatic(call)));
        assert_eq!(
            house.notices.status.get_untracked(),
            r"The model calls calculate\u{20}, c\u{430}lculate, calc\u{200b}ulate"
        );
    });
}

/// The tool read every question of the branch, those that the model was not to see too.
#[test]
fn no_file_of_a_muted_question_or_of_one_before_a_clearing_is_read() {
    reactive(|machine, house| {
        switch_on(house, &[BuiltinTool::ReadFile]);
        let ask = |name: &str| format!("Look.\n\n{}", file_block(name, &format!("secret {name}")));
        house.exchange(machine, &ask("above.txt"), "Yes.");
        house.exchange(machine, &ask("pinned.txt"), "Yes.");
        house.steering.clear_window();
        house.exchange(machine, &ask("muted.txt"), "Yes.");
        house.exchange(machine, &ask("seen.txt"), "Yes.");
        let path = house.chats.path.get_untracked();
        house.steering.pin(path[2], true);
        house.steering.mute(path[4], true);
        let names = [
            "above.txt",
            "muted.txt",
            "pinned.txt",
            "seen.txt",
            "own.txt",
        ];
        let reads = names.map(|name| ("read_file", json!({"name": name})));
        machine.answer(calls(&reads));
        machine.answer(says(&["Done."]));
        assert!(house.answers.ask(ask("own.txt")));
        machine.pass(200.0);
        let texts = house.texts();
        let results = &texts[texts.len() - 1 - names.len()..];
        for (name, result) in names.iter().zip(results) {
            let is_read = result.contains(&format!("secret {name}"));
            assert_eq!(
                is_read,
                !["above.txt", "muted.txt"].contains(name),
                "{result}"
            );
            let attached = result.split_once("The attached files are: ");
            let attached = attached.map(|(_, names)| names);
            assert!(is_read || attached == Some("own.txt, pinned.txt, seen.txt."));
        }
    });
}

#[test]
fn a_chat_is_held_while_its_tools_run() {
    use sash_chat::{BuiltinTool, Tool, ToolCall};
    two_tabs(|machine, house, there, other| {
        other
            .steering
            .set_tools(vec![Tool::Builtin(BuiltinTool::Calculate)]);
        settle();
        let arguments = serde_json::json!({"expression": "1 + 1"});
        let calls =
            serde_json::json!([{"function": {"name": "calculate", "arguments": arguments}}]);
        let calls = Frame::ToolCalls {
            calls: ToolCall::list(&calls),
            left_out: 0,
        };
        let frames = there.stream_answer();
        let calculated = there.slow_calculation();
        assert!(other.answers.ask("How much?".to_owned()));
        frames.unbounded_send(text("Let me see. ")).unwrap();
        there.pass(1500.0);
        machine.tell(house.tabs);
        for frame in [Ok(calls)].into_iter().chain(says(&[])) {
            frames.unbounded_send(frame).unwrap();
        }
        there.pass(100.0);
        machine.tell(house.tabs);
        assert!(house.remote.is_held(house.chat()), "the tool runs there");
        assert!(!house.answers.can_send());
        there.answer(says(&["It is 2."]));
        calculated.send(()).unwrap();
        there.pass(500.0);
        machine.tell(house.tabs);
        assert!(house.answers.can_send());
        assert_eq!(last(house), (Outcome::Complete, "It is 2.".to_owned()));
    });
}

fn last(house: House) -> (Outcome, String) {
    house.chats.open.with_untracked(|chat| {
        let last = chat.leaf().and_then(|id| chat.get(id));
        let last = last.unwrap_or_else(|| panic!("a message"));
        (last.outcome.clone(), last.content.clone())
    })
}

/// A call of the clock.
fn clock_call() -> Frame {
    let calls = json!([{"id": "c1", "function": {"name": "current_time", "arguments": {}}}]);
    Frame::ToolCalls {
        calls: ToolCall::list(&calls),
        left_out: 0,
    }
}

/// An answer that calls a tool, `before` or after the reload.
fn call_over_a_reload(before: bool) {
    reactive(|machine, house| {
        house
            .steering
            .set_tools(vec![Tool::Builtin(BuiltinTool::CurrentTime)]);
        settle();
        let frames = machine.stream_answer();
        assert!(house.answers.ask("What time is it?".to_owned()));
        assert!(frames.unbounded_send(text("Let me see. ")).is_ok());
        if before {
            assert!(frames.unbounded_send(Ok(clock_call())).is_ok());
        }
        machine.pass(1500.0);
        let rest = [Ok(clock_call())].into_iter().filter(|_| !before);
        machine.rest(rest.chain(says(&[])).collect());
        machine.answer(says(&["It is late."]));
        let chat = house.chat();
        machine.close_tab();
        let house = House::reopened(&machine.another_tab(), Some(chat));
        machine.pass(2_000.0);
        let (question, answer) = (Role::User, Role::Assistant);
        assert_eq!(roles(house), [question, answer, Role::Tool, answer]);
        assert_eq!(last(house), (Outcome::Complete, "It is late.".to_owned()));
        let requests = machine.requests.borrow();
        assert_eq!(requests.len(), 2);
        let sent: Vec<Role> = requests[1].context.iter().map(|m| m.role).collect();
        assert_eq!(sent, [question, answer, Role::Tool]);
        assert_eq!(requests[1].tools, requests[0].tools);
    });
}

#[test]
fn calls_that_came_before_a_reload_are_answered_once() {
    call_over_a_reload(true);
}

#[test]
fn calls_that_come_after_a_reload_are_answered_once() {
    call_over_a_reload(false);
}
