//! Pulling a model by its name, with a bar for the whole and one for each layer.

use crate::ui::app::session;
use crate::ui::session::PullState;
use crate::wire::LayerProgress;
use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;

/// The name, then the progress.
#[component]
pub fn PullForm() -> impl IntoView {
    let session = session();
    let name = RwSignal::new(String::new());
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        let model = name.get_untracked().trim().to_owned();
        if !model.is_empty() {
            session.pull(model);
        }
    };
    let running = move || {
        session
            .ollama
            .pull
            .with(|pull| pull.as_ref().is_some_and(|p| p.fault.is_none()))
    };
    let fault = move || {
        session
            .ollama
            .pull
            .with(|pull| pull.as_ref().and_then(|p| p.fault.clone()))
    };
    view! {
        <Show
            when=running
            fallback=move || {
                view! {
                    <form class="field-row" on:submit=submit>
                        <input
                            aria-label="Model name"
                            placeholder="llama3.2"
                            autocomplete="off"
                            autocapitalize="none"
                            spellcheck="false"
                            prop:value=move || name.get()
                            on:input=move |event| name.set(event_target_value(&event))
                        />
                        <button class="primary" type="submit">"Pull"</button>
                    </form>
                    {move || fault().map(|fault| view! { <p class="note note-failed">{fault.to_string()}</p> })}
                }
            }
        >
            <Progress/>
        </Show>
    }
}

#[component]
fn Progress() -> impl IntoView {
    let session = session();
    let with = move |read: fn(&PullState) -> String| {
        session
            .ollama
            .pull
            .with(|pull| pull.as_ref().map(read).unwrap_or_default())
    };
    let whole = move || {
        session
            .ollama
            .pull
            .with(|pull| pull.as_ref().map_or((0, 0), PullState::whole))
    };
    let layers = move || {
        session
            .ollama
            .pull
            .with(|pull| pull.as_ref().map(|p| p.layers.clone()).unwrap_or_default())
    };
    view! {
        <div class="pull">
            <p class="pull-status">
                <strong>{move || with(|pull| pull.model.clone())}</strong>
                " · "{move || with(|pull| pull.status.clone())}
            </p>
            <label class="bar">
                <span>"Whole pull"</span>
                <progress
                    max=move || whole().1.max(1).to_string()
                    value=move || whole().0.to_string()
                ></progress>
                <span>{move || amount(whole())}</span>
            </label>
            <For each=layers key=|layer| layer.digest.clone() let:layer>
                <Layer digest=layer.digest/>
            </For>
            <button on:click=move |_| session.stop_pull()>"Stop pulling"</button>
        </div>
    }
}

#[component]
fn Layer(digest: String) -> impl IntoView {
    let session = session();
    let short: String = digest
        .trim_start_matches("sha256:")
        .chars()
        .take(12)
        .collect();
    let layer = Memo::new(move |_| {
        session.ollama.pull.with(|pull| {
            let layers = pull
                .as_ref()
                .map(|p| p.layers.as_slice())
                .unwrap_or_default();
            layers
                .iter()
                .find(|layer| layer.digest == digest)
                .cloned()
                .unwrap_or_default()
        })
    });
    let part = |layer: &LayerProgress| (layer.completed, layer.total);
    view! {
        <label class="bar bar-layer">
            <span>{format!("Layer {short}")}</span>
            <progress
                max=move || layer.with(|l| l.total.max(1).to_string())
                value=move || layer.with(|l| l.completed.to_string())
            ></progress>
            <span>{move || amount(layer.with(part))}</span>
        </label>
    }
}

/// "1.2 of 2.0 GB"
fn amount((done, all): (u64, u64)) -> String {
    let (unit, name) = match all {
        1_000_000_000.. => (1e9, "GB"),
        1_000_000.. => (1e6, "MB"),
        1.. => (1e3, "kB"),
        0 => return String::new(),
    };
    format!(
        "{:.1} of {:.1} {name}",
        done as f64 / unit,
        all as f64 / unit
    )
}

/// The same as a dialog, from the model picker. It closes when the model is there.
#[component]
pub fn PullDialog() -> impl IntoView {
    let session = session();
    let dialog = NodeRef::<html::Dialog>::new();
    let asked = session.ollama.pull_asked;
    Effect::new(move |former: Option<bool>| {
        let asked = asked.get();
        if let Some(dialog) = dialog.get() {
            match asked {
                true if !dialog.open() => _ = dialog.show_modal(),
                false if dialog.open() => dialog.close(),
                _ => {}
            }
        }
        former.is_some() && asked
    });
    view! {
        <dialog
            class="dialog"
            node_ref=dialog
            aria-labelledby="pull-title"
            on:close=move |_| asked.set(false)
        >
            <h2 id="pull-title">"Pull a model"</h2>
            <p>"By its name, as in Ollama's library: "<code>"llama3.2"</code>", "<code>"qwen3:4b"</code>", "<code>"hf.co/user/model"</code>"."</p>
            <Show when=move || asked.get()>
                <PullForm/>
            </Show>
            <form method="dialog" class="dialog-foot">
                <button>"Close"</button>
            </form>
        </dialog>
    }
}
