//! The settings for all chats.

use crate::pace::{Pace, PaceSettings, PaceSettingsStoreFields};
use any_spawner::Executor;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Folder, Id, Policy};
use sash_harness::{House, Machine, reactive, settle, text};
use sash_log::{Key, KeyValue, encode_record, parse_record};
use sash_stores::SystemPromptUse;
use sash_wire::Upstream;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

#[test]
fn what_two_tabs_choose_one_after_the_other_is_all_kept() {
    reactive(|machine, house| {
        let there = machine.another_tab();
        let other = House::new(&there);
        other.settings.change(|settings| settings.no_offers = true);
        machine.tell(house.tabs);
        house
            .settings
            .change(|settings| settings.window_explained = true);
        there.tell(other.tabs);
        for tab in [house, other, House::new(&machine.another_tab())] {
            let now = tab.settings.current.get_untracked();
            assert!(now.no_offers && now.window_explained, "{now:?}");
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
            .change(|settings| settings.window_explained = true);
        house.chats.choose_model("tiny:latest");
        house.steering.raise_context(8_192);
        let stored = House::new(&machine.another_tab());
        machine.tell(house.tabs);
        there.tell(other.tabs);
        for tab in [house, other, stored] {
            let now = tab.settings.current.get_untracked();
            assert!(now.no_offers && now.window_explained, "{now:?}");
            assert_eq!(now.recent_models, ["tiny:latest", "large:latest"]);
            let context = |model| untrack(|| tab.settings.context_of(model));
            assert_eq!(context("large:latest"), Some(4_096));
            assert_eq!(context("tiny:latest"), Some(8_192));
        }
    });
}

#[test]
fn the_keys_of_a_feature_and_those_that_nobody_knows_stay_in_the_record() {
    reactive(|machine, house| {
        let key = Key::Settings.to_string();
        let record = |value| machine.disk.store(77).set(&key, &encode_record(&value));
        record(json!({"rev": 9, "pace": "slow", "mood": {"is": "good"}})).unwrap();
        house.settings.reload();
        let feature = house.settings.part::<PaceSettings>();
        let pace = || feature.current.pace().get_untracked();
        assert_eq!(pace(), Pace::Slow);
        // A change by the page, and one by the feature.
        house.settings.toggle_offers();
        feature.change(|now| now.pace = Pace::Double);
        let stored = || machine.disk.store(77).get(&key).unwrap();
        let value: Value = parse_record(&stored()).unwrap();
        assert_eq!(value["pace"], "double");
        assert_eq!(value["mood"], json!({"is": "good"}));
        assert_eq!(value["no_offers"], true);
        // Another tab, and a value that is the default.
        let there = machine.another_tab();
        let other = House::new(&there).settings.part::<PaceSettings>();
        other.change(|now| now.pace = Pace::Normal);
        assert!(!stored().contains("pace"), "{}", stored());
        machine.tell(house.tabs);
        assert_eq!(pace(), Pace::Normal);
        // A value of a later version counts as the default and stays until another one is chosen.
        record(json!({"pace": "whispering"})).unwrap();
        house.settings.reload();
        assert_eq!(pace(), Pace::Normal);
        house.settings.toggle_offers();
        assert!(stored().contains("whispering"), "{}", stored());
    });
}

#[test]
fn another_server_chosen_elsewhere_is_looked_for_though_a_change_here_read_it_first() {
    reactive(|machine, house| {
        let other = House::new(&machine.another_tab());
        other.engine.use_upstream(Upstream::Demo);
        settle();
        machine.looks.borrow_mut().clear();
        house.settings.toggle_offers();
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
        house
            .settings
            .change(|settings| settings.window_explained = true);
        let now = House::new(machine).settings.current.get_untracked();
        assert!(now.no_offers && now.window_explained, "{now:?}");
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

/// Reads how many chats have a prompt of their own, of their folder, and none.
fn prompt_use(machine: &Machine, house: House) -> SystemPromptUse {
    let found: Rc<RefCell<SystemPromptUse>> = Rc::default();
    let done = found.clone();
    Executor::spawn_local(async move {
        let read = house.chats.system_prompt_use().await;
        done.replace(read);
    });
    machine.pass(100.0);
    found.take()
}

/// The system prompt that the log has of a chat.
fn stored_system(house: House, chat: Id) -> Option<String> {
    let head = house.storage.with_log(|log| log.head(chat)).flatten()?;
    Some(head.system_prompt()?.text.to_owned())
}

#[test]
fn the_system_prompt_of_new_chats_is_given_to_all_that_have_none_and_taken_back() {
    reactive(|machine, house| {
        let [plain, own, of_folder, archived] = ["one", "two", "three", "four"].map(|title| {
            house.chats.begin_chat();
            house.exchange(machine, title, "Yes.");
            house.chat()
        });
        house.chats.open_chat(own);
        house.steering.set_system("Be kind.");
        let folder = Folder {
            system: Some("Be formal.".into()),
            ..Folder::new(Id(77), "Work", 0)
        };
        house.storage.write(|log| log.save_folder(&folder));
        house.chats.refresh_folders();
        let chats = house.chats;
        chats.change_head(of_folder, |head| head.folder = Some(folder.id));
        chats.change_head(archived, |head| head.archived = Some(1));
        house.chats.open_chat(plain);
        let found = prompt_use(machine, house);
        assert_eq!((found.own, found.of_folder), (1, 1));
        assert_eq!(found.without.len(), 2);

        house.chats.begin_with_system("Be brief.");
        assert_eq!(stored_system(house, plain), None, "only on request");
        machine.hold_open(vec![text("Half")]);
        assert!(house.answers.ask("Long".to_owned()));
        machine.pass(100.0);
        house.chats.use_system_in(found.without);
        assert_eq!(
            house.toast().as_deref(),
            Some("System prompt used in 2 chats")
        );
        let offered = house.offered();
        // A running answer goes on as it began, and its receipt says so.
        assert!(house.answers.runs_in(plain));
        house.answers.stop(plain);
        machine.pass(100.0);
        let systems = [plain, own, of_folder, archived].map(|chat| stored_system(house, chat));
        let systems = systems.map(Option::unwrap_or_default);
        assert_eq!(
            systems,
            ["Be brief.", "Be kind.", "Be formal.", "Be brief."]
        );
        let last = house.chats.path.get_untracked().last().copied();
        let receipt = house
            .chats
            .with_message(last.unwrap(), |m| m.receipt.clone());
        assert_eq!(receipt.flatten().and_then(|receipt| receipt.system), None);
        house.exchange(machine, "Next", "Yes.");
        let sent = machine.requests.borrow().last().cloned().unwrap();
        assert_eq!(sent.messages()[0].content, "Be brief.");

        // One that was changed since keeps what it has.
        house.chats.open_chat(archived);
        house.steering.set_system("Be long.");
        house.history.undo(offered, false);
        assert_eq!(stored_system(house, plain), None);
        assert_eq!(stored_system(house, archived).as_deref(), Some("Be long."));
        assert!(
            prompt_use(machine, House::new(machine))
                .without
                .contains(&plain)
        );
    });
}

/// Holds `Chats::use_system_in`: each chat is looked up when its slice comes.
#[test]
fn a_chat_that_is_deleted_or_gets_a_prompt_between_slices_is_not_given_the_one_of_new_chats() {
    reactive(|machine, house| {
        let chats = house.begin_chats(machine, 60);
        house.settings.change(|now| now.system = "Be brief.".into());
        house.chats.use_system_in(chats.clone());
        settle();
        let [first, .., own, deleted] = chats[..] else {
            panic!("sixty chats");
        };
        assert_eq!(stored_system(house, first).as_deref(), Some("Be brief."));
        assert_eq!(stored_system(house, own), None, "the next slice waits");
        house.answers.delete_chat(deleted);
        house.chats.open_chat(own);
        house.steering.set_system("Be kind.");
        machine.pass(1_000.0);
        assert_eq!(
            house.toast().as_deref(),
            Some("System prompt used in 58 chats")
        );
        assert_eq!(stored_system(house, own).as_deref(), Some("Be kind."));
        assert_eq!(stored_system(house, deleted), None);
    });
}

/// The first screen is a chat already: what was written in the settings applied to the second one.
#[test]
fn the_system_prompt_of_new_chats_is_that_of_an_empty_open_chat_too() {
    reactive(|machine, house| {
        for text in ["B", "Be", "Be brief."] {
            house.chats.begin_with_system(text);
        }
        house.exchange(machine, "Hi", "Yes.");
        let sent = machine.requests.borrow().last().cloned().unwrap();
        assert_eq!(sent.messages()[0].content, "Be brief.");
        let systems = house
            .chats
            .open
            .with_untracked(|chat| chat.head.systems.clone());
        assert_eq!(systems, ["Be brief."], "and no text that was half written");
        // A prompt of its own stays.
        house.chats.begin_chat();
        house.steering.set_system("Be kind.");
        house.chats.begin_with_system("Be formal.");
        let system = house.chats.open.with_untracked(|chat| {
            chat.head
                .system_prompt()
                .map(|system| system.text.to_owned())
        });
        assert_eq!(system.as_deref(), Some("Be kind."));
    });
}

/// The undo brought back the place of a prompt, at which there was another one.
#[test]
fn an_undo_brings_back_the_system_prompt_of_an_empty_chat_after_that_of_new_chats_was_written() {
    reactive(|_, house| {
        house.steering.set_system("Be kind.");
        house.steering.set_system("");
        for text in ["B", "Be", "Be formal."] {
            house.chats.begin_with_system(text);
        }
        let systems = || {
            let head = house.chats.open.with_untracked(|chat| chat.head.clone());
            let now = head.system_prompt().map(|system| system.text.to_owned());
            (now, head.systems)
        };
        let both = ["Be kind.".to_owned(), "Be formal.".to_owned()];
        assert_eq!(systems(), (Some(both[1].clone()), both.to_vec()));
        assert!(house.chats.undo_last());
        assert_eq!(systems().0.as_ref(), Some(&both[0]));
    });
}
