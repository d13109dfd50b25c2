//! A field that shows a stored value, which may change elsewhere while the field is typed in.

use leptos::prelude::*;
use sash_browser_kit::page;
use sash_words::t;

/// The text of a field and the stored value that it shows. It follows the value until something is typed; then it keeps
/// its text, and what was stored elsewhere meanwhile is offered by [`OtherValue`].
#[derive(Clone, Copy)]
pub struct Mirror {
    /// The text of the field.
    pub text: RwSignal<String>,
    stored: Memo<String>,
    /// Whether something is typed that is not saved.
    typed: RwSignal<bool>,
    /// The stored value that the person has seen.
    seen: RwSignal<String>,
}

/// Shows a stored value in a field.
pub fn use_mirror(stored: impl Fn() -> String + Send + Sync + 'static) -> Mirror {
    let stored = Memo::new(move |_| stored());
    let now = stored.get_untracked();
    let mirror = Mirror {
        text: RwSignal::new(now.clone()),
        stored,
        typed: RwSignal::new(false),
        seen: RwSignal::new(now),
    };
    // An effect: another tab, an undo or another chat changes the value.
    Effect::new(move || {
        let stored = stored.get();
        let text = mirror.text.get_untracked();
        if !mirror.typed.get_untracked() || stored == text {
            mirror.follow(stored);
        }
    });
    mirror
}

impl Mirror {
    fn follow(self, stored: String) {
        if self.text.with_untracked(|text| *text != stored) {
            self.text.set(stored.clone());
        }
        self.seen.set(stored);
    }

    /// Takes what was typed.
    pub fn on_input(self, text: String) {
        self.typed.set(true);
        self.text.set(text);
    }

    /// Whether something is typed that is not saved. Does not subscribe.
    pub fn is_typed(self) -> bool {
        self.typed.try_get_untracked() == Some(true)
    }

    /// What is typed is saved, or given up: the field shows the stored value and follows it again. A field that is removed
    /// with focus is left afterwards: the signals may be gone by then.
    pub fn settle(self) {
        if self.typed.try_set(false).is_none()
            && let Some(stored) = self.stored.try_get_untracked()
        {
            self.follow(stored);
        }
    }

    /// What is typed was saved, in whatever form: the stored value is no other one.
    pub fn record_saved(self) {
        self.seen.set(self.stored.get_untracked());
    }

    /// Whether another value was stored since the person began to type.
    fn has_other(self) -> bool {
        let is_new = |stored: &String| {
            self.seen.with(|seen| seen != stored) && self.text.with(|text| text != stored)
        };
        self.typed.get() && self.stored.with(is_new)
    }
}

/// The line that offers the value that was stored elsewhere while the field was typed in; empty without one.
#[component]
pub fn OtherValue(
    /// The field.
    mirror: Mirror,
    /// The id of the field, which has focus afterwards.
    #[prop(into)]
    id: String,
    /// Called when the other value was taken.
    #[prop(optional, into)]
    on_use: Option<Callback<()>>,
) -> impl IntoView {
    let id = StoredValue::new(id);
    let take = move |_| {
        mirror.settle();
        if let Some(on_use) = on_use {
            on_use.run(());
        }
        page::focus_id_soon(id.get_value());
    };

    view! {
        <Show when=move || mirror.has_other()>
            <p class="hint-line other-value" role="status">
                {t!(common.changed_elsewhere)} " "
                // A press must not take focus from the field, which some save when it leaves them.
                <button
                    type="button"
                    class="link"
                    on:mousedown=|event| event.prevent_default()
                    on:click=take
                >
                    {t!(common.use_other_value)}
                </button>
            </p>
        </Show>
    }
}
