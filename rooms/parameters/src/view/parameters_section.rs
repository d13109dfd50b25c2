//! The parameters that hold for all chats with a model.

use leptos::prelude::*;
use sash_chat::ModelId;
use sash_stores::SettingsStoreFields;
use sash_view::parts::model_title;
use sash_view::settings::Setting;
use sash_view::stores::use_kernel;
use sash_wire::parameter_text;
use sash_words::t;

/// The parameters of models, by which they are found among the settings.
pub const PARAMETERS: Setting = Setting {
    id: "settings-parameters",
    words: || t!(parameters.parameters_of_models),
};

/// The parameters that hold for all chats with a model. They are set in a chat, beside the model's name.
#[component]
pub fn ParametersSection() -> impl IntoView {
    let kernel = use_kernel();
    let models = Memo::new(move |_| {
        let parameters = kernel.settings().current.parameters().read();
        let contexts = kernel.settings().current.contexts().read();
        let with_parameters = parameters.iter().map(|p| p.model.clone());
        let with_context = contexts.iter().map(|c| c.model.clone());
        let mut models: Vec<String> = with_parameters.chain(with_context).collect();
        models.sort();
        models.dedup();
        models
    });

    let open = Memo::new(move |_| {
        let model = kernel.steering().model.get()?;
        let model = model_title(kernel.engine(), &model);
        Some(t!(parameters.set_those_of, model = model))
    });
    let set = move |_| {
        kernel.view().sub_page.set(None);
        kernel.commands().run("parameters");
    };

    view! {
        <section aria-labelledby=PARAMETERS.id>
            <h3 id=PARAMETERS.id>{(PARAMETERS.words)()}</h3>
            <p class="hint-line">{t!(parameters.section_hint)}</p>
            <Show
                when=move || !models.with(Vec::is_empty)
                fallback=|| view! { <p>{t!(parameters.nothing_set)}</p> }
            >
                <ul class="setting-list">
                    <For each=move || models.get() key=String::clone let:model>
                        <ModelParametersRow model />
                    </For>
                </ul>
            </Show>
            <ShowLet some=open let:words>
                <button type="button" class="link" on:click=set>
                    {words}
                </button>
            </ShowLet>
        </section>
    }
}

/// The parameters of one model, and the way back to the defaults.
#[component]
fn ModelParametersRow(
    /// The model's key.
    model: String,
) -> impl IntoView {
    let kernel = use_kernel();
    let id = ModelId::from(model.as_str());
    let name = model_title(kernel.engine(), &id);
    let label = t!(parameters.reset_model, name = &name);
    let values = move || {
        let all = kernel.steering().parameters_of(&id).into_iter();
        let words = all.map(|(name, value)| format!("{name} {}", parameter_text(&value)));
        words.collect::<Vec<_>>().join(", ")
    };
    let reset = move |_| kernel.steering().reset_model(&model);

    view! {
        <li>
            <strong><bdi>{name}</bdi></strong>
            <code>{values}</code>
            <button type="button" class="link" aria-label=label on:click=reset>
                {t!(common.reset)}
            </button>
        </li>
    }
}
