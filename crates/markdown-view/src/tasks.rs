//! Schedules the building of answers: a long one is built in several tasks, so that the page stays
//! responsive.

use crate::page_hooks;
use crate::renderer::Renderer;
use leptos::prelude::{request_animation_frame, set_timeout};
use sash_browser_kit::clock;
use sash_browser_kit::console::LogError;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::prelude::*;
use web_sys::{Element, MessageChannel, MessagePort};

/// Milliseconds of synchronous work allowed within a [`PERIOD_MS`].
const SYNC_BUDGET_MS: f64 = 50.0;
/// Length of a period in milliseconds.
const PERIOD_MS: f64 = 200.0;
/// Milliseconds of each further task.
const TASK_MS: f64 = 10.0;
/// Bytes; shorter answers are not scheduled.
const LONG_ANSWER_BYTES: usize = 8_000;

/// An answer in an element of the page. It is built at once or in several tasks; until it is complete, the
/// element is `aria-busy`. End-to-end tests import this type to show texts that no chat would contain.
#[wasm_bindgen]
pub struct Rendering(Rc<RenderingState>);

struct RenderingState {
    place: Element,
    renderer: RefCell<Renderer>,
}

/// The answers that are being built.
struct Queue {
    /// Incomplete answers; the last one is built first, because it is the one being read.
    answers: Vec<Rc<RenderingState>>,
    /// When the current period started, and how much of it was spent on answers.
    since: f64,
    spent: f64,
}

thread_local! {
    static QUEUE: RefCell<Queue> = const {
        RefCell::new(Queue {
            answers: Vec::new(),
            since: f64::NEG_INFINITY,
            spent: 0.0,
        })
    };
    static NEXT: Option<MessagePort> = channel();
    /// Whether the `aria-busy` marks are to be removed after the next frame.
    static ENDING: Cell<bool> = const { Cell::new(false) };
}

#[wasm_bindgen]
impl Rendering {
    /// An answer to be shown in `place`, whose content is replaced.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(place: Element) -> Self {
        Self(Rc::new(RenderingState {
            renderer: RefCell::new(Renderer::new(place.clone())),
            place,
        }))
    }

    /// Appends text; it is the last if the answer is not `running`.
    pub fn add(&self, more: &str, running: bool) {
        let answer = &self.0;
        if !running && more.len() >= LONG_ANSWER_BYTES {
            (page_hooks::get().begins)(&answer.place);
        }
        answer.renderer.borrow_mut().add(more, running);
        if QUEUE.with_borrow(|queue| queue.answers.iter().any(|one| Rc::ptr_eq(one, answer))) {
            return;
        }
        if !answer.advance(time_left()) {
            answer.place.set_attribute("aria-busy", "true").log_error();
            QUEUE.with_borrow_mut(|queue| queue.answers.push(Rc::clone(answer)));
            post_task();
        } else if !running {
            unmark_when_seen();
        }
    }
}

impl RenderingState {
    /// Continues for about `millis` milliseconds; returns whether all is shown.
    fn advance(&self, millis: f64) -> bool {
        if millis <= 0.0 {
            return false;
        }
        let began = clock::monotonic();
        let page = page_hooks::get();
        (page.builds)(Some(&self.place));
        let is_shown = self.renderer.borrow_mut().advance(millis);
        (page.builds)(None);
        QUEUE.with_borrow_mut(|queue| queue.spent += clock::monotonic() - began);
        is_shown
    }
}

/// How long the page may work synchronously now, in milliseconds.
fn time_left() -> f64 {
    QUEUE.with_borrow_mut(|queue| {
        let now = clock::monotonic();
        if now - queue.since >= PERIOD_MS {
            (queue.since, queue.spent) = (now, 0.0);
        }
        SYNC_BUDGET_MS - queue.spent
    })
}

/// A task of the queue: continues its last answer.
fn run_task() {
    let Some(answer) = QUEUE.with_borrow(|queue| queue.answers.last().cloned()) else {
        return;
    };
    // An answer that left the page is rebuilt when it returns.
    if !answer.place.is_connected() || answer.advance(TASK_MS) {
        QUEUE.with_borrow_mut(|queue| queue.answers.retain(|one| !Rc::ptr_eq(one, &answer)));
        answer.place.remove_attribute("aria-busy").log_error();
    }
    match QUEUE.with_borrow(|queue| queue.answers.is_empty()) {
        true => unmark_when_seen(),
        false => post_task(),
    }
}

/// Builds what is left of all answers in the present task: a page that is printed cannot wait for others.
pub fn finish_answers() {
    while QUEUE.with_borrow(|queue| !queue.answers.is_empty()) {
        run_task();
    }
}

/// Removes the marks after everything built has been painted.
fn unmark_when_seen() {
    if ENDING.replace(true) {
        return;
    }
    request_animation_frame(|| {
        let unmark = || {
            ENDING.set(false);
            if QUEUE.with_borrow(|queue| queue.answers.is_empty()) {
                (page_hooks::get().are_shown)();
            }
        };
        set_timeout(unmark, Duration::ZERO);
    });
}

/// Posts a task that calls [`run_task`]; while one is pending, no other is posted.
fn post_task() {
    let is_one_coming = POSTED.replace(true);
    if !is_one_coming {
        NEXT.with(|next| {
            if let Some(next) = next {
                next.post_message(&JsValue::NULL).log_error();
            }
        });
    }
}

thread_local! {
    static POSTED: Cell<bool> = const { Cell::new(false) };
}

/// A message port on which each message calls [`run_task`]. Unlike timers, messages are not delayed in a
/// hidden page.
fn channel() -> Option<MessagePort> {
    let channel = MessageChannel::new().ok()?;
    let task = Closure::<dyn Fn()>::new(|| {
        POSTED.set(false);
        run_task();
    });
    channel
        .port1()
        .set_onmessage(Some(task.as_ref().unchecked_ref()));
    // The closure lives as long as the page.
    task.forget();
    Some(channel.port2())
}
