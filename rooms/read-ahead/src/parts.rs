//! Splits a prompt into longer and longer beginnings of itself. An engine looks for a closed connection only between its
//! batches, so another chat waits for at most one part, or one batch where the part is longer.
//!
//! Each beginning is half as long again as the one before, in tokens and in bytes, and the first ones by [`PART_TOKENS`]
//! longer. So all that is sent is at most four times the prompt: the beginnings add up to three times the last of them.
//! In equal parts a prompt of 2 MB would be 2,000 requests of 2 GB.

use sash_chat::Role;
use sash_chat::window::{Estimate, Size};
use sash_wire::{ChatRequest, ContextMessage};

/// What stands for a prompt of which nothing is written yet: a read ends with a message of the user, because templates
/// write an answer that stands last in another way than one before a question.
pub const PLACEHOLDER: &str = ".";

/// About how many tokens the first parts add to the one before.
pub const PART_TOKENS: u64 = 512;

/// How far before the end of a part its last whole word may end, in bytes.
const MAX_WORD_BYTES: usize = 4096;

/// A last part with fewer tokens than this goes with the one before.
const LEAST_PART_TOKENS: u64 = 128;

/// The parts of a prompt. Each is built when it is asked for: a prompt may have hundreds, each with a copy of most of it.
#[derive(Debug)]
pub struct PromptParts<'a> {
    request: &'a ChatRequest,
    cuts: Vec<Cut>,
    total: u64,
}

/// Where a part ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cut {
    /// The message, counted from the system prompt.
    message: usize,
    /// Bytes of its text that belong to the part.
    bytes: usize,
    /// Estimated tokens of the beginning up to here.
    tokens: u64,
}

/// The length of a message, of tools or of a beginning.
#[derive(Clone, Copy)]
struct Length {
    /// About how many tokens it has.
    tokens: u64,
    bytes: usize,
}

impl Length {
    fn of(message: &ContextMessage) -> Self {
        let images = message.images.iter().map(String::len).sum::<usize>();
        let calls = message.tool_calls.as_ref();
        let calls = calls.map(ToString::to_string).unwrap_or_default();
        let size = Size::of(&message.content) + Size::of_part(&calls);
        Self {
            tokens: Estimate::default().part(size),
            bytes: message.content.len() + images + calls.len(),
        }
    }

    fn of_tools(request: &ChatRequest) -> Self {
        let tools: Vec<_> = request.tools.iter().map(ToString::to_string).collect();
        let sizes = tools.iter().map(|tool| Size::of_part(tool));
        Self {
            tokens: Estimate::default().part(sizes.fold(Size::default(), |sum, size| sum + size)),
            bytes: tools.iter().map(String::len).sum(),
        }
    }
}

/// How many tokens the beginning has that follows one of so many.
fn next_target(tokens: u64) -> u64 {
    tokens.saturating_add(PART_TOKENS.max(tokens / 2))
}

/// How many bytes the beginning has at least that follows one of so many.
fn longer(bytes: usize) -> usize {
    bytes + bytes / 2
}

/// About how many bytes the first tokens of a prompt are.
fn beginning_bytes(tools: Length, messages: &[(ContextMessage, Length)], tokens: u64) -> usize {
    if tokens == 0 {
        return 0;
    }
    let (mut left, mut bytes) = (tokens.saturating_sub(tools.tokens), tools.bytes);
    for (message, length) in messages {
        if length.tokens > left {
            return bytes + share(message.content.len(), left, length.tokens);
        }
        left -= length.tokens;
        bytes += length.bytes;
    }
    bytes
}

impl<'a> PromptParts<'a> {
    /// Splits what comes after the first `read_before` tokens.
    #[must_use]
    pub fn new(request: &'a ChatRequest, read_before: u64) -> Self {
        let messages = request.messages();
        let lengths = messages.iter().map(Length::of).collect::<Vec<_>>();
        let messages: Vec<_> = messages.into_iter().zip(lengths).collect();
        let mut cuts: Vec<Cut> = Vec::new();
        let mut before = Length::of_tools(request);
        let total = before.tokens + messages.iter().map(|(_, of)| of.tokens).sum::<u64>();
        let mut target = next_target(read_before);
        // The bytes that the next beginning has at least.
        let mut least_bytes = longer(beginning_bytes(before, &messages, read_before));
        for (at, (message, length)) in messages.iter().enumerate() {
            while target < before.tokens + length.tokens && target + LEAST_PART_TOKENS <= total {
                let share = target.saturating_sub(before.tokens);
                let bytes = match is_divisible(message) {
                    true => word_end(&message.content, share, length.tokens),
                    false => 0,
                };
                if bytes > 0 && before.bytes + bytes >= least_bytes {
                    cuts.push(Cut {
                        message: at,
                        bytes,
                        tokens: target,
                    });
                    least_bytes = longer(before.bytes + bytes);
                    target = next_target(target);
                } else {
                    target += PART_TOKENS;
                }
            }
            before.tokens += length.tokens;
            before.bytes += length.bytes;
        }
        Self {
            request,
            cuts,
            total,
        }
    }

    /// The estimated tokens of the whole prompt.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The parts in order, each with the estimated tokens of the beginning that it holds; the last is the prompt itself.
    pub fn iter(&self) -> impl Iterator<Item = (ChatRequest, u64)> + '_ {
        let cuts = self.cuts.iter().map(|cut| (self.part(*cut), cut.tokens));
        cuts.chain(std::iter::once_with(|| (self.request.clone(), self.total)))
    }

    /// The estimated tokens of each part.
    pub fn iter_tokens(&self) -> impl Iterator<Item = u64> + '_ {
        let cuts = self.cuts.iter().map(|cut| cut.tokens);
        cuts.chain(std::iter::once(self.total))
    }

    /// The messages up to a cut. The cut one ends at a whole word; a message of the user is the prompt itself then, and
    /// after any other the placeholder is.
    fn part(&self, cut: Cut) -> ChatRequest {
        let request = self.request;
        let head = usize::from(request.system.as_ref().is_some_and(|s| !s.is_empty()));
        let cut_text = |text: &str| text.get(..cut.bytes).unwrap_or(text).to_owned();
        let with = |system, context, prompt: String| ChatRequest {
            system,
            context,
            prompt,
            // Images come after each cut: a message that has some is not divided.
            images: Vec::new(),
            // A read is no answer: it carries none on, and nobody keeps its frames.
            continue_final_message: false,
            answer_id: None,
            ..request.clone()
        };
        if cut.message < head {
            let system = request.system.as_deref().map(cut_text);
            return with(system, Vec::new(), PLACEHOLDER.to_owned());
        }
        let index = cut.message - head;
        let system = request.system.clone();
        match request.context.get(index) {
            None => with(system, request.context.clone(), cut_text(&request.prompt)),
            Some(message) => {
                let mut context = request.context[..index].to_vec();
                let text = cut_text(&message.content);
                if message.role == Role::User {
                    return with(system, context, text);
                }
                context.push(ContextMessage {
                    content: text,
                    ..message.clone()
                });
                with(system, context, PLACEHOLDER.to_owned())
            }
        }
    }
}

/// The estimated tokens of the beginning that two prompts have in common, if the same model reads them under the same
/// conditions; otherwise none.
#[must_use]
pub fn common_tokens(one: &ChatRequest, other: &ChatRequest) -> u64 {
    if conditions(one) != conditions(other) {
        return 0;
    }
    let (ours, theirs) = (one.messages(), other.messages());
    let mut tokens = Length::of_tools(one).tokens;
    for (our, their) in ours.iter().zip(&theirs) {
        if our == their {
            tokens += Length::of(our).tokens;
            continue;
        }
        if our.role == their.role && is_divisible(our) && is_divisible(their) {
            let bytes = common_bytes(&our.content, &their.content);
            let common = our.content.get(..bytes).unwrap_or_default();
            tokens += Estimate::default().part(Size::of_part(common));
        }
        break;
    }
    tokens
}

/// What decides, besides the messages, whether an engine finds a beginning in its cache: the request without the rest.
fn conditions(request: &ChatRequest) -> impl PartialEq {
    let ChatRequest {
        model,
        engine,
        upstream,
        options,
        think,
        format,
        tools,
        prompt: _,
        context: _,
        system: _,
        images: _,
        keep_alive: _,
        continue_final_message: _,
        answer_id: _,
        draft: _,
        wrong: _,
    } = request;
    (model, engine, upstream, options, think, format, tools)
}

/// What the engine has in its cache once a prompt was answered: the prompt, and the answer before whatever comes next.
#[must_use]
pub fn answered(mut request: ChatRequest, answer: &str) -> ChatRequest {
    let mut add = |role, content: String, images| {
        request.context.push(ContextMessage {
            role,
            content,
            images,
            ..ContextMessage::default()
        });
    };
    let images = std::mem::take(&mut request.images);
    add(Role::User, std::mem::take(&mut request.prompt), images);
    add(Role::Assistant, answer.to_owned(), Vec::new());
    request.prompt = PLACEHOLDER.to_owned();
    request
}

fn common_bytes(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    pairs
        .take_while(|(a, b)| a == b)
        .map(|(a, _)| a.len_utf8())
        .sum()
}

/// Whether a message can be cut: calls of tools and their results belong together, and an image stands before its text
/// with some engines and behind it with others.
fn is_divisible(message: &ContextMessage) -> bool {
    message.role != Role::Tool && message.tool_calls.is_none() && message.images.is_empty()
}

/// The share of some bytes that so many of their tokens have.
fn share(bytes: usize, tokens: u64, of: u64) -> usize {
    let share = tokens as f64 / of.max(1) as f64;
    ((bytes as f64 * share) as usize).min(bytes)
}

/// The end of the last whole word before the given share of a text; 0 if there is none near.
fn word_end(text: &str, tokens: u64, of: u64) -> usize {
    let bytes = text.floor_char_boundary(share(text.len(), tokens, of));
    let first = text.floor_char_boundary(bytes.saturating_sub(MAX_WORD_BYTES));
    let near = text.get(first..bytes).unwrap_or_default();
    let Some(at) = near.rfind(char::is_whitespace) else {
        return 0;
    };
    let words = near.get(..at).unwrap_or_default().trim_end();
    match words.is_empty() {
        true => 0,
        false => first + words.len(),
    }
}

#[cfg(test)]
mod tests;
