//! The keys of commands, as the person chooses them.

use crate::house::{House, reactive};
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_state::{Command, Shortcut, ShortcutProblem, ShortcutRefusal};
use serde_json::json;

fn keys(text: &str) -> Shortcut {
    text.parse()
        .unwrap_or_else(|_| panic!("{text} is a shortcut"))
}

fn keys_of<const N: usize>(house: House, commands: [Command; N]) -> [String; N] {
    commands.map(|command| untrack(|| house.commands.keys(command)))
}

#[test]
fn keys_are_given_refused_swapped_and_reset_and_another_tab_has_them_too() {
    reactive(|machine, house| {
        let commands = house.commands;
        let refused = |text: &str| commands.assign(Command::Trash, &keys(text));
        let browser = ShortcutProblem::Refused(ShortcutRefusal::Browser);
        assert_eq!(refused("ctrl+t"), Err(browser));
        assert_eq!(
            refused("alt+k"),
            Err(ShortcutProblem::Taken(Command::Palette))
        );
        assert_eq!(
            keys_of(house, [Command::Trash, Command::Palette]),
            ["", "Alt+K"]
        );

        assert_eq!(refused("alt+t"), Ok(()));
        // Its own keys are no clash.
        assert_eq!(refused("alt+t"), Ok(()));
        commands.swap(Command::Trash, Command::Search);
        commands.remove(Command::Panel);
        let changed = [Command::Trash, Command::Search, Command::Panel];
        assert_eq!(keys_of(house, changed), ["Ctrl+K", "Alt+T", ""]);
        assert_eq!(commands.command_of(&keys("ctrl+k")), Some(Command::Trash));
        // Taken away, they are free.
        assert_eq!(commands.assign(Command::Trash, &keys("alt+w")), Ok(()));

        let other = House::new(&machine.another_tab());
        assert_eq!(keys_of(other, changed), ["Alt+W", "Alt+T", ""]);
        other.commands.reset();
        machine.tell(house.tabs);
        assert_eq!(keys_of(house, changed), ["", "Ctrl+K", "Alt+W"]);
        assert!(untrack(|| !house.commands.are_changed()));
    });
}

#[test]
fn a_choice_for_a_command_of_a_later_version_survives_and_a_wrong_one_costs_itself() {
    let stored = json!({ "shortcuts": [
        { "command": "of-later", "keys": "alt+l" },
        { "command": 7 },
        { "command": "trash", "keys": "alt+t" },
    ]});
    let mut settings: sash_state::Settings = serde_json::from_value(stored).unwrap();
    assert_eq!(settings.shortcuts.len(), 2);
    reactive(|_, house| {
        house
            .settings
            .change(|now| now.shortcuts = std::mem::take(&mut settings.shortcuts));
        assert_eq!(keys_of(house, [Command::Trash]), ["Alt+T"]);
        house.commands.reset();
        assert_eq!(keys_of(house, [Command::Trash]), [""]);
        let kept = house.settings.current.get_untracked();
        assert_eq!(kept.shortcuts[0].command, "of-later");
    });
}

#[test]
fn the_commands_used_last_come_first() {
    reactive(|_, house| {
        for command in [Command::Trash, Command::Numbers, Command::Trash] {
            house.commands.record_use(command);
        }
        let by_use = untrack(|| house.commands.by_use());
        assert_eq!(
            by_use[..3],
            [Command::Trash, Command::Numbers, Command::NewChat]
        );
        assert_eq!(by_use.len(), Command::ALL.len());
    });
}
