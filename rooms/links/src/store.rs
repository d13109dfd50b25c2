//! What an address fills in: a prompt into the composer of a new chat, and the model of that chat. Nothing of it leaves the
//! page before the person sends or changes it.

use crate::prefill::{MAX_PREFILL, Prefill};
use reactive_graph::effect::Effect;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::{Chat, ChatStoreFields, Id, ModelId};
use sash_stores::{Kernel, OtherEngine, same_model, uses};
use sash_words::{count::grouped, t};

/// A model that an address asks for, until the models are known.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WantedModel {
    chat: Id,
    name: String,
    /// The model that the chat began with: another one was chosen by hand.
    former: Option<ModelId>,
}

/// What addresses fill in.
#[derive(Clone, Copy)]
pub struct Prefills {
    kernel: Kernel,
    wanted: RwSignal<Option<WantedModel>>,
}

uses!(Prefills.kernel: notices engine chats drafts);

impl Prefills {
    /// Creates the store; nothing is filled in.
    #[must_use]
    pub fn new(kernel: Kernel) -> Self {
        let store = Self {
            kernel,
            wanted: RwSignal::new(None),
        };
        // Changes the chat once the list of models has come.
        Effect::new(move || {
            if let Some(wanted) = store.wanted.get()
                && let Some(found) = store.find(&wanted.name)
            {
                untrack(|| store.choose(wanted, found));
            }
        });
        store
    }

    /// Fills in what an address brings, in a new chat: what is written in another one stays there.
    pub fn apply(self, prefill: Prefill) {
        let prompt = match prefill.prompt {
            Some(Err(characters)) => {
                return self.notices().show(t!(
                    links.the_address_brings_too_much,
                    characters = grouped(characters as u64),
                    most = grouped(MAX_PREFILL as u64)
                ));
            }
            Some(Ok(prompt)) => prompt,
            None => String::new(),
        };
        let chat = self.chats().new_chat();
        self.chats().begin_another(chat);
        self.drafts().fill(&prompt);
        let head = self.chats().open.head();
        self.wanted.set(prefill.model.map(|name| WantedModel {
            chat: self.chats().open_id_untracked(),
            name,
            former: head.with_untracked(|head| head.model_id()),
        }));
    }

    /// The model of that name, of the first engine that has it; `Some(None)` if none has it, and `None` while engines are
    /// still asked.
    fn find(self, name: &str) -> Option<Option<ModelId>> {
        let found = self.engine().models.with(|models| {
            let found = models.iter().find(|model| same_model(&model.name, name));
            found.map(|model| model.id())
        });
        let is_asked = |other: &OtherEngine| other.models.is_none() && other.state.is_none();
        let is_pending = || {
            !self.engine().listed.get() || self.engine().others.with(|all| all.iter().any(is_asked))
        };
        match found {
            None if is_pending() => None,
            found => Some(found),
        }
    }

    /// Gives a chat the model that was found, or says that there is none.
    fn choose(self, wanted: WantedModel, found: Option<ModelId>) {
        self.wanted.set(None);
        let is_as_begun = self.chats().open.with_untracked(|open: &Chat| {
            open.head.id == wanted.chat && open.is_empty() && open.head.model_id() == wanted.former
        });
        if !is_as_begun {
            return;
        }
        match found {
            Some(model) => self.chats().choose_model_of_chat(wanted.chat, model),
            None => self
                .notices()
                .show(t!(links.the_address_asks_for_a_model, name = wanted.name)),
        }
    }
}
