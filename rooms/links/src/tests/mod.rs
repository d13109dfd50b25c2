//! Addresses that fill in a prompt.

use crate::FillQuery;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_harness::{House, reactive, settle};
use sash_wire::UnsentScope;

fn fill(house: House, query: &str) {
    let query = FillQuery::parse(query).unwrap_or_else(|| panic!("{query} fills something in"));
    crate::fill(house.kernel, query);
    settle();
}

/// What the engine of the open chat may have before anything is sent.
fn scope(house: House) -> UnsentScope {
    untrack(|| {
        let model = house.steering.model.get().unwrap_or_default();
        house.engine.may_send(&model)
    })
}

#[test]
fn what_an_address_fills_in_goes_nowhere_before_the_person_changes_or_sends_it() {
    reactive(|machine, house| {
        house.write("a draft here");
        let former = house.chat();
        let own = scope(house);
        assert!(own > UnsentScope::Nothing);

        fill(house, "q=Fill+in+this");
        assert_ne!(house.chat(), former);
        assert_eq!(house.drafts.written.get_untracked(), "Fill in this");
        assert_eq!(scope(house), UnsentScope::Nothing);
        let filled = house.chat();
        // In another chat the draft is the person's own.
        house.exchange(machine, "Hi", "Hello");
        assert_eq!(house.chat(), filled, "the question went into the new chat");
        house.chats.begin_chat();
        settle();
        assert_eq!(scope(house), own);

        fill(house, "q=Fill+in+another+one");
        house.write("Fill in another one now");
        assert_eq!(scope(house), own);
        // What was written before is still there.
        let kept = house.storage.with_log(|log| log.draft(former));
        assert_eq!(
            kept.map(|draft| draft.text).as_deref(),
            Some("a draft here")
        );
    });
}

/// That it was filled in was known to the page alone, so a reload made it the person's own draft.
#[test]
fn what_an_address_filled_in_is_known_as_such_after_a_reload_in_another_tab_and_in_another_chat() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let first = house.chat();
        let own = scope(house);
        fill(house, "q=Fill+in+this");
        let filled = house.chat();
        machine.pass(2_000.0);
        house.chats.open_chat(first);
        settle();
        assert_eq!(scope(house), own);
        // A new chat is the one that was begun.
        house.chats.begin_chat();
        settle();
        assert_eq!(house.chat(), filled);
        assert_eq!(house.drafts.written.get_untracked(), "Fill in this");
        assert_eq!(scope(house), UnsentScope::Nothing, "opened again");
        let reloaded = House::reopened(machine, Some(filled));
        assert_eq!(reloaded.drafts.written.get_untracked(), "Fill in this");
        assert_eq!(scope(reloaded), UnsentScope::Nothing, "after a reload");
        house.write("Fill in this now");
        assert_eq!(scope(house), own);
        // What the person changed is theirs, even if they changed it back.
        house.write("Fill in this");
        machine.pass(2_000.0);
        assert_eq!(scope(House::reopened(machine, Some(filled))), own);
    });
}

#[test]
fn a_draft_that_was_filled_in_reaches_no_engine_in_another_tab_either() {
    reactive(|machine, house| {
        fill(house, "q=Fill+in+this");
        machine.pass(2_000.0);
        let there = machine.another_tab();
        let other = House::reopened(&there, Some(house.chat()));
        assert_eq!(other.drafts.written.get_untracked(), "Fill in this");
        assert_eq!(scope(other), UnsentScope::Nothing);
        house.write("Fill in this, changed");
        machine.pass(2_000.0);
        there.tell(other.tabs);
        settle();
        assert_eq!(
            other.drafts.written.get_untracked(),
            "Fill in this, changed"
        );
        assert!(scope(other) > UnsentScope::Nothing);
    });
}

#[test]
fn a_model_is_given_to_the_new_chat_alone_and_one_that_is_unknown_is_said() {
    reactive(|_, house| {
        let chosen = || untrack(|| house.steering.model.get()).map(|model| model.name);
        let before = chosen();
        fill(house, "model=nowhere&q=Hello");
        assert!(
            house
                .toast()
                .is_some_and(|toast| toast.contains("“nowhere”")),
            "{:?}",
            house.toast()
        );
        assert_eq!(chosen(), before);
        assert_eq!(house.drafts.written.get_untracked(), "Hello");

        let other = house
            .engine
            .models
            .with_untracked(|models| models.last().cloned());
        let other = other.map(|model| model.name).unwrap_or_default();
        let settings = house.settings.current.get_untracked();
        fill(house, &format!("model={other}"));
        assert_eq!(chosen().as_deref(), Some(&*other));
        assert_eq!(house.settings.current.get_untracked().model, settings.model);
    });
}

#[test]
fn a_prompt_that_is_too_long_changes_nothing() {
    reactive(|_, house| {
        house.write("a draft");
        let chat = house.chat();
        fill(house, &format!("model=tiny&q={}", "x".repeat(9_000)));
        assert!(house.toast().is_some_and(|toast| toast.contains("9,000")));
        assert_eq!(
            (house.chat(), &*house.drafts.written.get_untracked()),
            (chat, "a draft")
        );
    });
}

/// The mark was that of the text after the files, and was lost with the first write.
#[test]
fn a_filled_in_prompt_with_a_file_keeps_its_mark() {
    reactive(|machine, house| {
        let file = "q=[File:+a]%0A```%0Ax%0A```%0A%0Ahello";
        fill(house, file);
        machine.pass(2_000.0);
        assert!(house.drafts.draft.get_untracked().contains("hello"));
        assert_eq!(scope(house), UnsentScope::Nothing);
        house.answers.write_everything();
        assert_eq!(scope(house), UnsentScope::Nothing);
        let reloaded = House::reopened(machine, Some(house.chat()));
        assert_eq!(scope(reloaded), UnsentScope::Nothing);
    });
}
