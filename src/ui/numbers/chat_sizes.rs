//! The room of each chat.

use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::Id;
use sash_log::Key;
use sash_records::KINDS;
use sash_stores::amount;
use sash_view::browser::storage;
use sash_words::t;
use std::collections::BTreeMap;

/// How many chats are listed: the largest.
const MAX_CHATS: usize = 20;

/// The room that each chat takes in the log, the largest first. A press opens the chat.
#[component]
pub fn ChatSizes() -> impl IntoView {
    let stores = use_stores();
    let kernel = stores.kernel();
    let sizes = sizes_by_chat();
    let chats = kernel.chats().list.get_untracked();
    let mut rows: Vec<(Id, String, usize)> = chats
        .into_iter()
        .map(|chat| {
            let size = sizes.get(&chat.id).copied().unwrap_or_default();
            (chat.id, chat.title, size)
        })
        .collect();
    rows.sort_by_key(|(_, _, size)| std::cmp::Reverse(*size));
    let more = rows.len().saturating_sub(MAX_CHATS);
    let greatest = rows.first().map_or(1, |(_, _, size)| (*size).max(1));
    let rows = rows.into_iter().take(MAX_CHATS).map(|(id, title, size)| {
        let open = move |_| {
            kernel.view().sub_page.set(None);
            kernel.chats().open_chat(id);
        };
        view! {
            <tr>
                <th scope="row">
                    <button type="button" class="link" on:click=open>
                        {title}
                    </button>
                </th>
                <td>
                    <meter
                        min="0"
                        max=greatest.to_string()
                        value=size.to_string()
                        aria-hidden="true"
                    ></meter>
                </td>
                <td>{amount(size)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();

    view! {
        <section aria-labelledby="numbers-chats">
            <h3 id="numbers-chats">{t!(numbers.storage_by_chat)}</h3>
            <table class="models-table chat-sizes">
                <tbody>{rows}</tbody>
            </table>
            {(more > 0).then(|| view! { <p class="hint-line">{t!(numbers.and_smaller_ones, more = &more)}</p> })}
        </section>
    }
}

/// The UTF-16 units of keys and values, which is what browsers count, by chat.
fn sizes_by_chat() -> BTreeMap<Id, usize> {
    let mut sizes = BTreeMap::new();
    for (key, units) in storage::sizes() {
        if let Some(chat) = Key::parse(&key, KINDS).and_then(|key| key.chat()) {
            *sizes.entry(chat).or_default() += units;
        }
    }
    sizes
}
