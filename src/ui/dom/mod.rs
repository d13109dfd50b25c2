//! Elements, made directly. The page's components are functions that return an [`El`]; what changes in
//! it are closures over signals, each an effect of its own that touches one text, one attribute or one
//! place.
//!
//! Leptos gives signals, memos, effects, owners and contexts; its `view!` is not used, because each
//! combination of tag, attributes and children is a type of its own there: the same page was 300 kB
//! (brotli) with it and is half of that with boxed closures. No HTML string is ever parsed.

mod listener;
mod place;

use super::call::{Call, CallMut};
use leptos::prelude::*;
use listener::Listener;
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, HtmlElement, Node};

/// An element under construction, or done.
#[derive(Clone, Debug)]
pub struct El(Element);

/// An HTML element.
pub fn el(tag: &str) -> El {
    // A tag of ours is always a valid name.
    El(document()
        .create_element(tag)
        .unwrap_or_else(|_| unreachable!("{tag} is a tag")))
}

/// A button that is no form's.
pub fn button(class: &str) -> El {
    el("button").attr("type", "button").class(class)
}

/// Runs at once, and again whenever a signal it reads changes, for as long as the current owner lives.
pub fn live(run: impl Fn() + 'static) {
    fn keep(run: Box<dyn Call<(), ()>>) {
        StoredValue::new_local(RenderEffect::new(move |_: Option<()>| run.call(())));
    }
    keep(Box::new(move |()| run()));
}

impl El {
    /// An attribute.
    pub fn attr(self, name: &str, value: &str) -> Self {
        set(&self.0, name, Some(value));
        self
    }

    /// The class; an empty one is none.
    pub fn class(self, class: &str) -> Self {
        if class.is_empty() {
            self
        } else {
            self.attr("class", class)
        }
    }

    /// An attribute that follows its signals.
    pub fn live_attr(self, name: &'static str, value: impl Fn() -> String + 'static) -> Self {
        self.opt_attr(name, move || Some(value()))
    }

    /// An attribute that follows its signals, and is absent at `None`.
    pub fn opt_attr(
        self,
        name: &'static str,
        value: impl Fn() -> Option<String> + 'static,
    ) -> Self {
        fn follow(element: Element, name: &'static str, value: Box<dyn Call<(), Option<String>>>) {
            let last = RefCell::new(None);
            live(move || {
                let now = value.call(());
                if *last.borrow() != now {
                    set(&element, name, now.as_deref());
                    last.replace(now);
                }
            });
        }
        follow(self.0.clone(), name, Box::new(move |()| value()));
        self
    }

    /// An attribute that is there or not.
    pub fn flag(self, name: &'static str, on: impl Fn() -> bool + 'static) -> Self {
        self.opt_attr(name, move || on().then(String::new))
    }

    /// The value of a field; what is typed changes it too, so it is written only where it differs.
    pub fn value(self, value: impl Fn() -> String + 'static) -> Self {
        self.follow_value(Box::new(move |()| value()))
    }

    fn follow_value(self, value: Box<dyn Call<(), String>>) -> Self {
        let element = self.0.clone();
        live(move || {
            let (key, now) = (
                JsValue::from_str("value"),
                JsValue::from_str(&value.call(())),
            );
            if js_sys::Reflect::get(&element, &key).is_ok_and(|shown| shown != now) {
                // A field takes any text.
                let _ = js_sys::Reflect::set(&element, &key, &now);
            }
        });
        self
    }

    /// Listens. The listener goes with the current owner.
    pub fn on<E: JsCast + 'static>(
        self,
        event: &str,
        mut listener: impl FnMut(E) + 'static,
    ) -> Self {
        self.listen(
            event,
            Box::new(move |event: Event| listener(event.unchecked_into())),
        )
    }

    /// Listens to a click.
    pub fn click(self, mut listener: impl FnMut() + 'static) -> Self {
        self.listen("click", Box::new(move |_: Event| listener()))
    }

    fn listen(self, event: &str, listener: Box<dyn CallMut<Event>>) -> Self {
        StoredValue::new_local(Listener::new(self.0.clone(), event, listener));
        self
    }

    /// A text.
    pub fn text(self, text: &str) -> Self {
        self.append(&document().create_text_node(text))
    }

    /// A text that follows its signals.
    pub fn live_text(self, text: impl Fn() -> String + 'static) -> Self {
        self.follow_text(Box::new(move |()| text()))
    }

    fn follow_text(self, text: Box<dyn Call<(), String>>) -> Self {
        let node = document().create_text_node("");
        let shown = node.clone();
        live(move || {
            let (was, now) = (shown.data(), text.call(()));
            match now.strip_prefix(&was) {
                Some("") => {}
                // Appending keeps the reader's selection, setting would lose it.
                Some(more) if !was.is_empty() => _ = shown.append_data(more),
                _ => shown.set_data(&now),
            }
        });
        self.append(&node)
    }

    /// A child.
    pub fn child(self, child: El) -> Self {
        self.append(&child.0)
    }

    /// A view of Leptos as the last child. It lives as long as the current owner.
    pub fn view(self, view: impl IntoView + 'static) -> Self {
        let mut state = view.into_view().build();
        state.mount(&self.0, None);
        StoredValue::new_local(state);
        self
    }

    /// A child that may be absent.
    pub fn maybe(self, child: Option<El>) -> Self {
        match child {
            Some(child) => self.child(child),
            None => self,
        }
    }

    fn append(self, node: &Node) -> Self {
        // Only a document or an ancestor of itself cannot be appended.
        let _ = self.0.append_child(node);
        self
    }

    /// The element, for what only a browser can say of it.
    pub fn element(&self) -> Element {
        self.0.clone()
    }

    /// The element as one that can have focus.
    pub fn html(&self) -> HtmlElement {
        self.0.clone().unchecked_into()
    }
}

fn set(element: &Element, name: &str, value: Option<&str>) {
    // A name of ours is always valid.
    let _ = match value {
        Some(value) => element.set_attribute(name, value),
        None => element.remove_attribute(name),
    };
}
