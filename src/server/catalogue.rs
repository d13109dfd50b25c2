//! The list of models that can answer, and the state of Ollama.

use crate::server::app::App;
use crate::server::ollama::Ollama;
use crate::server::ollama::reply::{Details, items, listed_model, loaded, text};
use futures::{StreamExt, stream};
use sash_wire::{Fault, ModelInfo, ModelList, OllamaState, Upstream};
use std::time::Duration;

/// How many requests for details run at once.
const CONCURRENT_DETAILS: usize = 8;
/// Time limit for the check that Ollama answers.
const STATE_TIME: Duration = Duration::from_secs(5);

/// The models that can chat, in Ollama's order.
///
/// # Errors
/// As [`installed`].
pub async fn models(app: &App, upstream: Upstream) -> Result<ModelList, Fault> {
    let mut list = installed(app, upstream).await?;
    list.models.retain(ModelInfo::can_chat);
    Ok(list)
}

/// All installed models, in Ollama's order. Capabilities in `/api/tags` are unreliable, so the details of
/// each model are requested once, and again when its digest changes.
///
/// # Errors
/// Any fault of the list itself; a model whose details are unavailable is listed without them.
pub async fn installed(app: &App, upstream: Upstream) -> Result<ModelList, Fault> {
    let ollama = app.upstream(upstream).await?;
    let tags = ollama.tags().await?;
    let listed: Vec<_> = items(&tags, "models").filter_map(listed_model).collect();
    let completed = stream::iter(listed)
        .map(|(model, digest)| complete(app, &ollama, model, digest))
        .buffered(CONCURRENT_DETAILS);
    let models = completed.collect().await;
    Ok(ModelList { models })
}

async fn complete(app: &App, ollama: &Ollama, model: ModelInfo, digest: String) -> ModelInfo {
    let details = match app.known_details(&digest) {
        Some(details) => details,
        None => match ollama.show(&model.name).await {
            Ok(show) => {
                let details = Details::read(&show);
                app.remember_details(digest, details.clone());
                details
            }
            Err(fault) => {
                tracing::info!(status = fault.status(), "no details of a model");
                return model;
            }
        },
    };
    let address = ollama.address().base();
    app.openings
        .insert(address, &model.name, details.opens_thinking);
    ModelInfo {
        think: details.think,
        context_length: details.context_length.or(model.context_length),
        capabilities: if details.capabilities.is_empty() {
            model.capabilities
        } else {
            details.capabilities
        },
        remote: model.remote || details.remote,
        ..model
    }
}

/// Whether Ollama answers, its address, its version, and the models it has loaded.
///
/// # Errors
/// No fault if Ollama does not answer: that is a state.
pub async fn state(app: &App, upstream: Upstream) -> Result<OllamaState, Fault> {
    let ollama = app.upstream(upstream).await?;
    let (version, running) = tokio::join!(
        ollama.get("/api/version", STATE_TIME),
        ollama.get("/api/ps", STATE_TIME)
    );
    let state = OllamaState {
        upstream: app.resolve(upstream),
        address: ollama.address().base().to_owned(),
        limits: Some(app.limits.of_requests()),
        ..OllamaState::default()
    };
    Ok(match version {
        Ok(version) => OllamaState {
            reachable: true,
            version: Some(text(&version, "version")).filter(|version| !version.is_empty()),
            loaded: running.as_ref().map(loaded).unwrap_or_default(),
            ..state
        },
        Err(fault) => OllamaState {
            fault: Some(fault),
            ..state
        },
    })
}
