//! Who is woken by a change: the readers of the field that changed, and nobody else.

use crate::house::{House, reactive, two_tabs};
use crate::machine::settle;
use reactive_graph::effect::Effect;
use reactive_graph::prelude::*;
use sash_chat::{ChatSettingsStoreFields, ChatStoreFields, HeadStoreFields, Policy};
use sash_records::backup::{FormerValue, add_former_values, former_values};
use sash_state::{
    SettingsStoreFields, SpeechRate, SpeechSettingsStoreFields, forget_former_values,
    use_former_value,
};
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
        let speech = house.read_aloud.settings;
        let rate = runs(move || speech.current.speech_rate().track());
        speech.change(|speech| speech.speech_rate = SpeechRate::Fast);
        house.settings.toggle_help_key();
        settle();
        assert_eq!((keys.get(), others.get(), rate.get()), (4, 1, 2));
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
        let window = runs(move || steering.window.track());
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

/// Undo once left the value that had been brought back, or lost both.
#[test]
fn undo_gives_back_the_values_of_another_browser() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let chat = house.chat();
        let former = |field: &str, value: &str| FormerValue {
            field: field.to_owned(),
            value: Some(value.into()),
            at: 5,
        };
        let all = [former("title", "Theirs"), former("system", "Obey.")];
        let kept = all.clone();
        house.chats.change_head(chat, |head| {
            head.title = Some("Mine".to_owned());
            head.set_system("Be brief.");
            add_former_values(head, kept);
        });
        house.chats.refresh_list();
        let head = || house.chats.open.with_untracked(|chat| chat.head.clone());
        let is_as_before = || {
            let now = head();
            let system = now.system_at(now.settings.system);
            assert_eq!((now.title(), system), (Some("Mine"), Some("Be brief.")));
            assert_eq!(former_values(&now.others), all);
            assert_eq!(house.titles(), ["Mine"]);
        };
        for value in &all {
            use_former_value(house.steering, house.chats, value, 9);
            assert_ne!(former_values(&head().others), all);
            assert!(house.chats.undo_last());
            is_as_before();
        }
        forget_former_values(house.steering);
        assert!(house.chats.undo_last());
        is_as_before();
    });
}
