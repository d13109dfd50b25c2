//! The line that says what goes with the next prompt.

use super::policy_menu::PolicyMenu;
use super::window_words::{parts, tokens, warning, what_goes};
use crate::browser::focus_refs::FocusRefs;
use crate::panel::{ContextMeter, fit_words};
use crate::stores::use_kernel;
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_ui_kit::takes_focus_from;
use web_sys::{FocusEvent, KeyboardEvent};

/// What goes with the next prompt, in one row that never wraps. Its parts show while it has the pointer or the focus; a
/// click opens the rules, which begin with them.
#[component]
pub fn WindowLine() -> impl IntoView {
    let kernel = use_kernel();
    let open = kernel.view().rules_shown;
    let line = FocusRefs::expect().window_line;
    let place = NodeRef::<html::Div>::new();
    // Escape takes the parts away until the pointer or the focus comes back.
    let dismissed = RwSignal::new(false);
    let show_parts = move || dismissed.set(false);
    let on_focusout = move |event: FocusEvent| {
        show_parts();
        if takes_focus_from(place, &event) {
            open.set(false);
        }
    };
    let on_keydown = move |event: KeyboardEvent| {
        if event.key() != "Escape" {
            return;
        }
        if open.get_untracked() {
            event.prevent_default();
            open.set(false);
            page::focus(line);
        } else if !dismissed.get_untracked() {
            event.prevent_default();
        }
        dismissed.set(true);
    };
    let counted = move || {
        tokens(kernel).map(|tokens| {
            view! { <span class="window-tokens">" · " {tokens}</span> }
        })
    };
    let attention = move || {
        warning(kernel).map(|words| view! { <span class="window-warning">" · "{words}</span> })
    };

    view! {
        <div
            class="window-line-place"
            node_ref=place
            on:focusout=on_focusout
            on:keydown=on_keydown
            on:pointerleave=move |_| show_parts()
        >
            <button
                type="button"
                class="window-line"
                node_ref=line
                aria-haspopup="dialog"
                aria-expanded=move || open.get().to_string()
                aria-describedby=PARTS
                data-fit=move || fit_words(kernel.steering().fit.get().0).0
                data-dismissed=move || (open.get() || dismissed.get()).then_some("true")
                on:click=move |_| open.update(|open| *open = !*open)
            >
                <Show when=move || kernel.steering().context.get().is_some()>
                    <span class="window-meter" aria-hidden="true">
                        <ContextMeter />
                    </span>
                </Show>
                <span class="window-count">{move || what_goes(kernel)} {counted}</span>
                {attention}
            </button>
            <WindowParts />
            <Show when=move || open.get()>
                <PolicyMenu open place />
            </Show>
        </div>
    }
}

/// The id of the parts, by which the line is described.
const PARTS: &str = "window-parts";

/// The parts of what goes with the next prompt. The styles show it while the line has the pointer or the focus.
#[component]
fn WindowParts() -> impl IntoView {
    let kernel = use_kernel();
    let lines = move || {
        let parts = parts(kernel).into_iter();
        parts
            .map(|part| view! { <span>{part}</span> })
            .collect_view()
    };

    view! {
        <div class="window-parts" role="tooltip" id=PARTS>
            {lines}
        </div>
    }
}
