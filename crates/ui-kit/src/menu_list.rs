//! An open menu: a popover next to its button.

use leptos::context::Provider;
use leptos::html;
use leptos::prelude::*;
use leptos_use_on_click_outside::on_click_outside;
use sash_browser_kit::page;
use web_sys::HtmlElement;

/// What has menus and scrolls, or is always in sight.
const SCROLLERS: &str = ".transcript, .header, .chat-list, .sidebar-foot";

/// Closes the menu around an item, and focuses its button.
#[derive(Clone, Copy)]
pub(crate) struct CloseMenu(pub(crate) Callback<()>);

/// The items of an open menu.
#[component]
pub fn MenuList(
    /// The accessible name.
    label: String,
    /// Whether the menu is open.
    open: RwSignal<bool>,
    /// The button that opened it.
    opener: NodeRef<html::Button>,
    /// The element around menu and button: a click outside of it closes the menu.
    place: NodeRef<html::Span>,
    /// Whether the last item is focused first.
    from_last: bool,
    /// Closes the menu and restores focus.
    close: Callback<()>,
    /// The items.
    children: Children,
) -> impl IntoView {
    let menu = NodeRef::<html::Div>::new();
    // The button is in `place`: it closes the menu by its own click.
    _ = on_click_outside(place, move |_| open.set(false));
    // A popover can be shown only after it is in the page.
    request_animation_frame(move || {
        let shown = menu.try_get_untracked().flatten();
        let opener = opener.try_get_untracked().flatten();
        if let (Some(menu), Some(opener)) = (shown, opener) {
            show(menu.into(), opener.into(), open, from_last);
        }
    });

    view! {
        // A popover is in the top layer, so no scrolling element clips it.
        <div class="menu" role="menu" aria-label=label popover="manual" node_ref=menu>
            <Provider value=CloseMenu(close)>{children()}</Provider>
        </div>
    }
}

/// Shows the menu, and focuses its first or last item.
fn show(menu: HtmlElement, opener: HtmlElement, open: RwSignal<bool>, from_last: bool) {
    // Fails in a browser without popovers, where the menu is shown in the flow of the page.
    let _ = menu.show_popover();
    follow(menu.clone(), opener, open);
    let item = match from_last {
        true => menu.last_element_child(),
        false => menu.first_element_child(),
    };
    if let Some(item) = item {
        crate::menu_keys::focus(&item);
    }
}

/// Keeps the menu next to its button while the page scrolls, and closes it when the button is out of sight.
fn follow(menu: HtmlElement, opener: HtmlElement, open: RwSignal<bool>) {
    if !menu.is_connected() {
        return;
    }
    let scroller = opener.closest(SCROLLERS).ok().flatten();
    match scroller.filter(|scroller| !page::place_popover(&menu, &opener, scroller)) {
        Some(_) => _ = open.try_set(false),
        None => request_animation_frame(move || follow(menu, opener, open)),
    }
}
