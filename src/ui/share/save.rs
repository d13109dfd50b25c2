//! Saves a chat as one HTML file.

use crate::api;
use crate::browser::clock;
use crate::browser::file::{self, FileParts};
use crate::browser::image_store::BrowserImages;
use crate::ui::library::unread_words;
use sash_chat::{Chat, Message, Role};
use sash_markdown::code_blocks;
use sash_state::Stores;
use sash_state::edges::{Images, ImagesUnavailable};
use sash_transfer::{Share, SharedPage, file_name, image_line, shared_page};
use std::collections::BTreeMap;

/// Saves a chat as a page: as it is now, whatever is written while its code is coloured.
pub async fn save_page(stores: Stores, chat: Chat, share: Share) {
    let colors = colors_of(share.scope.messages(&chat)).await;
    let SharedPage { start, images, end } =
        shared_page(&chat, share, clock::now(), &clock::date, &|fence, code| {
            colors.get(&(fence.to_owned(), code.to_owned())).cloned()
        });
    let parts = FileParts::from(start);
    let mut unread = 0;
    for hash in images {
        match BrowserImages.read(hash).await {
            Ok(Some(bytes)) => parts.push_blob(&image_line(hash, &bytes)),
            // Without its bytes a message keeps its preview.
            Ok(None) => {}
            Err(ImagesUnavailable) => unread += 1,
        }
    }
    parts.push(&end);
    let name = file_name(&chat.title(), "html");
    file::download(&name, "text/html", parts);
    stores.notices.show(match unread {
        0 => format!("Saved as {name}. It opens in any browser, and Sash can import it"),
        unread => format!("Saved as {name}{}", unread_words(unread)),
    });
}

/// The colours of the code in answers, by language and text. Code that the server does not colour stays plain.
async fn colors_of(messages: Vec<&Message>) -> BTreeMap<(String, String), String> {
    let mut colors = BTreeMap::new();
    for answer in messages.iter().filter(|m| m.role == Role::Assistant) {
        for (fence, code) in code_blocks(&answer.content) {
            let key = (fence, code);
            if key.0.is_empty() || colors.contains_key(&key) {
                continue;
            }
            if let Ok(highlighted) = api::highlight(key.0.clone(), key.1.clone()).await {
                colors.insert(key, highlighted.runs);
            }
        }
    }
    colors
}
