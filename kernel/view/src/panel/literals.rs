//! The next request verbatim: the body that is sent, and a command that sends it.

use super::literal::Literal;
use super::rendered_prompt::RenderedPrompt;
use crate::stores::use_kernel;
use leptos::html::Details;
use leptos::prelude::*;
use sash_browser_kit::page;
use sash_server::api;
use sash_words::t;

/// The URL path of prompts, which is that of [`api::response`].
const PATH: &str = "/api/v1/response";

/// The request as JSON, as a curl command, and rendered with the model's chat template.
#[component]
pub fn Literals() -> impl IntoView {
    let kernel = use_kernel();
    let json = Signal::derive(move || api::pretty_body(kernel.answers().next_request_in_short()));
    let curl = Signal::derive(move || {
        let url = page::origin() + PATH;
        api::curl(
            &url,
            &api::body(kernel.answers().next_request_in_short()),
            api::has_token(),
        )
    });

    let has_images = move || kernel.attachments().count.with(|count| count.sent > 0);

    view! {
        <div class="literals">
            <Show when=has_images>
                <p class="hint-line">
                    {t!(panel.images_shown_shortened)}
                </p>
            </Show>
            <LiteralFold name="JSON" text=json />
            <LiteralFold name="curl" text=curl />
            <RenderedPrompt />
        </div>
    }
}

/// A disclosure with a verbatim text, which is computed only while it is open.
#[component]
fn LiteralFold(
    /// Its name.
    name: &'static str,
    /// The text.
    text: Signal<String>,
) -> impl IntoView {
    let details = NodeRef::<Details>::new();
    let open = RwSignal::new(false);
    let note_toggle = move |_| {
        if let Some(details) = details.get_untracked() {
            open.set(details.open());
        }
    };

    view! {
        <details node_ref=details on:toggle=note_toggle>
            <summary>{name}</summary>
            <Show when=move || open.get()>
                <Literal name text />
            </Show>
        </details>
    }
}
