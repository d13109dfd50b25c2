//! Pulls a model and streams its progress.

use super::llama_router::{Followers, LlamaRouter, registry_of};
use super::push;
use crate::{LayerProgress, ModelFault, ModelRequest, PullFrame};
use bytes::Bytes;
use futures::stream::BoxStream;
use futures::{Stream, StreamExt};
use sash_server::app::App;
use sash_server::engine::{Engine, EngineLabel};
use sash_server::engines::ModelManager;
use sash_server::limits::StreamTimeouts;
use sash_server::ollama::OllamaRequestContext;
use sash_server::ollama::line::{PullLine, line};
use sash_server::relay::{LineReader, Relay};
use sash_server::turns::Turns;
use sash_wire::{EngineAction, Fault, ModelName};
use serde_json::json;
use std::time::Duration;

/// The pulls that run.
#[derive(Clone, Debug)]
pub struct RunningPulls {
    turns: Turns,
    /// Who follows the downloads of routers.
    followers: Followers,
}

impl RunningPulls {
    /// None yet; so many run at once.
    pub fn new(most: usize) -> Self {
        Self {
            turns: Turns::new(most, Duration::ZERO),
            followers: Followers::default(),
        }
    }
}

/// Pulls a model. `insecure` is never sent.
///
/// # Errors
/// Any [`Fault`] that occurs before the first frame; later ones become the last frame.
pub async fn pull(
    app: &App,
    running: &RunningPulls,
    request: ModelRequest,
) -> Result<BoxStream<'static, Bytes>, Fault> {
    if request.model.trim().is_empty() {
        let field = "model".to_owned();
        return Err(Fault::MissingField { field });
    }
    let engine = app
        .engine(request.upstream, request.engine.as_deref())
        .await?;
    let ollama = match engine.manager(EngineAction::Pull).await? {
        ModelManager::Ollama(ollama) => ollama,
        ModelManager::LlamaServer(engine) => {
            return Ok(download(app, running, LlamaRouter(engine), &request.model)
                .await?
                .boxed());
        }
    };
    if let Some(host) = ModelName::parse(&request.model)?.foreign_host(&app.allow_registry) {
        let host = host.to_owned();
        return Err(ModelFault::RegistryRefused { host }.into());
    }
    let permit = running.turns.acquire().await?;
    let reader = PullFrames {
        model: request.model,
        label: ollama.label().clone(),
        layer: None,
    };
    let model = reader.model.clone();
    let opening = Box::pin(async move {
        let body = json!({ "model": model, "stream": true });
        ollama.stream("/api/pull", &body, &model).await
    });
    let relay = Relay::open(opening, reader, patience(app), app.stop.clone(), permit).await;
    let relay = relay.map_err(pull_failure)?;
    Ok(relay.into_stream().boxed())
}

/// Downloads a model into the cache of a `llama-server`.
async fn download(
    app: &App,
    running: &RunningPulls,
    engine: LlamaRouter,
    model: &str,
) -> Result<impl Stream<Item = Bytes> + Send + use<>, Fault> {
    engine.0.check_model(model, &[]).await?;
    if let Some(host) = registry_of(model) {
        let mut allowed = app.allow_registry.iter();
        if !allowed.any(|allowed| allowed.eq_ignore_ascii_case(host)) {
            let host = host.chars().take(200).collect();
            return Err(ModelFault::RegistryRefused { host }.into());
        }
    }
    let permit = running.turns.acquire().await?;
    let (opening, reader) = engine.download(model, &running.followers);
    let relay = Relay::open(opening, reader, patience(app), app.stop.clone(), permit).await?;
    Ok(relay.into_stream())
}

/// Verifying a large layer is one long silence, longer than any between two tokens.
fn patience(app: &App) -> StreamTimeouts {
    let patience = app.stream_timeouts();
    StreamTimeouts {
        silence: patience.silence.max(patience.first_byte),
        ..patience
    }
}

/// Converts Ollama's progress lines to ours.
struct PullFrames {
    model: String,
    label: EngineLabel,
    /// The layer in progress.
    layer: Option<LayerProgress>,
}

impl PullFrames {
    /// Ollama's last line of a layer is often below its total, so a layer is complete when the next step
    /// begins.
    fn complete_layer(&mut self, out: &mut String) {
        if let Some(mut layer) = self.layer.take()
            && layer.completed < layer.total
        {
            layer.completed = layer.total;
            push(&PullFrame::Layer(layer), out);
        }
    }
}

impl PullFrames {
    fn line(&mut self, line: PullLine, out: &mut String) -> bool {
        if let Some(digest) = line.digest {
            if self.layer.as_ref().is_some_and(|l| l.digest != digest) {
                self.complete_layer(out);
            }
            let layer = LayerProgress {
                digest,
                total: line.total,
                completed: line.completed.min(line.total),
            };
            if self.layer.as_ref() != Some(&layer) {
                push(&PullFrame::Layer(layer.clone()), out);
            }
            self.layer = Some(layer);
            return false;
        }
        self.complete_layer(out);
        if line.status == "success" {
            push(&PullFrame::Done, out);
            return true;
        }
        push(&PullFrame::Status { text: line.status }, out);
        false
    }
}

impl LineReader for PullFrames {
    fn label(&self) -> &EngineLabel {
        &self.label
    }

    fn read(&mut self, bytes: &[u8], out: &mut String) -> bool {
        let asked = OllamaRequestContext {
            model: &self.model,
            address: "",
        };
        match line(bytes, &asked) {
            Ok(line) => self.line(line, out),
            Err(fault) => {
                self.fail(fault, out);
                true
            }
        }
    }

    fn fail(&mut self, fault: Fault, out: &mut String) {
        let error = pull_failure(fault);
        push(&PullFrame::Error { error }, out);
    }
}

/// Beginnings of Go's network errors; Ollama's message ends with one if there is no network.
const NETWORK_ERRORS: [&str; 8] = [
    "dial tcp",
    "no such host",
    "connection refused",
    "connection reset",
    "network is unreachable",
    "i/o timeout",
    "TLS handshake",
    "context deadline exceeded",
];

/// The most characters of a registry's error that the message shows.
const MAX_REGISTRY_ERROR_CHARS: usize = 100;

/// A failed pull is not a failure of a model. One plain sentence says why; Ollama's message, with addresses
/// and Go's terms, is kept apart from it.
fn pull_failure(fault: Fault) -> Fault {
    let Fault::ModelFailed { reason: words } = fault else {
        return fault;
    };
    let says = |part: &&str| words.contains(*part);
    let answered = words.strip_prefix("pull model manifest: ").filter(|rest| {
        rest.get(..3)
            .is_some_and(|status| status.parse::<u16>().is_ok())
    });
    if says(&"file does not exist") {
        return ModelFault::NotInRegistry.into();
    }
    let reason = if NETWORK_ERRORS.iter().any(says) {
        "Ollama cannot reach the registry. Is its machine online?".to_owned()
    } else if let Some(answered) = answered {
        let line = answered.lines().next().unwrap_or_default();
        let short: String = line.chars().take(MAX_REGISTRY_ERROR_CHARS).collect();
        format!("the registry answered with an error ({short})")
    } else if says(&"unexpected EOF") {
        "the registry broke off the download".to_owned()
    } else if says(&"no space left on device") {
        "the disk that Ollama keeps its models on is full".to_owned()
    } else {
        let cause = None;
        return ModelFault::PullFailed {
            reason: words,
            cause,
        }
        .into();
    };
    ModelFault::PullFailed {
        reason,
        cause: Some(words),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_wire::RoomFaults;

    fn read(lines: &[&str]) -> Vec<PullFrame> {
        let mut reader = PullFrames {
            model: "m".into(),
            label: EngineLabel::Ollama(String::new()),
            layer: None,
        };
        let mut out = String::new();
        for line in lines {
            if reader.read(line.as_bytes(), &mut out) {
                break;
            }
        }
        out.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn layer(digest: &str, total: u64, completed: u64) -> PullFrame {
        PullFrame::Layer(LayerProgress {
            digest: digest.into(),
            total,
            completed,
        })
    }

    #[test]
    fn a_layer_is_complete_when_the_next_thing_begins() {
        let frames = read(&[
            r#"{"status":"pulling manifest"}"#,
            r#"{"status":"pulling a","digest":"sha256:a","total":100}"#,
            r#"{"status":"pulling a","digest":"sha256:a","total":100,"completed":80}"#,
            r#"{"status":"pulling a","digest":"sha256:a","total":100,"completed":80}"#,
            r#"{"status":"pulling b","digest":"sha256:b","total":7,"completed":7}"#,
            r#"{"status":"pulling c","digest":"sha256:c","total":9,"completed":3}"#,
            r#"{"status":"verifying sha256 digest"}"#,
            r#"{"status":"success"}"#,
            r#"{"status":"never read"}"#,
        ]);
        let status = |text: &str| PullFrame::Status { text: text.into() };
        assert_eq!(
            frames,
            [
                status("pulling manifest"),
                layer("sha256:a", 100, 0),
                layer("sha256:a", 100, 80),
                layer("sha256:a", 100, 100),
                layer("sha256:b", 7, 7),
                layer("sha256:c", 9, 3),
                layer("sha256:c", 9, 9),
                status("verifying sha256 digest"),
                PullFrame::Done,
            ]
        );
    }

    #[test]
    fn a_failure_inside_a_200_is_the_last_frame() {
        let frames = read(&[
            r#"{"status":"pulling manifest"}"#,
            r#"{"error":"pull model manifest: file does not exist"}"#,
        ]);
        let error = ModelFault::NotInRegistry.into();
        assert_eq!(frames.last(), Some(&PullFrame::Error { error }));
    }

    #[test]
    fn without_a_network_one_plain_sentence_comes_first_and_the_cause_apart() {
        let get = "Get \"https://registry.ollama.ai/v2/library/x/manifests/latest\": ";
        for (words, begins) in [
            (
                format!(
                    "pull model manifest: {get}dial tcp: lookup registry.ollama.ai on 127.0.0.53:53: server misbehaving"
                ),
                "Ollama cannot reach the registry",
            ),
            (
                format!(
                    "pull model manifest: {get}dial tcp 127.0.0.1:1: connect: connection refused"
                ),
                "Ollama cannot reach the registry",
            ),
            (
                format!("max retries exceeded: {get}net/http: TLS handshake timeout"),
                "Ollama cannot reach the registry",
            ),
            (
                "pull model manifest: 500: Internal Server Error".to_owned(),
                "the registry answered with an error (500: Internal Server Error)",
            ),
            (
                "write /models/blobs/sha256-a-partial: no space left on device".to_owned(),
                "the disk",
            ),
        ] {
            let line = json!({ "error": words }).to_string();
            let Some(PullFrame::Error { error }) = read(&[&line]).pop() else {
                panic!("no error: {words}");
            };
            let sentence = error.to_string();
            let Some(ModelFault::PullFailed { reason, cause }) = ModelFault::of(&error) else {
                panic!("{error:?}");
            };
            assert!(reason.starts_with(begins), "{reason}");
            assert!(
                !sentence.contains("tcp") && !sentence.contains("https"),
                "{sentence}"
            );
            assert_eq!(cause.as_deref(), Some(words.as_str()));
        }
        let other = read(&[r#"{"error":"something new"}"#]).pop();
        let reason = "something new".to_owned();
        let error = ModelFault::PullFailed {
            reason,
            cause: None,
        }
        .into();
        assert_eq!(other, Some(PullFrame::Error { error }));
    }
}
