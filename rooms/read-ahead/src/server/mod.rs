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
use turns::ReadTurn;

/// What a server says that reads ahead, and how a caller declines it.
pub const SAYING: Saying = Saying {
    name: READS_AHEAD,
    declined_by: Some("x-sash-read-ahead"),
};

/// Reads a prompt ahead, part by part, until it is read, its time is over, or something else comes first. It takes no
/// permit of an answer and ends at once when a prompt is sent to the engine; what was read until then stays in the
/// engine's cache.
///
/// # Errors
/// As [`sash_server::answer::answer`], and [`Fault::DraftRefused`].
pub async fn read(
    app: &App,
    turns: &ReadTurns,
    request: ReadRequest,
    caller: Caller,
) -> Result<ReadResult, Fault> {
    let ReadRequest {
        request,
        read_before,
        parts: most,
    } = request;
    check(app, &request)?;
    if request.continues() {
        let field = "prompt".to_owned();
        return Err(Fault::MissingField { field });
    }
    let (name, model) = (request.engine.as_deref(), &request.model);
    let engine = app.engine_of(request.upstream, name, model).await?;
    check_text(&*engine, &request, caller).await?;
    let turn = match turns.begin_read(&engine.info().name, model) {
        Ok(turn) => turn,
        Err(end) => return Ok(ended(end)),
    };
    let shape = PromptShape::of(&request);
    let wanted = WantedParts {
        parts: PromptParts::new(&request, read_before),
        read_before,
        most,
    };
    let time = wanted.time(turns.time);
    let result = read_parts(app, &*engine, (&request, caller), (&wanted, time), turn).await;
    result.map_err(|fault| shape.explain(fault))
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

/// The parts that are asked for.
struct WantedParts<'a> {
    parts: PromptParts<'a>,
    /// How many tokens were read before.
    read_before: u64,
    /// After how many parts to stop.
    most: Option<u32>,
}

impl WantedParts<'_> {
    /// Whether a context of so many tokens cannot hold the whole prompt. Its length is an estimate, which may be off by
    /// a third.
    fn exceed(&self, context: Option<u64>) -> bool {
        context.is_some_and(|context| self.parts.total() * 2 > context * 3)
    }

    /// The time limit. It is that of a part of [`PART_TOKENS`], and as many times longer as the parts are that are asked
    /// for by number: a slow machine would never come to the end of a long one. All parts together have that of one.
    fn time(&self, of_one: Duration) -> Duration {
        let Some(most) = self.most else {
            return of_one;
        };
        let last = self.parts.iter_tokens().take(most as usize).last();
        let tokens = last.unwrap_or_default().saturating_sub(self.read_before);
        of_one.mul_f64((tokens as f64 / PART_TOKENS as f64).max(1.0))
    }
}

async fn read_parts(
    app: &App,
    engine: &dyn Engine,
    (request, caller): (&ChatRequest, Caller),
    (wanted, time): (&WantedParts<'_>, Duration),
    turn: ReadTurn,
) -> Result<ReadResult, Fault> {
    let mut result = ended(ReadEnd::Whole);
    let model = ModelPlace {
        engine: engine.info().name.clone(),
        model: request.model.clone(),
    };
    let mut stop = app.stop.clone();
    let mut stop = pin!(stop.wait());
    let mut given_way = pin!(turn.given_way());
    let mut time_over = pin!(tokio::time::sleep(time));
    let presence = tokio::select! {
        biased;
        end = &mut given_way => return Ok(ended(end)),
        presence = engine.presence(request) => presence?,
    };
    match presence {
        ModelPresence::Stays(context) if wanted.exceed(context) => {
            return Ok(ended(ReadEnd::TooLong));
        }
        ModelPresence::Stays(_) => {}
        ModelPresence::Absent => return Ok(ended(ReadEnd::NotLoaded)),
        ModelPresence::Leaves => return Ok(ended(ReadEnd::Leaving)),
    }
    for (at, (part, tokens)) in wanted.parts.iter().enumerate() {
        if wanted.most.is_some_and(|most| at >= most as usize) {
            result.end = ReadEnd::Part;
            break;
        }
        let reading = async {
            // Something else may listen there since the part before.
            if at > 0 {
                check_text(engine, request, caller).await?;
            }
            read_part(engine, &part).await
        };
        // Dropping the request closes its connection, by which the engine knows that nobody waits.
        let usage = tokio::select! {
            biased;
            () = &mut stop => return Err(Fault::ServerStopping),
            end = &mut given_way => {
                result.end = end;
                break;
            }
            () = &mut time_over => {
                result.end = ReadEnd::Time;
                break;
            }
            usage = reading => usage?,
        };
        if let Some(ms) = usage.prompt_ms {
            let cached = usage.cached_tokens.zip(usage.prompt_tokens);
            let new = cached.map(|(cached, all)| all.saturating_sub(cached));
            let before = result.read_tokens.max(wanted.read_before);
            let new = new.unwrap_or(tokens.saturating_sub(before));
            let watches = app.hooks.watches.iter();
            watches.for_each(|watch| watch.record_reading(&model, new, ms));
        }
        result.read_tokens = tokens;
        result.prompt_tokens = usage.prompt_tokens;
        if at == 0 {
            result.cached_tokens = usage.cached_tokens;
            result.load_ms = usage.load_ms;
        }
        if let Some(ms) = usage.prompt_ms {
            *result.prompt_ms.get_or_insert_default() += ms;
        }
    }
    tracing::debug!(end = ?result.end, tokens = result.read_tokens, "a prompt was read ahead");
    Ok(result)
}
