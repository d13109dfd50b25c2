//! Prompts that one model read ahead, and their use when they were sent.

use crate::{ReadEnd, ReadResult, answered, common_tokens};
use sash_chat::{Id, ReadBefore};
use sash_wire::{ChatRequest, Usage};

/// A read that takes this long to load its model, in milliseconds, has loaded it: engines report some milliseconds for
/// one that was in memory.
const LOADING_MS: f64 = 500.0;
/// So many tokens are read before it is judged whether they were of use.
const JUDGED_TOKENS: u64 = 4_000;
/// So many prompts in a row whose reading was gone when they were sent show that something else uses the engine.
const GONE_PROMPTS: u32 = 2;
/// A prompt of which less was read ahead says nothing about the cache.
const TELLING_TOKENS: u64 = 200;
/// The most prompts whose end is awaited.
const MAX_AWAITED: usize = 16;

/// Why a model reads nothing ahead any more, until the page is loaded again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadStop {
    /// It was loaded for it.
    Loaded,
    /// More than half of what it read was of no use.
    Wasted,
    /// What it had read was gone when the prompt was sent.
    Gone,
    /// Its chat template, or the engine, refuses; the sentence says why.
    Refused(String),
}

/// What one model read ahead since the page was loaded.
#[derive(Clone, Debug, Default)]
pub struct ModelReads {
    /// The last prompt that it read, and about how many tokens of it.
    last: Option<(ChatRequest, u64)>,
    /// Tokens read since the last prompt was sent.
    pending: u64,
    /// About how many tokens were read ahead.
    pub read: u64,
    /// Those of them with which a prompt began.
    pub used: u64,
    /// Those of them that were of no use.
    pub wasted: u64,
    /// Prompts that were sent and have not ended, by their answers.
    sent: Vec<(Id, ReadBefore)>,
    /// The last of them.
    asked: Option<(Id, ChatRequest)>,
    /// The last prompts in a row whose reading was gone.
    gone: u32,
    /// Why it reads nothing ahead any more.
    pub stop: Option<ReadStop>,
}

impl ModelReads {
    /// About how many tokens of the beginning of a prompt it has read.
    pub fn read_of(&self, request: &ChatRequest) -> u64 {
        let last = self.last.as_ref();
        last.map_or(0, |(last, read)| common_tokens(last, request).min(*read))
    }

    /// Whether a prompt has nothing that it did not read.
    pub fn has_read(&self, request: &ChatRequest) -> bool {
        self.last.as_ref().is_some_and(|(last, read)| {
            let is_beginning = last.prompt.starts_with(&request.prompt)
                && ChatRequest {
                    prompt: last.prompt.clone(),
                    ..request.clone()
                } == *last;
            is_beginning && *read >= common_tokens(last, request)
        })
    }

    /// Records what it has read of a prompt. Returns how many tokens of it are new.
    pub fn record(&mut self, request: &ChatRequest, result: &ReadResult) -> u64 {
        let before = self.read_of(request);
        let new = result.read_tokens.saturating_sub(before);
        if result.end == ReadEnd::Whole || new > 0 {
            self.pending += new;
            self.read += new;
            self.last = Some((request.clone(), result.read_tokens));
        }
        if result.load_ms.is_some_and(|ms| ms >= LOADING_MS) {
            self.stop = Some(ReadStop::Loaded);
        }
        new
    }

    /// Records that a prompt is sent, for an answer.
    pub fn record_sent(&mut self, answer: Id, request: &ChatRequest) {
        let pending = std::mem::take(&mut self.pending);
        let used = self.read_of(request).min(pending);
        self.used += used;
        self.wasted += pending - used;
        // Its answer takes the place of what was read.
        self.last = None;
        // A copy of images may have megabytes; without it a few tokens are read again.
        self.asked = (!request.has_images()).then(|| (answer, request.clone()));
        if pending > 0 {
            let read = ReadBefore {
                read: pending,
                used,
                ..ReadBefore::default()
            };
            self.sent.push((answer, read));
            if self.sent.len() > MAX_AWAITED {
                self.sent.remove(0);
            }
        }
        if self.read >= JUDGED_TOKENS && self.wasted * 2 > self.read {
            self.stop.get_or_insert(ReadStop::Wasted);
        }
    }

    /// Records what the engine says of a prompt that has ended; `read` is how many tokens the model reads in the time that
    /// the prompt took, if that is known. Returns what goes into the receipt.
    pub fn record_end(
        &mut self,
        answer: Id,
        text: &str,
        usage: &Usage,
        read: Option<u64>,
    ) -> Option<ReadBefore> {
        if let Some((_, asked)) = self.asked.take_if(|(id, _)| *id == answer) {
            let whole = match asked.continues() {
                true => asked,
                false => answered(asked, text),
            };
            self.last = Some((whole, u64::MAX));
        }
        let at = self.sent.iter().position(|(id, _)| *id == answer);
        let sent = at.map(|at| self.sent.remove(at).1);
        let before = tokens_before(usage, read);
        if let (Some(sent), Some((tokens, _))) = (&sent, before)
            && sent.used >= TELLING_TOKENS
        {
            // The estimate may be off by a third, so only what is far below it is gone.
            self.gone = match tokens * 4 < sent.used {
                true => self.gone + 1,
                false => 0,
            };
            if self.gone >= GONE_PROMPTS {
                self.stop.get_or_insert(ReadStop::Gone);
            }
        }
        let (tokens, estimated) = before.or(sent.map(|sent| (sent.used, true)))?;
        // The estimate may be larger than what the engine counted.
        let most = usage.prompt_tokens.unwrap_or(u64::MAX);
        Some(ReadBefore {
            tokens: tokens.min(most),
            estimated,
            ..sent.unwrap_or_default()
        })
    }
}

/// The tokens of a prompt that were in the cache, and whether that is estimated. Ollama does not count them: what it
/// did not read in the time that it took was in its cache.
fn tokens_before(usage: &Usage, read: Option<u64>) -> Option<(u64, bool)> {
    if let Some(cached) = usage.cached_tokens {
        return Some((cached, false));
    }
    Some((usage.prompt_tokens?.saturating_sub(read?), true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_stores::ReadingSpeed;

    fn request(window: &str, prompt: &str) -> ChatRequest {
        ChatRequest {
            model: "m".to_owned(),
            system: Some(window.to_owned()),
            prompt: prompt.to_owned(),
            ..ChatRequest::default()
        }
    }

    fn window(seed: &str) -> String {
        format!("{seed} river stone cloud ").repeat(300)
    }

    fn whole(request: &ChatRequest) -> ReadResult {
        ReadResult {
            end: ReadEnd::Whole,
            read_tokens: common_tokens(request, request),
            ..ReadResult::default()
        }
    }

    fn read(reads: &mut ModelReads, request: &ChatRequest) {
        let result = whole(request);
        reads.record(request, &result);
    }

    #[test]
    fn what_was_read_is_used_by_the_prompt_that_begins_with_it() {
        let mut reads = ModelReads::default();
        let [half, all] = ["Which is", "Which is newer?"].map(|p| request(&window("a"), p));
        read(&mut reads, &half);
        assert!(reads.has_read(&half) && !reads.has_read(&all));
        assert!(
            reads.has_read(&request(&window("a"), "Which")),
            "a shorter draft"
        );
        assert!(!reads.has_read(&request(&window("b"), "Which")));
        reads.record_sent(Id(1), &all);
        assert!(reads.read > 1000 && reads.wasted < 10, "{reads:?}");
        assert_eq!(reads.read, reads.used + reads.wasted);
        let usage = Usage {
            cached_tokens: Some(1404),
            ..Usage::default()
        };
        let before = reads.record_end(Id(1), "So.", &usage, None).unwrap();
        assert_eq!((before.tokens, before.estimated), (1404, false));
        assert_eq!((before.read, before.used), (reads.read, reads.used));
        assert_eq!(reads.stop, None);
    }

    #[test]
    fn over_half_of_no_use_stops_it() {
        let mut reads = ModelReads::default();
        for n in 0..6 {
            read(&mut reads, &request(&window(&n.to_string()), "."));
            reads.record_sent(Id(n), &request("another window", "q"));
        }
        assert_eq!(reads.stop, Some(ReadStop::Wasted));
        assert_eq!(reads.used, 0);
    }

    #[test]
    fn two_prompts_whose_reading_was_gone_stop_it_and_one_does_not() {
        let mut reads = ModelReads::default();
        let mut prompt = |id: u64, cached: u64| {
            let request = request(&window(&id.to_string()), "q");
            read(&mut reads, &request);
            reads.record_sent(Id(id), &request);
            let usage = Usage {
                cached_tokens: Some(cached),
                ..Usage::default()
            };
            reads.record_end(Id(id), "So.", &usage, None);
            reads.stop.clone()
        };
        assert_eq!(
            [prompt(1, 10), prompt(2, 1200), prompt(3, 10)],
            [None, None, None]
        );
        assert_eq!(prompt(4, 10), Some(ReadStop::Gone));
    }

    #[test]
    fn without_a_count_the_time_of_the_rest_tells() {
        let mut reads = ModelReads::default();
        let prompt = request(&window("a"), "q");
        let result = ReadResult {
            prompt_ms: Some(2000.0),
            ..whole(&prompt)
        };
        let mut speed = ReadingSpeed::default();
        speed.record_read(reads.record(&prompt, &result), 2000.0);
        reads.record_sent(Id(1), &prompt);
        let usage = Usage {
            prompt_tokens: Some(1400),
            ..Usage::default()
        };
        let read = speed.tokens_in(100.0);
        let before = reads.record_end(Id(1), "So.", &usage, read).unwrap();
        assert!(
            before.estimated && (1200..1400).contains(&before.tokens),
            "{before:?}"
        );
    }

    /// "8 of 4 tokens were read before": one is counted, the other one estimated.
    #[test]
    fn no_more_was_read_before_than_the_prompt_has() {
        for cached in [Some(1404), None] {
            let mut reads = ModelReads::default();
            let prompt = request(&window("a"), "q");
            read(&mut reads, &prompt);
            reads.record_sent(Id(1), &prompt);
            let usage = Usage {
                prompt_tokens: Some(4),
                cached_tokens: cached,
                ..Usage::default()
            };
            let before = reads.record_end(Id(1), "So.", &usage, None);
            assert_eq!(before.map(|before| before.tokens), Some(4));
        }
    }

    #[test]
    fn what_was_asked_and_answered_is_in_the_cache() {
        let mut reads = ModelReads::default();
        let asked = request(&window("a"), "q");
        reads.record_sent(Id(1), &asked);
        assert_eq!(
            reads.record_end(Id(1), "So it is.", &Usage::default(), None),
            None
        );
        let next = ChatRequest {
            prompt: "and".to_owned(),
            ..answered(asked.clone(), "So it is.")
        };
        assert!(reads.read_of(&next) > reads.read_of(&asked));
        read(&mut reads, &next);
        assert!(reads.read < 20, "only the draft is new: {}", reads.read);
    }

    #[test]
    fn a_read_that_loaded_the_model_stops_it() {
        let mut reads = ModelReads::default();
        let prompt = request(&window("a"), "q");
        let result = ReadResult {
            load_ms: Some(2000.0),
            ..whole(&prompt)
        };
        reads.record(&prompt, &result);
        assert_eq!(reads.stop, Some(ReadStop::Loaded));
    }
}
