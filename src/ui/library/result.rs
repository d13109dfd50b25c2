//! One message that was found.

use super::Library;
use super::search::show;
use crate::browser::clock;
use crate::ui::dom::{El, el};
use leptos::prelude::*;
use sash_chat::{Message, Role};
use sash_search::{Found, Query, Snippet};

/// Chat, time, who speaks, and the words around what was looked for.
pub fn result(
    library: Library,
    query: &Query,
    found: &Found,
    at: usize,
    chosen: RwSignal<usize>,
) -> El {
    let summary = library.with_log(|log| log.summary(found.chat)).flatten();
    let title = summary.map_or_else(String::new, |summary| summary.title);
    let message = library.indexing.message(library, found);
    let (who, text) = match &message {
        Some(message) => (speaker(message), message.content.as_str()),
        None if found.message.is_some() => ("gone meanwhile".to_owned(), ""),
        None => ("name of the chat".to_owned(), title.as_str()),
    };
    let snippet = Snippet::new(text, query);
    let mut words = el("span").class("result-text").attr("dir", "auto");
    for (part, marked) in snippet.parts() {
        words = match marked {
            true => words.child(el("mark").text(part)),
            false => words.text(part),
        };
    }
    let found = *found;
    el("div")
        .class("result")
        .attr("role", "option")
        .attr("id", &format!("result-{at}"))
        .live_attr("aria-selected", move || (chosen.get() == at).to_string())
        .child(
            el("span")
                .class("result-head")
                .child(
                    el("span")
                        .class("result-title")
                        .attr("dir", "auto")
                        .text(&title),
                )
                .child(
                    el("span")
                        .class("result-time")
                        .text(&clock::date(found.created)),
                ),
        )
        .child(words.child(el("span").class("result-who").text(&format!(" · {who}"))))
        .click(move || show(library, &found))
}

fn speaker(message: &Message) -> String {
    match (message.role, &message.model) {
        (Role::User, _) => "you".to_owned(),
        (_, Some(model)) => model.clone(),
        (role, None) => role.as_str().to_owned(),
    }
}
