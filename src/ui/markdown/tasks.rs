//! When answers are shown: what is long is built in several tasks, so that the page can be used meanwhile.

use super::Renderer;
use crate::browser::{clock, showing};
use leptos::prelude::{request_animation_frame, set_timeout};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::prelude::*;
use web_sys::{Element, MessageChannel, MessagePort};

/// Milliseconds of work in a [`PERIOD`] that are done while the page waits for it.
const AT_ONCE: f64 = 50.0;
/// Milliseconds.
const PERIOD: f64 = 200.0;
/// Milliseconds of each further task.
const TASK: f64 = 10.0;
/// Bytes; a shorter answer holds nothing up.
const LONG: usize = 8_000;

/// An answer in a place of the page. It is shown at once or in several tasks; until it is there as a whole, its place is
/// `aria-busy`. End-to-end tests import this type to show texts that no chat would hold.
#[wasm_bindgen]
pub struct Rendering(Rc<Answer>);

struct Answer {
    place: Element,
    renderer: RefCell<Renderer>,
}

/// What is being shown.
struct Queue {
    /// The answers that are not there as a whole, the last one last: that is looked at.
    answers: Vec<Rc<Answer>>,
    /// When the running period began, and how much of it went into answers.
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
    /// Whether nothing is marked any more once the next frame is over.
    static ENDING: Cell<bool> = const { Cell::new(false) };
}

#[wasm_bindgen]
impl Rendering {
    /// An answer that is to be shown in `place`, whose content is replaced.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(place: Element) -> Self {
        Self(Rc::new(Answer {
            renderer: RefCell::new(Renderer::new(place.clone())),
            place,
        }))
    }

    /// Shows what came after all that came before; it is the last where the answer is not `running`.
    pub fn add(&self, more: &str, running: bool) {
        let answer = &self.0;
        if !running && more.len() >= LONG {
            showing::mark_chat_of(&answer.place);
        }
        answer.renderer.borrow_mut().add(more, running);
        if QUEUE.with_borrow(|queue| queue.answers.iter().any(|one| Rc::ptr_eq(one, answer))) {
            return;
        }
        if !answer.go_on(time_left()) {
            // Its name is a plain one.
            let _ = answer.place.set_attribute("aria-busy", "true");
            QUEUE.with_borrow_mut(|queue| queue.answers.push(Rc::clone(answer)));
            post_task();
        } else if !running {
            unmark_when_seen();
        }
    }
}

impl Answer {
    /// Works on for about so many milliseconds; whether all is shown then.
    fn go_on(&self, millis: f64) -> bool {
        if millis <= 0.0 {
            return false;
        }
        let began = clock::monotonic();
        let is_shown = showing::work(&self.place, || self.renderer.borrow_mut().go_on(millis));
        QUEUE.with_borrow_mut(|queue| queue.spent += clock::monotonic() - began);
        is_shown
    }
}

/// How long may be worked at once, in milliseconds.
fn time_left() -> f64 {
    QUEUE.with_borrow_mut(|queue| {
        let now = clock::monotonic();
        if now - queue.since >= PERIOD {
            (queue.since, queue.spent) = (now, 0.0);
        }
        AT_ONCE - queue.spent
    })
}

/// A task of the queue: works on at its last answer.
fn run_task() {
    let Some(answer) = QUEUE.with_borrow(|queue| queue.answers.last().cloned()) else {
        return;
    };
    // What has left the page meanwhile is built anew when it comes back.
    if !answer.place.is_connected() || answer.go_on(TASK) {
        QUEUE.with_borrow_mut(|queue| queue.answers.retain(|one| !Rc::ptr_eq(one, &answer)));
        // It was there.
        let _ = answer.place.remove_attribute("aria-busy");
    }
    match QUEUE.with_borrow(|queue| queue.answers.is_empty()) {
        true => unmark_when_seen(),
        false => post_task(),
    }
}

/// All is built: once it is seen too, nothing is marked any more.
fn unmark_when_seen() {
    if ENDING.replace(true) {
        return;
    }
    request_animation_frame(|| {
        let unmark = || {
            ENDING.set(false);
            if QUEUE.with_borrow(|queue| queue.answers.is_empty()) {
                showing::unmark();
            }
        };
        set_timeout(unmark, Duration::ZERO);
    });
}

/// Has [`run_task`] called in a task of its own, once however often it is asked for meanwhile.
fn post_task() {
    let is_one_coming = POSTED.replace(true);
    if !is_one_coming {
        NEXT.with(|next| {
            if let Some(next) = next {
                // Nothing is sent that could not be.
                let _ = next.post_message(&JsValue::NULL);
            }
        });
    }
}

thread_local! {
    static POSTED: Cell<bool> = const { Cell::new(false) };
}

/// Where a message is a call of [`run_task`]. Unlike a timer's, its tasks are not put off in a hidden page.
fn channel() -> Option<MessagePort> {
    let channel = MessageChannel::new().ok()?;
    let task = Closure::<dyn Fn()>::new(|| {
        POSTED.set(false);
        run_task();
    });
    channel
        .port1()
        .set_onmessage(Some(task.as_ref().unchecked_ref()));
    // For as long as the page lives.
    task.forget();
    Some(channel.port2())
}
