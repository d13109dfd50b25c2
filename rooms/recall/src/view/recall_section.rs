//! The settings of how messages that fit a prompt are found.

use crate::{EmbeddingSettingsStoreFields, EmbeddingState, Embeddings};
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_view::parts::model_title;
use sash_view::settings::{ChoiceField, Setting};
use sash_view::stores::use_kernel;
use sash_words::{count, t};

/// The choice of the embedding model among the settings.
pub const EMBEDDING_MODEL: Setting = Setting {
    id: "setting-embedding-model",
    words: || t!(recall.embedding_model),
};

/// The model by which messages are found whose words the prompt does not share. Empty where no installed model can do
/// that and none is chosen.
#[component]
pub fn RecallSection() -> impl IntoView {
    let engine = use_kernel().engine();
    let embeddings = Embeddings::expect();
    embeddings.list();
    let chosen = embeddings.settings.current.embedding_model();
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
        let none = (String::new(), t!(recall.model_none).to_owned());
        let named = models.get().into_iter().map(|key| {
            let words = model_title(engine, &ModelId::from(key.as_str()));
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
                <h3 id="settings-recall">{t!(recall.recall)}</h3>
                <ChoiceField
                    id=EMBEDDING_MODEL.id
                    label=t!(recall.embedding_model)
                    choices=Signal::derive(choices)
                    value=Signal::derive(move || chosen.get().unwrap_or_default())
                    on_choose=choose
                />
                <p class="hint-line">
                    {t!(recall.embeddings_hint)}
                </p>
                <Show when=move || chosen.with(Option::is_some)>
                    <ShowLet
                        some=move || embeddings.waiting()
                        let:waiting
                        fallback=move || {
                            view! { <p>{move || state_words(&embeddings.state.get())}</p> }
                        }
                    >
                        <p>
                            {t!(
                                recall.reading_consent,
                                engine = &waiting.engine,
                                messages = count::messages(waiting.messages)
                            )}
                        </p>
                        <div class="setting-buttons">
                            <button type="button" on:click=move |_| embeddings.start_reading()>
                                {t!(recall.start_reading)}
                            </button>
                        </div>
                    </ShowLet>
                    <ShowLet some=move || embeddings.engine_without_drafts() let:engine>
                        <p>{t!(recall.words_only_for_engine, engine = &engine)}</p>
                    </ShowLet>
                </Show>
            </section>
        </Show>
    }
}

/// What is being done, in words.
fn state_words(state: &EmbeddingState) -> String {
    match state {
        EmbeddingState::Idle => t!(recall.reading_done).to_owned(),
        EmbeddingState::Due => t!(recall.reading_looks).to_owned(),
        EmbeddingState::Working { left } => {
            t!(recall.reading_chat, messages = count::messages(*left))
        }
        EmbeddingState::Paused(fault) => t!(recall.reading_retries, fault = &fault),
    }
}
