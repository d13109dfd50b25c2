//! A search result.

use crate::AllChats;
use leptos::either::Either;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_chat::{Message, Role};
use sash_search::{SearchHit, SearchQuery, Snippet};
use sash_view::library::LibraryContext;
use sash_view::stores::use_kernel;
use sash_words::t;
use std::sync::Arc;

/// The id of a result.
pub fn result_id(at: usize) -> String {
    format!("result-{at}")
}

/// A found message: its chat, its time, its author, and an excerpt around the matches.
#[component]
pub fn SearchResult(
    /// The message.
    found: SearchHit,
    /// Its index in the list.
    at: ReadSignal<usize>,
    /// The query.
    query: Memo<Arc<SearchQuery>>,
    /// The index of the result that Enter shows.
    chosen: RwSignal<usize>,
) -> impl IntoView {
    let library = expect_context::<LibraryContext>();
    let all_chats = AllChats::expect();
    let chats = use_kernel().chats();
    let title = chats.title_now(found.chat);
    let message = found.message;
    let message = message.and_then(|message| chats.read_message(found.chat, message));
    let who = match &message {
        Some(message) => speaker(message),
        None if found.message.is_some() => t!(recall.deleted_meanwhile).to_owned(),
        None => t!(recall.chat_name).to_owned(),
    };
    let name = match found.message {
        Some(_) => String::new(),
        None => title.clone(),
    };
    let snippet = move || {
        let snippet = query.with(|query| match &message {
            Some(message) => Snippet::of(message, query),
            None => Snippet::new(&name, query),
        });
        let parts = snippet.parts().map(|(part, marked)| {
            let part = part.to_owned();
            match marked {
                true => Either::Left(view! { <mark>{part}</mark> }),
                false => Either::Right(part),
            }
        });
        parts.collect_view()
    };

    view! {
        <div
            class="result"
            role="option"
            id=move || result_id(at.get())
            aria-selected=move || (chosen.get() == at.get()).to_string()
            on:click=move |_| {
                library.tab.set(None);
                all_chats.show(&found, query.get_untracked());
            }
        >
            <span class="result-head">
                <span class="result-title" dir="auto">
                    {title}
                </span>
                <span class="result-time">{clock::date(found.created)}</span>
            </span>
            <span class="result-text" dir="auto">
                {snippet}
                <span class="result-who">{format!(" · {who}")}</span>
            </span>
        </div>
    }
}

fn speaker(message: &Message) -> String {
    match (message.role, &message.model) {
        (Role::User, _) => t!(recall.you).to_owned(),
        (_, Some(model)) => model.clone(),
        (role, None) => role.as_str().to_owned(),
    }
}
