//! A pull: how far it is, why it failed, and what can be done with it.

use crate::{ModelFault, PullPhase, PullState, Pulls};
use leptos::prelude::*;
use sash_chat::ModelId;
use sash_view::parts::{byte_size, time_left};
use sash_view::stores::use_kernel;
use sash_wire::{Fault, RoomFaults};
use sash_words::{count::tenths, t};

/// How many digits of a layer's digest are shown.
const SHORT_DIGEST: usize = 12;

/// A value of the pull of a model, the default where there is no such pull.
fn value_of<T>(model: StoredValue<ModelId>, read: fn(&PullState) -> T) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    let pulls = Pulls::expect();
    Memo::new(move |_| model.with_value(|model| pulls.with(model, read)))
}

/// A pull with its bars, why it failed, and the buttons that stop, resume and remove it.
#[component]
pub fn PullRow(
    /// The model.
    model: ModelId,
) -> impl IntoView {
    let kernel = use_kernel();
    let pulls = Pulls::expect();
    // Two engines may pull models of one name.
    let name = match untrack(|| kernel.engine().shown_name(model.engine.as_deref())) {
        Some(engine) => model.name.clone() + &t!(models.on_engine, name = &engine),
        None => model.name.clone(),
    };
    let name = StoredValue::new(name);
    let of = StoredValue::new(model.clone());
    let is_active = value_of(of, PullState::is_active);
    let fault = value_of(of, |pull| pull.fault().cloned());
    let can_resume = value_of(of, PullState::can_resume);
    let words = move || match is_active.get() {
        true => t!(common.stop),
        false => t!(models.resume),
    };
    let toggle = move |_| {
        of.with_value(|of| match is_active.get_untracked() {
            true => pulls.stop(of),
            false => pulls.resume(of),
        });
    };

    view! {
        <li class="pull">
            <PullProgress model />
            <ShowLet some=fault let:fault>
                <PullFault fault />
            </ShowLet>
            <div class="panel-buttons">
                <Show when=move || is_active.get() || can_resume.get()>
                    <button
                        type="button"
                        aria-label=move || name.with_value(|name| format!("{} {name}", words()))
                        on:click=toggle
                    >
                        {words}
                    </button>
                </Show>
                <Show when=move || !is_active.get()>
                    <button
                        type="button"
                        aria-label=name.with_value(|name| t!(models.remove, name = &name))
                        on:click=move |_| of.with_value(|of| pulls.remove(of))
                    >
                        {t!(common.remove)}
                    </button>
                </Show>
            </div>
        </li>
    }
}

/// Why a pull failed, and Ollama's message.
#[component]
pub fn PullFault(
    /// The fault that ended the pull.
    fault: Fault,
) -> impl IntoView {
    let sentence = fault.to_string();
    let cause = match ModelFault::of(&fault) {
        Some(ModelFault::PullFailed { cause, .. }) => cause,
        _ => None,
    };
    let cause = cause.map(|cause| {
        view! {
            <details class="cause">
                <summary>{t!(models.ollama_reason)}</summary>
                <p>{cause}</p>
            </details>
        }
    });

    view! {
        <div>
            <p class="note note-failed">{sentence}</p>
            {cause}
        </div>
    }
}

/// The progress of a pull: what it does, a bar for the whole and one for each layer.
#[component]
pub fn PullProgress(
    /// The model.
    model: ModelId,
) -> impl IntoView {
    let kernel = use_kernel();
    let pulls = Pulls::expect();
    let name = model.name.clone();
    let engine = model.engine.clone();
    let engine = move || {
        let name = kernel.engine().shown_name(engine.as_deref())?;
        Some(t!(models.on_engine, name = &name))
    };
    let model = StoredValue::new(model);
    let status = value_of(model, status_words);
    let whole = value_of(model, PullState::whole);
    // Of a pull that ended before its first layer there is nothing to show.
    let has_bar = value_of(model, |pull| pull.is_active() || !pull.layers.is_empty());
    let digests = value_of(model, |pull| {
        let layers = pull.layers.iter();
        layers.map(|layer| layer.digest.clone()).collect::<Vec<_>>()
    });
    let layer_part = move |digest: &str| {
        model.with_value(|model| {
            pulls.with(model, |pull| {
                let layer = pull.layers.iter().find(|layer| layer.digest == digest);
                layer.map_or((0, 0), |layer| (layer.completed, layer.total))
            })
        })
    };

    view! {
        <p class="pull-status">
            <strong><bdi>{name}</bdi></strong>
            {engine}
            " · "
            <span>{status}</span>
        </p>
        <Show when=move || has_bar.get()>
            <PullBar class="bar" name=t!(models.whole_pull) part=whole />
        </Show>
        <div class="layers">
            <For each=move || digests.get() key=Clone::clone let:digest>
                <PullBar
                    class="bar bar-layer"
                    name=layer_name(&digest)
                    part=Signal::derive(move || layer_part(&digest))
                />
            </For>
        </div>
    }
}

/// What a pull does: Ollama's status, the bytes, the speed, and the time left of the layers known so far.
fn status_words(pull: &PullState) -> String {
    let has_layers = !pull.layers.is_empty();
    match pull.phase {
        PullPhase::Waiting => return t!(models.pull_waits).to_owned(),
        PullPhase::Stopped if has_layers => return t!(models.pull_stopped_partway).to_owned(),
        PullPhase::Stopped => return t!(models.stopped).to_owned(),
        PullPhase::Failed(_) if has_layers => {
            return t!(models.pull_failed).to_owned();
        }
        PullPhase::Failed(_) => return t!(models.failed).to_owned(),
        PullPhase::Running => {}
    }
    let mut words = pull.status.clone();
    let (done, all) = pull.whole();
    if all > 0 {
        words = t!(
            models.pull_done_of_all,
            words = &words,
            done = byte_size(done),
            all = byte_size(all)
        );
    }
    if pull.rate.speed() > 0 {
        words = t!(
            models.pull_speed,
            words = &words,
            speed = byte_size(pull.rate.speed())
        );
    }
    match pull.seconds_left() {
        Some(seconds) if seconds > 0 => {
            t!(
                models.pull_time_left,
                words = &words,
                seconds = time_left(seconds)
            )
        }
        _ => words,
    }
}

/// The name of a layer: the first digits of its digest.
fn layer_name(digest: &str) -> String {
    let digits = digest.strip_prefix("sha256:").unwrap_or(digest);
    let digits: String = digits.chars().take(SHORT_DIGEST).collect();
    t!(models.layer, digits = &digits)
}

/// A bar with its name and its progress.
#[component]
fn PullBar(
    /// Its classes.
    class: &'static str,
    /// Its name.
    #[prop(into)]
    name: String,
    /// The bytes received and the total; the total is 0 while it is unknown.
    #[prop(into)]
    part: Signal<(u64, u64)>,
) -> impl IntoView {
    view! {
        <label class=class>
            <span>{name}</span>
            <progress
                max=move || part.get().1.max(1).to_string()
                value=move || part.get().0.to_string()
            />
            <span>{move || amount(part.get())}</span>
        </label>
    }
}

/// "1.2 of 2.0 GB"
fn amount((done, all): (u64, u64)) -> String {
    let (tenth, name) = match all {
        1_000_000_000.. => (100_000_000, "GB"),
        1_000_000.. => (100_000, "MB"),
        1.. => (100, "kB"),
        0 => return String::new(),
    };
    let decimal = |bytes: u64| tenths(bytes / tenth);
    t!(
        models.done_of_all,
        done = decimal(done),
        all = decimal(all),
        name = &name
    )
}
