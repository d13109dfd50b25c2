//! The number of tokens of a prompt, from an engine that counts without reading.

use sash_server::answer::authorize_prompt;
use sash_server::app::App;
use sash_server::caller::Caller;
use sash_server::unsent::check_draft;
use sash_wire::{ChatRequest, CountedPrompt, Fault};

/// Has the engine count the tokens of a prompt. It takes no permit of an answer.
///
/// # Errors
/// Those of a prompt ([`sash_server::answer::answer`]), [`Fault::DraftRefused`], and [`Fault::NotOffered`].
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
