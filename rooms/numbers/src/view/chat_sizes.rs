//! The size of each chat.

use leptos::prelude::*;
use sash_chat::Id;
use sash_stores::{Kernel, amount};
use sash_view::browser::storage;
use sash_view::stores::use_kernel;
use sash_words::t;
use std::collections::BTreeMap;

/// How many chats are listed: the largest.
const MAX_CHATS: usize = 20;

/// The size of each chat in the log, the largest first. A press opens the chat.
#[component]
pub fn ChatSizes() -> impl IntoView {
    let kernel = use_kernel();
    let sizes = sizes_by_chat(kernel);
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
            {(more > 0).then(|| view! { <p class="hint-line">{t!(numbers.smaller_chats, more = &more)}</p> })}
        </section>
    }
}

/// The UTF-16 units of keys and values, which is what browsers count, by chat.
fn sizes_by_chat(kernel: Kernel) -> BTreeMap<Id, usize> {
    let sizes = kernel.storage().with_log(|log| {
        let mut sizes = BTreeMap::new();
        for (name, units) in storage::sizes() {
            if let Some(chat) = log.key(&name).and_then(|key| key.chat()) {
                *sizes.entry(chat).or_default() += units;
            }
        }
        sizes
    });
    sizes.unwrap_or_default()
}
