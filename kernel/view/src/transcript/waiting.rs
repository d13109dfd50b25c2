//! The wait of an answer without a text, in words that count up.

use super::message_state::MessageState;
use crate::parts::time_left;
use crate::stores::use_kernel;
use leptos::prelude::*;
use leptos_use_interval_fn::use_interval_fn;
use sash_browser_kit::clock;
use sash_chat::Message;
use sash_stores::{OtherAnswer, ReadingEstimate, Wait};
use sash_wire::short_name;
use sash_words::{
    count::{self, grouped},
    t,
};

/// How often the note says for how long it has waited, in milliseconds.
const TICK_MS: u64 = 1_000;

/// Says what an answer waits for, and for how long. Most engines send nothing before the first token, so the page finds
/// out both. A screen reader announces what is waited for, once the wait is long and when that changes, and no counter.
#[component]
pub fn Waiting(
    /// When the question was sent, on the monotonic clock in milliseconds.
    since: f64,
) -> impl IntoView {
    let kernel = use_kernel();
    let id = MessageState::expect().id;
    let model = kernel
        .chats()
        .with_message(id, Message::model_id)
        .flatten()
        .unwrap_or_default();
    let seconds = RwSignal::new(0u32);
    let tick = move || {
        let now = ((clock::monotonic() - since) / 1000.0) as u32;
        // Whether the model is loaded may change at any time and determines the text.
        if seconds.try_set(now).is_none() && now % 2 == 1 {
            kernel.engine().refresh();
        }
    };
    // Which models are loaded may have changed since the last answer.
    kernel.engine().refresh();
    use_interval_fn(tick, TICK_MS);
    let name = short_name(&model.name).to_owned();
    let wait = Memo::new(move |_| kernel.answers().wait_of(id, &model));
    let kind = Memo::new({
        let name = name.clone();
        move |_| wait.with(|wait| kind_words(wait, &name))
    });
    let is_slow = Memo::new(move |_| seconds.get() > 0 && kernel.answers().is_slow(id));
    Effect::new(move |_| {
        if is_slow.get() {
            kernel.notices().announce(kind.get());
        }
    });
    let since_report = Memo::new(move |_| {
        wait.track();
        clock::monotonic()
    });
    let words = move || {
        let passed = (clock::monotonic() - since_report.get()).max(0.0) as u64;
        let what = wait.with(|wait| words(wait, &name, passed));
        match seconds.get() {
            0 => what,
            s => format!("{what} {s} s"),
        }
    };
    let other = Memo::new(move |_| match wait.get() {
        Wait::Behind(other) => Some((other, false)),
        _ => kernel
            .answers()
            .still_running(id)
            .map(|other| (other, true)),
    });
    view! {
        <p class="note waiting">
            <span class="pulse"></span>
            <span>{words}</span>
            <ShowLet some=other let:other>
                <StopOther other=other.0 is_named=other.1 />
            </ShowLet>
        </p>
    }
}

/// Offers to stop the answer of another chat, which keeps the engine busy.
#[component]
fn StopOther(
    /// The other answer.
    other: OtherAnswer,
    /// Whether to say which one it is.
    is_named: bool,
) -> impl IntoView {
    let kernel = use_kernel();
    let OtherAnswer { chat, title } = other;
    let words = is_named.then(|| t!(transcript.still_runs, title = &title));
    let stop = move |_| match untrack(|| kernel.remote().contains(chat)) {
        true => kernel.remote().stop_remote(chat),
        false => kernel.answers().stop(chat),
    };

    view! {
        <span>{words}</span>
        <button type="button" class="link" on:click=stop>
            {t!(transcript.stop_that)}
        </button>
    }
}

/// What is waited for, without numbers.
fn kind_words(wait: &Wait, name: &str) -> String {
    match wait {
        Wait::Unknown => t!(transcript.waiting_for, name = name),
        Wait::Loading(_) => t!(transcript.loading, name = name),
        Wait::Behind(other) => t!(transcript.waits_for_chat, title = &other.title),
        Wait::LoadingOrReading => t!(transcript.loading_and_reading, name = name),
        Wait::Reading(_) => t!(transcript.reading_prompt, name = name),
    }
}

/// What is waited for, with what is known of how long it takes; so many milliseconds have passed since that was known.
fn words(wait: &Wait, name: &str, passed: u64) -> String {
    let seconds = |ms: u64| time_left(ms.div_ceil(1000));
    match wait {
        Wait::Reading(ReadingEstimate::Counted(progress)) => {
            let read = grouped(progress.processed);
            let tokens = count::tokens(progress.total as usize);
            match progress.ms_left_after(passed) {
                Some(ms) if ms > 0 => t!(
                    transcript.reading_of_time_left,
                    name = name,
                    read = &read,
                    tokens = &tokens,
                    time = seconds(ms)
                ),
                _ => t!(
                    transcript.reading_of,
                    name = name,
                    read = &read,
                    tokens = &tokens
                ),
            }
        }
        Wait::Reading(ReadingEstimate::Guessed { tokens, ms }) => t!(
            transcript.reading_estimated,
            name = name,
            tokens = count::tokens(*tokens as usize),
            time = seconds(*ms)
        ),
        Wait::Loading(Some(percent)) => {
            t!(transcript.loading_percent, name = name, percent = percent)
        }
        other => kind_words(other, name),
    }
}
