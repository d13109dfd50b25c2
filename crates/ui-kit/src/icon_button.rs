//! A button with an icon.

use crate::{Icon, IconName};
use leptos::html;
use leptos::prelude::*;

/// A button with an icon and an accessible name. Attributes and listeners are added from outside:
/// `attr:id=…`, `on:click=…`.
#[component]
pub fn IconButton(
    /// Its accessible name, shown as a tooltip too.
    #[prop(into)]
    label: Signal<String>,
    /// The icon.
    #[prop(into)]
    icon: Signal<IconName>,
    /// The tooltip, if it says more than the name.
    #[prop(optional, into)]
    title: Option<Signal<String>>,
    /// Classes besides `icon-button`.
    #[prop(optional)]
    class: &'static str,
    /// The button element.
    #[prop(optional)]
    button_ref: NodeRef<html::Button>,
    /// Content after the icon.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let class = if class.is_empty() {
        "icon-button".to_owned()
    } else {
        format!("icon-button {class}")
    };

    view! {
        <button
            type="button"
            class=class
            aria-label=label
            title=title.unwrap_or(label)
            node_ref=button_ref
        >
            {move || view! { <Icon name=icon.get() /> }}
            {children.map(|children| children())}
        </button>
    }
}
