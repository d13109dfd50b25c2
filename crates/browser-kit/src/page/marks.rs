//! Marks ranges of text with the CSS Custom Highlight API, which web-sys does not have.

use leptos::prelude::window;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Range;

/// Marks these ranges instead of those before, under a name of the stylesheet; `None` where the browser has no
/// highlights.
pub fn mark(name: &str, ranges: &[Range]) -> Option<()> {
    let window = JsValue::from(window());
    let get = |of: &JsValue, name: &str| js_sys::Reflect::get(of, &name.into()).ok();
    let highlights = get(&get(&window, "CSS")?, "highlights")?;
    let set: js_sys::Function = get(&highlights, "set")?.dyn_into().ok()?;
    let constructor: js_sys::Function = get(&window, "Highlight")?.dyn_into().ok()?;
    let ranges: js_sys::Array = ranges.iter().collect();
    let highlight = js_sys::Reflect::construct(&constructor, &ranges).ok()?;
    set.call2(&highlights, &name.into(), &highlight).ok()?;
    Some(())
}
