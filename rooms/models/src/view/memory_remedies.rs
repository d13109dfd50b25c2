//! What helps where the memory is not enough for a model.

use crate::Models;
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_view::stores::use_kernel;
use sash_wire::short_name;
use sash_words::{count::grouped, t};

/// A button for each other model in memory, which unloads it, and one for half the context.
#[component]
pub fn MemoryRemedies(
    /// The key of the model that finds no room.
    #[prop(into)]
    model: String,
    /// Whether a smaller context helps: not where the chat sets its own.
    #[prop(optional, default = true)]
    less_helps: bool,
    /// Whether it can be tried now.
    #[prop(into)]
    can_try: Signal<bool>,
    /// Tries again, after the context was made smaller.
    #[prop(into)]
    on_less_context: Callback<()>,
) -> impl IntoView {
    let models = Models::expect();
    let kernel = use_kernel();
    let notices = kernel.notices();
    let model = StoredValue::new(model);
    let others = Memo::new(move |_| model.with_value(|model| models.loaded_beside(model)));
    let less = Memo::new(move |_| {
        let less = model.with_value(|model| models.smaller_context(model));
        less.filter(|_| less_helps)
    });
    let lessen = move |tokens: u64| {
        model.with_value(|model| {
            kernel.settings().set_context(model, tokens);
            let name = short_name(&ModelId::from(&**model).name).to_owned();
            notices.show(t!(
                models.context_is_now,
                name = &name,
                tokens = grouped(tokens)
            ));
        });
        on_less_context.run(());
    };

    view! {
        <For each=move || others.get() key=Clone::clone let:other>
            <UnloadButton model=other />
        </For>
        <ShowLet some=less let:tokens>
            <button
                type="button"
                class="link"
                disabled=move || !can_try.get()
                on:click=move |_| lessen(tokens)
            >
                {t!(models.try_with_less_context, tokens = grouped(tokens))}
            </button>
        </ShowLet>
    }
}

/// Unloads a model, which it names.
#[component]
fn UnloadButton(
    /// The model's key.
    model: String,
) -> impl IntoView {
    let models = Models::expect();
    let name = short_name(&ModelId::from(&*model).name).to_owned();
    let model = StoredValue::new(model);
    let is_busy = move || model.with_value(|model| models.action(model)).is_some();

    view! {
        <button
            type="button"
            class="link"
            disabled=is_busy
            on:click=move |_| model.with_value(|model| models.unload(model))
        >
            {t!(models.unload_model, name = &name)}
        </button>
    }
}
