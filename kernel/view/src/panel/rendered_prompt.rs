//! The prompt rendered with the model's chat template.

use super::literal::Literal;
use crate::settings::{ENGINES, SettingsButton};
use crate::stores::use_kernel;
use leptos::either::Either;
use leptos::prelude::*;
use sash_server::api;
use sash_stores::Kernel;
use sash_wire::{ChatRequest, DraftMark, EngineAction, Fault, UnsentScope};
use sash_words::t;

/// The prompt rendered with the model's chat template. It is requested only on a click, because that loads
/// the model.
#[component]
pub fn RenderedPrompt() -> impl IntoView {
    let kernel = use_kernel();
    let render = Action::new_local(move |(): &()| {
        let chat = kernel.chats().open_id_untracked();
        let request = kernel.answers().load_next_request();
        let model = kernel.steering().model.get_untracked().unwrap_or_default();
        let mark = untrack(|| kernel.engine().draft_mark(model.engine.as_deref()));
        async move { (chat, rendered(request, mark).await) }
    });
    let pending = render.pending();
    // The prompt of one chat is not shown in another.
    let outcome = Memo::new(move |_| {
        let (chat, outcome) = render.value().get()?;
        (chat == kernel.chats().open_id()).then_some(outcome)
    });
    // Not after the panel was closed: the effect ends with it.
    Effect::new(move || {
        outcome.with(|outcome| match outcome {
            None => {}
            Some(Ok(_)) => kernel.notices().announce(t!(panel.rendered_prompt_shown)),
            Some(Err(sentence)) => kernel.notices().announce(sentence.clone()),
        });
    });
    let ask = move |_| {
        if !pending.get_untracked() {
            render.dispatch(());
        }
    };
    let words = move || match pending.get() {
        true => t!(common.asking_ollama),
        false => t!(panel.show_rendered_prompt),
    };
    let hint = move || missing(kernel).unwrap_or(t!(panel.rendered_prompt_hint));

    // An engine that cannot render is not asked to.
    let is_offered = move || {
        let model = kernel.steering().model.get().unwrap_or_default();
        kernel
            .engine()
            .can(EngineAction::Render, model.engine.as_deref())
    };

    view! {
        <Show when=is_offered>
            <div class="template">
                <button
                    type="button"
                    aria-describedby="template-hint"
                    disabled=move || missing(kernel).is_some()
                    on:click=ask
                >
                    {words}
                </button>
                <p id="template-hint" class="hint-line">
                    {hint}
                </p>
                <Show when=move || would_send_draft(kernel)>
                    <SettingsButton id=ENGINES />
                </Show>
                <ShowLet some=outcome let:outcome>
                    {match outcome {
                        Ok(prompt) => {
                            Either::Left(view! { <Literal name=t!(panel.rendered_prompt) text=prompt /> })
                        }
                        Err(sentence) => {
                            Either::Right(view! { <p class="note note-failed">{sentence}</p> })
                        }
                    }}
                </ShowLet>
            </div>
        </Show>
    }
}

/// Has a request rendered.
///
/// # Errors
/// A sentence for the person.
async fn rendered(
    request: impl Future<Output = Result<ChatRequest, Fault>>,
    mark: DraftMark,
) -> Result<String, String> {
    let request = request.await.map_err(|fault| fault.to_string())?;
    let draft = Some(mark);
    match api::render(ChatRequest { draft, ..request }).await {
        Ok(rendered) => Ok(rendered.prompt),
        Err(refused) => Err(Fault::from(refused).to_string()),
    }
}

/// Whether the engine would get the draft, which it may not have.
fn would_send_draft(kernel: Kernel) -> bool {
    let model = kernel.steering().model.get();
    model.is_some_and(|model| kernel.engine().may_send(&model) < UnsentScope::Draft)
}

/// What is missing before a prompt can be rendered.
fn missing(kernel: Kernel) -> Option<&'static str> {
    if kernel.steering().model.with(Option::is_none) {
        return Some(t!(panel.template_needs_model));
    }
    if would_send_draft(kernel) {
        return Some(t!(panel.rendering_sends_draft));
    }
    let empty = kernel.drafts().draft.with(|draft| draft.trim().is_empty());
    empty.then_some(t!(panel.template_needs_question))
}
