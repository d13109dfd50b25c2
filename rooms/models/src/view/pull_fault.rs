//! A failed pull.

use crate::ModelFault;
use leptos::prelude::*;
use sash_wire::{Fault, RoomFaults};
use sash_words::t;

/// Why a pull failed, and Ollama's message.
#[component]
pub fn PullFault(
    /// The fault that ended the pull.
    fault: Fault,
) -> impl IntoView {
    let sentence = fault.to_string();
    let cause = match ModelFault::of(&fault) {
        Some(ModelFault::PullFailed { cause, .. }) => cause,
        _ => None,
    };
    let cause = cause.map(|cause| {
        view! {
            <details class="cause">
                <summary>{t!(models.what_ollama_said)}</summary>
                <p>{cause}</p>
            </details>
        }
    });

    view! {
        <div>
            <p class="note note-failed">{sentence}</p>
            {cause}
        </div>
    }
}
