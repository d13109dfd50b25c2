//! The document and the window.

use super::keys::is_text_field;
use js_sys::{Array, Function, Reflect};
use leptos::ev;
use leptos::prelude::{request_animation_frame, set_timeout, window_event_listener};
use sash_chat::Id;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

fn document() -> Option<web_sys::Document> {
    web_sys::window()?.document()
}

/// Sets the title of the tab.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

const OPEN_CHAT: &str = "sash:open";

fn session_storage() -> Option<web_sys::Storage> {
    let storage = web_sys::window()?.session_storage().ok()?;
    storage.filter(|_| !super::storage::is_closed())
}

/// Remembers which chat is open in this tab, for a reload.
pub fn remember_chat(id: Id) {
    if let Some(storage) = session_storage() {
        // Without room for it a reload shows the chat touched last.
        let _ = storage.set_item(OPEN_CHAT, &id.to_string());
    }
}

/// The chat that was open in this tab before.
#[must_use]
pub fn remembered_chat() -> Option<Id> {
    session_storage()?.get_item(OPEN_CHAT).ok()??.parse().ok()
}

const PANEL: &str = "sash:panel";

/// Remembers for this tab whether the panel is open.
pub fn remember_panel(open: bool) {
    if let Some(storage) = session_storage() {
        // Without room for it a reload shows the page without it.
        let _ = match open {
            true => storage.set_item(PANEL, "open"),
            false => storage.remove_item(PANEL),
        };
    }
}

/// Whether the panel was open in this tab before.
#[must_use]
pub fn is_panel_remembered() -> bool {
    session_storage().is_some_and(|storage| matches!(storage.get_item(PANEL), Ok(Some(_))))
}

/// Where the page came from: scheme, host and port.
#[must_use]
pub fn origin() -> String {
    let origin = web_sys::window().and_then(|window| window.location().origin().ok());
    origin.unwrap_or_default()
}

/// Moves focus to the element with that id.
pub fn focus(id: &str) {
    let element = document().and_then(|d| d.get_element_by_id(id));
    if let Some(element) = element.and_then(|e| e.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

fn article_around(id: &str) -> Option<web_sys::HtmlElement> {
    let element = document()?.get_element_by_id(id)?;
    element.closest("article").ok()??.dyn_into().ok()
}

/// Scrolls the article around the element with that id into view.
pub fn bring_up(id: &str) {
    if let Some(article) = article_around(id) {
        article.scroll_into_view();
    }
}

/// Brings the article around the element with that id into view, and focus to it; for a moment it is marked.
pub fn show_around(id: &str) {
    const MARKED: Duration = Duration::from_secs(2);
    if let Some(article) = article_around(id) {
        article.set_tab_index(-1);
        article.scroll_into_view();
        let _ = article.focus();
        // Its name is a plain one.
        let _ = article.set_attribute("data-shown", "");
        set_timeout(move || _ = article.remove_attribute("data-shown"), MARKED);
    }
}

/// Whether some of what is in an element is selected.
#[must_use]
pub fn is_selected(element: &Element) -> bool {
    let selection = web_sys::window().and_then(|window| window.get_selection().ok().flatten());
    selection.is_some_and(|selection| {
        !selection.is_collapsed()
            && selection
                .contains_node_with_allow_partial_containment(element, true)
                .unwrap_or(false)
    })
}

/// Whether the browser keeps the reader's place in a scrolled element when something above it changes.
#[must_use]
pub fn keeps_place(element: &Element) -> bool {
    let style = web_sys::window().and_then(|w| w.get_computed_style(element).ok().flatten());
    let anchor = style.and_then(|style| style.get_property_value("overflow-anchor").ok());
    anchor.as_deref() == Some("auto")
}

/// Moves focus after the next frame, when what a change brought is there.
pub fn focus_soon(id: String) {
    request_animation_frame(move || focus(&id));
}

/// Calls back when an element changes its size, until it is dropped.
pub struct Watched {
    observer: JsValue,
    _callback: Closure<dyn FnMut()>,
}

impl Watched {
    /// Begins to watch.
    pub fn new(element: &Element, callback: Box<dyn FnMut()>) -> Self {
        let callback = Closure::wrap(callback);
        // By name: web-sys' own is a feature more, for two calls.
        let class = Reflect::get(&js_sys::global(), &"ResizeObserver".into());
        let arguments = Array::of1(callback.as_ref());
        let observer = class
            .and_then(|class| Reflect::construct(class.unchecked_ref::<Function>(), &arguments))
            .unwrap_or(JsValue::NULL);
        call(&observer, "observe", element);
        Self {
            observer,
            _callback: callback,
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        call(&self.observer, "disconnect", &JsValue::NULL);
    }
}

/// Calls a method, if it is there.
fn call(object: &JsValue, method: &str, argument: &JsValue) {
    if let Ok(method) = Reflect::get(object, &method.into()) {
        // What cannot be watched is merely not followed.
        let _ = method.unchecked_into::<Function>().call1(object, argument);
    }
}

/// Calls back when the page may be about to go: the last chance to write. Not `beforeunload`, which
/// does not come on phones.
pub fn on_leaving(callback: impl Fn() + 'static) {
    let callback = Rc::new(callback);
    let hidden = Rc::clone(&callback);
    std::mem::forget(window_event_listener(ev::pagehide, move |_| callback()));
    std::mem::forget(window_event_listener(ev::visibilitychange, move |_| {
        if document().is_some_and(|d| d.hidden()) {
            hidden();
        }
    }));
}

/// Calls back at Ctrl+Z or Cmd+Z, unless it is a text field's; tells the browser if something was undone.
pub fn on_undo(undo: impl Fn() -> bool + 'static) {
    std::mem::forget(window_event_listener(ev::keydown, move |event| {
        let key = event.key().eq_ignore_ascii_case("z")
            && (event.ctrl_key() || event.meta_key())
            && !event.shift_key()
            && !event.alt_key();
        if key && !event.default_prevented() && !is_text_field(event.target()) && undo() {
            event.prevent_default();
        }
    }));
}

/// Calls back when the person comes back to the page.
pub fn on_return(callback: impl Fn() + 'static) {
    std::mem::forget(window_event_listener(ev::focus, move |_| callback()));
}

/// Whether the page can be seen: its tab is the one that is shown.
#[must_use]
pub fn is_in_sight() -> bool {
    document().is_none_or(|document| !document.hidden())
}

/// Follows the end of a scrolled element while the reader is there, and leaves it alone otherwise.
#[derive(Clone, Debug, Default)]
pub struct Follower {
    away: Rc<Cell<bool>>,
    /// Where the element was scrolled to when last looked at.
    top: Rc<Cell<i32>>,
}

impl Follower {
    /// How near to the end still counts as there, in pixels.
    const NEAR: i32 = 48;

    /// Takes note of where the reader is; tells whether they are at the end. Only who scrolls up leaves it:
    /// text that came since the last frame puts the end further away too.
    pub fn scrolled(&self, element: &Element) -> bool {
        let top = element.scroll_top() as i32;
        let below = element.scroll_height() - top - element.client_height();
        let up = top < self.top.replace(top);
        if below <= Self::NEAR {
            self.away.set(false);
        } else if up {
            self.away.set(true);
        }
        !self.away.get()
    }

    /// Whether the reader is at the end, as last looked at.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        !self.away.get()
    }

    /// Goes to the end if the reader is there, who may have left since the last event told.
    pub fn follow(&self, element: &Element) {
        if self.scrolled(element) {
            element.set_scroll_top(element.scroll_height().into());
            self.top.set(element.scroll_top() as i32);
        }
    }

    /// Goes to the end and stays there.
    pub fn jump(&self, element: &Element) {
        self.away.set(false);
        self.top.set(0);
        self.follow(element);
    }
}

/// Puts an element at the end of the page.
pub fn put_into_body(element: &Element) {
    if let Some(body) = document().and_then(|d| d.body()) {
        // A body takes any element.
        let _ = body.append_child(element);
    }
}

/// Brings the element with that id into view, moving no more than needed.
pub fn scroll_to(id: &str) {
    let element = document().and_then(|d| d.get_element_by_id(id));
    if let Some(element) = element {
        let options = js_sys::Object::new();
        // A plain object takes any value.
        let _ = Reflect::set(&options, &"block".into(), &"nearest".into());
        call(&element, "scrollIntoView", &options);
    }
}

/// Makes the room that a scrolled element keeps free for scrollbars known to the styles, as `--gutters`.
pub fn note_gutters(scroller: &web_sys::HtmlElement) {
    let root = document().and_then(|d| d.document_element());
    if let Some(root) = root.and_then(|root| root.dyn_into::<web_sys::HtmlElement>().ok()) {
        let gutters = scroller.offset_width() - scroller.client_width();
        // A length is always valid.
        let _ = root
            .style()
            .set_property("--gutters", &format!("{gutters}px"));
    }
}

/// Puts an open popover below an element, or above it where there is no room below. Whether that element can be
/// seen in the one that scrolls it.
pub fn place_popover(popover: &web_sys::HtmlElement, beside: &Element, scroller: &Element) -> bool {
    const GAP: f64 = 4.0;
    let root = document().and_then(|d| d.document_element());
    let edges = edges(beside).zip(edges(scroller));
    let Some((([top, left, bottom], [first, _, last]), root)) = edges.zip(root) else {
        return false;
    };
    let (width, height) = (popover.offset_width(), popover.offset_height());
    let [across, down] =
        [root.client_width() - width, root.client_height() - height].map(f64::from);
    let below = bottom + GAP;
    let y = if below <= down - GAP {
        below
    } else {
        top - GAP - f64::from(height)
    };
    let (x, y) = (left.min(across - GAP).max(GAP), y.min(down - GAP).max(GAP));
    // Lengths are always valid.
    let _ = popover.style().set_property("left", &format!("{x}px"));
    let _ = popover.style().set_property("top", &format!("{y}px"));
    bottom > first && top < last
}

/// Where an element begins and ends in the viewport: top, left, bottom.
fn edges(element: &Element) -> Option<[f64; 3]> {
    // By name: web-sys' own is a feature more, for one call.
    let measure = Reflect::get(element, &"getBoundingClientRect".into()).ok()?;
    let rect = measure.unchecked_into::<Function>().call0(element).ok()?;
    let edge = |name: &str| Reflect::get(&rect, &name.into()).ok()?.as_f64();
    Some([edge("top")?, edge("left")?, edge("bottom")?])
}

/// Brings the element with that id into view after the next frame, moving no more than needed.
pub fn bring_near(id: String) {
    request_animation_frame(move || scroll_to(&id));
}

/// Calls back at Ctrl+K or Cmd+K.
pub fn on_search_key(search: impl Fn() + 'static) {
    std::mem::forget(window_event_listener(ev::keydown, move |event| {
        // With Caps Lock on, the key is "K".
        let key = event.key().eq_ignore_ascii_case("k") && (event.ctrl_key() || event.meta_key());
        if key && !event.shift_key() && !event.alt_key() {
            event.prevent_default();
            search();
        }
    }));
}

/// Loads the page anew.
pub fn reload() {
    if let Some(window) = web_sys::window() {
        // Refused only where there is no page.
        let _ = window.location().reload();
    }
}
