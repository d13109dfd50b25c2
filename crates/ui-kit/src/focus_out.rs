//! Focus that leaves an element.

use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{FocusEvent, Node};

/// Whether a `focusout` event takes the focus out of an element, to another one. If focus goes to no element it may
/// return: the window was left, or a text was clicked.
pub fn takes_focus_from<E>(place: NodeRef<E>, event: &FocusEvent) -> bool
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    let to = event.related_target();
    let to = to.and_then(|to| to.dyn_into::<Node>().ok());
    // The event comes late, too, when the element has just been removed.
    let around = place.try_get_untracked().flatten();
    to.is_some()
        && around.is_some_and(|around| !around.unchecked_ref::<Node>().contains(to.as_ref()))
}
