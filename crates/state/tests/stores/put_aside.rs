//! Recall for prompts that are put aside: what is found then is what goes with them.

use crate::house::{House, reactive};
use crate::machine::Machine;
use crate::recalls::{DRAFT, sent, talk};
use reactive_graph::prelude::*;
use sash_chat::{Id, PromptDraft, RecallMode, RecallSetting};
use sash_harness::{says, settle};

fn recall_by_itself(house: House) {
    house.steering.set_recall(RecallSetting {
        mode: RecallMode::ByItself,
        ..RecallSetting::default()
    });
}

/// Writes a prompt and puts it aside at once, with what is found for it until then.
fn put_aside(house: House) -> PromptDraft {
    house.write(DRAFT);
    let prompt = house.drafts.going_prompt();
    house.drafts.put_aside();
    settle();
    prompt
}

/// Asks a prompt that was put aside. Returns what was sent.
fn ask(machine: &Machine, house: House, prompt: PromptDraft) -> String {
    machine.answer(says(&["Yes."]));
    assert!(house.answers.ask_put_aside(Id(1), prompt, None));
    machine.pass(100.0);
    sent(machine)
}

/// What goes with a prompt that was put aside.
fn known(prompt: &PromptDraft) -> Vec<Id> {
    let known = prompt.choice.known();
    known.map(|found| found.piece.message).collect()
}

/// What was found when its turn came went along, though nobody had seen it.
#[test]
fn what_is_found_after_a_prompt_was_put_aside_does_not_go_with_it() {
    reactive(|machine, house| {
        talk(machine, house);
        house.steering.set_recall(RecallSetting::default());
        let prompt = put_aside(house);
        assert!(known(&prompt).is_empty());
        recall_by_itself(house);
        assert_eq!(ask(machine, house, prompt), DRAFT);
    });
}

#[test]
fn what_is_found_when_a_prompt_is_put_aside_is_what_goes() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        // Put aside in a hurry: it is looked for at once.
        let prompt = put_aside(house);
        assert!(known(&prompt).contains(&meant));
        assert_eq!(house.steering.quotes.get_untracked(), None);
        let mut without = put_aside(house);
        assert!(known(&without).contains(&meant));
        // It is left out of one of them.
        let found = without.choice.found.as_mut().expect("what was found");
        found.retain(|found| found.piece.message != meant);
        without.choice.exclude(meant);
        // Nothing is found at its turn that was not there.
        house.steering.set_recall(RecallSetting::default());
        let prompt = ask(machine, house, prompt);
        assert!(prompt.contains("once a month"), "{prompt}");
        let without = ask(machine, house, without);
        assert!(!without.contains("once a month"), "{without}");
    });
}

#[test]
fn what_is_found_later_is_offered_and_goes_once_it_is_included() {
    reactive(|machine, house| {
        let meant = talk(machine, house);
        house.steering.set_recall(RecallSetting::default());
        let mut prompt = put_aside(house);
        assert!(known(&prompt).is_empty());
        let since = |prompt: &PromptDraft| house.rooms.recalls.found_since(prompt);
        assert!(since(&prompt).is_empty());
        recall_by_itself(house);
        let mut offers = since(&prompt).into_iter();
        let offered = offers.find(|found| found.piece.message == meant);
        let offered = offered.expect("an offer");
        assert!(!offered.words.is_empty());
        let found = prompt.choice.found.as_mut().expect("what was found");
        found.push(offered);
        let offers = since(&prompt);
        assert!(offers.iter().all(|found| found.piece.message != meant));
        // What is muted by then does not go all the same.
        let muted = put_aside(house);
        assert!(known(&muted).contains(&meant));
        let asked = ask(machine, house, prompt);
        assert!(asked.contains("once a month"), "{asked}");
        let question = house.chats.path.get_untracked()[8];
        house.steering.unrecall(question, true);
        house.steering.mute(meant, true);
        let asked = ask(machine, house, muted);
        assert!(!asked.contains("once a month"), "{asked}");
    });
}
