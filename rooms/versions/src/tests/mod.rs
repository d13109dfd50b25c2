//! Versions of an answer by the person's own hand and by other models, and forks of a chat.

mod temporary_forks;

use crate::{edit_answer, fork_chat};
use reactive_graph::prelude::*;
use sash_chat::{Id, ModelId, Role};
use sash_harness::{House, Machine, reactive, says, settle};
use sash_wire::{ChatRequest, Fault, Frame, ModelInfo};

fn last_request(machine: &Machine) -> ChatRequest {
    let requests = machine.requests.borrow();
    requests.last().cloned().expect("a request")
}

/// An answer whose tokens the engine counted.
fn counted(text: &str) -> Vec<Result<Frame, Fault>> {
    let mut frames = says(&[text]);
    if let Some(Ok(Frame::Done { usage, .. })) = frames.last_mut() {
        (usage.prompt_tokens, usage.answer_tokens) = (Some(9), Some(2));
    }
    frames
}

fn said(machine: &Machine) -> Vec<String> {
    let messages = last_request(machine).messages();
    messages.into_iter().map(|m| m.content).collect()
}

#[test]
fn an_edited_answer_is_a_version_of_ones_own_and_is_what_the_model_reads_next() {
    reactive(|machine, house| {
        machine.answer(counted("Lyon."));
        assert!(house.answers.ask("Capital?".to_owned()));
        machine.pass(100.0);
        let [question, answer] = house.chats.path.get_untracked()[..] else {
            panic!("a question and its answer")
        };
        let sent = machine.requests.borrow().len();
        for none in ["Lyon.", "  \n", ""] {
            assert_eq!(edit_answer(house.kernel, answer, none.to_owned()), None);
        }
        assert_eq!(edit_answer(house.kernel, question, "x".to_owned()), None);
        let edited = edit_answer(house.kernel, answer, "Paris.".to_owned());
        let edited = edited.expect("a version");
        assert_eq!(machine.requests.borrow().len(), sent, "nothing is sent");
        assert_eq!(house.texts(), ["Capital?", "Paris."]);
        let [former, now] = [answer, edited].map(|id| house.chats.message(id).expect("a message"));
        assert_eq!((former.content.as_str(), former.edited), ("Lyon.", None));
        assert_eq!((now.parent, now.edited), (former.parent, Some(answer)));
        assert_eq!(now.model, former.model);
        let [former, now] = [former, now].map(|m| m.receipt.expect("a receipt"));
        assert_eq!(now.sent, former.sent);
        assert!(former.answer_tokens.is_some() && former.prompt_tokens.counted.is_some());
        assert_eq!((now.answer_tokens, now.prompt_tokens.counted), (None, None));
        house.exchange(machine, "And more?", "Yes.");
        assert_eq!(said(machine), ["Capital?", "Paris.", "And more?"]);
        let again = House::new(machine);
        assert_eq!(again.texts(), ["Capital?", "Paris.", "And more?", "Yes."]);
        assert_eq!(
            again.chats.message(edited).and_then(|m| m.edited),
            Some(answer)
        );
    });
}

#[test]
fn an_edit_is_undone_unless_something_follows_it() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Capital?", "Lyon.");
        let edit = |text: &str| edit_answer(house.kernel, answer, text.to_owned());
        edit("Paris.").expect("a version");
        let offer = house.offered();
        assert!(house.history.holds(offer));
        house.undo_offer();
        assert_eq!(house.texts(), ["Capital?", "Lyon."]);
        assert!(!house.history.holds(offer));
        assert!(!house.chats.undo_last());
        edit("Paris!").expect("a version");
        assert!(house.chats.undo_last());
        assert_eq!(house.texts(), ["Capital?", "Lyon."]);
        edit("Nice.").expect("a version");
        house.exchange(machine, "Sure?", "No.");
        assert!(!house.chats.undo_last());
        assert_eq!(house.texts(), ["Capital?", "Nice.", "Sure?", "No."]);
    });
}

#[test]
fn what_a_model_called_stays_with_its_own_answer() {
    reactive(|machine, house| {
        let (_, answer) = house.exchange(machine, "Hi", "Hello");
        let mut caller = house.chats.message(answer).expect("an answer");
        caller.thinking = "Hm.".to_owned();
        caller.tool_calls = Some(serde_json::json!([{"function": {"name": "f"}}]));
        let chat = house.chat();
        house.storage.write(|log| log.save_message(chat, &caller));
        house.chats.reload_open();
        let edited = edit_answer(house.kernel, answer, "Good day".to_owned());
        let edited = edited
            .and_then(|id| house.chats.message(id))
            .expect("a version");
        assert_eq!((edited.thinking.as_str(), edited.tool_calls), ("", None));
    });
}

#[test]
fn another_model_answers_beside_and_the_chat_keeps_its_own() {
    reactive(|machine, house| {
        machine.more_models.borrow_mut().push(ModelInfo {
            name: "other:latest".to_owned(),
            capabilities: vec!["completion".to_owned()],
            ..ModelInfo::default()
        });
        house.engine.refresh();
        settle();
        let (question, first) = house.exchange(machine, "Hi", "Hello");
        let chosen = house.steering.model.get_untracked();
        machine.answer(says(&["Good day"]));
        let other = ModelId::new(None, "other:latest");
        assert!(house.answers.answer_again_with(first, &other));
        // One answer runs at a time.
        assert!(!house.answers.answer_again_with(first, &other));
        machine.pass(100.0);
        assert_eq!(last_request(machine).model, "other:latest");
        assert_eq!(house.texts(), ["Hi", "Good day"]);
        let second = house.chats.path.get_untracked()[1];
        let second = house.chats.message(second).expect("an answer");
        assert_eq!(second.parent, Some(question));
        let receipt = second.receipt.expect("a receipt");
        assert_eq!(receipt.model.as_deref(), Some("other:latest"));
        assert_eq!(house.steering.model.get_untracked(), chosen);
        house.exchange(machine, "More?", "No.");
        assert_eq!(last_request(machine).model, "tiny:latest");
    });
}

#[test]
fn a_fork_is_a_chat_of_its_own_and_the_first_one_stays_as_it_was() {
    reactive(|machine, house| {
        let (_, first) = house.exchange(machine, "Hi", "Hello");
        house.exchange(machine, "More?", "No.");
        house.steering.pin(first, true);
        let origin = house.chat();
        let fork = fork_chat(house.kernel, first).expect("a fork");
        assert_eq!(house.chat(), fork);
        assert_eq!(house.texts(), ["Hi", "Hello"]);
        assert_eq!(house.titles(), ["Hi (fork)", "Hi"]);
        let pins = house
            .chats
            .open
            .with_untracked(|chat| chat.head.settings.pins.clone());
        assert_eq!(pins, [house.chats.path.get_untracked()[1]]);
        house.exchange(machine, "Else?", "Yes.");
        assert_eq!(said(machine), ["Hi", "Hello", "Else?"]);
        assert_eq!(house.kept(origin), ["Hi", "Hello", "More?", "No."]);
        let again = House::reopened(machine, Some(fork));
        assert_eq!(again.texts(), ["Hi", "Hello", "Else?", "Yes."]);
        assert_eq!(fork_chat(house.kernel, Id(12345)), None);
    });
}

#[test]
fn a_fork_is_undone_by_key_and_by_the_toast() {
    reactive(|machine, house| {
        let (_, first) = house.exchange(machine, "Hi", "Hello");
        let origin = house.chat();
        for by_key in [true, false] {
            let fork = fork_chat(house.kernel, first).expect("a fork");
            assert!(
                house
                    .toast()
                    .is_some_and(|words| words.starts_with("Forked: 2 messages"))
            );
            match by_key {
                true => assert!(house.chats.undo_last()),
                false => house.undo_offer(),
            }
            assert_eq!((house.chat(), house.titles().len()), (origin, 1));
            assert!(house.chats.is_gone(fork));
        }
        assert_eq!(house.texts(), ["Hi", "Hello"]);
    });
}

#[test]
fn without_room_nothing_of_a_fork_is_left() {
    reactive(|machine, house| {
        let (_, first) = house.exchange(machine, "Hi", &"Hello ".repeat(2000));
        machine.disk.leave_room(Some(3_000));
        let origin = house.chat();
        assert_eq!(fork_chat(house.kernel, first), None);
        assert_eq!((house.chat(), house.titles().len()), (origin, 1));
        assert!(house.toast().is_some_and(|words| words.contains("no room")));
        let roles = house
            .chats
            .open
            .with_untracked(|chat| chat.path().iter().map(|m| m.role).collect::<Vec<_>>());
        assert_eq!(roles, [Role::User, Role::Assistant]);
    });
}
