//! The icon of the page in the tab, with a dot while there is something to be seen.

use crate::console::LogError;
use leptos::prelude::*;

/// The end of the icon, which is an SVG in a `data:` address, and the dot before it.
const END: &str = "%3C/svg%3E";
const DOT: &str = "%3Ccircle cx='12' cy='12' r='4' fill='%23d0452f' stroke='%23fff'/%3E";

/// Shows a dot on the icon while `has_dot` is true. The link belongs to `index.html`, so that the browser has an icon
/// before the program arrives; leptos_meta could only add a second one.
pub fn use_icon_dot(has_dot: Signal<bool>) {
    let link = document().query_selector("link[rel=icon]").ok().flatten();
    let Some((link, plain)) = link.and_then(|link| {
        let plain = link.get_attribute("href")?;
        Some((link, plain))
    }) else {
        return;
    };
    let link = StoredValue::new_local(link);
    Effect::new(move |had_dot: Option<bool>| {
        let has_dot = has_dot.get();
        if had_dot.unwrap_or(false) != has_dot {
            let href = match plain.strip_suffix(END).filter(|_| has_dot) {
                Some(beginning) => format!("{beginning}{DOT}{END}"),
                None => plain.clone(),
            };
            link.with_value(|link| link.set_attribute("href", &href).log_error());
        }
        has_dot
    });
}
