//! The next request of the open chat, and undo of each step.

use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::Estimate;
use sash_chat::{AnswerFormat, Policy, Think};
use sash_harness::{House, reactive, settle};
use sash_wire::ModelInfo;
use serde_json::json;

#[test]
fn steering_is_taken_back_step_by_step() {
    reactive(|_, house| {
        house.steering.set_policy(Policy::Messages(7));
        house.steering.set_policy(Policy::Everything);
        let policy = || {
            house
                .chats
                .open
                .with_untracked(|chat| chat.head.settings.policy)
        };
        assert_eq!(policy(), Policy::Everything);
        assert!(house.chats.undo_last());
        assert_eq!(policy(), Policy::Messages(7));
        assert!(house.chats.undo_last());
        assert_eq!(policy(), Policy::default());
        assert!(!house.chats.undo_last());
    });
}

#[test]
fn a_mute_that_lets_a_larger_message_slide_in_says_so() {
    reactive(|machine, house| {
        let long = "word ".repeat(400);
        house.exchange(machine, "Hi", &long);
        let (question, answer) = house.exchange(machine, "More", "Enough");
        house.steering.set_policy(Policy::Messages(2));
        let said = || house.notices.toast.get_untracked().map(|toast| toast.text);
        house.steering.mute(answer, true);
        let words = said().unwrap_or_default();
        assert!(
            words.starts_with("1 older message replaces it: about "),
            "{words}"
        );
        // Smaller ones, and nothing at all, are not worth a word.
        house.notices.toast.set(None);
        house.steering.mute(answer, false);
        house.steering.set_policy(Policy::Everything);
        house.steering.mute(question, true);
        assert_eq!(said(), None);
    });
}

#[test]
fn tokens_are_estimated_for_the_tokenizer_that_the_engine_names() {
    reactive(|machine, house| {
        machine.more_models.borrow_mut().push(ModelInfo {
            name: "counter:latest".to_owned(),
            tokenizer: "qwen2".to_owned(),
            ..ModelInfo::default()
        });
        house.engine.refresh();
        settle();
        house.chats.choose_model("counter:latest");
        settle();
        let estimate = house.steering.estimate.get_untracked();
        assert_eq!(estimate, Estimate::of_tokenizer("qwen2"));
        assert_ne!(estimate, Estimate::default());
    });
}

#[test]
fn thinking_is_a_step_of_steering_that_goes_with_the_request_and_into_the_receipt() {
    reactive(|machine, house| {
        house.choose_thinker(machine, &[Think::On, Think::Off]);
        house.write("Why?");
        let plain = house.answers.next_request();
        assert_eq!(plain.think, None);
        house.steering.set_think(Some(Think::Off));
        let next = house.answers.next_request();
        assert_eq!(next.think, Some(Think::Off.json()));
        let (_, answer) = house.exchange(machine, "Why?", "Because.");
        assert_eq!(machine.requests.borrow().last(), Some(&next));
        let receipt = house.chats.message(answer).and_then(|m| m.receipt);
        assert_eq!(receipt.and_then(|r| r.think), Some(Think::Off));
        let kept = || {
            let head = house.storage.with_log(|log| log.head(house.chat()));
            head.flatten().and_then(|head| head.settings.think)
        };
        assert_eq!(kept(), Some(Think::Off));
        assert!(house.chats.undo_last());
        assert_eq!((kept(), house.steering.think.get_untracked()), (None, None));
    });
}

#[test]
fn nothing_is_said_of_thinking_to_a_model_that_does_not_offer_the_choice() {
    reactive(|machine, house| {
        house.choose_thinker(machine, &[Think::Low, Think::High]);
        house.steering.set_think(Some(Think::High));
        assert_eq!(house.steering.think.get_untracked(), Some(Think::High));
        house.chats.choose_model("tiny:latest");
        house.write("Why?");
        assert_eq!(house.steering.think.get_untracked(), None);
        assert_eq!(house.answers.next_request().think, None);
        // The choice belongs to the chat and takes effect again with a model that offers it.
        house.chats.choose_model("thinker:latest");
        settle();
        assert_eq!(house.steering.think.get_untracked(), Some(Think::High));
    });
}

#[test]
fn a_parameter_is_a_step_of_the_chat_and_can_be_shared_with_its_model() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let steering = house.steering;
        let parameter = |name| untrack(|| steering.parameter(name));
        let of_model = |name| untrack(|| steering.model_parameter(name));
        steering.set_parameter("top_k", Some(10.into()));
        steering.set_parameter("seed", Some(7.into()));
        steering.set_parameter("seed", Some(7.into()));
        assert_eq!(parameter("seed"), Some(7.into()));
        assert!(house.chats.undo_last());
        assert_eq!(parameter("seed"), None, "the same value again was no step");
        assert_eq!(parameter("top_k"), Some(10.into()));

        steering.share_parameters();
        assert_eq!(
            (parameter("top_k"), of_model("top_k")),
            (None, Some(10.into()))
        );
        house.chats.begin_chat();
        settle();
        assert_eq!(
            of_model("top_k"),
            Some(10.into()),
            "in another chat with the model too"
        );
        assert_eq!(untrack(|| steering.count_parameters()), 1);
        steering.set_parameter("mirostat", Some(2.into()));
        assert_eq!(untrack(|| steering.other_parameters()), ["mirostat"]);
        steering.reset_parameters();
        assert_eq!(untrack(|| steering.count_parameters()), 0);
    });
}

#[test]
fn parameters_survive_a_reload() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        house.steering.set_parameter("top_k", Some(10.into()));
        let again = House::reopened(machine, Some(chat));
        assert_eq!(
            untrack(|| again.steering.parameter("top_k")),
            Some(10.into())
        );
    });
}

#[test]
fn the_form_of_an_answer_is_a_step_that_goes_with_the_request_and_into_the_receipt() {
    reactive(|machine, house| {
        let schema = json!({"type": "object", "properties": {"z": {}, "a": {}}});
        let format = AnswerFormat::try_from(schema.clone()).unwrap();
        house.steering.set_format(Some(format.clone()));
        house.write("Who?");
        let next = house.answers.next_request();
        assert_eq!(next.format, Some(schema.clone()));
        let (_, answer) = house.exchange(machine, "Who?", r#"{"a":1"#);
        assert_eq!(machine.requests.borrow().last(), Some(&next));
        let receipt = house.chats.message(answer).and_then(|m| m.receipt).unwrap();
        assert_eq!(receipt.format, Some(format));
        let misfits = receipt.misfits.clone().unwrap();
        assert!(
            misfits[0].starts_with("It is not complete JSON"),
            "{misfits:?}"
        );
        // The check belongs to what a reload reads.
        let kept = house
            .storage
            .with_log(|log| log.load(house.chat()))
            .flatten();
        let kept = kept.and_then(|chat| chat.get(answer).and_then(|m| m.receipt.clone()));
        assert_eq!(kept, Some(receipt));
        assert!(house.chats.undo_last());
        assert_eq!(house.answers.next_request().format, None);
    });
}

#[test]
fn an_answer_in_the_form_that_was_asked_for_has_no_misfit() {
    reactive(|machine, house| {
        house.steering.set_format(Some(AnswerFormat::Json));
        house.write("Who?");
        assert_eq!(house.answers.next_request().format, Some(json!("json")));
        let (_, answer) = house.exchange(machine, "Who?", "{}");
        let receipt = house.chats.message(answer).and_then(|m| m.receipt).unwrap();
        assert_eq!(receipt.misfits, Some(Vec::new()));
    });
}

#[test]
fn a_schema_belongs_to_the_chat_that_it_was_typed_for() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let typed_for = house.chat();
        house.chats.begin_chat();
        settle();
        house.exchange(machine, "Something else", "Yes");
        house.steering.set_format_of(typed_for, AnswerFormat::Json);
        let format = |chat| {
            let head = house.storage.with_log(|log| log.head(chat)).flatten();
            head.and_then(|head| head.settings.format)
        };
        assert_eq!(format(typed_for), Some(AnswerFormat::Json));
        assert_eq!(format(house.chat()), None);
        let open = house
            .chats
            .open
            .with_untracked(|chat| chat.head.settings.format.clone());
        assert_eq!(open, None);
    });
}
