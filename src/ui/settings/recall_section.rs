//! How messages that fit a prompt are found.

use super::choice_field::ChoiceField;
use crate::ui::parts::{model_title, plural};
use crate::ui::stores::use_stores;
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_state::{EmbeddingState, SettingsStoreFields};

/// The model by which messages are found whose words the prompt does not share. Empty where no installed model can do
/// that and none is chosen.
#[component]
pub fn RecallSection() -> impl IntoView {
    let stores = use_stores();
    let embeddings = stores.embeddings;
    embeddings.list();
    let chosen = stores.settings.current.embedding_model();
    let models = Memo::new(move |_| {
        let mut keys = embeddings.offered.with(|offered| {
            let offered = offered.iter().flatten();
            let keys = offered.map(|model| model.id().key().into_owned());
            keys.collect::<Vec<_>>()
        });
        keys.extend(chosen.get().filter(|chosen| !keys.contains(chosen)));
        keys
    });
    let choices = move || {
        let none = (String::new(), "None: by words only".to_owned());
        let named = models.get().into_iter().map(|key| {
            let words = model_title(stores.engine, &ModelId::from(key.as_str()));
            (key, words)
        });
        std::iter::once(none).chain(named).collect::<Vec<_>>()
    };
    let choose = move |key: String| {
        embeddings.choose(Some(key).filter(|key| !key.is_empty()));
    };

    view! {
        <Show when=move || !models.with(Vec::is_empty)>
            <section aria-labelledby="settings-recall">
                <h3 id="settings-recall">"Recall"</h3>
                <ChoiceField
                    id="setting-embedding-model"
                    label="Embedding model"
                    choices=Signal::derive(choices)
                    value=Signal::derive(move || chosen.get().unwrap_or_default())
                    on_choose=choose
                />
                <p class="hint-line">
                    "Finds older messages that mean what you write although they share no word with it, in chats that recall by themselves. While no answer runs, Sash has Ollama read the messages of these chats; what comes back stays in this browser. The model takes memory beside the one that answers: where both do not fit, Ollama loads that one anew for your next prompt."
                </p>
                <Show when=move || chosen.with(Option::is_some)>
                    <p>{move || state_words(&embeddings.state.get())}</p>
                </Show>
            </section>
        </Show>
    }
}

/// What is being done, in words.
fn state_words(state: &EmbeddingState) -> String {
    match state {
        EmbeddingState::Idle => "Nothing to read now.".to_owned(),
        EmbeddingState::Due => "Looking for messages to read …".to_owned(),
        EmbeddingState::Working { left } => {
            format!("Reading a chat: {} left.", plural(*left, "message"))
        }
        EmbeddingState::Paused(fault) => format!("{fault} Sash tries again by itself."),
    }
}
