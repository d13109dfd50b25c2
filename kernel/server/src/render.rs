//! The prompt rendered by the engine with the model's chat template.

use crate::answer::check;
use crate::app::App;
use crate::caller::Caller;
use crate::engine::template::PromptShape;
use crate::engines::ModelManager;
use crate::ollama::reply::rendered;
use crate::ollama::{Ollama, body};
use crate::unsent::check_draft;
use sash_wire::{ChatRequest, EngineAction, Fault, Rendered};
use std::time::Duration;

/// Asks the engine to render a prompt. It loads the model for that, so it may take as long as the first byte of an answer.
///
/// # Errors
/// As [`crate::answer::answer`], [`Fault::DraftRefused`], [`Fault::CannotRender`], and [`Fault::NotOffered`] for an
/// engine that does not show it.
pub async fn render(app: &App, request: ChatRequest, caller: Caller) -> Result<Rendered, Fault> {
    check(app, &request)?;
    let (engine, model) = (request.engine.as_deref(), &request.model);
    let manager = app
        .manager_of(request.upstream, engine, model, EngineAction::Render)
        .await?;
    let asked = app.engine(request.upstream, engine).await?.engine;
    check_draft(&*asked, model, request.draft, caller).await?;
    let limit = app.stream_timeouts().first_byte;
    let mut stop = app.stop.clone();
    let rendered = async {
        match manager {
            ModelManager::Ollama(ollama) => by_ollama(&ollama, &request, limit).await,
            ModelManager::LlamaServer(engine) => engine.render(&request, limit).await,
        }
    };
    tokio::select! {
        biased;
        () = stop.wait() => Err(Fault::ServerStopping),
        rendered = rendered => {
            rendered.map_err(|fault| PromptShape::of(&request).explain(fault))
        }
    }
}

async fn by_ollama(
    ollama: &Ollama,
    request: &ChatRequest,
    limit: Duration,
) -> Result<Rendered, Fault> {
    let body = body::render(request).map_err(|error| body::unserializable(&error))?;
    let reply = ollama.chat_once(&body, &request.model, limit).await?;
    rendered(&reply).ok_or_else(|| {
        tracing::info!("Ollama did not know how to render only");
        Fault::CannotRender
    })
}
