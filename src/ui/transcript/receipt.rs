//! What the model read for an answer.

use super::Follow;
use crate::chat::{Id, Receipt};
use crate::ui::composer::grouped;
use crate::ui::dom::{El, el};
use crate::ui::session::Live;
use leptos::prelude::*;
use std::rc::Rc;

/// The receipt, when it is asked for; the messages it names are marked in the transcript.
pub fn receipt_note(id: Id, parts: &Live, shown: RwSignal<bool>, follow: &Follow) -> El {
    let (receipt, follow) = (parts.receipt.clone(), Rc::clone(follow));
    el("div").choose(
        move || receipt.get().filter(|_| shown.get()),
        move |receipt| {
            // The receipt of the last answer opens below the edge of the page.
            follow();
            let words = sentence(receipt.as_ref()?);
            Some(
                el("p")
                    .class("receipt")
                    .attr("id", &format!("receipt-{id}"))
                    .text(&words),
            )
        },
    )
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
    parts.extend(speed.map(|(n, ms)| {
        format!(
            "{} tokens a second",
            (n as f64 * 1000.0 / ms).round() as u64
        )
    }));
    parts.join(" · ")
}
