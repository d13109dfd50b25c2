//! Syntax highlighting of finished code blocks. The server is asked once for each block that comes near the
//! screen, for two blocks at a time; the text is shown without waiting. Answers are cached as long as the
//! page lives, because blocks leave the page and return. If the server is busy, it is asked again after a
//! pause while the block is near. Without an answer, or with a language unknown to the server, the block
//! stays plain.

mod paint;

use crate::run_cache::{CodeHash, RunCache};
use crate::{Highlighted, highlight};
use futures::future::{AbortHandle, Abortable};
pub use paint::paint;
use sash_browser_kit::clock;
use sash_browser_kit::console::LogError;
use sash_markdown_view::code::{code_of, ending_of, language_of, text_of};
use sash_wire::Fault;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry};

/// The most concurrent requests.
const MAX_REQUESTS: usize = 2;
/// How often a busy server is asked for a block before the block stays plain.
const MAX_TRIES: usize = 5;
/// The longest pause of a busy server, in seconds, after which it is asked again.
const MAX_RETRY_SECONDS: u16 = 30;
/// Bytes of the largest block that the server highlights.
const MAX_BLOCK_BYTES: usize = 50 * 1024;

/// The state of all highlighting in the page.
#[derive(Default)]
struct Highlighter {
    /// Blocks near the screen that are not requested yet.
    near: Vec<Element>,
    pending: Vec<PendingHighlight>,
    cache: RunCache,
}

/// A running request, or one that waits for a busy server; in that case other blocks need not ask either.
struct PendingHighlight {
    block: Element,
    key: CodeHash,
    abort: AbortHandle,
    /// Whether the block is still near the screen.
    is_near: bool,
}

thread_local! {
    static HIGHLIGHTER: RefCell<Highlighter> = RefCell::default();
    static OBSERVER: Option<IntersectionObserver> = observer();
}

/// Registers a finished block: highlights it at once if its runs are cached, else when it comes near the
/// screen.
pub fn finished(block: &Element) {
    let Some((key, _, _)) = request_for(block) else {
        return;
    };
    match HIGHLIGHTER.with_borrow(|highlighter| highlighter.cache.get(key)) {
        Some(runs) => paint_block(block, runs),
        None => OBSERVER.with(|observer| match observer {
            Some(observer) => observer.observe(block),
            None => {
                came(block.clone());
                next();
            }
        }),
    }
}

/// The request for a block: its key, language and code.
fn request_for(block: &Element) -> Option<(CodeHash, String, String)> {
    ending_of(block)?;
    let language = language_of(block);
    let code = code_of(block)?;
    let code = text_of(&code);
    let fits = !code.is_empty() && code.len() <= MAX_BLOCK_BYTES;
    fits.then(|| (CodeHash::new(&language, &code), language, code))
}

/// Observes blocks that come near the screen, and those that leave it or the page.
fn observer() -> Option<IntersectionObserver> {
    let told = Closure::<dyn Fn(js_sys::Array)>::new(|entries: js_sys::Array| {
        for entry in entries.iter() {
            let entry: IntersectionObserverEntry = entry.unchecked_into();
            match entry.is_intersecting() {
                true => came(entry.target()),
                false => left(&entry.target()),
            }
        }
        next();
    });
    const MARGIN: &str = "100% 0px";
    let options = web_sys::IntersectionObserverInit::new();
    // One screen of margin: for the page, and for scrolling elements within it where the browser supports
    // that.
    options.set_root_margin(MARGIN);
    // By `Reflect`, because web-sys has no setter for it.
    js_sys::Reflect::set(&options, &"scrollMargin".into(), &MARGIN.into()).log_error();
    let observer =
        IntersectionObserver::new_with_options(told.as_ref().unchecked_ref(), &options).ok();
    // The observer lives as long as the page.
    told.forget();
    observer
}

fn came(block: Element) {
    HIGHLIGHTER.with_borrow_mut(|highlighter| {
        let asked = highlighter
            .pending
            .iter_mut()
            .find(|asked| asked.block == block);
        match asked {
            Some(asked) => asked.is_near = true,
            None if !highlighter.near.contains(&block) => highlighter.near.push(block),
            None => {}
        }
    });
}

fn left(block: &Element) {
    HIGHLIGHTER.with_borrow_mut(|highlighter| {
        highlighter.near.retain(|near| near != block);
        highlighter.pending.retain_mut(|asked| {
            let gone = asked.block == *block && !block.is_connected();
            if gone {
                asked.abort.abort();
            }
            asked.is_near &= asked.block != *block;
            !gone
        });
    });
}

/// Requests blocks near the screen, up to the limit.
fn next() {
    let mut at = 0;
    loop {
        let block =
            HIGHLIGHTER.with_borrow(
                |highlighter| match highlighter.pending.len() < MAX_REQUESTS {
                    true => highlighter.near.get(at).cloned(),
                    false => None,
                },
            );
        let Some(block) = block else {
            return;
        };
        let question = request_for(&block).filter(|_| block.is_connected());
        // The same code is already being requested for another block: wait for that answer.
        let waits = HIGHLIGHTER.with_borrow(|highlighter| {
            let same = |key: CodeHash| highlighter.pending.iter().any(|asked| asked.key == key);
            question.as_ref().is_some_and(|(key, _, _)| same(*key))
        });
        if waits {
            at += 1;
            continue;
        }
        HIGHLIGHTER.with_borrow_mut(|highlighter| highlighter.near.remove(at));
        OBSERVER.with(|observer| observer.iter().for_each(|o| o.unobserve(&block)));
        if let Some((key, language, code)) = question {
            match HIGHLIGHTER.with_borrow(|highlighter| highlighter.cache.get(key)) {
                Some(runs) => paint_block(&block, runs),
                None => begin(block, key, language, code),
            }
        }
    }
}

/// Requests a block.
fn begin(block: Element, key: CodeHash, language: String, code: String) {
    let (abort, registration) = AbortHandle::new_pair();
    // Keep observing it, to notice when it leaves the page.
    OBSERVER.with(|observer| observer.iter().for_each(|o| o.observe(&block)));
    let asked = PendingHighlight {
        block: block.clone(),
        key,
        abort,
        is_near: true,
    };
    HIGHLIGHTER.with_borrow_mut(|highlighter| highlighter.pending.push(asked));
    spawn_local(async move {
        let runs = Abortable::new(request(&block, language, code), registration).await;
        let runs = runs.ok().flatten();
        HIGHLIGHTER.with_borrow_mut(|highlighter| {
            highlighter.pending.retain(|asked| asked.block != block);
            if let Some(runs) = &runs {
                highlighter.cache.keep(key, Rc::clone(runs));
            }
        });
        if let Some(runs) = runs {
            paint_block(&block, runs);
        }
        next();
    });
}

/// Asks for the runs of a block, a few times while the server is busy; `None` if there are none, and if the block left
/// the screen meanwhile: then it stays observed and is requested when it returns.
async fn request(block: &Element, language: String, code: String) -> Option<Rc<str>> {
    let mut tries = 0;
    let runs = loop {
        let fault = match highlight(language.clone(), code.clone()).await {
            Ok(Highlighted { runs }) => break Some(runs.into()),
            Err(error) => Fault::from(error),
        };
        tries += 1;
        let pause = fault
            .retry_after()
            .filter(|seconds| *seconds <= MAX_RETRY_SECONDS);
        let Some(pause) = pause.filter(|_| tries < MAX_TRIES) else {
            break None;
        };
        clock::wait(i32::from(pause) * 1000).await;
        if !is_near(block) {
            return None;
        }
    };
    OBSERVER.with(|observer| observer.iter().for_each(|o| o.unobserve(block)));
    runs
}

/// Whether a requested block is near the screen, as far as is known.
fn is_near(block: &Element) -> bool {
    HIGHLIGHTER.with_borrow(|highlighter| {
        let mut asked = highlighter.pending.iter();
        asked.any(|asked| asked.block == *block && asked.is_near)
    })
}

fn paint_block(block: &Element, runs: Rc<str>) {
    if let Some(code) = code_of(block) {
        paint(code, runs);
    }
}
