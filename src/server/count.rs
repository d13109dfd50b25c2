//! The number of tokens of a prompt, from an engine that counts without reading.

use crate::server::answer::authorize_prompt;
use crate::server::app::App;
use crate::server::caller::Caller;
use crate::server::unsent::check_draft;
use sash_wire::{ChatRequest, CountedPrompt, Fault};

/// Has the engine count the tokens of a prompt. It takes no permit of an answer.
///
/// # Errors
/// Those of a prompt ([`crate::server::answer::answer`]), [`Fault::DraftRefused`], and [`Fault::NotOffered`].
pub async fn count(
    app: &App,
    request: &ChatRequest,
    caller: Caller,
) -> Result<CountedPrompt, Fault> {
    let engine = authorize_prompt(app, request).await?;
    check_draft(&*engine, &request.model, request.draft, caller).await?;
    let mut stop = app.stop.clone();
    tokio::select! {
        biased;
        () = stop.wait() => Err(Fault::ServerStopping),
        counted = engine.count(request) => counted,
    }
}
