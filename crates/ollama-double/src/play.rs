//! Plays the steps of a script.

use super::faults::Faults;
use super::http::HttpResponse;
use super::line::{Delta, LastLine};
use super::run::StreamClosed;
use super::script::ScriptStep;
use super::scripts::Scripts;
use super::speaker::Speaker;
use super::stream::{StreamPiece, any_answer};
use super::voice::AnswerToken;
use bytes::Bytes;
use hyper::StatusCode;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// Long enough for earlier writes to be sent before the connection breaks.
const SETTLE: Duration = Duration::from_millis(20);

/// Whether a script begins with a complete answer, not counting waits.
pub fn is_at_once(steps: &[ScriptStep]) -> bool {
    let first = steps
        .iter()
        .find(|step| !matches!(step, ScriptStep::Wait { .. }));
    matches!(first, Some(ScriptStep::Status { .. }))
}

/// The answer of a script that begins with a complete one, after its waits.
pub async fn at_once(steps: &[ScriptStep]) -> Option<HttpResponse> {
    let first = steps
        .iter()
        .position(|step| !matches!(step, ScriptStep::Wait { .. }))?;
    let ScriptStep::Status {
        status,
        content_type,
        headers,
        body,
    } = &steps[first]
    else {
        return None;
    };
    for step in &steps[..first] {
        if let ScriptStep::Wait { ms } = step {
            tokio::time::sleep(Duration::from_millis(*ms)).await;
        }
    }
    Some(any_answer(
        *status,
        content_type,
        headers.clone(),
        body.clone(),
    ))
}

/// Plays a script around a model's answer.
pub async fn chat(
    steps: Vec<ScriptStep>,
    mut speaker: Speaker,
    faults: Arc<Faults>,
    scripts: &Scripts,
) {
    let mut calls = None;
    for step in steps {
        let played = match step {
            ScriptStep::Hold => {
                scripts.released().await;
                Ok(())
            }
            step => one(step, &mut speaker, &faults, &mut calls).await,
        };
        if played.is_err() {
            return;
        }
    }
}

async fn one(
    step: ScriptStep,
    speaker: &mut Speaker,
    faults: &Arc<Faults>,
    calls: &mut Option<Value>,
) -> Result<(), StreamClosed> {
    let own = speaker.run.rate;
    match step {
        ScriptStep::Text { text, tokens, rate } => {
            say(speaker, &text, tokens, rate.unwrap_or(own), false).await
        }
        ScriptStep::Thinking { text, tokens, rate } => {
            say(speaker, &text, tokens, rate.unwrap_or(own), true).await
        }
        ScriptStep::Tokens { count, rate, word } => {
            let word = word.unwrap_or_else(|| " word".to_owned());
            let mut made = 0;
            while count == 0 || made < count {
                let token = AnswerToken {
                    text: word.clone(),
                    thinking: false,
                };
                speaker.say(token, rate.unwrap_or(own)).await?;
                made += 1;
            }
            Ok(())
        }
        ScriptStep::Answer { tokens } => speaker.answer(tokens).await,
        ScriptStep::ToolCalls { calls: given } => {
            *calls = Some(given);
            Ok(())
        }
        ScriptStep::Done {
            reason,
            prompt_eval_count,
            eval_count,
        } => {
            let mut metrics = speaker.metrics();
            metrics.prompt_eval_count = prompt_eval_count.unwrap_or(metrics.prompt_eval_count);
            metrics.eval_count = eval_count.unwrap_or(metrics.eval_count);
            let last = Delta {
                tool_calls: calls.take(),
                ..Delta::default()
            };
            let done = LastLine {
                last,
                reason: reason.unwrap_or_else(|| "stop".to_owned()),
                context: None,
                metrics,
            };
            speaker.send(StreamPiece::Done(Box::new(done))).await
        }
        ScriptStep::Stuck => {
            let gone = speaker.run.lease.gone();
            let held = (speaker.slot.take(), speaker.counted.take());
            tokio::spawn(async move {
                gone.await;
                drop(held);
            });
            std::future::pending().await
        }
        other => bare(other, &speaker.run.to, faults).await,
    }
}

/// Plays a script on a path without a model.
pub async fn plain(steps: Vec<ScriptStep>, to: mpsc::Sender<StreamPiece>, faults: Arc<Faults>) {
    for step in steps {
        let step = match step {
            ScriptStep::Text { text, .. } => ScriptStep::Bytes {
                text,
                hex: String::new(),
            },
            step => step,
        };
        if bare(step, &to, &faults).await.is_err() {
            return;
        }
    }
}

/// Plays a step that needs no model.
async fn bare(
    step: ScriptStep,
    to: &mpsc::Sender<StreamPiece>,
    faults: &Arc<Faults>,
) -> Result<(), StreamClosed> {
    let send = |piece| async { to.send(piece).await.map_err(|_| StreamClosed) };
    match step {
        ScriptStep::Wait { ms } => tokio::time::sleep(Duration::from_millis(ms)).await,
        ScriptStep::Head => send(StreamPiece::Head).await?,
        ScriptStep::Bytes { text, hex } => {
            let mut bytes = text.into_bytes();
            bytes.extend(from_hex(&hex));
            send(StreamPiece::Raw(Bytes::from(bytes))).await?;
        }
        ScriptStep::Fill { count } => {
            let block = Bytes::from(vec![b'a'; 64 * 1024]);
            let mut left = count;
            while left > 0 {
                let size = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
                send(StreamPiece::Raw(block.slice(..size))).await?;
                left -= size as u64;
            }
        }
        ScriptStep::Error { text, status } => {
            let status = status.and_then(|status| StatusCode::from_u16(status).ok());
            let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            send(StreamPiece::Error(status, text)).await?;
            return Err(StreamClosed);
        }
        ScriptStep::Refuse { template } => {
            let refusal = template.refused();
            send(StreamPiece::Error(refusal.status, refusal.text)).await?;
            return Err(StreamClosed);
        }
        ScriptStep::Status {
            status,
            content_type,
            headers,
            body,
        } => {
            let answer = any_answer(status, &content_type, headers, body);
            send(StreamPiece::Answer(Box::new(answer))).await?;
            return Err(StreamClosed);
        }
        ScriptStep::End => return Err(StreamClosed),
        ScriptStep::Close => {
            tokio::time::sleep(SETTLE).await;
            send(StreamPiece::Cut).await?;
            return Err(StreamClosed);
        }
        ScriptStep::Reset => {
            tokio::time::sleep(SETTLE).await;
            faults.reset();
            send(StreamPiece::Cut).await?;
            return Err(StreamClosed);
        }
        ScriptStep::Stall | ScriptStep::Stuck => std::future::pending().await,
        ScriptStep::Split { bytes, wait_us } => faults.split(bytes, wait_us),
        ScriptStep::Text { .. }
        | ScriptStep::Thinking { .. }
        | ScriptStep::Hold
        | ScriptStep::Tokens { .. }
        | ScriptStep::Answer { .. }
        | ScriptStep::ToolCalls { .. }
        | ScriptStep::Done { .. } => {}
    }
    Ok(())
}

async fn say(
    speaker: &mut Speaker,
    text: &str,
    tokens: Option<usize>,
    rate: f64,
    thinking: bool,
) -> Result<(), StreamClosed> {
    let pieces: Vec<String> = match tokens {
        None => speaker
            .run
            .model
            .tokenizer
            .cut(text)
            .map(str::to_owned)
            .collect(),
        Some(tokens) => {
            let letters: Vec<char> = text.chars().collect();
            let size = letters.len().div_ceil(tokens.max(1)).max(1);
            letters.chunks(size).map(String::from_iter).collect()
        }
    };
    for text in pieces {
        speaker.say(AnswerToken { text, thinking }, rate).await?;
    }
    Ok(())
}

fn from_hex(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|c| c.to_digit(16)).collect();
    let pairs = digits.chunks_exact(2);
    pairs
        .filter_map(|pair| u8::try_from(pair[0] * 16 + pair[1]).ok())
        .collect()
}
