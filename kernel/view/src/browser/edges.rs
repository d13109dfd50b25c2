//! Implements the edges of the stores with the browser: see [`sash_stores::edges`].

use super::focus_refs::FocusRefs;
use super::image_store::BrowserImages;
use super::{ids, storage};
use futures::future::LocalBoxFuture;
use futures::{FutureExt, StreamExt, TryFutureExt};
use leptos::prelude::{request_animation_frame, set_timeout};
use sash_browser_kit::{clock, lock, page};
use sash_chat::{AnswerId, Id};
use sash_server::api;
use sash_stores::edges::{
    AnswerStream, Call, Clock, Edges, FocusTarget, HeldLock, Ids, Locks, Page, Transport,
};
use std::time::Duration;

/// This browser.
struct Browser;

/// The edges of the page. The stores give the focus to elements of `refs`.
#[must_use]
pub fn edges(refs: FocusRefs) -> Edges {
    Edges::new(
        Browser,
        Browser,
        Browser,
        BrowserPage(refs),
        transport(),
        BrowserImages,
    )
}

/// The server of the page.
fn transport() -> Transport {
    Transport {
        state: Call::new(api::state),
        models: Call::new(api::models),
        installed: Call::new(api::installed),
        respond: Call::new(|request| {
            api::response(request).map_ok(|stream| AnswerStream {
                kept: api::is_kept(),
                frames: api::frames(stream).boxed_local(),
            })
        }),
        resume: Call::new(|request| {
            api::resume(request).map_ok(|stream| api::frames(stream).boxed_local())
        }),
        stop: Call::new(api::stop),
        answer_now: Call::new(api::answer_now),
    }
}

impl Clock for Browser {
    fn now(&self) -> u64 {
        clock::now()
    }

    fn monotonic(&self) -> f64 {
        clock::monotonic()
    }

    fn utc_offset(&self) -> i64 {
        clock::utc_offset_ms()
    }

    fn after(&self, wait: Duration, run: Box<dyn FnOnce()>) {
        set_timeout(run, wait);
    }

    fn next_frame(&self, run: Box<dyn FnOnce()>) {
        request_animation_frame(run);
    }
}

impl Ids for Browser {
    fn new_id(&self) -> Id {
        ids::new_id()
    }

    fn new_answer_id(&self) -> AnswerId {
        ids::new_answer_id()
    }
}

impl Locks for Browser {
    fn exist(&self) -> bool {
        lock::exist()
    }

    fn hold(&self, name: &str, taken: Box<dyn FnOnce()>) -> HeldLock {
        Box::new(lock::hold(name, taken))
    }

    fn try_hold(
        &self,
        name: &str,
        taken: Box<dyn FnOnce()>,
    ) -> LocalBoxFuture<'static, Option<HeldLock>> {
        let name = name.to_owned();
        async move {
            let held = lock::try_hold(&name, taken).await;
            held.map(|held| Box::new(held) as HeldLock)
        }
        .boxed_local()
    }

    fn is_held(&self, name: String) -> LocalBoxFuture<'static, bool> {
        async move { lock::is_held(&name).await }.boxed_local()
    }

    fn wait_until_free(&self, name: String) -> LocalBoxFuture<'static, ()> {
        async move { lock::wait_until_free(&name).await }.boxed_local()
    }

    fn steal(&self, name: String) -> LocalBoxFuture<'static, ()> {
        async move { lock::steal(&name).await }.boxed_local()
    }
}

/// The page of this browser: the elements that can have the focus.
struct BrowserPage(FocusRefs);

impl Page for BrowserPage {
    fn focus(&self, target: FocusTarget) {
        self.0.focus(target);
    }

    fn focus_soon(&self, target: FocusTarget) {
        let refs = self.0;
        request_animation_frame(move || refs.focus(target));
    }

    fn is_visible(&self) -> bool {
        page::is_visible()
    }

    fn is_seen(&self) -> bool {
        page::is_seen()
    }

    fn storage_percent(&self) -> usize {
        storage::used_percent()
    }

    fn saves_data(&self) -> bool {
        page::saves_data()
    }
}
