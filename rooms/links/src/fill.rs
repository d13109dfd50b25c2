//! Fills in what an address brings: a prompt into the composer of a new chat, and the model of that chat. Nothing of it leaves
//! the page before the person sends or changes it.

use crate::query::{FillQuery, MAX_FILLED};
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::{Chat, ChatStoreFields, ModelId};
use sash_stores::{Kernel, same_model};
use sash_words::{count::grouped, t};

/// Fills in what an address brings, in a new chat: what is written in another one stays there.
pub fn fill(kernel: Kernel, query: FillQuery) {
    let prompt = match query.prompt {
        Some(Err(characters)) => {
            return kernel.notices().show(t!(
                links.text_too_long,
                characters = grouped(characters as u64),
                most = grouped(MAX_FILLED as u64)
            ));
        }
        Some(Ok(prompt)) => prompt,
        None => String::new(),
    };
    let chats = kernel.chats();
    let chat = chats.new_chat();
    chats.begin_another(chat);
    kernel.drafts().fill(&prompt);
    if let Some(name) = query.model {
        choose_once_listed(kernel, name);
    }
}

/// Gives the open chat, which has just begun, the model of that name once the list of models has come, or says that there is
/// none.
fn choose_once_listed(kernel: Kernel, name: String) {
    let chats = kernel.chats();
    let chat = chats.open_id_untracked();
    let former = chats.open.head().with_untracked(|head| head.model_id());
    Effect::new(move |is_done: Option<bool>| {
        if is_done == Some(true) {
            return true;
        }
        let Some(found) = find(kernel, &name) else {
            return false;
        };
        // Another model was chosen by hand.
        let is_as_begun = chats.open.with_untracked(|open: &Chat| {
            open.head.id == chat && open.is_empty() && open.head.model_id() == former
        });
        if is_as_begun {
            untrack(|| match found {
                Some(model) => chats.choose_model_of_chat(chat, model),
                None => kernel
                    .notices()
                    .show(t!(links.model_not_installed, name = &name)),
            });
        }
        true
    });
}

/// The model of that name, of the first engine that has it; `Some(None)` if none has it, and `None` while engines are still
/// asked.
fn find(kernel: Kernel, name: &str) -> Option<Option<ModelId>> {
    let engine = kernel.engine();
    let found = engine.models.with(|models| {
        let found = models.iter().find(|model| same_model(&model.name, name));
        found.map(|model| model.id())
    });
    match found {
        None if engine.is_listing() => None,
        found => Some(found),
    }
}
