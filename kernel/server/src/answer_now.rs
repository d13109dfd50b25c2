//! Ends the thinking of an answer that runs.

use crate::app::App;
use sash_wire::{AnswerNowRequest, Fault};

/// Has the engine end the thinking of an answer, so that the answer itself begins. Nothing happens to one that has ended.
///
/// # Errors
/// [`Fault::InvalidField`] for the id, those of [`App::engine_of`], [`Fault::NotOffered`] for an engine that has nothing
/// like it, and that the engine does not answer.
pub async fn answer_now(app: &App, request: AnswerNowRequest) -> Result<(), Fault> {
    request.check()?;
    let AnswerNowRequest {
        model,
        upstream,
        engine,
        id,
    } = request;
    let engine = app.engine_of(upstream, engine.as_deref(), &model).await?;
    engine.end_thinking(&model, &id).await
}
