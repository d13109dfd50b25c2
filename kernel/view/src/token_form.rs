//! LAN mode: the form for the token, if the address did not contain it.

use crate::browser::token::{Secrets, UseSecrets};
use crate::stores::use_kernel;
use leptos::html::Input;
use leptos::prelude::*;
use leptos::task::spawn_local;
use sash_browser_kit::page;
use sash_stores::Kernel;
use sash_wire::Fault;
use sash_words::t;
use web_sys::SubmitEvent;

/// Uses a token, or an address that has one, or a code for one.
async fn use_pasted(kernel: Kernel, others: UseSecrets, text: String) {
    match Secrets::of_pasted(&text, others.names).exchange().await {
        Ok(secrets) if secrets.token.is_none() => {
            kernel.engine().token_fault.set(Some(Fault::AddressExpired));
        }
        Ok(secrets) => {
            others.take.run(secrets);
            kernel.engine().poll_now();
        }
        Err(fault) => kernel.engine().token_fault.set(Some(fault)),
    }
}

/// The form. It accepts the token or the whole address.
#[component]
pub fn TokenForm() -> impl IntoView {
    let kernel = use_kernel();
    let others: UseSecrets = expect_context();
    let field = NodeRef::<Input>::new();
    let pasted = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let text = pasted.get_untracked().trim().to_owned();
        if !text.is_empty() {
            // The same words are announced again only if they were gone.
            kernel.engine().token_fault.set(None);
            spawn_local(use_pasted(kernel, others, text));
        }
    };
    let fault = kernel.engine().token_fault;
    let words = Memo::new(move |_| {
        fault.get().map(|fault| match fault {
            Fault::Unauthorized => t!(ollama.token_wrong).to_owned(),
            fault => fault.to_string(),
        })
    });
    // At the start, and after each refusal; what is typed must not become a draft in the composer.
    Effect::new(move || {
        fault.track();
        page::focus_soon(field);
    });

    view! {
        <form class="panel" aria-label=t!(ollama.token) data-roomy="true" on:submit=submit>
            <h2>{t!(ollama.token_needed)}</h2>
            <p>
                {t!(ollama.token_hint)}
            </p>
            <div class="field-row">
                <input
                    node_ref=field
                    aria-label=t!(ollama.token)
                    aria-invalid=move || words.with(Option::is_some).to_string()
                    aria-describedby="token-fault"
                    autocomplete="off"
                    spellcheck="false"
                    bind:value=pasted
                />
                <button class="primary" type="submit">
                    {t!(ollama.open)}
                </button>
            </div>
            <div id="token-fault" role="alert">
                {move || words.get().map(|words| view! { <p class="note note-failed">{words}</p> })}
            </div>
        </form>
    }
}
