//! Reads one part: sends it as a request that writes nothing, or as little as the engine lets.

use sash_server::engine::http::connection_fault;
use sash_server::engine::{ChatCall, ChatLine, Engine};
use sash_wire::{ChatRequest, Fault, Usage};

/// How many pieces of an answer are awaited. An engine that must write one token is at its end then; one that writes on,
/// because it does not know the limit, is cut off.
const MAX_PIECES: usize = 1;

/// Has an engine read a prompt, and returns the counts that it tells; none of an engine that was cut off.
///
/// # Errors
/// The fault by which the engine refuses the prompt, or breaks off.
pub async fn read_part(engine: &dyn Engine, request: &ChatRequest) -> Result<Usage, Fault> {
    let ChatCall {
        opening,
        mut parser,
    } = engine.read(request)?;
    let mut response = opening.await?;
    let mut decoder = parser.decoder();
    let mut pieces = 0;
    loop {
        while let Some(line) = decoder.next_line()? {
            let Some(line) = parser.parse(line)? else {
                continue;
            };
            pieces += usize::from(is_piece(&line));
            if let Some((_, usage)) = line.done {
                return Ok(usage);
            }
            if let Some(fault) = line.failed {
                return Err(fault);
            }
            if pieces > MAX_PIECES {
                tracing::debug!("an engine wrote on after a prompt that was to be read only");
                return Ok(Usage::default());
            }
        }
        let chunk = response.chunk().await;
        match chunk.map_err(|error| connection_fault(engine.label(), &error))? {
            Some(bytes) => decoder.push(&bytes),
            // The prompt was read, or there would have been a fault.
            None => {
                let last = parser.finish(Fault::EndedEarly);
                return Ok(last.done.map(|(_, usage)| usage).unwrap_or_default());
            }
        }
    }
}

fn is_piece(line: &ChatLine) -> bool {
    !line.content.is_empty() || !line.thinking.is_empty() || !line.calls.is_empty()
}
