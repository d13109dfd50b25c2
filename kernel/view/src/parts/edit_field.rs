//! The field of a text that is edited in its place: of a message or of a summary.

use crate::stores::use_kernel;
use leptos::html::Textarea;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_chat::Id;
use sash_log::DraftField;
use sash_stores::Drafts;
use sash_ui_kit::{Mirror, OtherValue, use_mirror};
use sash_words::t;
use web_sys::KeyboardEvent;

/// The draft of an edit. What is typed is kept with the chat until it is saved, sent or thrown away: through Escape, another
/// chat, a reload. Another tab may edit the same text.
#[derive(Clone, Copy)]
pub struct EditDraft {
    drafts: Drafts,
    chat: Id,
    field: DraftField,
    before: StoredValue<String>,
    mirror: Mirror,
    /// The text of the draft.
    pub text: RwSignal<String>,
}

impl EditDraft {
    /// Edits a text of the open chat, or goes on with the draft that is kept of it.
    pub fn new(field: DraftField, before: String) -> Self {
        let (drafts, chats) = (use_kernel().drafts(), use_kernel().chats());
        let stored = before.clone();
        let mirror = use_mirror(move || drafts.field(field).unwrap_or_else(|| stored.clone()));
        Self {
            drafts,
            chat: chats.open_id_untracked(),
            field,
            before: StoredValue::new(before),
            mirror,
            text: mirror.text,
        }
    }

    /// Takes what is typed.
    pub fn write(self, text: String) {
        self.keep(&text);
        if self.text.with_untracked(|now| *now != text) {
            self.mirror.on_input(text);
        }
    }

    fn keep(self, text: &str) {
        self.before
            .with_value(|before| self.drafts.write_field(self.field, text, before));
    }

    /// Forgets the draft: it was saved or sent.
    pub fn end(self) {
        self.drafts.drop_field(self.chat, self.field);
    }
}

/// The id of the field of an edited message.
pub fn edit_field_id(message: Id) -> String {
    format!("edit-{message}")
}

/// The field with its buttons, in an element of the class `edit`. It has focus at once.
#[component]
pub fn EditField(
    /// The draft.
    draft: EditDraft,
    /// The id of the field.
    id: String,
    /// The label of the field.
    label: &'static str,
    /// The id of what describes the field.
    #[prop(optional, into)]
    described_by: Option<String>,
    /// What is shown in the field, where that is not the whole draft, and takes what is typed.
    #[prop(optional)]
    written: Option<RwSignal<String>>,
    /// The words of the button that saves.
    save_words: &'static str,
    /// Whether there is something to save.
    #[prop(default = true.into(), into)]
    can_save: Signal<bool>,
    /// Whether a key saves.
    is_save_key: impl Fn(&KeyboardEvent) -> bool + 'static,
    /// Saves the draft and ends it.
    #[prop(into)]
    on_save: Callback<()>,
    /// Removes the field.
    #[prop(into)]
    on_close: Callback<()>,
    /// What stands between the field and its buttons.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let field = NodeRef::<Textarea>::new();
    page::focus_on_load(field);
    let shown = written.unwrap_or(draft.text);
    let on_input = move |event| {
        let text = event_target_value(&event);
        match written {
            Some(written) => written.set(text),
            None => draft.write(text),
        }
    };
    let save = move || {
        if can_save.get_untracked() {
            on_save.run(());
        }
    };
    let cancel = move |_| {
        on_close.run(());
        draft.drafts.discard_field(draft.field);
    };
    let on_key = move |event: KeyboardEvent| {
        if is_save_key(&event) {
            save();
        } else if event.key() == "Escape" {
            // Another tab may have written its text of this field since the last key.
            draft.text.with_untracked(|text| draft.keep(text));
            on_close.run(());
        } else {
            return;
        }
        event.prevent_default();
    };

    view! {
        <textarea
            dir="auto"
            id=id.clone()
            autocomplete="off"
            aria-label=label
            aria-describedby=described_by
            node_ref=field
            prop:value=move || shown.get()
            on:input=on_input
            on:keydown=on_key
        ></textarea>
        <OtherValue mirror=draft.mirror id />
        {children.map(|children| children())}
        <div class="edit-buttons">
            <button type="button" on:click=cancel>
                {t!(common.cancel)}
            </button>
            <button
                type="button"
                class="primary"
                disabled=move || !can_save.get()
                on:click=move |_| save()
            >
                {save_words}
            </button>
        </div>
    }
}
