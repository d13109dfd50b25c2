//! Who is woken by a change: the readers of the field that changed, and nobody else.

use crate::house::{House, reactive};
use crate::machine::settle;
use reactive_graph::effect::Effect;
use reactive_graph::prelude::*;
use sash_state::SettingsStoreFields;
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
    });
}
