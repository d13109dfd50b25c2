//! A summary of the next request.

use super::context_gauge::ContextGauge;
use crate::files::image_words;
use crate::places::use_places;
use crate::stores::use_kernel;
use leptos::prelude::*;
use sash_chat::{ChatSettingsStoreFields, ModelId, policy_phrase};
use sash_stores::Kernel;
use sash_words::t;

/// A model's name, and that of its engine where there are several.
fn words_of(kernel: Kernel, model: &ModelId) -> String {
    match kernel.engine().shown_name(model.engine.as_deref()) {
        Some(engine) => t!(panel.model_on_engine, name = &model.name, engine = &engine),
        None => model.name.clone(),
    }
}

/// A summary of the next request, and how full it makes the context.
#[component]
pub fn PanelSummary() -> impl IntoView {
    let kernel = use_kernel();
    let rule = move || {
        let policy = kernel.chats().open_settings().policy().get();
        let model = kernel.steering().model.get().map_or_else(
            || t!(panel.model_unknown).to_owned(),
            |model| words_of(kernel, &model),
        );
        t!(
            panel.next_prompt_summary,
            model = &model,
            policy = policy_phrase(policy)
        )
    };
    let folder = move || {
        let from = kernel.chats().open.with(|chat| chat.head.from_folder())?;
        Some(view! { <p>{from.sentence()}</p> })
    };
    let counted = move || {
        let counts = kernel.steering().counts.get();
        (counts.branch > 0).then(|| {
            let words = format!("{}: {}.", counts.words(), counts.parts());
            view! { <p class="panel-counts">{words}</p> }
        })
    };
    let thinking = move || {
        let think = kernel.steering().think.get()?;
        Some(view! { <p>{t!(panel.thinking, name = think.words())}</p> })
    };
    let format = move || {
        let format = kernel.chats().open_settings().format();
        let name = format.with(|format| format.as_ref().map(|format| format.name()))?;
        Some(view! { <p>{t!(panel.answer_asked_for, name = &name)}</p> })
    };
    let images = move || {
        let count = kernel.attachments().count.get();
        let words = kernel
            .steering()
            .model
            .with(|model| image_words(count, model.as_ref().map(|model| model.name.as_str())))
            .join(" · ");
        (!words.is_empty()).then(|| view! { <p class="panel-images">{words}"."</p> })
    };
    let answering = move || {
        let running = kernel.answers().running_in(kernel.chats().open_id());
        // A what-if answer runs beside the branch.
        running.is_some_and(|id| kernel.chats().path.with(|path| path.last() == Some(&id)))
    };

    view! {
        <div class="panel-sum">
            <p>{rule}</p>
            {folder}
            {counted}
            {thinking}
            {format}
            <ContextGauge />
            {images}
            {use_places().panel_lines.view()}
            <Show when=answering>
                <p>{t!(panel.running_answer_left_out)}</p>
            </Show>
        </div>
    }
}
