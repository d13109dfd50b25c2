//! The open chat's system prompt: written in a dialog, chosen from a small library, or set for new chats. A
//! chat with a system prompt shows it at the top of the transcript and in the panel.

mod default;
mod library;

use crate::stores::use_kernel;
use default::SystemDefault;
use leptos::html::Textarea;
use leptos::prelude::*;
use library::SystemLibrary;
use sash_browser_kit::text_field::{TextChange, use_text_field};
use sash_chat::{ChatStoreFields, HeadStoreFields, Id};
use sash_log::DraftField;
use sash_stores::Kernel;
use sash_ui_kit::{Dialog, Mirror, OtherValue, use_mirror};
use sash_words::t;
use web_sys::KeyboardEvent;

/// The id of the field.
const FIELD_ID: &str = "system-text";

/// The dialog with the system prompt. What is typed in it is kept with its chat until it is saved or cancelled.
#[component]
pub fn SystemDialog() -> impl IntoView {
    let kernel = use_kernel();
    let saved = Memo::new(move |_| {
        kernel.chats().open.head().with(|head| {
            let text = head.system_at(head.settings.system);
            (head.id, text.unwrap_or_default().to_owned())
        })
    });
    let system = SystemText {
        kernel,
        saved,
        mirror: use_mirror(move || saved.get().1),
    };
    // An effect: another chat has another text, and what was typed in this one is kept with it.
    Effect::new(move || {
        _ = kernel.chats().open_id();
        untrack(|| system.load());
    });

    view! {
        <Dialog
            class="system"
            title=t!(common.system_prompt)
            shown=kernel.view().system_shown
            on_save=move |()| system.save()
            on_cancel=move |()| system.discard()
        >
            <SystemEditor system />
        </Dialog>
    }
}

/// The text of the field.
#[derive(Clone, Copy)]
struct SystemText {
    kernel: Kernel,
    /// The open chat and its system prompt.
    saved: Memo<(Id, String)>,
    mirror: Mirror,
}

impl SystemText {
    /// Shows what the open chat has: what was typed and not saved, or else its system prompt.
    fn load(self) {
        self.mirror.settle();
        if let Some(kept) = self.kernel.drafts().field(DraftField::System) {
            self.mirror.on_input(kept);
        }
    }

    /// Takes a text that was typed or chosen.
    fn write(self, text: String) {
        self.saved.with_untracked(|(_, saved)| {
            let drafts = self.kernel.drafts();
            drafts.write_field(DraftField::System, &text, saved);
        });
        self.mirror.on_input(text);
    }

    fn save(self) {
        let text = self.mirror.text.get_untracked();
        self.kernel.steering().set_system(&text);
        self.forget();
    }

    fn discard(self) {
        self.kernel.drafts().discard_field(DraftField::System);
        self.mirror.settle();
    }

    /// Shows the system prompt of the chat again in place of what was typed.
    fn forget(self) {
        let chat = self.kernel.chats().open_id_untracked();
        self.kernel.drafts().drop_field(chat, DraftField::System);
        self.mirror.settle();
    }
}

/// The field, the default for new chats, and the saved prompts. "Save" of the dialog and Ctrl+Enter save the text.
#[component]
fn SystemEditor(
    /// The text of the field.
    system: SystemText,
) -> impl IntoView {
    let kernel = use_kernel();
    let text = system.mirror.text;
    let of_folder = Memo::new(move |_| {
        kernel.chats().open.head().inherited().with(|inherited| {
            let folder = inherited.folder()?;
            Some((folder.name.clone(), folder.system()?.to_owned()))
        })
    });
    untrack(|| system.load());
    let field = NodeRef::<Textarea>::new();
    let shown = use_text_field(
        field,
        text.into(),
        move || kernel.chats().open_id(),
        |change| change == TextChange::Replaced,
    );
    let save_on_enter = move |event: KeyboardEvent| {
        let with_modifier = event.ctrl_key() || event.meta_key();
        if event.key() == "Enter" && with_modifier {
            event.prevent_default();
            system.save();
            kernel.view().system_shown.set(false);
        }
    };
    let on_input = move |event| {
        if !shown.is_putting() {
            system.write(event_target_value(&event));
        }
    };
    let write = Callback::new(move |text| system.write(text));

    view! {
        <div class="system-editor">
            <textarea
                autocomplete="off"
                id=FIELD_ID
                aria-label=t!(common.system_prompt)
                aria-describedby="system-hint"
                rows="6"
                placeholder=t!(system.you_are)
                node_ref=field
                on:focus=move |_| shown.on_focus()
                on:input=on_input
                on:keydown=save_on_enter
            />
            <OtherValue mirror=system.mirror id=FIELD_ID on_use=move |()| system.forget() />
            <Show when=move || kernel.drafts().has_field(DraftField::System)>
                <p class="hint-line">{t!(common.unsaved_draft)}</p>
            </Show>
            <p id="system-hint" class="hint-line">
                {t!(system.system_prompt_hint)}
            </p>
            <ShowLet some=move || of_folder.get() let:system>
                <p class="hint-line">
                    {t!(system.folders_prompt_sent, folder = system.0)}
                </p>
                <blockquote class="folder-system" dir="auto">{system.1}</blockquote>
            </ShowLet>
            <SystemDefault text />
            <SystemLibrary text on_choose=write />
        </div>
    }
}
