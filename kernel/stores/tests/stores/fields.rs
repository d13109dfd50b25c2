//! Readers that a change wakes: those of the field that changed, and nobody else.

use crate::pace::{Pace, PaceSettings, PaceSettingsStoreFields};
use reactive_graph::effect::Effect;
use reactive_graph::prelude::*;
use sash_chat::{ChatSettingsStoreFields, ChatStoreFields, HeadStoreFields, Policy};
use sash_harness::{House, reactive, settle, two_tabs};
use sash_stores::SettingsStoreFields;
use std::cell::Cell;
use std::rc::Rc;

/// How often an effect that reads this runs.
fn runs(read: impl Fn() + 'static) -> Rc<Cell<u32>> {
    let runs = Rc::new(Cell::new(0));
    let counted = Rc::clone(&runs);
    Effect::new(move || {
        counted.set(counted.get() + 1);
        read();
    });
    settle();
    runs
}

#[test]
fn a_setting_wakes_its_own_readers_only() {
    reactive(|machine, house| {
        let now = house.settings.current;
        let keys = runs(move || now.no_help_key().track());
        let others = runs(move || {
            now.systems().track();
            now.policy().track();
        });
        house.settings.toggle_help_key();
        settle();
        assert_eq!((keys.get(), others.get()), (2, 1));
        // What another tab wrote is compared field by field.
        let there = machine.another_tab();
        House::new(&there).settings.toggle_help_key();
        machine.tell(house.tabs);
        settle();
        assert_eq!((keys.get(), others.get()), (3, 1));
        // The settings of a feature are read in its own store.
        let feature = house.settings.part::<PaceSettings>();
        let pace = runs(move || feature.current.pace().track());
        feature.change(|now| now.pace = Pace::Fast);
        house.settings.toggle_help_key();
        settle();
        assert_eq!((keys.get(), others.get(), pace.get()), (4, 1, 2));
    });
}

/// What a chat of thousands of messages must not do at each step of the window's edge: `path` and `forks` read these
/// two fields alone.
#[test]
fn steering_wakes_nobody_who_reads_the_messages_or_another_setting() {
    reactive(|machine, house| {
        let (question, _) = house.exchange(machine, "Hi", "Hello");
        let (chats, steering) = (house.chats, house.steering);
        let own = chats.open_settings();
        let messages = runs(move || {
            chats.open_tree().track();
            chats.open.head().at().track();
        });
        let others = runs(move || {
            _ = (chats.open_id(), chats.open_title());
            own.system().track();
            own.tools().track();
        });
        let policy = runs(move || own.policy().track());
        let pins = runs(move || own.pins().track());
        let window = runs(move || steering.window.with(|_| ()));
        let all = || [&messages, &others, &policy, &pins, &window].map(|runs| runs.get());
        steering.show_policy(Policy::Messages(1));
        settle();
        assert_eq!(all(), [1, 1, 2, 1, 2]);
        // The head is written as a whole, and compared field by field.
        steering.set_policy(Policy::Messages(1));
        steering.pin(question, true);
        settle();
        assert_eq!(all(), [1, 1, 2, 2, 3]);
        house.exchange(machine, "More?", "Enough");
        assert!(messages.get() > 1);
        assert_eq!([policy, pins].map(|runs| runs.get()), [2, 2]);
    });
}

#[test]
fn what_another_tab_steers_wakes_the_readers_of_that_setting() {
    two_tabs(|machine, house, _, other| {
        let chats = house.chats;
        let messages = runs(move || {
            chats.open_tree().track();
            chats.open.head().at().track();
        });
        let policy = runs(move || chats.open_settings().policy().track());
        let pins = runs(move || chats.open_settings().pins().track());
        other.steering.set_policy(Policy::Everything);
        machine.tell(house.tabs);
        settle();
        assert_eq!([messages, policy, pins].map(|runs| runs.get()), [1, 2, 1]);
        let now = house.chats.open_settings().policy().get_untracked();
        assert_eq!(now, Policy::Everything);
    });
}
