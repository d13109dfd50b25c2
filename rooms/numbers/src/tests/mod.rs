//! Cost and speed of the answers in the log.

use crate::{Measures, read_measures};
use futures::FutureExt;
use sash_chat::{Id, Message, ModelId, Outcome, Receipt, Role, TokenCount};
use sash_harness::{House, reactive};

/// Writes an answer with these numbers to the open chat's log.
fn keep(house: House, chat: Id, id: u64, model: &str, tokens: u64, ms: f64) {
    keep_of(house, chat, id, None, model, tokens, ms);
}

/// The same for a model of an engine.
fn keep_of(
    house: House,
    chat: Id,
    id: u64,
    engine: Option<&str>,
    model: &str,
    tokens: u64,
    ms: f64,
) {
    let answer = Message {
        content: "An answer.".to_owned(),
        model: Some(model.to_owned()),
        outcome: Outcome::Complete,
        receipt: Some(Receipt {
            engine: engine.map(str::to_owned),
            answer_tokens: Some(tokens),
            answer_ms: Some(ms),
            first_token_ms: Some(120),
            prompt_tokens: TokenCount {
                estimated: 9,
                counted: Some(11),
            },
            ..Receipt::default()
        }),
        ..Message::new(Id(id), None, id as u32, Role::Assistant, id)
    };
    house.storage.write(|log| log.save_message(chat, &answer));
}

/// The numbers of the log.
fn read(house: House) -> Measures {
    read_measures(house.kernel)
        .now_or_never()
        .expect("nothing is waited for")
}

#[test]
fn the_numbers_are_those_of_all_answers_by_model_and_time() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        keep(house, chat, 52, "small:latest", 40, 2000.0);
        keep(house, chat, 51, "small:latest", 30, 0.0);
        keep(house, chat, 53, "large:latest", 10, 1000.0);
        let all = read(house);
        let small = &all["small:latest"];
        let tokens: Vec<_> = small.iter().map(|one| one.answer_tokens).collect();
        assert_eq!(tokens, [Some(30), Some(40)], "the oldest first");
        assert_eq!(small[0].tokens_per_second, None, "no time was measured");
        assert_eq!(small[1].tokens_per_second, Some(20.0));
        assert_eq!(small[1].prompt_tokens, Some(11));
        assert_eq!(all["large:latest"].len(), 1);
    });
}

#[test]
fn models_of_one_name_on_two_engines_are_counted_apart() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        keep(house, chat, 51, "small:latest", 30, 1000.0);
        keep_of(house, chat, 52, Some("box"), "small:latest", 40, 1000.0);
        let all = read(house);
        let key = ModelId::new(Some("box"), "small:latest").key().into_owned();
        assert_eq!((all["small:latest"].len(), all[&key].len()), (1, 1));
    });
}

#[test]
fn what_is_deleted_does_not_count() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        keep(house, chat, 52, "small:latest", 40, 2000.0);
        house.storage.write(|log| log.delete(chat, 5));
        assert!(!read(house).contains_key("small:latest"));
    });
}

#[test]
fn a_failed_answer_does_not_count() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        keep(house, chat, 52, "small:latest", 40, 2000.0);
        let failed = Message {
            model: Some("small:latest".to_owned()),
            outcome: Outcome::failed("The model was unloaded"),
            receipt: Some(Receipt::default()),
            ..Message::new(Id(53), None, 53, Role::Assistant, 53)
        };
        house.storage.write(|log| log.save_message(chat, &failed));
        let all = read(house);
        assert_eq!(all["small:latest"].len(), 1);
    });
}
