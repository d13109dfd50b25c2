//! A key with its modifiers, as it is pressed, stored and shown.

use sash_words::t;
use std::fmt;
use std::str::FromStr;

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

/// A key with its modifiers. Stored as "ctrl+alt+shift+k".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shortcut {
    control: bool,
    alt: bool,
    shift: bool,
    /// A character or the browser's name of the key, in small letters.
    key: String,
}

/// Why a shortcut cannot be given to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortcutRefusal {
    /// Without Ctrl or Alt the key writes.
    NoModifier,
    /// Browsers keep it for themselves.
    Browser,
    /// It edits text or walks through the page.
    Writing,
}

/// Keys that most browsers do not let a page have, or that nobody wants to lose.
const OF_BROWSERS: &[&str] = &[
    "ctrl+t",
    "ctrl+n",
    "ctrl+w",
    "ctrl+q",
    "ctrl+r",
    "ctrl+l",
    "ctrl+d",
    "ctrl+f",
    "ctrl+h",
    "ctrl+j",
    "ctrl+u",
    "ctrl+m",
    "ctrl++",
    "ctrl+-",
    "ctrl+shift+t",
    "ctrl+shift+n",
    "ctrl+shift+w",
    "ctrl+shift+p",
    "ctrl+shift+q",
    "ctrl+shift+r",
    "ctrl+shift+i",
    "ctrl+shift+j",
    "ctrl+shift+c",
    "ctrl+shift+k",
    "alt+f4",
    "alt+d",
];
/// Keys of the fields.
const OF_WRITING: &[&str] = &[
    "ctrl+a",
    "ctrl+c",
    "ctrl+v",
    "ctrl+x",
    "ctrl+y",
    "ctrl+z",
    "ctrl+b",
    "ctrl+i",
    "ctrl+shift+v",
    "ctrl+shift+z",
];
/// Keys that move or edit, with whatever is held.
const MOVING: &[&str] = &[
    "arrowup",
    "arrowdown",
    "arrowleft",
    "arrowright",
    "home",
    "end",
    "pageup",
    "pagedown",
    "enter",
    "backspace",
    "delete",
    "tab",
    "escape",
    " ",
];
/// What the browser names where no key is pressed that could be a shortcut: modifiers, and a letter that is not complete.
const NO_KEYS: &[&str] = &[
    "",
    "control",
    "shift",
    "alt",
    "meta",
    "altgraph",
    "capslock",
    "dead",
    "process",
    "unidentified",
];

impl Shortcut {
    /// The shortcut of a key press; `None` for a modifier alone, and for what writes with AltGr.
    #[must_use]
    pub fn pressed(press: KeyPress<'_>) -> Option<Self> {
        let key = press.key.to_lowercase();
        // With Alt some keyboards write other characters, or wait for a letter.
        let is_other = press.alt && (!key.is_ascii() || key == "dead");
        let key = match of_place(press.code).filter(|_| is_other) {
            Some(place) => place.to_string(),
            None => key,
        };
        let is_key = !press.alt_graph && !NO_KEYS.contains(&&*key);
        is_key.then(|| Self::new(press.control, press.alt, press.shift, key))
    }

    fn new(control: bool, alt: bool, shift: bool, key: String) -> Self {
        // A sign says by itself whether Shift is held, which differs from keyboard to keyboard.
        let mut characters = key.chars();
        let single = characters.next().filter(|_| characters.next().is_none());
        let is_sign = single.is_some_and(|c| !c.is_alphanumeric() && c != ' ');
        Self {
            control,
            alt,
            shift: shift && !is_sign,
            key,
        }
    }

    /// Why no command can have it.
    #[must_use]
    pub fn refusal(&self) -> Option<ShortcutRefusal> {
        let written = self.to_string();
        let has_modifier = self.control || self.alt;
        let is_digit = self.key.chars().all(|c| c.is_ascii_digit());
        let is_tab = self.control && !self.alt && is_digit;
        let number = self.key.strip_prefix('f').map(str::parse::<u8>);
        let is_function = number.is_some_and(|number| number.is_ok());
        if MOVING.contains(&&*self.key) || OF_WRITING.contains(&&*written) {
            Some(ShortcutRefusal::Writing)
        } else if OF_BROWSERS.contains(&&*written) || is_tab || is_function && !has_modifier {
            Some(ShortcutRefusal::Browser)
        } else {
            (!has_modifier).then_some(ShortcutRefusal::NoModifier)
        }
    }

    /// As a person reads it: "Ctrl+Alt+Shift+K".
    #[must_use]
    pub fn words(&self) -> String {
        let key = match &*self.key {
            "escape" => t!(palette.esc).to_owned(),
            key => key.to_uppercase(),
        };
        let held = [
            (self.control, t!(palette.ctrl)),
            (self.alt, t!(palette.alt)),
            (self.shift, t!(palette.shift)),
        ];
        let held = held.into_iter().filter(|(is_held, _)| *is_held);
        let mut words: Vec<&str> = held.map(|(_, name)| name).collect();
        words.push(&key);
        words.join("+")
    }
}

/// The letter or digit that a key has at its place on most keyboards.
fn of_place(code: &str) -> Option<char> {
    let code = code.to_ascii_lowercase();
    let name = code.strip_prefix("key").or(code.strip_prefix("digit"))?;
    name.chars().next().filter(|_| name.len() == 1)
}

impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (held, name) in [
            (self.control, "ctrl"),
            (self.alt, "alt"),
            (self.shift, "shift"),
        ] {
            if held {
                write!(f, "{name}+")?;
            }
        }
        f.write_str(&self.key)
    }
}

/// A text that is no shortcut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoShortcut;

impl FromStr for Shortcut {
    type Err = NoShortcut;

    fn from_str(text: &str) -> Result<Self, NoShortcut> {
        let (mut control, mut alt, mut shift) = (false, false, false);
        let mut rest = text;
        while let Some((name, after)) = rest.split_once('+') {
            let held = match name {
                "ctrl" => &mut control,
                "alt" => &mut alt,
                "shift" => &mut shift,
                _ => break,
            };
            if std::mem::replace(held, true) {
                return Err(NoShortcut);
            }
            rest = after;
        }
        match rest.len() {
            1..=16 => Ok(Self::new(control, alt, shift, rest.to_lowercase())),
            _ => Err(NoShortcut),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Shortcut {
        text.parse().unwrap()
    }

    #[test]
    fn a_shortcut_reads_what_it_writes_and_other_texts_are_none() {
        for text in [
            "ctrl+k",
            "alt+shift+n",
            "ctrl+/",
            "ctrl+alt+shift+f2",
            "alt++",
            "?",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
        for text in ["", "ctrl+", "alt+alt+k", "ctrl+a key of no keyboard"] {
            assert_eq!(text.parse::<Shortcut>(), Err(NoShortcut), "{text}");
        }
    }

    #[test]
    fn a_person_reads_it_in_capitals() {
        for (text, expect) in [
            ("ctrl+k", "Ctrl+K"),
            ("alt+shift+f2", "Alt+Shift+F2"),
            ("escape", "Esc"),
        ] {
            assert_eq!(read(text).words(), expect);
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
            let pressed = Shortcut::pressed(press).map(|shortcut| shortcut.to_string());
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
    fn what_writes_and_what_browsers_keep_is_refused() {
        for (text, expect) in [
            ("k", Some(ShortcutRefusal::NoModifier)),
            ("shift+k", Some(ShortcutRefusal::NoModifier)),
            ("ctrl+t", Some(ShortcutRefusal::Browser)),
            ("ctrl+shift+p", Some(ShortcutRefusal::Browser)),
            ("ctrl+3", Some(ShortcutRefusal::Browser)),
            ("f5", Some(ShortcutRefusal::Browser)),
            ("ctrl+z", Some(ShortcutRefusal::Writing)),
            ("alt+arrowup", Some(ShortcutRefusal::Writing)),
            ("escape", Some(ShortcutRefusal::Writing)),
            ("ctrl+shift+enter", Some(ShortcutRefusal::Writing)),
            ("alt+k", None),
            ("ctrl+,", None),
            ("alt+f2", None),
        ] {
            assert_eq!(read(text).refusal(), expect, "{text}");
        }
    }
}
