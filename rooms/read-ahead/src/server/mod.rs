//! Has a model read the beginning of the next prompt before it is sent, so that the engine has it in its cache. Nothing
//! is kept here: what was read is in the engine.

mod part;
mod turns;

pub use turns::ReadTurns;

use crate::parts::PART_TOKENS;
use crate::{PromptParts, READS_AHEAD, ReadEnd, ReadRequest, ReadResult};
use part::read_part;
use sash_server::answer::check;
use sash_server::app::App;
use sash_server::caller::Caller;
use sash_server::engine::template::PromptShape;
use sash_server::engine::{Engine, ModelPresence};
use sash_server::hooks::{ModelPlace, Saying};
use sash_server::unsent::check_unsent;
use sash_wire::{ChatRequest, Fault, UnsentScope};
use std::pin::pin;
use std::time::Duration;

/// What a server says that reads ahead, unless the caller declines it by a header.
#[must_use]
pub fn saying() -> Saying {
    Saying::new(READS_AHEAD, |headers| {
        let header = headers.get("x-sash-read-ahead");
        let is_declined = header.is_some_and(|value| value == "never");
        (!is_declined).then(|| true.into())
    })
}

/// Reads a prompt ahead, part by part, until it is read, its time is over, or something else comes first. It takes no
/// permit of an answer and ends at once when a prompt is sent to the engine; what was read until then stays in the
/// engine's cache.
///
/// # Errors
/// As [`sash_server::answer::answer`], and [`Fault::DraftRefused`].
pub async fn read(
    app: &App,
    turns: &ReadTurns,
    body: ReadRequest,
    caller: Caller,
) -> Result<ReadResult, Fault> {
    let request = &body.request;
    check(app, request)?;
    if request.continues() {
        let field = "prompt".to_owned();
        return Err(Fault::MissingField { field });
    }
    let (name, model) = (request.engine.as_deref(), &request.model);
    let engine = app.engine_of(request.upstream, name, model).await?;
    check_text(&*engine, request, caller).await?;
    let mut turn = match turns.begin_read(&engine.info().name, model) {
        Ok(turn) => turn,
        Err(end) => return Ok(ended(end)),
    };
    let parts = PromptParts::new(request, body.read_before);
    let mut given_way = pin!(turn.given_way());
    let presence = tokio::select! {
        biased;
        end = &mut given_way => return Ok(ended(end)),
        presence = engine.presence(request) => presence,
    };
    let shape = PromptShape::of(request);
    match presence.map_err(|fault| shape.explain(fault))? {
        // The length is an estimate, which may be off by a third.
        ModelPresence::Stays(Some(context)) if parts.total() * 2 > context * 3 => {
            return Ok(ended(ReadEnd::TooLong));
        }
        ModelPresence::Stays(_) => {}
        ModelPresence::Absent => return Ok(ended(ReadEnd::NotLoaded)),
        ModelPresence::Leaves => return Ok(ended(ReadEnd::Leaving)),
    }
    let mut result = ended(ReadEnd::Whole);
    let (mut stop, time) = (app.stop.clone(), time(&body, &parts, turns.time));
    // Dropping the request closes its connection, by which the engine knows that nobody waits.
    let end = tokio::select! {
        biased;
        () = stop.wait() => return Err(Fault::ServerStopping),
        end = &mut given_way => end,
        () = tokio::time::sleep(time) => ReadEnd::Time,
        end = read_parts(app, &*engine, caller, &body, &parts, &mut result) => {
            end.map_err(|fault| shape.explain(fault))?
        }
    };
    tracing::debug!(?end, tokens = result.read_tokens, "a prompt was read ahead");
    Ok(ReadResult { end, ..result })
}

/// Refuses what may not go to the model before it is sent.
async fn check_text(
    engine: &dyn Engine,
    request: &ChatRequest,
    caller: Caller,
) -> Result<(), Fault> {
    let needed = match request.draft {
        Some(_) => UnsentScope::Draft,
        None => UnsentScope::Sent,
    };
    check_unsent(engine, &request.model, request.draft, needed, caller).await
}

fn ended(end: ReadEnd) -> ReadResult {
    ReadResult {
        end,
        ..ReadResult::default()
    }
}

/// The time limit. It is that of a part of [`PART_TOKENS`], and as many times longer as the parts are that are asked for by
/// number: a slow machine would never come to the end of a long one. All parts together have that of one.
fn time(body: &ReadRequest, parts: &PromptParts<'_>, of_one: Duration) -> Duration {
    let Some(most) = body.parts else {
        return of_one;
    };
    let last = parts.iter_tokens().take(most as usize).last();
    let tokens = last.unwrap_or_default().saturating_sub(body.read_before);
    of_one.mul_f64((tokens as f64 / PART_TOKENS as f64).max(1.0))
}

/// Reads the parts that are asked for, and records in `result` how far it is.
async fn read_parts(
    app: &App,
    engine: &dyn Engine,
    caller: Caller,
    body: &ReadRequest,
    parts: &PromptParts<'_>,
    result: &mut ReadResult,
) -> Result<ReadEnd, Fault> {
    let model = ModelPlace {
        engine: engine.info().name.clone(),
        model: body.request.model.clone(),
    };
    for (at, (part, tokens)) in parts.iter().enumerate() {
        if body.parts.is_some_and(|most| at >= most as usize) {
            return Ok(ReadEnd::Part);
        }
        // Something else may listen there since the part before.
        if at > 0 {
            check_text(engine, &body.request, caller).await?;
        }
        let usage = read_part(engine, &part).await?;
        if let Some(ms) = usage.prompt_ms {
            let cached = usage.cached_tokens.zip(usage.prompt_tokens);
            let new = cached.map(|(cached, all)| all.saturating_sub(cached));
            let before = result.read_tokens.max(body.read_before);
            let new = new.unwrap_or(tokens.saturating_sub(before));
            let watches = app.hooks.watches.iter();
            watches.for_each(|watch| watch.record_reading(&model, new, ms));
            *result.prompt_ms.get_or_insert_default() += ms;
        }
        result.read_tokens = tokens;
        result.prompt_tokens = usage.prompt_tokens;
        if at == 0 {
            result.cached_tokens = usage.cached_tokens;
            result.load_ms = usage.load_ms;
        }
    }
    Ok(ReadEnd::Whole)
}
