//! The settings for all chats.

use crate::house::{House, reactive};
use crate::machine::settle;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::Policy;
use sash_wire::Upstream;
use serde_json::json;

#[test]
fn what_two_tabs_choose_one_after_the_other_is_all_kept() {
    reactive(|machine, house| {
        let there = machine.another_tab();
        let other = House::new(&there);
        other.settings.change(|settings| settings.no_offers = true);
        machine.tell(house.tabs);
        house
            .settings
            .change(|settings| settings.no_help_key = true);
        there.tell(other.tabs);
        for tab in [house, other, House::new(&machine.another_tab())] {
            let now = tab.settings.current.get_untracked();
            assert!(now.no_offers && now.no_help_key, "{now:?}");
        }
    });
}

#[test]
fn what_two_tabs_choose_before_they_hear_of_each_other_is_all_kept() {
    reactive(|machine, house| {
        let there = machine.another_tab();
        let other = House::new(&there);
        other.settings.change(|settings| settings.no_offers = true);
        other.chats.choose_model("large:latest");
        other.steering.raise_context(4_096);
        house
            .settings
            .change(|settings| settings.no_help_key = true);
        house.chats.choose_model("tiny:latest");
        house.steering.raise_context(8_192);
        let stored = House::new(&machine.another_tab());
        machine.tell(house.tabs);
        there.tell(other.tabs);
        for tab in [house, other, stored] {
            let now = tab.settings.current.get_untracked();
            assert!(now.no_offers && now.no_help_key, "{now:?}");
            assert_eq!(now.recent_models, ["tiny:latest", "large:latest"]);
            let context = |model| untrack(|| tab.settings.context_of(model));
            assert_eq!(context("large:latest"), Some(4_096));
            assert_eq!(context("tiny:latest"), Some(8_192));
        }
    });
}

#[test]
fn another_server_chosen_elsewhere_is_looked_for_though_a_change_here_read_it_first() {
    reactive(|machine, house| {
        let other = House::new(&machine.another_tab());
        other.engine.use_upstream(Upstream::Demo);
        settle();
        machine.looks.borrow_mut().clear();
        house.settings.toggle_help_key();
        settle();
        machine.tell(house.tabs);
        assert_eq!(machine.looks.borrow()[0].1.upstream, Upstream::Demo);
        assert!(house.engine.is_demo());
    });
}

#[test]
fn a_change_after_the_log_was_cleared_keeps_the_other_settings() {
    reactive(|machine, house| {
        house.settings.change(|settings| settings.no_offers = true);
        machine.disk.clear();
        house.tabs.on_storage_event(None, false);
        house.settings.toggle_help_key();
        let now = House::new(machine).settings.current.get_untracked();
        assert!(now.no_offers && now.no_help_key, "{now:?}");
    });
}

#[test]
fn another_server_chosen_in_another_tab_is_looked_for_here() {
    reactive(|machine, house| {
        let other = House::new(&machine.another_tab());
        other.engine.use_upstream(Upstream::Demo);
        settle();
        assert!(!house.engine.is_demo());
        machine.looks.borrow_mut().clear();
        machine.tell(house.tabs);
        assert_eq!(machine.looks.borrow()[0].1.upstream, Upstream::Demo);
        assert!(house.engine.is_demo());
    });
}

#[test]
fn a_new_chat_begins_with_what_was_chosen_last() {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        house.chats.choose_model("large:latest");
        house
            .settings
            .change(|settings| settings.system = "Be brief.".to_owned());
        house.chats.begin_chat();
        house.chats.begin_with(Policy::Everything);
        let head = house.chats.open.with_untracked(|chat| chat.head.clone());
        assert_eq!(head.model.as_deref(), Some("large:latest"));
        assert_eq!(head.system_at(head.settings.system), Some("Be brief."));
        assert_eq!(
            house.chats.new_chat().head.settings.policy,
            Policy::Everything
        );
    });
}

#[test]
fn a_setting_that_cannot_be_read_costs_itself_and_not_the_others() {
    reactive(|machine, house| {
        let damaged = json!({
            "model": 3,
            "upstream": "the moon",
            "systems": [7, {"name": "Short", "text": "Be brief."}],
            "no_offers": true,
        });
        house.storage.write(|log| log.save_settings(&damaged));
        let now = House::new(machine).settings.current.get_untracked();
        assert_eq!(now.model, None);
        assert_eq!(now.upstream, Upstream::default());
        assert_eq!(now.systems.len(), 1);
        assert!(now.no_offers);
    });
}

#[test]
fn a_default_model_is_for_new_chats_and_the_open_one_while_it_is_empty() {
    reactive(|machine, house| {
        let model = || {
            let open = house.chats.open;
            open.with_untracked(|chat| chat.head.model.clone())
        };
        house
            .chats
            .begin_with_model(Some("small:latest".to_owned()));
        assert_eq!(model().as_deref(), Some("small:latest"));
        house.exchange(machine, "Hi", "Hello");
        house
            .chats
            .begin_with_model(Some("large:latest".to_owned()));
        assert_eq!(model().as_deref(), Some("small:latest"));
        // A choice in a chat does not change the default.
        house.chats.choose_model("other:latest");
        house.chats.begin_chat();
        assert_eq!(model().as_deref(), Some("large:latest"));
        house.chats.begin_with_model(None);
        assert_eq!(model().as_deref(), Some("other:latest"));
    });
}

#[test]
fn the_model_that_was_used_last_is_the_first_to_choose_from() {
    reactive(|machine, house| {
        let recent = || {
            let settings = house.settings.current;
            settings.with_untracked(|settings| settings.recent_models.clone())
        };
        house.chats.choose_model("small:latest");
        let first = house.chat();
        house.exchange(machine, "Hi", "Hello");
        house.chats.begin_chat();
        house.chats.choose_model("large:latest");
        assert_eq!(recent(), ["large:latest", "small:latest"]);
        // The first chat still has its own model.
        house.chats.open_chat(first);
        house.exchange(machine, "And?", "So.");
        assert_eq!(recent(), ["small:latest", "large:latest"]);
    });
}
