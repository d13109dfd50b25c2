//! The exact tokens of the next request: asked for at rests of typing, shown as long as the request is the same, and
//! never asked again of an engine that does not count.

use crate::house::{House, reactive};
use crate::machine::Machine;
use reactive_graph::prelude::*;
use sash_chat::Policy;
use sash_harness::{settle, small_image};
use sash_wire::{
    CountedPrompt, DraftMark, EngineAction, EngineInfo, EngineKind, EngineReach, Fault,
};

/// One engine that may count, whose only model is chosen.
fn counting(machine: &Machine, house: House, tokens: Option<u64>) {
    counting_at(EngineReach::Local, machine, house, tokens);
}

fn counting_at(reach: EngineReach, machine: &Machine, house: House, tokens: Option<u64>) {
    *machine.engines.borrow_mut() = vec![EngineInfo {
        name: "llama".to_owned(),
        kind: EngineKind::OpenAi,
        can: vec![EngineAction::Count],
        reach,
        ..EngineInfo::default()
    }];
    *machine.tokens.borrow_mut() = Some(Ok(CountedPrompt { tokens }));
    house.engine.refresh();
    settle();
}

fn exact(house: House) -> Option<u64> {
    house.steering.exact_tokens.get_untracked()
}

fn counts(machine: &Machine) -> Vec<String> {
    let counted = machine.counted.borrow();
    counted
        .iter()
        .map(|request| request.prompt.clone())
        .collect()
}

#[test]
fn a_rest_of_typing_brings_the_exact_tokens_and_the_next_key_makes_them_an_estimate_again() {
    reactive(|machine, house| {
        counting(machine, house, Some(777));
        house.write("Which wine");
        machine.pass(400.0);
        house.write("Which wine?");
        machine.pass(400.0);
        assert_eq!(counts(machine), Vec::<String>::new(), "no rest yet");
        machine.pass(200.0);
        assert_eq!(counts(machine), ["Which wine?"]);
        assert_eq!(exact(house), Some(777));
        assert_eq!(house.steering.fit.get_untracked().1, 777);
        house.write("Which wine? Red");
        assert_eq!(exact(house), None);
        assert_ne!(house.steering.fit.get_untracked().1, 777);
        house.write("Which wine?");
        machine.pass(600.0);
        assert_eq!(exact(house), Some(777), "the same request again");
        assert_eq!(counts(machine).len(), 1, "and it was not counted twice");
        house.steering.set_policy(Policy::Messages(1));
        settle();
        assert_eq!(exact(house), None, "another rule is another request");
    });
}

#[test]
fn a_count_that_comes_after_another_key_is_dropped() {
    reactive(|machine, house| {
        counting(machine, house, Some(777));
        let send = machine.slow_count();
        house.write("Which wine?");
        machine.pass(600.0);
        assert_eq!(counts(machine).len(), 1);
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
    reactive(|machine, house| {
        counting(machine, house, None);
        *machine.tokens.borrow_mut() = None;
        for draft in ["one", "two", "three"] {
            house.write(draft);
            machine.pass(600.0);
        }
        assert_eq!(counts(machine), ["one"]);
    });
}

#[test]
fn an_engine_that_does_not_count_images_is_sent_one_request_with_images() {
    reactive(|machine, house| {
        counting(machine, house, None);
        let image = small_image();
        machine.images.borrow_mut().insert(image.hash, (vec![1], 1));
        house.drafts.images.set(vec![image]);
        for draft in ["one", "two"] {
            house.write(draft);
            machine.pass(600.0);
        }
        assert_eq!(counts(machine), ["one"]);
        house.drafts.images.set(Vec::new());
        *machine.tokens.borrow_mut() = Some(Ok(CountedPrompt { tokens: Some(9) }));
        house.write("three");
        machine.pass(600.0);
        assert_eq!(
            (counts(machine).len(), exact(house)),
            (2, Some(9)),
            "without images it counts"
        );
    });
}

#[test]
fn a_failure_is_no_refusal_and_an_empty_draft_is_not_counted() {
    reactive(|machine, house| {
        counting(machine, house, None);
        machine.pass(2000.0);
        house.write("  ");
        machine.pass(2000.0);
        assert_eq!(counts(machine), Vec::<String>::new());
        *machine.tokens.borrow_mut() = Some(Err(Fault::ConnectionLost));
        house.write("one");
        machine.pass(600.0);
        *machine.tokens.borrow_mut() = Some(Ok(CountedPrompt { tokens: Some(9) }));
        house.write("two");
        machine.pass(600.0);
        assert_eq!(counts(machine), ["one", "two"]);
        assert_eq!(exact(house), Some(9));
    });
}

#[test]
fn an_engine_of_which_nothing_says_that_it_counts_is_never_asked() {
    reactive(|machine, house| {
        house.write("one");
        machine.pass(2000.0);
        assert_eq!(counts(machine), Vec::<String>::new());
    });
}

#[test]
fn a_draft_is_counted_elsewhere_only_if_the_person_lets_that_engine_have_drafts() {
    reactive(|machine, house| {
        counting_at(EngineReach::Unknown, machine, house, Some(9));
        house.write("one");
        machine.pass(2000.0);
        assert_eq!(counts(machine), Vec::<String>::new());
        house.answer_drafts("llama", true);
        house.write("two");
        machine.pass(600.0);
        assert_eq!(counts(machine), ["two"]);
        assert_eq!(machine.counted.borrow()[0].draft, Some(DraftMark::Allowed));
    });
}

#[test]
fn the_estimate_learns_from_what_is_counted() {
    reactive(|machine, house| {
        counting(machine, house, Some(1000));
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
            guess(house).abs_diff(1000) < before.abs_diff(1000),
            "{before} became {}",
            guess(house)
        );
    });
}
