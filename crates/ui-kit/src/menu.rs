//! A menu button: works with pointer and keyboard like other menus.

use crate::menu_list::MenuList;
use crate::{IconButton, IconName, takes_focus_from};
use leptos::html;
use leptos::prelude::*;
use sash_browser_kit::console::LogError;
use web_sys::{FocusEvent, KeyboardEvent};

/// The button, and the menu while it is open.
#[component]
pub fn Menu(
    /// The name of the button and of the menu.
    #[prop(into)]
    label: Signal<String>,
    /// The id of the button.
    #[prop(into)]
    id: String,
    /// The tabindex of the button, for one that Tab does not always go to.
    #[prop(optional, into)]
    tabindex: Option<Signal<&'static str>>,
    /// Whether the menu is open, for one that something else opens too.
    #[prop(optional)]
    open: RwSignal<bool>,
    /// The items, each a [`MenuItem`](crate::MenuItem). They are built each time the menu opens.
    children: ChildrenFn,
) -> impl IntoView {
    let from_last = RwSignal::new(false);
    let place = NodeRef::<html::Span>::new();
    let opener = NodeRef::<html::Button>::new();
    let close = move || {
        open.set(false);
        if let Some(opener) = opener.get_untracked() {
            opener.focus().log_error();
        }
    };
    let on_focusout = move |event: FocusEvent| {
        if takes_focus_from(place, &event) {
            open.set(false);
        }
    };
    let on_keydown = move |event: KeyboardEvent| {
        let is_open = open.get_untracked();
        match event.key().as_str() {
            "ArrowDown" | "ArrowUp" if !is_open => {
                from_last.set(event.key() == "ArrowUp");
                open.set(true);
            }
            "Escape" if is_open => close(),
            "Tab" if is_open => {
                // Tab continues from the button, not from the menu's position in the document.
                close();
                return;
            }
            key if is_open && crate::menu_keys::move_focus(&event, key) => {}
            _ => return,
        }
        event.prevent_default();
    };
    let on_click = move |_| {
        from_last.set(false);
        open.update(|open| *open = !*open);
    };
    let children = StoredValue::new(children);

    view! {
        <span class="menu-place" node_ref=place on:focusout=on_focusout on:keydown=on_keydown>
            <IconButton
                label
                icon=IconName::More
                button_ref=opener
                attr:id=id
                attr:tabindex=move || tabindex.map(|tabindex| tabindex.get())
                attr:aria-haspopup="menu"
                attr:aria-expanded=move || open.get().to_string()
                on:click=on_click
            />
            <Show when=move || open.get()>
                <MenuList
                    label=label.get_untracked()
                    open
                    opener
                    place
                    from_last=from_last.get_untracked()
                    close=Callback::new(move |()| close())
                >
                    {children.with_value(|children| children())}
                </MenuList>
            </Show>
        </span>
    }
}
