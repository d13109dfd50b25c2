//! An item of a menu.

use crate::menu_list::CloseMenu;
use crate::{Icon, IconName};
use leptos::prelude::*;

/// An item that runs an action or toggles a setting.
#[component]
pub fn MenuItem(
    /// Its label.
    #[prop(into)]
    label: String,
    /// Its icon: each item of a menu has one.
    icon: IconName,
    /// For an item that toggles: whether it is on.
    #[prop(optional, into)]
    checked: Option<bool>,
    /// Whether it is disabled. It keeps its position, so that the other items do too.
    #[prop(optional)]
    disabled: bool,
    /// Its action, called after the menu has closed.
    on_select: impl Fn() + 'static,
) -> impl IntoView {
    let CloseMenu(close) = expect_context::<CloseMenu>();
    let role = match checked {
        Some(_) => "menuitemcheckbox",
        None => "menuitem",
    };
    let on_click = move |_| {
        if !disabled {
            // Restore focus first: the action may move it on from there.
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
            <span class="entry-icon"><Icon name=icon /></span>
            <span class="entry-label">{label}</span>
        </button>
    }
}
