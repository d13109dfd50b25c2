//! Two browsers that ask in one chat at the same time, over the page in memory. The other browser is a second tab whose records
//! the first one hears of late, as merged ones.

use crate::AskedElsewhere;
use reactive_graph::prelude::*;
use sash_chat::Id;
use sash_harness::{House, Machine, settle, two_tabs};
use sash_log::Key;
use sash_stores::hooks::Events;

/// Has both ask after the exchange that they have in common. Returns their questions.
fn ask_both(machine: &Machine, house: House, other: House, is_own_first: bool) -> (Id, Id) {
    let ask = |house: House, is_own: bool| {
        let question = if is_own { "Mine" } else { "Theirs" };
        house.exchange(machine, question, "Yes.").0
    };
    match is_own_first {
        true => (ask(house, true), ask(other, false)),
        false => {
            let theirs = ask(other, false);
            (ask(house, true), theirs)
        }
    }
}

/// Tells the first tab what the other one wrote; as merged records, if there are `merged`.
fn tell(machine: &Machine, house: House, other: House, merged: Option<Events<(Key, bool)>>) {
    if let Some(merged) = merged {
        let keys = other.chats.open_tree().with_untracked(|tree| {
            let all = tree.all_messages();
            all.map(|message| Key::Message(other.chat(), message.seq, message.id))
                .collect::<Vec<_>>()
        });
        for key in keys {
            merged.emit(&(key, true));
        }
    }
    machine.tell(house.tabs);
    settle();
}

#[test]
fn who_sees_anothers_question_in_the_place_of_his_own_is_told_with_a_way_to_his() {
    two_tabs(|machine, house, _, other| {
        let merged = Events::default();
        let asked = AskedElsewhere::new(house.kernel, merged);
        let (own, _) = ask_both(machine, house, other, true);
        assert_eq!(asked.hidden(), None);
        tell(machine, house, other, Some(merged));
        assert_eq!(house.texts(), ["Hi", "Hello", "Theirs", "Yes."]);
        assert_eq!(asked.hidden(), Some(own));

        asked.show_own();
        settle();
        assert_eq!(house.texts(), ["Hi", "Hello", "Mine", "Yes."]);
        assert_eq!(asked.hidden(), None);
    });
}

#[test]
fn who_goes_on_seeing_his_own_question_is_told_nothing_nor_when_he_looks_at_the_other_one() {
    two_tabs(|machine, house, _, other| {
        let merged = Events::default();
        let asked = AskedElsewhere::new(house.kernel, merged);
        let (_, theirs) = ask_both(machine, house, other, false);
        tell(machine, house, other, Some(merged));
        assert_eq!(house.texts(), ["Hi", "Hello", "Mine", "Yes."]);
        assert_eq!(asked.hidden(), None);
        house.chats.walk_to(theirs);
        settle();
        assert_eq!(house.texts(), ["Hi", "Hello", "Theirs", "Yes."]);
        assert_eq!(asked.hidden(), None);
    });
}

#[test]
fn a_question_of_another_tab_is_none_of_another_browser() {
    two_tabs(|machine, house, _, other| {
        let asked = AskedElsewhere::new(house.kernel, Events::default());
        ask_both(machine, house, other, true);
        tell(machine, house, other, None);
        assert_eq!(house.texts(), ["Hi", "Hello", "Theirs", "Yes."]);
        assert_eq!(asked.hidden(), None);
    });
}

#[test]
fn a_question_that_was_deleted_is_not_offered() {
    two_tabs(|machine, house, _, other| {
        let merged = Events::default();
        let asked = AskedElsewhere::new(house.kernel, merged);
        let (own, _) = ask_both(machine, house, other, true);
        tell(machine, house, other, Some(merged));
        assert_eq!(asked.hidden(), Some(own));
        house.chats.delete_message(own);
        settle();
        assert_eq!(asked.hidden(), None);
    });
}

#[test]
fn what_was_closed_is_not_said_again() {
    two_tabs(|machine, house, there, other| {
        let merged = Events::default();
        let asked = AskedElsewhere::new(house.kernel, merged);
        let (own, _) = ask_both(machine, house, other, true);
        tell(machine, house, other, Some(merged));
        assert_eq!(asked.hidden(), Some(own));
        asked.close();
        assert_eq!(asked.hidden(), None);
        other.exchange(there, "And then?", "Nothing.");
        tell(machine, house, other, Some(merged));
        assert_eq!(asked.hidden(), None);
    });
}
