//! What the model read for an answer.

use crate::chat::{Id, Receipt};
use crate::ui::composer::grouped;
use crate::ui::session::Live;
use leptos::prelude::*;

/// The receipt, when it is asked for; the messages it names are marked in the transcript.
#[component]
pub fn ReceiptNote(
    id: Id,
    live: Live,
    receipt_shown: RwSignal<bool>,
    follow: Callback<()>,
) -> impl IntoView {
    let name = format!("receipt-{id}");
    // The receipt of the last answer opens below the edge of the page.
    Effect::new(move || {
        if receipt_shown.get() {
            // The transcript may be gone by then.
            request_animation_frame(move || _ = follow.try_run(()));
        }
    });
    move || {
        let receipt = live.receipt.get().filter(|_| receipt_shown.get())?;
        Some(view! { <p class="receipt" id=name.clone()>{sentence(&receipt)}</p> })
    }
}

fn sentence(receipt: &Receipt) -> String {
    let before = receipt.sent.len().saturating_sub(1);
    let mut parts = vec![match before {
        0 => "It read the prompt alone".to_owned(),
        1 => "It read 1 message and the prompt".to_owned(),
        n => format!("It read {n} messages and the prompt"),
    }];
    parts.push(match receipt.prompt_tokens.counted {
        Some(counted) => format!(
            "{} tokens (estimated {})",
            grouped(counted),
            grouped(receipt.prompt_tokens.estimated)
        ),
        None => format!("about {} tokens", grouped(receipt.prompt_tokens.estimated)),
    });
    parts.extend(
        receipt
            .context_length
            .map(|n| format!("room for {}", grouped(n))),
    );
    parts.extend(
        receipt
            .answer_tokens
            .map(|n| format!("answered with {} tokens", grouped(n))),
    );
    let speed = receipt
        .answer_tokens
        .zip(receipt.answer_ms)
        .filter(|(_, ms)| *ms > 0.0);
    parts.extend(speed.map(|(n, ms)| format!("{:.0} tokens a second", n as f64 * 1000.0 / ms)));
    parts.join(" · ")
}
