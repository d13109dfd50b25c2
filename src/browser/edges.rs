//! Implements the edges of the stores with the browser: see [`sash_state::edges`].

use super::device_folder::BrowserFolders;
use super::focus_refs::FocusRefs;
use super::image_store::BrowserImages;
use super::vector_store::BrowserVectors;
use super::{ids, speech, storage};
use crate::api::{self, ApiError};
use futures::future::LocalBoxFuture;
use futures::{FutureExt, StreamExt, TryFutureExt};
use leptos::prelude::{request_animation_frame, set_timeout};
use sash_browser_kit::{clock, lock, notification, page};
use sash_chat::{AnswerId, Id};
use sash_state::edges::{
    AnswerStream, Clock, Edges, FocusTarget, Frames, HeldLock, Ids, Locks, OfflineVoice, Page,
    Speech, Transport, Utterance,
};
use sash_wire::{
    AnswerNowRequest, BackupGetImageRequest, BackupGetRequest, BackupList, BackupListRequest,
    BackupNews, BackupNewsRequest, BackupPrompts, BackupPromptsRequest, BackupPurgeRequest,
    BackupPurged, BackupPut, BackupPutImageRequest, BackupPutRequest, BackupText, CalculateRequest,
    CalculationResult, ChatRequest, CountedPrompt, EmbedRequest, Embedded, Fault, Frame,
    LoadRequest, ModelDetails, ModelList, ModelRequest, OllamaState, PullFrame, PullRequest,
    ReadRequest, ReadResult, ResumeRequest, StopRequest, UpstreamRequest,
};
use std::time::Duration;

/// This browser, and the server of the page.
struct Browser;

/// The edges of the page. The stores give the focus to elements of `refs`.
#[must_use]
pub fn edges(refs: FocusRefs) -> Edges {
    Edges::new(
        Browser,
        Browser,
        Browser,
        BrowserPage(refs),
        Browser,
        BrowserImages,
        BrowserVectors,
        Browser,
        BrowserFolders,
    )
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

    fn notify(&self, title: &str, body: &str, on_click: Box<dyn FnOnce()>) {
        notification::notify(title, body, on_click);
    }

    fn play_sound(&self) {
        notification::play_sound();
    }

    fn storage_percent(&self) -> usize {
        storage::used_percent()
    }

    fn saves_data(&self) -> bool {
        page::saves_data()
    }
}

impl Speech for Browser {
    fn voices(&self) -> Vec<OfflineVoice> {
        speech::voices()
    }

    fn on_voices(&self, changed: Box<dyn Fn()>) {
        speech::on_voices(changed);
    }

    fn speak(&self, utterance: Utterance, ended: Box<dyn FnOnce(bool)>) {
        speech::speak(&utterance, ended);
    }

    fn stop(&self) {
        speech::stop();
    }
}

impl Transport for Browser {
    fn state(
        &self,
        request: UpstreamRequest,
    ) -> LocalBoxFuture<'static, Result<OllamaState, Fault>> {
        api::state(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn models(
        &self,
        request: UpstreamRequest,
    ) -> LocalBoxFuture<'static, Result<ModelList, Fault>> {
        api::models(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn respond(
        &self,
        request: ChatRequest,
    ) -> LocalBoxFuture<'static, Result<AnswerStream, Fault>> {
        api::response(request)
            .map_ok(|stream| AnswerStream {
                kept: api::is_kept(),
                frames: api::frames(stream).boxed_local(),
            })
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn resume(
        &self,
        request: ResumeRequest,
    ) -> LocalBoxFuture<'static, Result<Frames<Frame>, Fault>> {
        api::resume(request)
            .map_ok(|stream| api::frames(stream).boxed_local())
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn stop(&self, request: StopRequest) -> LocalBoxFuture<'static, Result<(), Fault>> {
        api::stop(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn answer_now(&self, request: AnswerNowRequest) -> LocalBoxFuture<'static, Result<(), Fault>> {
        api::answer_now(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn read(&self, request: ReadRequest) -> LocalBoxFuture<'static, Result<ReadResult, Fault>> {
        api::read(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn pull(
        &self,
        request: PullRequest,
    ) -> LocalBoxFuture<'static, Result<Frames<PullFrame>, Fault>> {
        api::pull(request)
            .map_ok(|stream| api::frames(stream).boxed_local())
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn installed(
        &self,
        request: UpstreamRequest,
    ) -> LocalBoxFuture<'static, Result<ModelList, Fault>> {
        api::installed(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn show(&self, request: ModelRequest) -> LocalBoxFuture<'static, Result<ModelDetails, Fault>> {
        api::show(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn calculate(
        &self,
        request: CalculateRequest,
    ) -> LocalBoxFuture<'static, Result<CalculationResult, Fault>> {
        api::calculate(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn count(&self, request: ChatRequest) -> LocalBoxFuture<'static, Result<CountedPrompt, Fault>> {
        api::count(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn embed(&self, request: EmbedRequest) -> LocalBoxFuture<'static, Result<Embedded, Fault>> {
        api::embed(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn load(&self, request: LoadRequest) -> LocalBoxFuture<'static, Result<(), Fault>> {
        api::load(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn unload(&self, request: ModelRequest) -> LocalBoxFuture<'static, Result<(), Fault>> {
        api::unload(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn delete(&self, request: ModelRequest) -> LocalBoxFuture<'static, Result<(), Fault>> {
        api::delete(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn backup_list(
        &self,
        request: BackupListRequest,
    ) -> LocalBoxFuture<'static, Result<BackupList, Fault>> {
        api::backup_list(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn backup_news(
        &self,
        request: BackupNewsRequest,
    ) -> LocalBoxFuture<'static, Result<BackupNews, Fault>> {
        api::backup_news(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn backup_put(
        &self,
        request: BackupPutRequest,
    ) -> LocalBoxFuture<'static, Result<BackupPut, Fault>> {
        api::backup_put(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn backup_prompts(
        &self,
        request: BackupPromptsRequest,
    ) -> LocalBoxFuture<'static, Result<BackupPrompts, Fault>> {
        api::backup_prompts(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn backup_put_image(
        &self,
        request: BackupPutImageRequest,
    ) -> LocalBoxFuture<'static, Result<(), Fault>> {
        api::backup_put_image(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn backup_get(
        &self,
        request: BackupGetRequest,
    ) -> LocalBoxFuture<'static, Result<BackupText, Fault>> {
        api::backup_get(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn backup_get_image(
        &self,
        request: BackupGetImageRequest,
    ) -> LocalBoxFuture<'static, Result<BackupText, Fault>> {
        api::backup_get_image(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }

    fn backup_purge(
        &self,
        request: BackupPurgeRequest,
    ) -> LocalBoxFuture<'static, Result<BackupPurged, Fault>> {
        api::backup_purge(request)
            .map_err(ApiError::into_fault)
            .boxed_local()
    }
}
