//! An item of a menu.

use super::menu_list::CloseMenu;
use leptos::prelude::*;

/// An item: does something, or switches something on and off.
#[component]
pub fn MenuItem(
    /// Its words.
    #[prop(into)]
    label: String,
    /// For an item that switches something: whether it is on now.
    #[prop(optional, into)]
    checked: Option<bool>,
    /// Cannot be used now. It stays where it is, so that the others do too.
    #[prop(optional)]
    disabled: bool,
    /// What it does, once the menu is closed.
    on_select: impl Fn() + 'static,
) -> impl IntoView {
    let CloseMenu(close) = expect_context::<CloseMenu>();
    let role = match checked {
        Some(_) => "menuitemcheckbox",
        None => "menuitem",
    };
    let on_click = move |_| {
        if !disabled {
            // Focus goes back first: what is done may take it on from there.
            close.run(());
            on_select();
        }
    };

    view! {
        <button
            type="button"
            class="menu-entry"
            tabindex="-1"
            role=role
            aria-checked=checked.map(|on| on.to_string())
            aria-disabled=disabled.then_some("true")
            on:click=on_click
        >
            {label}
        </button>
    }
}
