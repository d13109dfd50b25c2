//! A key with its modifiers, as it is pressed, shown and stored: "ctrl+alt+shift+k". The key is a character or the browser's
//! name of it, in small letters.

use sash_words::t;

/// What the browser names where no key is pressed that could be a shortcut: modifiers, and a letter that is not complete.
const NO_KEYS: &str = "control shift alt meta altgraph capslock dead process unidentified";
/// Keys that move or edit, with whatever is held.
const MOVING: &str = "arrowup arrowdown arrowleft arrowright home end pageup pagedown enter backspace delete tab escape";
/// Keys of the fields.
const EDITING: &str =
    "ctrl+a ctrl+b ctrl+c ctrl+i ctrl+v ctrl+x ctrl+y ctrl+z ctrl+shift+v ctrl+shift+z";

fn has(list: &str, key: &str) -> bool {
    list.split(' ').any(|entry| entry == key)
}

/// A key press, as the browser reports it.
#[derive(Clone, Copy, Debug, Default)]
pub struct KeyPress<'a> {
    /// What the key writes, or its name.
    pub key: &'a str,
    /// Its place on the keyboard.
    pub code: &'a str,
    /// Whether Ctrl or Cmd is held.
    pub control: bool,
    /// Whether Alt is held.
    pub alt: bool,
    /// Whether Shift is held.
    pub shift: bool,
    /// Whether AltGr is held, which writes characters.
    pub alt_graph: bool,
}

impl KeyPress<'_> {
    /// The shortcut; `None` for a modifier alone, a letter that is not complete, and what writes with AltGr.
    #[must_use]
    pub fn shortcut(self) -> Option<String> {
        let mut key = self.key.to_lowercase();
        // With Alt some keyboards write other characters, or wait for a letter.
        if self.alt && (!key.is_ascii() || key == "dead") {
            key = letter_at(self.code).unwrap_or(key);
        }
        if self.alt_graph || key.is_empty() || has(NO_KEYS, &key) {
            return None;
        }
        // A sign says by itself whether Shift is held, which differs from keyboard to keyboard.
        let is_sign =
            is_character(&key) && !key.contains(|c: char| c.is_alphanumeric() || c == ' ');
        let held = [
            (self.control, "ctrl+"),
            (self.alt, "alt+"),
            (self.shift && !is_sign, "shift+"),
        ];
        let held = held.iter().filter(|(is_held, _)| *is_held);
        Some(held.map(|(_, name)| *name).chain([&*key]).collect())
    }
}

/// The letter or digit that a key has at its place on most keyboards.
fn letter_at(code: &str) -> Option<String> {
    let name = code.strip_prefix("Key").or(code.strip_prefix("Digit"))?;
    is_character(name).then(|| name.to_lowercase())
}

fn is_character(key: &str) -> bool {
    key.chars().count() == 1
}

/// What is written on the keys that are held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyboard {
    /// Ctrl, Alt and Shift.
    Words,
    /// The signs of Apple.
    Apple,
}

impl Keyboard {
    /// The names of Ctrl (or Cmd), Alt and Shift.
    pub(crate) fn names(self) -> [&'static str; 3] {
        match self {
            Self::Words => [t!(palette.ctrl), t!(palette.alt), t!(palette.shift)],
            Self::Apple => ["⌘", "⌥", "⇧"],
        }
    }
}

/// A shortcut as a person reads it: "Ctrl+Alt+Shift+K".
#[must_use]
pub fn shortcut_words(shortcut: &str, keyboard: Keyboard) -> String {
    let (mut words, mut key) = (String::new(), shortcut);
    for (held, name) in ["ctrl+", "alt+", "shift+"]
        .into_iter()
        .zip(keyboard.names())
    {
        if let Some(rest) = key.strip_prefix(held) {
            words = words + name + "+";
            key = rest;
        }
    }
    match key {
        "escape" => words + t!(palette.esc),
        key => words + &key.to_uppercase(),
    }
}

/// Whether a key may write: it is pressed without Ctrl and Alt, and is no function key. Some keys of a script write several
/// characters, so the name of a key does not tell.
pub fn types_text(shortcut: &str) -> bool {
    let key = shortcut.trim_start_matches("shift+");
    let is_held = shortcut.starts_with("ctrl+") || shortcut.starts_with("alt+");
    let number = key.strip_prefix('f').map(str::parse::<u8>);
    let is_function = number.is_some_and(|number| number.is_ok());
    !key.is_empty() && !is_held && !is_function && !edits_text(shortcut)
}

/// Whether a key edits text, or moves through the page.
pub fn edits_text(shortcut: &str) -> bool {
    let key = shortcut.rsplit('+').next().unwrap_or_default();
    key == " " || has(MOVING, key) || has(EDITING, shortcut)
}

/// Whether no command can be given a shortcut.
pub fn is_reserved(shortcut: &str) -> bool {
    types_text(shortcut) || edits_text(shortcut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_it_in_capitals_with_what_is_written_on_the_keys() {
        for (text, words, signs) in [
            ("ctrl+k", "Ctrl+K", "⌘+K"),
            ("alt+shift+f2", "Alt+Shift+F2", "⌥+⇧+F2"),
            ("escape", "Esc", "Esc"),
            ("alt++", "Alt++", "⌥++"),
        ] {
            assert_eq!(shortcut_words(text, Keyboard::Words), words);
            assert_eq!(shortcut_words(text, Keyboard::Apple), signs);
        }
    }

    #[test]
    fn a_key_press_is_the_same_on_every_keyboard() {
        let base = KeyPress {
            key: "k",
            code: "KeyK",
            ..KeyPress::default()
        };
        let check = |press: KeyPress<'_>, expect: &str| {
            let pressed = press.shortcut();
            assert_eq!(
                pressed.as_deref(),
                Some(expect).filter(|text| !text.is_empty()),
                "{press:?}"
            );
        };
        check(
            KeyPress {
                control: true,
                ..base
            },
            "ctrl+k",
        );
        // Caps Lock.
        check(
            KeyPress {
                control: true,
                key: "K",
                ..base
            },
            "ctrl+k",
        );
        // Alt on a Mac, and a key that waits for its letter there.
        check(
            KeyPress {
                alt: true,
                key: "˚",
                ..base
            },
            "alt+k",
        );
        check(
            KeyPress {
                alt: true,
                key: "Dead",
                code: "KeyN",
                ..base
            },
            "alt+n",
        );
        // Where the place has another letter, the letter counts.
        check(
            KeyPress {
                alt: true,
                key: "z",
                code: "KeyY",
                ..base
            },
            "alt+z",
        );
        // The slash needs Shift on some keyboards.
        check(
            KeyPress {
                control: true,
                shift: true,
                key: "/",
                code: "Digit7",
                ..base
            },
            "ctrl+/",
        );
        check(
            KeyPress {
                alt: true,
                shift: true,
                key: "N",
                code: "KeyN",
                ..base
            },
            "alt+shift+n",
        );
        // What writes, or is not finished.
        check(
            KeyPress {
                control: true,
                alt: true,
                alt_graph: true,
                key: "@",
                code: "KeyQ",
                ..base
            },
            "",
        );
        check(
            KeyPress {
                alt: true,
                key: "Alt",
                code: "AltLeft",
                ..base
            },
            "",
        );
    }

    #[test]
    fn what_writes_edits_or_moves_is_given_to_no_command() {
        for text in [
            "k",
            "shift+k",
            "?",
            "+",
            "insert",
            "shift+insert",
            "numlock",
            "contextmenu",
            "audiovolumemute",
            "لا",
            "f",
            "fn",
        ] {
            assert!(types_text(text) && !edits_text(text), "{text}");
        }
        for text in ["ctrl+z", "alt+arrowup", "escape", "ctrl+shift+enter"] {
            assert!(edits_text(text) && !types_text(text), "{text}");
        }
        for text in [
            "",
            "alt+k",
            "ctrl+,",
            "alt+f2",
            "f2",
            "shift+f12",
            "ctrl+alt+z",
            "alt++",
        ] {
            assert!(!is_reserved(text), "{text}");
        }
    }
}
