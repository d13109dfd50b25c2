//! Remedies where the model of an answer is missing, or the memory is not enough for one.

use crate::{Models, Pulls};
use leptos::prelude::*;
use sash_chat::{Message, ModelId, Outcome};
use sash_stores::AnswerState;
use sash_view::browser::focus_refs::FocusRefs;
use sash_view::stores::use_kernel;
use sash_view::transcript::{MessageState, focus_after_asking};
use sash_wire::{EngineAction, Fault, NUM_CTX, short_name};
use sash_words::{count::grouped, t};

/// Pulls the model that an answer lacks. Empty where its engine pulls none.
#[component]
pub fn PullMissing() -> impl IntoView {
    let pulls = Pulls::expect();
    let kernel = use_kernel();
    let id = MessageState::expect().id;
    let model = kernel.chats().with_message(id, Message::model_id).flatten();
    let puller = untrack(|| kernel.engine().first_that_can(EngineAction::Pull));
    let pull = model.filter(|model| puller.as_ref() == Some(&model.engine));
    pull.map(|model| {
        let label = t!(models.pull_model, name = short_name(&model.name));
        let start = move |_| {
            let chat = kernel.chats().open_id_untracked();
            if let Err(fault) = pulls.start(model.clone(), Some(chat)) {
                kernel.notices().show(fault.to_string());
            } else {
                pulls.asked.set(true);
            }
        };
        view! {
            <button type="button" class="link" on:click=start>
                {label}
            </button>
        }
    })
}

/// What helps where the memory is not enough for the model that was asked. Empty after any other fault.
#[component]
pub fn MessageMemory() -> impl IntoView {
    let kernel = use_kernel();
    let MessageState { id, state, .. } = MessageState::expect();
    let code = state.with_untracked(|state| match state {
        AnswerState::Ended(Outcome::Failed(failure)) => failure.code.clone(),
        _ => None,
    });
    if code.as_deref() != Some(Fault::OUT_OF_MEMORY) {
        return None;
    }
    let prompt = FocusRefs::expect().prompt;
    let model = kernel
        .chats()
        .with_message(id, Message::model_id)
        .flatten()?;
    let again = model.clone();
    let ask = move |()| {
        _ = kernel.answers().answer_again_with(id, &again);
        focus_after_asking(prompt);
    };

    let can_try = Signal::derive(move || kernel.answers().can_send());
    // Its own context length is sent whatever the model has in all chats.
    let open = kernel.chats().open;
    let less_helps = open.with_untracked(|chat| {
        let parameters = chat.head.effective_parameters();
        !parameters.contains_key(NUM_CTX)
    });

    Some(view! {
        <MemoryRemedies
            model
            less_helps
            can_try
            on_less_context=ask
        />
    })
}

/// A button for each other model in memory, which unloads it, and one for half the context.
#[component]
pub fn MemoryRemedies(
    /// The model that finds no room.
    model: ModelId,
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
            kernel.settings().set_context(&model.key(), tokens);
            let name = short_name(&model.name).to_owned();
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
    /// The model.
    model: ModelId,
) -> impl IntoView {
    let models = Models::expect();
    let name = short_name(&model.name).to_owned();
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
