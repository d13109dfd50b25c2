//! The prompt rendered by Ollama with the model's chat template.

use crate::server::answer::check;
use crate::server::app::App;
use crate::server::caller::Caller;
use crate::server::engine::template::PromptShape;
use crate::server::ollama::body;
use crate::server::ollama::reply::rendered;
use crate::server::unsent::check_draft;
use sash_wire::{ChatRequest, EngineAction, Fault, Rendered};

/// Asks Ollama to render a prompt. Ollama loads the model for that, so it counts as an answer and may take as
/// long as the first byte of one.
///
/// # Errors
/// As [`crate::server::answer::answer`], [`Fault::DraftRefused`], [`Fault::CannotRender`], and [`Fault::NotOffered`] for an engine that is not
/// Ollama.
pub async fn render(app: &App, request: ChatRequest, caller: Caller) -> Result<Rendered, Fault> {
    check(app, &request)?;
    let (engine, model) = (request.engine.as_deref(), &request.model);
    let ollama = app
        .ollama_of(request.upstream, engine, model, EngineAction::Render)
        .await?;
    let asked = app.engine(request.upstream, engine).await?.engine;
    check_draft(&*asked, model, request.draft, caller).await?;
    let body = body::render(&request).map_err(|error| body::unserializable(&error))?;
    let limit = app.stream_timeouts().first_byte;
    let mut stop = app.stop.clone();
    let reply = tokio::select! {
        biased;
        () = stop.wait() => return Err(Fault::ServerStopping),
        reply = ollama.chat_once(&body, &request.model, limit) => {
            reply.map_err(|fault| PromptShape::of(&request).explain(fault))?
        }
    };
    rendered(&reply).ok_or_else(|| {
        tracing::info!("Ollama did not know how to render only");
        Fault::CannotRender
    })
}
