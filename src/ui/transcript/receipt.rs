//! What the model read for an answer: the proof that is kept with it.

use super::Follow;
use crate::ui::app::session;
use crate::ui::composer::{grouped, plural};
use crate::ui::dom::{El, button, el};
use crate::ui::panel::{FoldedText, policy_words, role_words};
use crate::ui::session::{Live, Session};
use leptos::prelude::*;
use sash_chat::{Id, Policy, Receipt};
use std::rc::Rc;

/// Characters of a message that are shown.
const EXCERPT: usize = 80;

/// The receipt, when it is asked for; the messages it names are marked in the transcript.
pub fn receipt_note(id: Id, parts: &Live, shown: RwSignal<bool>, follow: &Follow) -> El {
    let session = session();
    let (receipt, follow) = (parts.receipt.clone(), Rc::clone(follow));
    el("div").choose(
        move || shown.get().then(|| receipt.get()).flatten(),
        move |receipt| {
            // The receipt of the last answer opens below the edge of the page.
            follow();
            Some(note(session, id, receipt.as_ref()?))
        },
    )
}

fn note(session: Session, id: Id, receipt: &Receipt) -> El {
    let question = usize::from(receipt.question_before.is_some());
    let before = match receipt.sent.len().saturating_sub(1 + question) {
        0 => "It read the prompt alone".to_owned(),
        n if question > 0 => format!(
            "It read {}, the question before and the prompt",
            plural(n, "message")
        ),
        n => format!("It read {} and the prompt", plural(n, "message")),
    };
    let mut list = el("ol").attr("aria-label", "Messages it read");
    for sent in &receipt.sent {
        let mut line = el("li").child(message(session, *sent));
        if receipt.question_before == Some(*sent) {
            line = line.text(" (the question before: this model wants one first)");
        }
        list = list.child(line);
    }
    let mut facts = el("ul");
    for fact in facts_of(receipt) {
        facts = facts.child(el("li").text(&fact));
    }
    let system = session.open.with_untracked(|chat| {
        let text = chat.head.system_at(receipt.system)?.to_owned();
        let words = el("p").text("System prompt, first of all:");
        Some(words.view(view! { <FoldedText text /> }))
    });
    el("div")
        .class("receipt")
        .attr("id", &format!("receipt-{id}"))
        .child(el("p").child(el("strong").text(&before)))
        .maybe(system)
        .child(list)
        .child(facts)
}

/// A message in short; it leads to it where it stands in the transcript.
fn message(session: Session, id: Id) -> El {
    let Some(message) = session.message(id) else {
        return el("span").text("A message that has been deleted");
    };
    let line = message.content.trim().lines().next().unwrap_or_default();
    let mut words = format!("{}: ", role_words(message.role));
    words.extend(line.chars().take(EXCERPT));
    if line.chars().nth(EXCERPT).is_some() || line.len() < message.content.trim().len() {
        words.push('…');
    }
    if session.path.with_untracked(|path| path.contains(&id)) {
        button("link")
            .text(&words)
            .click(move || session.reveal(id))
    } else {
        el("span").text(&words).text(" (on another branch)")
    }
}

/// The model, and its digest as far as `ollama list` shows it.
fn model_words(receipt: &Receipt) -> Option<String> {
    const SHOWN_DIGITS: usize = 12;
    let mut words = format!("Model: {}", receipt.model.as_ref()?);
    if let Some(digest) = &receipt.digest {
        let digits: String = digest.chars().take(SHOWN_DIGITS).collect();
        words += &format!(", digest {digits}");
    }
    Some(words)
}

/// Model, rule, tokens, options and times, a line each.
pub fn facts_of(receipt: &Receipt) -> Vec<String> {
    let rule = match receipt.policy {
        Policy::Messages(0) if receipt.sent.len() > 1 => "messages chosen one by one".to_owned(),
        policy => policy_words(policy),
    };
    let mut facts: Vec<String> = model_words(receipt).into_iter().collect();
    facts.push(format!("Rule: {rule}"));
    let guess = grouped(receipt.prompt_tokens.estimated);
    let mut prompt = match receipt.prompt_tokens.counted {
        Some(counted) => format!(
            "Read: {} tokens, counted by Ollama (estimated {guess})",
            grouped(counted)
        ),
        None => format!("Read: about {guess} tokens (estimated)"),
    };
    match receipt.context_length {
        Some(room) => prompt += &format!(", with room for {}", grouped(room)),
        None => prompt += "; the model was not loaded yet",
    }
    facts.push(prompt);
    let answered = receipt.answer_tokens.map(|tokens| {
        let mut words = format!("Wrote: {}", plural(tokens as usize, "token"));
        if let Some(ms) = receipt.answer_ms.filter(|ms| *ms > 0.0) {
            let speed = (tokens as f64 * 1000.0 / ms).round() as u64;
            words += &format!(", {} a second", grouped(speed));
        }
        words
    });
    facts.extend(answered);
    let times = [
        ("loading", receipt.load_ms),
        ("reading", receipt.prompt_ms),
        ("writing", receipt.answer_ms),
    ];
    let times = times.into_iter();
    let times: Vec<_> = times
        .filter_map(|(what, ms)| Some(format!("{what} {}", seconds(ms?))))
        .collect();
    if !times.is_empty() {
        facts.push(format!("Time: {}", times.join(", ")));
    }
    let options = receipt.options.as_ref();
    for (name, value) in options.and_then(|o| o.as_object()).into_iter().flatten() {
        facts.push(format!("Option {name}: {value}"));
    }
    facts
}

/// Milliseconds as seconds with one digit behind the point.
fn seconds(ms: f64) -> String {
    match (ms / 100.0).round() as u64 {
        0 => "under 0.1 s".to_owned(),
        tenths => format!("{}.{} s", grouped(tenths / 10), tenths % 10),
    }
}
