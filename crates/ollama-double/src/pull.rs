//! `POST /api/pull` from the simulated registry of the configuration.

use super::config::Pullable;
use super::decode::{Fields, RequestRefusal, object};
use super::http::{self, HttpResponse};
use super::json;
use super::line::LineForm;
use super::locks::hold;
use super::manage::model_field;
use super::models::{AnswerStyle, Path, ServedModel};
use super::names::Name;
use super::run::StreamClosed;
use super::shared::Shared;
use super::stream::{PieceSource, StreamPiece};
use bytes::Bytes;
use hyper::StatusCode;
use serde::Serialize;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Ollama reports progress about every 60 ms.
const TICK: Duration = Duration::from_millis(60);

#[derive(Serialize)]
struct ProgressResponse<'a> {
    status: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    completed: Option<u64>,
}

/// Pulls a model; if the client disconnects, the pull is cancelled.
pub async fn pull(shared: &Arc<Shared>, body: &[u8]) -> io::Result<HttpResponse> {
    let (name, stream) = match read(body) {
        Ok(both) => both,
        Err(refusal) => return Ok(refusal.into()),
    };
    let shared = Arc::clone(shared);
    let source = PieceSource::spawn(move |to| async move {
        match (Pulling { shared, to }).run(&name).await {
            Ok(()) | Err(StreamClosed) => {}
        }
    });
    let form = LineForm {
        model: String::new(),
        generate: false,
    };
    if stream {
        return form.stream(source).await;
    }
    Ok(match source.only_error().await {
        Some(text) => http::refuse_bare(StatusCode::INTERNAL_SERVER_ERROR, &text),
        None => http::single_bare(StatusCode::OK, &status("success")),
    })
}

fn read(body: &[u8]) -> Result<(Name, bool), RequestRefusal> {
    let map = object(body, "PullRequest")?;
    let fields = Fields::new(&map, "PullRequest");
    let stream = fields.flag("stream")?.unwrap_or(true);
    let name = Name::parse(&model_field(&fields)?);
    let name = name.ok_or_else(|| RequestRefusal::bad("invalid model name"))?;
    Ok((name, stream))
}

fn status(status: &str) -> ProgressResponse<'_> {
    ProgressResponse {
        status,
        digest: None,
        total: None,
        completed: None,
    }
}

struct Pulling {
    shared: Arc<Shared>,
    to: mpsc::Sender<StreamPiece>,
}

impl Pulling {
    async fn say(&self, progress: &ProgressResponse<'_>) -> Result<(), StreamClosed> {
        let line = json::to_go_json(progress) + "\n";
        let piece = StreamPiece::Raw(Bytes::from(line));
        self.to.send(piece).await.map_err(|_| StreamClosed)
    }

    async fn fail(&self, text: String) -> Result<(), StreamClosed> {
        let piece = StreamPiece::Error(StatusCode::INTERNAL_SERVER_ERROR, text);
        self.to.send(piece).await.map_err(|_| StreamClosed)?;
        Err(StreamClosed)
    }

    async fn run(&self, name: &Name) -> Result<(), StreamClosed> {
        self.say(&status("pulling manifest")).await?;
        let Some(entry) = self.find(name) else {
            return self.fail(no_manifest(name)).await;
        };
        let mut left = entry.error.is_some().then_some(entry.error_after);
        for layer in &entry.layers {
            if left == Some(0) {
                break;
            }
            let short = format!(
                "pulling {}",
                layer.digest.get(..12).unwrap_or(&layer.digest)
            );
            let digest = format!("sha256:{}", layer.digest);
            let line = |completed: u64| ProgressResponse {
                status: &short,
                digest: Some(&digest),
                total: Some(layer.size),
                completed: (completed > 0).then_some(completed),
            };
            let mut there = self.blob(&layer.digest);
            self.say(&line(there)).await?;
            // The last line of a layer is the state at the last tick, usually below 100 %.
            while there < layer.size {
                tokio::time::sleep(TICK).await;
                let step = (entry.speed * 60 / 1000).max(layer.size / 6).max(1);
                let step = if layer.size > 10_000_000 {
                    (entry.speed * 60 / 1000).max(1)
                } else {
                    step
                };
                there = (there + step).min(layer.size);
                hold(&self.shared.blobs).insert(layer.digest.clone(), there);
                if left.is_some_and(|left| there >= left) {
                    left = Some(0);
                    break;
                }
                if there < layer.size {
                    self.say(&line(there)).await?;
                }
            }
            left = left.map(|left| left.saturating_sub(there));
        }
        if let Some(text) = entry.error.clone() {
            return self.fail(text).await;
        }
        for text in ["verifying sha256 digest", "writing manifest"] {
            self.say(&status(text)).await?;
        }
        self.shared.put(model(name, &entry));
        self.say(&status("success")).await
    }

    fn find(&self, name: &Name) -> Option<Pullable> {
        let config = hold(&self.shared.config);
        let mut catalogue = config.catalogue.iter();
        let same =
            |entry: &&Pullable| Name::parse(&entry.name).is_some_and(|n| n.key() == name.key());
        catalogue.find(same).cloned()
    }

    fn blob(&self, digest: &str) -> u64 {
        hold(&self.shared.blobs).get(digest).copied().unwrap_or(0)
    }
}

/// Why there is no manifest: the host does not answer, or the registry does not know the name.
fn no_manifest(name: &Name) -> String {
    let Name {
        host,
        namespace,
        model,
        tag,
    } = name;
    if name.is_elsewhere() {
        format!(
            "pull model manifest: Get \"https://{host}/v2/{namespace}/{model}/manifests/{tag}\": dial tcp {host}: connect: connection refused"
        )
    } else {
        "pull model manifest: file does not exist".to_owned()
    }
}

/// The model that a pull adds.
fn model(name: &Name, entry: &Pullable) -> ServedModel {
    let mut model = ServedModel::tiny(&name.short(), Path::Rendered, AnswerStyle::Words);
    model.size = entry.layers.iter().map(|layer| layer.size).sum();
    model
}
