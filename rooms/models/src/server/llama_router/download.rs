//! Downloads a model into the cache of a router, and follows its events for as long. A download is the router's own and would
//! go on without its reader, so [`DownloadFrames`] ends it when it is dropped: the one request that outlives the one it
//! belongs to.

use super::LlamaRouter;
use super::event::DownloadEvent;
use super::followers::{Follower, Followers};
use crate::server::push;
use crate::{LayerProgress, PullFrame};
use futures::FutureExt;
use reqwest::Method;
use sash_server::engine::http::{RefusedReply, RequestFailure};
use sash_server::engine::{Engine, EngineLabel, PendingResponse};
use sash_server::openai::ModelStatus;
use sash_server::relay::LineReader;
use sash_wire::Fault;
use serde_json::{Value, json};
use std::time::Duration;

/// How long a router may take to find the files of a model before it begins to download them.
const BEGIN_TIME: Duration = Duration::from_secs(60);
/// The most files of a download that are told of. The largest models have a hundred.
const MAX_FILES: usize = 1000;
/// The most characters of the engine's own words for a failure.
const MAX_REASON_CHARS: usize = 300;
/// Why nothing of a model comes. The router does not tell which of them it is.
const CAUSES: &str = "the name may be wrong, or the engine's machine may have no connection to the network; the engine's log says why";
/// Why a download ends before the model is there.
const CAUSES_BEGUN: &str = "the network may have failed, or the disk may be full; the engine's log says why. The next try continues with what has come";

impl LlamaRouter {
    /// Begins a download. The events are subscribed to first, so that none is missed.
    pub fn download(
        &self,
        model: &str,
        followers: &Followers,
    ) -> (PendingResponse, DownloadFrames) {
        let follower = followers.follow(self.0.name(), model);
        let frames = DownloadFrames {
            engine: self.clone(),
            model: model.to_owned(),
            files: Vec::new(),
            follower: follower.clone(),
        };
        let (Self(engine), model) = (self.clone(), model.to_owned());
        let opening = async move {
            let fault = |failure| engine.fault(failure, &model);
            let request = engine.http().request(Method::GET, "/models/sse");
            let events = engine.http().stream(request, "event-stream").await;
            let events = events.map_err(fault)?;
            // One that is being ended has ended before it is looked for.
            let _turn = follower.turn().await;
            // Another page, or this one before a reload, may have begun it.
            let status = engine.status_of(&model, BEGIN_TIME).await?;
            if status != Some(ModelStatus::Downloading) {
                let request = engine.http().request(Method::POST, "/models");
                let request = request.json(&json!({ "model": model }));
                let begun = engine.http().document(request, BEGIN_TIME, 100).await;
                begun.map_err(|failure| match failure {
                    RequestFailure::Refused(reply) if matches!(reply.status, 400 | 404 | 500) => {
                        engine.refused(&reason(&reply))
                    }
                    failure => fault(failure),
                })?;
                follower.set_ours(true);
            }
            Ok(events)
        };
        (opening.boxed(), frames)
    }
}

/// The registry that a name asks a router to download from; `None` for its own, as `organisation/model:tag`. An
/// organisation's name has no dot.
pub fn registry_of(model: &str) -> Option<&str> {
    let (scheme, name) = match model.split_once("://") {
        Some((scheme, name)) => (Some(scheme), name),
        None => (None, model),
    };
    let (first, rest) = name.split_once('/').unwrap_or((name, ""));
    let is_host = scheme.is_some() || rest.contains('/') || first.contains(['.', ':', '@']);
    (is_host && (scheme.is_some() || !rest.is_empty())).then_some(first)
}

/// The engine's own words for a download that it does not begin. It has the same ones for a name that is none and for a
/// registry that it cannot reach.
fn reason(reply: &RefusedReply) -> String {
    let object = reply.object.as_ref();
    let message = object.and_then(|object| object.pointer("/error/message")?.as_str());
    let message = message.unwrap_or("it does not download models");
    let said: String = message.chars().take(MAX_REASON_CHARS).collect();
    match said.contains("validation failed") || said.contains("download") {
        true => format!("{said}; {CAUSES}"),
        false => said,
    }
}

/// What a router says of a download that failed, in our words and, where it has any, in its own.
fn failure(event: &Value, has_begun: bool) -> String {
    let words = ["/data/error/message", "/data/error", "/data/message"];
    let said = words.iter().find_map(|path| event.pointer(path)?.as_str());
    let said: String = said
        .unwrap_or_default()
        .chars()
        .take(MAX_REASON_CHARS)
        .collect();
    let causes = if has_begun { CAUSES_BEGUN } else { CAUSES };
    match said.is_empty() {
        true => format!("the download failed: {causes}"),
        false => format!("the download failed ({said}): {causes}"),
    }
}

/// Converts the events of a download to frames. Dropping the last one of a download that Sash began ends the download, as
/// the page's *Stop* does; what came is kept by the router and used the next time.
pub struct DownloadFrames {
    engine: LlamaRouter,
    model: String,
    /// The files so far.
    files: Vec<LayerProgress>,
    follower: Follower,
}

impl DownloadFrames {
    fn event(&mut self, event: DownloadEvent, whole: &Value, out: &mut String) -> bool {
        match event {
            DownloadEvent::Downloading(files) => {
                for file in files {
                    let is_full = self.files.len() >= MAX_FILES;
                    let mut known = self.files.iter_mut();
                    match known.find(|known| known.digest == file.digest) {
                        Some(known) if *known == file => continue,
                        Some(known) => known.clone_from(&file),
                        None if is_full => continue,
                        None => self.files.push(file.clone()),
                    }
                    push(&PullFrame::Layer(file), out);
                }
                false
            }
            // A router that could not reach the registry says that it finished, too.
            DownloadEvent::Downloaded(true) if !self.files.is_empty() => {
                self.follower.set_ours(false);
                for mut file in std::mem::take(&mut self.files) {
                    if file.completed < file.total {
                        file.completed = file.total;
                        push(&PullFrame::Layer(file), out);
                    }
                }
                push(&PullFrame::Done, out);
                true
            }
            DownloadEvent::Downloaded(_) => {
                self.follower.set_ours(false);
                let reason = failure(whole, !self.files.is_empty());
                let error = self.engine.0.refused(&reason);
                push(&PullFrame::Error { error }, out);
                true
            }
        }
    }
}

impl LineReader for DownloadFrames {
    fn label(&self) -> &EngineLabel {
        self.engine.0.label()
    }

    fn read(&mut self, line: &[u8], out: &mut String) -> bool {
        let Some(whole) = self.engine.0.event(line) else {
            return false;
        };
        match DownloadEvent::read(&whole) {
            Some((model, event)) if model == self.model => self.event(event, &whole, out),
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
    /// Nobody waits for the request that ends the download: the last page that followed it has left.
    fn drop(&mut self) {
        if !self.follower.leave() {
            return;
        }
        let (engine, follower) = (self.engine.clone(), self.follower.clone());
        let model = std::mem::take(&mut self.model);
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _turn = follower.turn().await;
                // A page that was loaded again may follow it by now.
                if !follower.is_left() {
                    return;
                }
                if let Err(fault) = engine.unload(&model).await {
                    tracing::info!(status = fault.status(), "a download was not stopped");
                }
                follower.forget();
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_server::engine::Address;
    use sash_server::openai::OpenAi;

    #[test]
    fn files_without_number_are_bounded_in_what_is_kept_and_told() {
        let address = Address::parse("http://127.0.0.1:1").unwrap();
        let engine = LlamaRouter(OpenAi::new("box", address, None).unwrap());
        let (_, mut frames) = engine.download("m", &Followers::default());
        let mut out = String::new();
        for batch in 0..4 {
            let file = |n: usize| {
                let url = format!("https://host/{batch}-{n}-{}", "long".repeat(1000));
                (url, json!({"done": 1, "total": 2}))
            };
            let files: serde_json::Map<_, _> = (0..500).map(file).collect();
            let event = json!({"model":"m","event":"download_progress","data":files});
            frames.read(format!("data: {event}").as_bytes(), &mut out);
        }
        assert_eq!(frames.files.len(), MAX_FILES);
        assert_eq!(out.lines().count(), MAX_FILES);
        assert!(out.len() < MAX_FILES * 400, "{}", out.len());
    }

    /// It said that the log says why, also where the engine only had no network.
    #[test]
    fn a_download_that_fails_says_what_may_be_wrong() {
        let progress = json!({"https://host/m.gguf":{"done":1,"total":2}});
        for (begun, last, data, said) in [
            (
                false,
                "download_finished",
                json!({}),
                "no connection to the network",
            ),
            (
                false,
                "download_failed",
                json!({}),
                "no connection to the network",
            ),
            (
                true,
                "download_failed",
                json!({}),
                "the network may have failed",
            ),
            (
                false,
                "download_failed",
                json!({"error":"Could not resolve host"}),
                "failed (Could not resolve host): the name",
            ),
            (
                true,
                "download_failed",
                json!({"error":{"message":"No space left"}}),
                "failed (No space left): the network",
            ),
        ] {
            let address = Address::parse("http://127.0.0.1:1").unwrap();
            let engine = LlamaRouter(OpenAi::new("box", address, None).unwrap());
            let (_, mut frames) = engine.download("m", &Followers::default());
            let mut out = String::new();
            let mut tell = |event: &str, data: &Value| {
                let event = json!({"model":"m","event":event,"data":data});
                frames.read(format!("data: {event}").as_bytes(), &mut out)
            };
            if begun {
                tell("download_progress", &progress);
            }
            assert!(tell(last, &data), "{last}");
            assert!(out.lines().last().unwrap().contains(said), "{out}");
        }
    }

    #[test]
    fn a_name_of_another_registry_is_known_by_its_host() {
        for (name, host) in [
            ("pullme", None),
            ("model.v2:Q4_K_M", None),
            ("org/Model-7B.v2-GGUF:Q4_K_M", None),
            ("hf.co/org/model", Some("hf.co")),
            ("evil/org/model", Some("evil")),
            ("evil.example/model", Some("evil.example")),
            ("127.0.0.1:5055/ns/model", Some("127.0.0.1:5055")),
            ("http://evil.example/a/b", Some("evil.example")),
            ("https://evil", Some("evil")),
            ("me@evil/model", Some("me@evil")),
        ] {
            assert_eq!(registry_of(name), host, "{name}");
        }
    }
}
