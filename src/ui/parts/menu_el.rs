//! The menu as an element, for the rooms that are not components yet.

use super::menu_keys::{focus, walk};
use super::{IconName, icon_button};
use crate::browser::page;
use crate::ui::dom::{El, button, el};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{FocusEvent, HtmlElement, KeyboardEvent, Node};

/// An entry of a menu.
pub struct Entry {
    words: String,
    checked: Option<bool>,
    off: bool,
    act: Box<dyn Fn()>,
}

impl Entry {
    /// An entry that does something.
    pub fn new(words: &str, act: impl Fn() + 'static) -> Self {
        Self {
            words: words.to_owned(),
            checked: None,
            off: false,
            act: Box::new(act),
        }
    }

    /// An entry that switches something on and off; whether it is on now.
    pub fn checked(self, on: bool) -> Self {
        Self {
            checked: Some(on),
            ..self
        }
    }

    /// Cannot be used now. It stays where it is, so that the others do too.
    pub fn off(self, off: bool) -> Self {
        Self { off, ..self }
    }

    fn view(self, close: impl Fn() + 'static) -> El {
        let Self {
            words,
            checked,
            off,
            act,
        } = self;
        let entry = button("menu-entry")
            .attr("tabindex", "-1")
            .attr(
                "role",
                match checked {
                    Some(_) => "menuitemcheckbox",
                    None => "menuitem",
                },
            )
            .text(&words);
        let entry = match checked {
            Some(on) => entry.attr("aria-checked", &on.to_string()),
            None => entry,
        };
        let entry = match off {
            true => entry.attr("aria-disabled", "true"),
            false => entry,
        };
        entry.click(move || {
            if !off {
                // Focus goes back first: what is done may take it on from there.
                close();
                act();
            }
        })
    }
}

/// The button, and the menu while it is open. The entries are made when it opens.
pub fn menu_button(name: &str, id: &str, entries: impl Fn() -> Vec<Entry> + 'static) -> El {
    let open = RwSignal::new(false);
    let from_last = RwSignal::new(false);
    let opener = icon_button(name, IconName::More)
        .attr("id", id)
        .attr("aria-haspopup", "menu")
        .live_attr("aria-expanded", move || open.get().to_string())
        .click(move || {
            from_last.set(false);
            open.update(|open| *open = !*open);
        });
    let from = opener.html();
    let (label, back) = (name.to_owned(), from.clone());
    let close = move || {
        open.set(false);
        // Refused only to what has gone.
        let _ = back.focus();
    };
    let (on_key, on_choice) = (close.clone(), close);
    let place = el("span").class("menu-place");
    let around = place.element();
    place
        .on("focusout", move |event: FocusEvent| {
            let to = event.related_target();
            let to = to.and_then(|to| to.dyn_into::<Node>().ok());
            // Focus that goes nowhere may come back: the window was left.
            if to.is_some_and(|to| !around.contains(Some(&to))) {
                open.set(false);
            }
        })
        .on("keydown", move |event: KeyboardEvent| {
            let is_open = open.get_untracked();
            match event.key().as_str() {
                "ArrowDown" | "ArrowUp" if !is_open => {
                    from_last.set(event.key() == "ArrowUp");
                    open.set(true);
                }
                "Escape" if is_open => on_key(),
                "Tab" if is_open => {
                    // On from the button, not from where the menu stands.
                    on_key();
                    return;
                }
                key if is_open && walk(&event, key) => {}
                _ => return,
            }
            event.prevent_default();
        })
        .child(opener)
        .when(
            move || open.get(),
            move || {
                let on_choice = on_choice.clone();
                let menu = menu(&label, entries(), open, &from, on_choice);
                show(&menu, &from, open, from_last.get_untracked());
                menu
            },
        )
}

fn menu(
    label: &str,
    entries: Vec<Entry>,
    open: RwSignal<bool>,
    from: &HtmlElement,
    close: impl Fn() + Clone + 'static,
) -> El {
    // A popover lies over everything: no scrolling part of the page cuts it off.
    let mut menu = el("div")
        .class("menu")
        .attr("role", "menu")
        .attr("aria-label", label)
        .attr("popover", "manual");
    for entry in entries {
        menu = menu.child(entry.view(close.clone()));
    }
    let place = from.parent_element();
    let elsewhere = window_event_listener(ev::pointerdown, move |event| {
        let to = event.target().and_then(|to| to.dyn_into::<Node>().ok());
        // The button itself closes it by its click.
        if place
            .as_ref()
            .is_some_and(|place| !place.contains(to.as_ref()))
        {
            open.set(false);
        }
    });
    on_cleanup(move || elsewhere.remove());
    menu
}

/// Shows the menu once it is in the page, with focus on its first entry or on its last.
fn show(menu: &El, from: &HtmlElement, open: RwSignal<bool>, from_last: bool) {
    let (menu, from) = (menu.html(), from.clone());
    request_animation_frame(move || {
        // Refused by a browser without popovers: there it stands where it is in the page.
        let _ = menu.show_popover();
        follow(menu.clone(), from, open);
        let entry = match from_last {
            true => menu.last_element_child(),
            false => menu.first_element_child(),
        };
        if let Some(entry) = entry {
            focus(&entry);
        }
    });
}

/// Keeps the menu beside its button while the page scrolls, and closes it when the button is out of sight.
fn follow(menu: HtmlElement, from: HtmlElement, open: RwSignal<bool>) {
    if !menu.is_connected() {
        return;
    }
    let scroller = from.closest(".transcript, .header").ok().flatten();
    match scroller.filter(|scroller| !page::place_popover(&menu, &from, scroller)) {
        Some(_) => _ = open.try_set(false),
        None => request_animation_frame(move || follow(menu, from, open)),
    }
}
