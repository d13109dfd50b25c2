//! Texts that the page itself puts into a field.
//!
//! A browser undoes what was typed, and forgets all of it once a program sets the value of the field. It undoes a text
//! that is inserted as an edit, which only `execCommand` does. It is marked as obsolete, and nothing has its place:
//! Chromium and WebKit have it in text fields since ever, Firefox since 89.

use leptos::html::Textarea;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, HtmlDocument, HtmlTextAreaElement};

/// A longer text is set: browsers insert an edit line by line, which takes seconds for a megabyte.
const MAX_INSERTED_UNITS: usize = 100_000;

/// Replaces the text of a field as an edit that the browser's own undo takes back; a field without focus, and a text
/// that is too long, is set.
pub fn replace_text(field: &HtmlTextAreaElement, text: &str) {
    let is_short = text.len().max(field.value().len()) <= MAX_INSERTED_UNITS;
    if !(is_short && has_focus(field) && insert(field, text)) {
        field.set_value(text);
    }
}

/// Inserts a text in place of the field's. Returns whether the browser did.
fn insert(field: &HtmlTextAreaElement, text: &str) -> bool {
    let Ok(document) = document().dyn_into::<HtmlDocument>() else {
        return false;
    };
    field.select();
    let is_done = match text.is_empty() {
        true => document.exec_command("delete"),
        false => document.exec_command_with_show_ui_and_value("insertText", false, text),
    };
    is_done.unwrap_or(false)
}

fn has_focus(field: &HtmlTextAreaElement) -> bool {
    let field: &Element = field;
    document().active_element().as_ref() == Some(field)
}

/// Whether an `input` event comes of the browser's undo or redo.
#[must_use]
pub fn is_undo_or_redo(event: &Event) -> bool {
    let kind = js_sys::Reflect::get(event, &"inputType".into());
    let kind = kind.ok().and_then(|kind| kind.as_string());
    kind.is_some_and(|kind| kind == "historyUndo" || kind == "historyRedo")
}

/// A field that shows a text which the page changes too.
#[derive(Clone, Copy)]
pub struct TextField {
    field: NodeRef<Textarea>,
    /// Whether the page is putting a text into the field now.
    is_putting: StoredValue<bool>,
    /// What was in the field before the page set a text while focus was elsewhere, for instance in a dialog.
    before: StoredValue<Option<String>>,
}

/// A change of the text in a field by the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextChange {
    /// The text of another owner is shown, for instance of another chat.
    Opened,
    /// Another text takes the place of the former one.
    Replaced,
    /// The field is emptied: what was in it is sent, or was a command.
    Emptied,
}

/// Shows the text of an `owner` in a field. The browser's own undo takes back the changes for which `is_undoable`.
pub fn use_text_field<K: PartialEq + 'static>(
    field: NodeRef<Textarea>,
    text: Signal<String>,
    owner: impl Fn() -> K + 'static,
    is_undoable: impl Fn(TextChange) -> bool + 'static,
) -> TextField {
    let shown = TextField {
        field,
        is_putting: StoredValue::new(false),
        before: StoredValue::new(None),
    };
    Effect::new(move |former: Option<Option<K>>| {
        let owner = owner();
        let text = text.get();
        let field = field.get()?;
        let is_same = former.flatten().as_ref() == Some(&owner);
        let change = match (is_same, text.is_empty()) {
            (false, _) => TextChange::Opened,
            (true, false) => TextChange::Replaced,
            (true, true) => TextChange::Emptied,
        };
        untrack(|| shown.show(&field, &text, change, is_undoable(change)));
        Some(owner)
    });
    shown
}

impl TextField {
    /// Whether an `input` event is the page's own: nobody typed.
    #[must_use]
    pub fn is_putting(self) -> bool {
        self.is_putting.get_value()
    }

    fn show(self, field: &HtmlTextAreaElement, text: &str, change: TextChange, is_undoable: bool) {
        if change == TextChange::Opened {
            self.before.set_value(None);
            if is_undoable {
                field.set_value("");
            }
        }
        let now = field.value();
        if now == text {
            return;
        }
        if is_undoable && has_focus(field) {
            return self.put(field, text);
        }
        field.set_value(text);
        self.before.update_value(|before| {
            *before = is_undoable.then(|| before.take().unwrap_or(now));
        });
    }

    fn put(self, field: &HtmlTextAreaElement, text: &str) {
        self.is_putting.set_value(true);
        replace_text(field, text);
        self.is_putting.set_value(false);
        self.before.set_value(None);
    }

    /// To be called when the field gets focus: what the page set meanwhile becomes an edit. Only a field with focus can
    /// be edited.
    pub fn on_focus(self) {
        let before = self.before.try_update_value(Option::take).flatten();
        if let (Some(before), Some(field)) = (before, self.field.get_untracked()) {
            let text = field.value();
            if text != before {
                field.set_value(&before);
                self.put(&field, &text);
            }
        }
    }
}
