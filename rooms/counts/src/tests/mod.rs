//! The exact tokens of the next request: asked for at typing pauses, shown as long as the request is the same, and
//! never asked again of an engine that does not count.

mod counter;

use counter::{Counter, with_counter};
use reactive_graph::prelude::*;
use sash_chat::Policy;
use sash_harness::{House, Machine, settle, small_image};
use sash_wire::{
    CountedPrompt, DraftMark, EngineAction, EngineInfo, EngineKind, EngineReach, Fault,
};

/// One engine that may count, whose only model is chosen.
fn counting(machine: &Machine, house: House, counter: &Counter, tokens: Option<u64>) {
    counting_at(EngineReach::Local, machine, house, counter, tokens);
}

fn counting_at(
    reach: EngineReach,
    machine: &Machine,
    house: House,
    counter: &Counter,
    tokens: Option<u64>,
) {
    *machine.engines.borrow_mut() = vec![EngineInfo {
        name: "llama".to_owned(),
        kind: EngineKind::OpenAi,
        can: vec![EngineAction::Count],
        reach,
        ..EngineInfo::default()
    }];
    *counter.tokens.borrow_mut() = Some(Ok(CountedPrompt { tokens }));
    house.engine.refresh();
    settle();
}

fn exact(house: House) -> Option<u64> {
    house.steering.exact_tokens.get_untracked()
}

#[test]
fn a_rest_of_typing_brings_the_exact_tokens_and_the_next_key_makes_them_an_estimate_again() {
    with_counter(|machine, house, counter| {
        counting(machine, house, counter, Some(777));
        house.write("Which wine");
        machine.pass(400.0);
        house.write("Which wine?");
        machine.pass(400.0);
        assert_eq!(counter.prompts(), Vec::<String>::new(), "no rest yet");
        machine.pass(200.0);
        assert_eq!(counter.prompts(), ["Which wine?"]);
        assert_eq!(exact(house), Some(777));
        assert_eq!(house.steering.fit.get_untracked().1, 777);
        house.write("Which wine? Red");
        assert_eq!(exact(house), None);
        assert_ne!(house.steering.fit.get_untracked().1, 777);
        house.write("Which wine?");
        machine.pass(600.0);
        assert_eq!(exact(house), Some(777), "the same request again");
        assert_eq!(counter.prompts().len(), 1, "and it was not counted twice");
        house.steering.set_policy(Policy::Messages(1));
        settle();
        assert_eq!(exact(house), None, "another rule is another request");
    });
}

#[test]
fn a_count_that_comes_after_another_key_is_dropped() {
    with_counter(|machine, house, counter| {
        counting(machine, house, counter, Some(777));
        let send = counter.hold_back();
        house.write("Which wine?");
        machine.pass(600.0);
        assert_eq!(counter.prompts().len(), 1);
        house.write("Which wine? Red?");
        settle();
        send.send(()).unwrap();
        settle();
        house.write("Which wine?");
        settle();
        assert_eq!(exact(house), None);
    });
}

#[test]
fn an_engine_that_does_not_count_is_asked_once() {
    with_counter(|machine, house, counter| {
        counting(machine, house, counter, None);
        *counter.tokens.borrow_mut() = None;
        for draft in ["one", "two", "three"] {
            house.write(draft);
            machine.pass(600.0);
        }
        assert_eq!(counter.prompts(), ["one"]);
    });
}

#[test]
fn an_engine_that_does_not_count_images_is_sent_one_request_with_images() {
    with_counter(|machine, house, counter| {
        counting(machine, house, counter, None);
        let image = small_image();
        machine.images.borrow_mut().insert(image.hash, (vec![1], 1));
        house.drafts.images.set(vec![image]);
        for draft in ["one", "two"] {
            house.write(draft);
            machine.pass(600.0);
        }
        assert_eq!(counter.prompts(), ["one"]);
        house.drafts.images.set(Vec::new());
        *counter.tokens.borrow_mut() = Some(Ok(CountedPrompt { tokens: Some(9) }));
        house.write("three");
        machine.pass(600.0);
        assert_eq!(
            (counter.prompts().len(), exact(house)),
            (2, Some(9)),
            "without images it counts"
        );
    });
}

#[test]
fn a_failure_is_no_refusal_and_an_empty_draft_is_not_counted() {
    with_counter(|machine, house, counter| {
        counting(machine, house, counter, None);
        machine.pass(2000.0);
        house.write("  ");
        machine.pass(2000.0);
        assert_eq!(counter.prompts(), Vec::<String>::new());
        *counter.tokens.borrow_mut() = Some(Err(Fault::ConnectionLost));
        house.write("one");
        machine.pass(600.0);
        *counter.tokens.borrow_mut() = Some(Ok(CountedPrompt { tokens: Some(9) }));
        house.write("two");
        machine.pass(600.0);
        assert_eq!(counter.prompts(), ["one", "two"]);
        assert_eq!(exact(house), Some(9));
    });
}

#[test]
fn an_engine_of_which_nothing_says_that_it_counts_is_never_asked() {
    with_counter(|machine, house, counter| {
        house.write("one");
        machine.pass(2000.0);
        assert_eq!(counter.prompts(), Vec::<String>::new());
    });
}

#[test]
fn a_draft_is_counted_elsewhere_only_if_the_person_lets_that_engine_have_drafts() {
    with_counter(|machine, house, counter| {
        counting_at(EngineReach::Unknown, machine, house, counter, Some(9));
        house.write("one");
        machine.pass(2000.0);
        assert_eq!(counter.prompts(), Vec::<String>::new());
        house.answer_drafts("llama", true);
        house.write("two");
        machine.pass(600.0);
        assert_eq!(counter.prompts(), ["two"]);
        assert_eq!(counter.counted.borrow()[0].draft, Some(DraftMark::Allowed));
    });
}

#[test]
fn the_estimate_learns_from_what_is_counted() {
    with_counter(|machine, house, counter| {
        counting(machine, house, counter, Some(900));
        let text = "word ".repeat(300);
        let guess = |house: House| {
            let steering = house.steering;
            steering
                .estimate
                .get_untracked()
                .whole(steering.size.get_untracked())
        };
        house.write(&text);
        settle();
        let before = guess(house);
        machine.pass(600.0);
        assert!(
            guess(house).abs_diff(900) < before.abs_diff(900),
            "{before} became {}",
            guess(house)
        );
    });
}
