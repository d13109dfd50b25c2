//! The page of models over the chat.

use super::delete_question::TITLE_ID;
use super::installed_list::InstalledList;
use super::loaded_models::LoadedModels;
use super::model_details::ModelDetailsView;
use super::pull_section::PullSection;
use super::remedies::MemoryRemedies;
use crate::{Models, PAGE, Pulls};
use leptos::prelude::*;
use leptos_use_interval_fn::use_interval_fn;
use sash_stores::hooks::Command;
use sash_ui_kit::DialogWidth;
use sash_view::parts::PageDialog;
use sash_wire::{Fault, short_name};
use sash_words::t;

/// How often the time left of a loaded model is counted down, in milliseconds.
const TICK_MS: u64 = 1_000;
/// How often Ollama is asked again, in milliseconds.
const LOOK_AGAIN_MS: u64 = 10_000;

/// Opens the models.
pub fn models_command() -> Command {
    let models = Models::expect();
    Command::new(PAGE, || t!(common.models), move || models.show_all())
}

/// The page of models over the chat. Pulls and loads go on after it is closed.
#[component]
pub fn ModelsDialog() -> impl IntoView {
    view! {
        <PageDialog
            page=PAGE
            class="models"
            title_id=TITLE_ID
            title=t!(common.models)
            width=DialogWidth::Wide
        >
            <ModelsPage />
        </PageDialog>
    }
}

/// The page of models: the details of one, or what is loaded, pulled and installed. It asks Ollama while it
/// is shown.
#[component]
fn ModelsPage() -> impl IntoView {
    let pulls = Pulls::expect();
    let models = Models::expect();
    models.begin();
    use_interval_fn(move || models.tick(), TICK_MS);
    use_interval_fn(move || models.refresh_if_visible(), LOOK_AGAIN_MS);
    on_cleanup(move || models.end());
    pulls.completed.on(move |()| models.refresh());

    view! {
        <ProblemNote />
        <For each=move || models.open.get() key=Clone::clone let:model>
            <ModelDetailsView model />
        </For>
        <Show when=move || models.open.with(Option::is_none)>
            <LoadedModels />
            <PullSection />
            <InstalledList />
            <p class="models-hint">{t!(settings.add_engines_hint)}</p>
        </Show>
    }
}

/// The action that failed last, and why the list could not be had. The list of before stays.
#[component]
fn ProblemNote() -> impl IntoView {
    let models = Models::expect();
    let problem = Memo::new(move |_| models.problem.get());
    let fault = Memo::new(move |_| models.list_fault.get());

    view! {
        <div class="models-notes">
            <ShowLet some=problem let:problem>
                <p class="note note-failed">
                    <span>
                        <strong><bdi>{short_name(&problem.model.name).to_owned()}</bdi></strong>
                        ": "
                        {problem.fault.to_string()}
                    </span>
                    {matches!(problem.fault, Fault::OutOfMemory { .. })
                        .then(|| {
                            let (model, again) = (problem.model.clone(), problem.model);
                            view! {
                                <MemoryRemedies
                                    model
                                    can_try=true
                                    on_less_context=move |()| models.load(&again)
                                />
                            }
                        })}
                    <button type="button" class="link" on:click=move |_| models.problem.set(None)>
                        {t!(models.dismiss)}
                    </button>
                </p>
            </ShowLet>
            <ShowLet some=fault let:fault>
                <p class="note note-failed">
                    <span>{fault.to_string()}</span>
                    <button type="button" class="link" on:click=move |_| models.refresh()>
                        {t!(common.check_again)}
                    </button>
                </p>
            </ShowLet>
        </div>
    }
}
