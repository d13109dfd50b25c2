//! Pulls: the name of a model in, a stream of progress out.

use crate::server::calls::app;
use crate::server::ollama::line::PullLine;
use crate::server::ollama::{Asked, ModelName};
use crate::server::relay::{Opening, Patience, Reader, Relay};
use crate::wire::{Fault, FaultBody, LayerProgress, PullFrame, PullRequest};
use leptos::server_fn::codec::ByteStream;
use serde_json::json;

/// Pulls a model. `insecure` is never sent.
///
/// # Errors
/// Any [`Fault`] that is known before the first frame; later ones are the last frame.
pub async fn pull(request: PullRequest) -> Result<ByteStream<FaultBody>, FaultBody> {
    let app = app()?;
    if request.model.trim().is_empty() {
        let field = "model".to_owned();
        return Err(Fault::MissingField { field }.into());
    }
    if let Some(host) = ModelName::parse(&request.model)?.foreign_host(&app.allow_registry) {
        let host = host.to_owned();
        return Err(Fault::RegistryRefused { host }.into());
    }
    let permit = app.pull()?;
    let ollama = app.upstream(request.upstream).await?;
    let reader = Progress {
        model: request.model,
        address: ollama.address().base().to_owned(),
        layer: None,
    };
    let model = reader.model.clone();
    let opening: Opening = Box::pin(async move {
        let body = json!({ "model": model, "stream": true });
        ollama.stream("/api/pull", &body, &model).await
    });
    let patience = app.patience();
    // Verifying a large layer is one long silence, longer than any between two tokens.
    let patience = Patience {
        silence: patience.silence.max(patience.first_byte),
        ..patience
    };
    let relay = Relay::open(opening, reader, patience, app.stop.clone(), permit).await;
    let relay = relay.map_err(pull_fault)?;
    Ok(ByteStream::from(relay.into_stream()))
}

/// Reads Ollama's progress lines into ours.
struct Progress {
    model: String,
    address: String,
    /// The layer that moves.
    layer: Option<LayerProgress>,
}

impl Progress {
    /// Ollama's last line of a layer is often below its total: it is whole when the next thing begins.
    fn complete_layer(&mut self, out: &mut String) {
        if let Some(mut layer) = self.layer.take()
            && layer.completed < layer.total
        {
            layer.completed = layer.total;
            push(&PullFrame::Layer(layer), out);
        }
    }
}

impl Reader for Progress {
    type Line = PullLine;

    fn asked(&self) -> Asked<'_> {
        Asked {
            model: &self.model,
            address: &self.address,
        }
    }

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

    fn broke_off(&mut self, fault: Fault, out: &mut String) {
        let error = pull_fault(fault);
        push(&PullFrame::Error { error }, out);
    }
}

/// A pull that Ollama gives up is no failure of a model.
fn pull_fault(fault: Fault) -> Fault {
    match fault {
        Fault::ModelFailed { reason } if reason.contains("file does not exist") => {
            Fault::PullFailed {
                reason: "the registry has no model of this name".to_owned(),
            }
        }
        Fault::ModelFailed { reason } => Fault::PullFailed { reason },
        other => other,
    }
}

fn push(frame: &PullFrame, out: &mut String) {
    out.push_str(&serde_json::to_string(frame).unwrap_or_default());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::relay::read_line;

    fn read(lines: &[&str]) -> Vec<PullFrame> {
        let mut reader = Progress {
            model: "m".into(),
            address: String::new(),
            layer: None,
        };
        let mut out = String::new();
        for line in lines {
            if read_line(&mut reader, line.as_bytes(), &mut out) {
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
        assert!(matches!(
            frames.last(),
            Some(PullFrame::Error { error: Fault::PullFailed { reason } }) if reason.contains("registry")
        ));
    }
}
