//! Downloads a model into the cache of a router, and follows its events.

use super::model_status::{ModelStatus, RouterEvent};
use super::{OpenAi, RequestFailure, list};
use crate::server::engine::http::RefusedReply;
use crate::server::engine::{EngineLabel, PendingResponse};
use crate::server::relay::LineReader;
use futures::FutureExt;
use reqwest::Method;
use sash_wire::{Fault, LayerProgress, PullFrame};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long a router may take to find the files of a model before it begins to download them.
const BEGIN_TIME: Duration = Duration::from_secs(60);

impl OpenAi {
    /// Begins a download. The events are subscribed to first, so that none is missed.
    pub fn download(&self, model: &str) -> (PendingResponse, DownloadFrames) {
        let is_running = Arc::new(AtomicBool::new(false));
        let frames = DownloadFrames {
            engine: self.clone(),
            model: model.to_owned(),
            files: Vec::new(),
            is_running: Arc::clone(&is_running),
        };
        let (engine, model) = (self.clone(), model.to_owned());
        let opening = async move {
            let fault = |failure| engine.fault(failure, &model);
            let request = engine.http.request(Method::GET, "/models/sse");
            let events = engine.http.stream(request, "event-stream").await;
            let events = events.map_err(fault)?;
            // Another page, or this one before a reload, may have begun it.
            let listed = engine.get_list(BEGIN_TIME).await?;
            let status = list::entry(&listed, &model).and_then(ModelStatus::of);
            if status != Some(ModelStatus::Downloading) {
                let request = engine.http.request(Method::POST, "/models");
                let request = request.json(&json!({ "model": model }));
                let begun = engine.http.document(request, BEGIN_TIME, 100).await;
                begun.map_err(|failure| match failure {
                    RequestFailure::Refused(reply) if matches!(reply.status, 400 | 404 | 500) => {
                        engine.refused(&reason(&reply))
                    }
                    failure => fault(failure),
                })?;
            }
            is_running.store(true, Ordering::Relaxed);
            Ok(events)
        };
        (opening.boxed(), frames)
    }
}

/// The engine's own words for a download that it does not begin.
fn reason(reply: &RefusedReply) -> String {
    let object = reply.object.as_ref();
    let message = object.and_then(|object| object.pointer("/error/message")?.as_str());
    let message = message.unwrap_or("it does not download models");
    message.chars().take(300).collect()
}

/// Converts the events of a download to frames. Dropping it in the middle ends the download, as the page's *Stop* does;
/// what came is kept by the router and used the next time.
pub struct DownloadFrames {
    engine: OpenAi,
    model: String,
    /// The files so far.
    files: Vec<LayerProgress>,
    /// Whether the download has begun and not ended.
    is_running: Arc<AtomicBool>,
}

impl DownloadFrames {
    fn event(&mut self, event: RouterEvent, out: &mut String) -> bool {
        match event {
            RouterEvent::Loading(_) => false,
            RouterEvent::Downloading(files) => {
                for file in files {
                    let mut known = self.files.iter_mut();
                    match known.find(|known| known.digest == file.digest) {
                        Some(known) if *known == file => continue,
                        Some(known) => known.clone_from(&file),
                        None => self.files.push(file.clone()),
                    }
                    push(&PullFrame::Layer(file), out);
                }
                false
            }
            // A router that could not reach the registry says that it finished, too.
            RouterEvent::Downloaded(true) if !self.files.is_empty() => {
                self.is_running.store(false, Ordering::Relaxed);
                for mut file in std::mem::take(&mut self.files) {
                    if file.completed < file.total {
                        file.completed = file.total;
                        push(&PullFrame::Layer(file), out);
                    }
                }
                push(&PullFrame::Done, out);
                true
            }
            RouterEvent::Downloaded(_) => {
                self.is_running.store(false, Ordering::Relaxed);
                let error = self
                    .engine
                    .refused("the download failed; the engine's log says why");
                push(&PullFrame::Error { error }, out);
                true
            }
        }
    }
}

impl LineReader for DownloadFrames {
    fn label(&self) -> &EngineLabel {
        self.engine.http.label()
    }

    fn read(&mut self, line: &[u8], out: &mut String) -> bool {
        let event = self.engine.event(line);
        match event.as_ref().and_then(RouterEvent::read) {
            Some((model, event)) if model == self.model => self.event(event, out),
            _ => false,
        }
    }

    fn fail(&mut self, error: Fault, out: &mut String) {
        push(&PullFrame::Error { error }, out);
    }

    fn sends_headers_first(&self) -> bool {
        true
    }

    fn is_reading(&self) -> bool {
        true
    }
}

impl Drop for DownloadFrames {
    /// Nobody waits for the request that ends the download: who began it has left.
    fn drop(&mut self) {
        if !self.is_running.load(Ordering::Relaxed) {
            return;
        }
        let (engine, model) = (self.engine.clone(), self.model.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                if let Err(fault) = engine.unload(&model).await {
                    tracing::info!(status = fault.status(), "a download was not stopped");
                }
            });
        }
    }
}

fn push(frame: &PullFrame, out: &mut String) {
    out.push_str(&serde_json::to_string(frame).unwrap_or_default());
    out.push('\n');
}
