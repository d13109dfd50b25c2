//! The list of commands, and their keys as the person chooses them.

use crate::settings::PaletteSettings;
use crate::{Keyboard, Palette};
use reactive_graph::graph::untrack;
use reactive_graph::owner::Owner;
use reactive_graph::prelude::*;
use sash_harness::{House, Machine, reactive};
use sash_log::{Key, KeyValue, encode_record, parse_record};
use sash_stores::hooks::Command;
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

/// Some commands and the keys that they have by themselves.
const LISTED: [(&str, &str); 6] = [
    ("commands", "alt+k"),
    ("search", "ctrl+k"),
    ("panel", "alt+w"),
    ("stop", "escape"),
    ("numbers", ""),
    ("trash", ""),
];

/// Runs a test with a tab that has these commands.
fn with_commands(test: impl FnOnce(&Machine, House, Palette)) {
    reactive(|machine, house| test(machine, house, add_commands(house)));
}

/// Adds the commands to a tab. Returns its store.
fn add_commands(house: House) -> Palette {
    for (name, keys) in LISTED {
        let command = Command::new(name, || "Words of it", || {});
        house.commands.add(command.with_keys(keys));
    }
    Palette::new(house.kernel, Keyboard::Words)
}

fn keys_of<const N: usize>(house: House, names: [&str; N]) -> [String; N] {
    names.map(|name| untrack(|| house.commands.keys(name)))
}

fn command_of(palette: Palette, pressed: &str) -> Option<&'static str> {
    let command = palette.command_of(pressed);
    command.map(|command| command.name)
}

#[test]
fn keys_are_given_refused_taken_away_and_reset_and_another_tab_has_them_too() {
    with_commands(|machine, house, palette| {
        let given = |text: &str| palette.assign("trash", text);
        for (text, why) in [
            ("k", "K alone types text: hold Ctrl or Alt too."),
            ("ctrl+z", "Ctrl+Z is needed while writing."),
            ("alt+k", "Alt+K is taken: Words of it."),
        ] {
            assert_eq!(given(text), Err(why.to_owned()));
        }
        assert_eq!(keys_of(house, ["trash", "commands"]), ["", "Alt+K"]);

        assert_eq!(given("alt+t"), Ok(()));
        // Its own keys are no clash.
        assert_eq!(given("alt+t"), Ok(()));
        palette.remove("search");
        palette.remove("panel");
        // Taken away, they are free.
        assert_eq!(given("ctrl+k"), Ok(()));
        let changed = ["trash", "search", "panel"];
        assert_eq!(keys_of(house, changed), ["Ctrl+K", "", ""]);
        assert_eq!(command_of(palette, "ctrl+k"), Some("trash"));
        assert_eq!(command_of(palette, "alt+w"), None);

        let other = House::new(&machine.another_tab());
        let palette_there = add_commands(other);
        assert_eq!(keys_of(other, changed), ["Ctrl+K", "", ""]);
        palette_there.reset();
        machine.tell(house.tabs);
        assert_eq!(keys_of(house, changed), ["", "Ctrl+K", "Alt+W"]);
        assert!(untrack(|| !palette.are_changed()));
    });
}

#[test]
fn keys_that_no_command_can_be_given_are_always_the_same_and_run_nothing() {
    with_commands(|_, house, palette| {
        let changeable = palette.changeable();
        assert!(changeable.iter().all(|command| command.name != "stop"));
        assert_eq!(changeable.len(), LISTED.len() - 1);
        palette.remove("stop");
        assert_eq!(keys_of(house, ["stop"]), ["Esc"]);
        // The page ends the answer itself: Escape closes other things first.
        assert_eq!(command_of(palette, "escape"), None);
    });
}

#[test]
fn a_choice_for_a_command_of_a_later_version_survives_and_a_wrong_one_costs_itself() {
    let stored = json!({ "shortcuts": [
        { "command": "of-later", "keys": "alt+l" },
        { "command": 7 },
        { "command": "trash", "keys": "alt+t" },
    ]});
    let mut settings: PaletteSettings = serde_json::from_value(stored).unwrap();
    assert_eq!(settings.shortcuts.len(), 2);
    with_commands(|_, house, palette| {
        palette
            .settings
            .change(|now| now.shortcuts = std::mem::take(&mut settings.shortcuts));
        assert_eq!(keys_of(house, ["trash"]), ["Alt+T"]);
        palette.reset();
        assert_eq!(keys_of(house, ["trash"]), [""]);
        let kept = palette.settings.current.get_untracked();
        assert_eq!(kept.shortcuts[0].command, "of-later");
    });
}

#[test]
fn the_commands_used_last_come_first_and_the_others_stay_in_their_order() {
    with_commands(|_, _, palette| {
        for name in ["trash", "numbers", "trash", "of-later"] {
            palette.record_use(name);
        }
        let by_use = untrack(|| palette.by_use());
        let names: Vec<_> = by_use.iter().map(|command| command.name).collect();
        let expect = ["trash", "numbers", "commands", "search", "panel", "stop"];
        assert_eq!(names, expect);
    });
}

#[test]
fn a_command_is_run_by_its_name_until_the_owner_that_added_it_is_gone() {
    reactive(|_, house| {
        let runs = Rc::new(Cell::new(0));
        let owner = Owner::new();
        owner.with(|| {
            let runs = Rc::clone(&runs);
            let run = move || runs.set(runs.get() + 1);
            house.commands.add(Command::new("trash", || "Trash", run));
        });
        house.commands.run("trash");
        house.commands.run("of-later");
        owner.cleanup();
        house.commands.run("trash");
        assert_eq!(runs.get(), 1);
    });
}

/// The keys are those of the record as it has always been.
#[test]
fn what_the_person_chose_is_read_from_the_record_and_written_as_it_was() {
    with_commands(|machine, house, palette| {
        let key = Key::Settings.to_string();
        let disk = || machine.disk.store(77);
        let record = json!({
            "rev": 9,
            "upstream": "ollama",
            "policy": "everything",
            "shortcuts": [{"command": "trash", "keys": "alt+t"}, {"command": "new-chat"}],
            "recent_commands": ["trash"],
            "no_help_key": true,
        });
        disk().set(&key, &encode_record(&record)).unwrap();
        house.settings.reload();
        let now = palette.settings.current.get_untracked();
        assert_eq!((now.shortcuts.len(), now.recent_commands.len()), (2, 1));
        assert!(now.no_help_key);
        palette.settings.change(|_| {});
        let mut stored: Value = parse_record(&disk().get(&key).unwrap()).unwrap();
        stored["rev"] = json!(9);
        assert_eq!(stored, record);
    });
}
