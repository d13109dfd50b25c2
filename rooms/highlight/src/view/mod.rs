//! Syntax highlighting of finished code blocks. The server is asked once for each block that comes near the
//! screen, for two blocks at a time; the text is shown without waiting. Answers are cached as long as the
//! page lives, because blocks leave the page and return. If the server is busy, it is asked again after a
//! pause while the block is near. Without an answer, or with a language unknown to the server, the block
//! stays plain.

mod paint;

use crate::run_cache::{CodeHash, RunCache};
use crate::{Highlighted, highlight};
use futures::future::{AbortHandle, Abortable};
use leptos::prelude::{GetValue, LocalStorage, SetValue, StoredValue, UpdateValue, WithValue};
pub use paint::paint;
use sash_browser_kit::clock;
use sash_browser_kit::console::LogError;
use sash_markdown_view::code::{code_of, ending_of, language_of, text_of};
use sash_wire::Fault;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

/// The most concurrent requests.
const MAX_REQUESTS: usize = 2;
/// How often a busy server is asked for a block before the block stays plain.
const MAX_TRIES: usize = 5;
/// The longest pause of a busy server, in seconds, after which it is asked again.
const MAX_RETRY_SECONDS: u16 = 30;
/// Bytes of the largest block that the server highlights.
const MAX_BLOCK_BYTES: usize = 50 * 1024;

/// The store of all highlighting in the page.
#[derive(Clone, Copy)]
pub struct Highlighter {
    blocks: StoredValue<Blocks, LocalStorage>,
    /// Tells which blocks come near the screen, and which leave it or the page.
    observer: StoredValue<Option<IntersectionObserver>, LocalStorage>,
}

#[derive(Default)]
struct Blocks {
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

impl Highlighter {
    /// Creates the store and begins to look which blocks are near, as long as the page lives.
    #[must_use]
    pub fn start() -> Self {
        let store = Self {
            blocks: StoredValue::new_local(Blocks::default()),
            observer: StoredValue::new_local(None),
        };
        store.observer.set_value(store.observe());
        store
    }

    /// Registers a finished block: highlights it at once if its runs are cached, else when it comes near the
    /// screen.
    pub fn finished(self, block: &Element) {
        let Some((key, _, _)) = request_for(block) else {
            return;
        };
        match self.cached(key) {
            Some(runs) => paint_block(block, runs),
            None => match self.observer.get_value() {
                Some(observer) => observer.observe(block),
                None => {
                    self.came(block.clone());
                    self.next();
                }
            },
        }
    }

    fn cached(self, key: CodeHash) -> Option<Rc<str>> {
        self.blocks.with_value(|blocks| blocks.cache.get(key))
    }

    fn observe(self) -> Option<IntersectionObserver> {
        let told = Closure::<dyn Fn(js_sys::Array)>::new(move |entries: js_sys::Array| {
            for entry in entries.iter() {
                let entry: IntersectionObserverEntry = entry.unchecked_into();
                match entry.is_intersecting() {
                    true => self.came(entry.target()),
                    false => self.left(&entry.target()),
                }
            }
            self.next();
        });
        const MARGIN: &str = "100% 0px";
        let options = IntersectionObserverInit::new();
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

    fn unobserve(self, block: &Element) {
        if let Some(observer) = self.observer.get_value() {
            observer.unobserve(block);
        }
    }

    fn came(self, block: Element) {
        self.blocks.update_value(|blocks| {
            let mut pending = blocks.pending.iter_mut();
            match pending.find(|asked| asked.block == block) {
                Some(asked) => asked.is_near = true,
                None if !blocks.near.contains(&block) => blocks.near.push(block),
                None => {}
            }
        });
    }

    fn left(self, block: &Element) {
        self.blocks.update_value(|blocks| {
            blocks.near.retain(|near| near != block);
            blocks.pending.retain_mut(|asked| {
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
    fn next(self) {
        let mut at = 0;
        loop {
            let block = self.blocks.with_value(|blocks| {
                let is_free = blocks.pending.len() < MAX_REQUESTS;
                blocks.near.get(at).filter(|_| is_free).cloned()
            });
            let Some(block) = block else {
                return;
            };
            let question = request_for(&block).filter(|_| block.is_connected());
            // The same code is already being requested for another block: wait for that answer.
            let waits = question.as_ref().is_some_and(|(key, _, _)| {
                self.blocks
                    .with_value(|blocks| blocks.pending.iter().any(|asked| asked.key == *key))
            });
            if waits {
                at += 1;
                continue;
            }
            self.blocks
                .update_value(|blocks| _ = blocks.near.remove(at));
            self.unobserve(&block);
            if let Some((key, language, code)) = question {
                match self.cached(key) {
                    Some(runs) => paint_block(&block, runs),
                    None => self.begin(block, key, language, code),
                }
            }
        }
    }

    /// Requests a block.
    fn begin(self, block: Element, key: CodeHash, language: String, code: String) {
        let (abort, registration) = AbortHandle::new_pair();
        // Keep observing it, to notice when it leaves the page.
        if let Some(observer) = self.observer.get_value() {
            observer.observe(&block);
        }
        let asked = PendingHighlight {
            block: block.clone(),
            key,
            abort,
            is_near: true,
        };
        self.blocks
            .update_value(|blocks| blocks.pending.push(asked));
        spawn_local(async move {
            let request = self.request(&block, language, code);
            let runs = Abortable::new(request, registration).await;
            let runs = runs.ok().flatten();
            self.blocks.update_value(|blocks| {
                blocks.pending.retain(|asked| asked.block != block);
                if let Some(runs) = &runs {
                    blocks.cache.keep(key, Rc::clone(runs));
                }
            });
            if let Some(runs) = runs {
                paint_block(&block, runs);
            }
            self.next();
        });
    }

    /// Asks for the runs of a block, a few times while the server is busy; `None` if there are none, and if the block
    /// left the screen meanwhile: then it stays observed and is requested when it returns.
    async fn request(self, block: &Element, language: String, code: String) -> Option<Rc<str>> {
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
            if !self.is_near(block) {
                return None;
            }
        };
        self.unobserve(block);
        runs
    }

    /// Whether a requested block is near the screen, as far as is known.
    fn is_near(self, block: &Element) -> bool {
        self.blocks.with_value(|blocks| {
            let mut pending = blocks.pending.iter();
            pending.any(|asked| asked.block == *block && asked.is_near)
        })
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

fn paint_block(block: &Element, runs: Rc<str>) {
    if let Some(code) = code_of(block) {
        paint(code, runs);
    }
}
