//! Splits a prompt into longer and longer beginnings of itself. An engine looks for a closed connection only between its
//! batches, so another chat waits for at most one part.

use crate::{ChatRequest, ContextMessage};
use sash_chat::Role;
use sash_chat::window::{Estimate, Size};

/// What stands for a prompt of which nothing is written yet: a read ends with a message of the user, because templates
/// write an answer that stands last in another way than one before a question.
pub const PLACEHOLDER: &str = ".";

/// About how many tokens a part adds to the one before.
pub const PART_TOKENS: u64 = 512;

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

impl<'a> PromptParts<'a> {
    /// Splits what comes after the first `read_before` tokens.
    #[must_use]
    pub fn new(request: &'a ChatRequest, read_before: u64) -> Self {
        let messages = request.messages();
        let mut cuts = Vec::new();
        let mut before = tools_tokens(request);
        let total = before + messages.iter().map(message_tokens).sum::<u64>();
        let mut target = read_before.saturating_add(PART_TOKENS);
        for (at, message) in messages.iter().enumerate() {
            let tokens = message_tokens(message);
            while target < before + tokens && target + LEAST_PART_TOKENS <= total {
                if is_divisible(message) {
                    let bytes = word_end(&message.content, target.saturating_sub(before), tokens);
                    if bytes > 0 {
                        cuts.push(Cut {
                            message: at,
                            bytes,
                            tokens: target,
                        });
                    }
                }
                target += PART_TOKENS;
            }
            before += tokens;
        }
        cuts.dedup_by_key(|cut| (cut.message, cut.bytes));
        Self {
            request,
            cuts,
            total,
        }
    }

    /// The parts in order, each with the estimated tokens of the beginning that it holds; the last is the prompt itself.
    pub fn iter(&self) -> impl Iterator<Item = (ChatRequest, u64)> + '_ {
        let cuts = self.cuts.iter().map(|cut| (self.part(*cut), cut.tokens));
        cuts.chain(std::iter::once_with(|| (self.request.clone(), self.total)))
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
            model: request.model.clone(),
            options: request.options.clone(),
            think: request.think.clone(),
            format: request.format.clone(),
            tools: request.tools.clone(),
            keep_alive: request.keep_alive.clone(),
            engine: request.engine.clone(),
            upstream: request.upstream,
            draft: request.draft,
            ..ChatRequest::default()
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
    let conditions = |r: &ChatRequest| {
        let load = (r.options.clone(), r.think.clone(), r.format.clone());
        (r.model.clone(), r.engine.clone(), r.upstream, load)
    };
    if conditions(one) != conditions(other) || one.tools != other.tools {
        return 0;
    }
    let (ours, theirs) = (one.messages(), other.messages());
    let mut tokens = tools_tokens(one);
    for (our, their) in ours.iter().zip(&theirs) {
        if our == their {
            tokens += message_tokens(our);
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

fn message_tokens(message: &ContextMessage) -> u64 {
    let mut size = Size::of(&message.content);
    if let Some(calls) = &message.tool_calls {
        size += Size::of_part(&calls.to_string());
    }
    Estimate::default().part(size)
}

fn tools_tokens(request: &ChatRequest) -> u64 {
    let sizes = request.tools.iter();
    let sizes = sizes.map(|tool| Size::of_part(&tool.to_string()));
    Estimate::default().part(sizes.fold(Size::default(), |sum, size| sum + size))
}

/// The end of the last whole word before the given share of a text; 0 if there is none.
fn word_end(text: &str, tokens: u64, of: u64) -> usize {
    let share = tokens as f64 / of.max(1) as f64;
    let bytes = (text.len() as f64 * share) as usize;
    let bytes = text.floor_char_boundary(bytes.min(text.len()));
    let before = text.get(..bytes).unwrap_or_default();
    let at = before.rfind(char::is_whitespace).unwrap_or_default();
    before.get(..at).map_or(0, |words| words.trim_end().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn message(role: Role, content: &str) -> ContextMessage {
        ContextMessage {
            role,
            content: content.to_owned(),
            ..ContextMessage::default()
        }
    }

    fn chat(system: usize, answer: usize, question: usize, prompt: usize) -> ChatRequest {
        let words = |count| "river stone cloud ".repeat(count / 3);
        ChatRequest {
            model: "m".to_owned(),
            system: Some(words(system)).filter(|text| !text.is_empty()),
            context: vec![
                message(Role::Assistant, &words(answer)),
                message(Role::User, &words(question)),
                message(Role::Assistant, &words(answer)),
            ],
            prompt: words(prompt) + "now",
            ..ChatRequest::default()
        }
    }

    /// Whether each message of the part but its last two, which are the cut one and the placeholder, is one of the whole,
    /// and the cut one begins like that of the whole.
    fn is_beginning(part: &ChatRequest, whole: &ChatRequest) -> bool {
        let (mut part, whole) = (part.messages(), whole.messages());
        part.pop_if(|last| last.content == PLACEHOLDER);
        let last = part.pop().unwrap();
        let cut = &whole[part.len()];
        part[..] == whole[..part.len()]
            && last.role == cut.role
            && cut.content.starts_with(&last.content)
            && (cut.content.len() == last.content.len()
                || cut.content[last.content.len()..].starts_with(char::is_whitespace))
    }

    #[test]
    fn each_part_is_a_longer_beginning_that_ends_with_the_user() {
        let whole = chat(60, 1200, 30, 900);
        let parts: Vec<_> = PromptParts::new(&whole, 0).iter().collect();
        assert!(parts.len() > 4, "{}", parts.len());
        for (part, _) in &parts {
            assert!(is_beginning(part, &whole));
            assert!(!part.prompt.trim().is_empty());
        }
        let tokens: Vec<_> = parts.iter().map(|(_, tokens)| *tokens).collect();
        assert!(tokens.is_sorted_by(|a, b| a < b), "{tokens:?}");
        assert!(tokens[0] <= PART_TOKENS);
        assert_eq!(parts.last().unwrap().0, whole);
    }

    #[test]
    fn what_was_read_is_not_read_again_in_parts() {
        let whole = chat(60, 1200, 30, 30);
        let all: Vec<_> = PromptParts::new(&whole, 0).iter().collect();
        let total = all.last().unwrap().1;
        let rest: Vec<_> = PromptParts::new(&whole, total - 50).iter().collect();
        assert_eq!(rest.len(), 1, "the prompt itself");
        let half: Vec<_> = PromptParts::new(&whole, total / 2).iter().collect();
        assert!(half.len() < all.len() && half[0].1 > total / 2);
    }

    #[test]
    fn calls_results_and_images_stay_whole() {
        let mut whole = chat(0, 1200, 30, 30);
        whole.context[0].images = vec!["aGk=".to_owned()];
        whole.context[2].tool_calls = Some(json!([{"function":{"name":"f"}}]));
        let result = message(Role::Tool, &"result ".repeat(2000));
        whole.context.push(result);
        let parts: Vec<_> = PromptParts::new(&whole, 0).iter().collect();
        assert_eq!(parts.len(), 1, "nothing in it can be cut");
    }

    #[test]
    fn the_common_beginning_ends_where_two_prompts_part() {
        let whole = chat(60, 300, 30, 60);
        assert_eq!(
            common_tokens(&whole, &whole),
            PromptParts::new(&whole, 0).total
        );
        let mut longer = whole.clone();
        longer.prompt.push_str(" and then");
        let window = ChatRequest {
            prompt: PLACEHOLDER.to_owned(),
            ..whole.clone()
        };
        let (draft, window) = (
            common_tokens(&whole, &longer),
            common_tokens(&window, &longer),
        );
        assert!(draft > window && window > 600, "{draft} {window}");
        for other in [
            ChatRequest {
                model: "n".to_owned(),
                ..whole.clone()
            },
            ChatRequest {
                think: Some(json!(true)),
                ..whole.clone()
            },
            ChatRequest {
                tools: vec![json!({})],
                ..whole.clone()
            },
        ] {
            assert_eq!(common_tokens(&whole, &other), 0);
        }
    }

    proptest! {
        #[test]
        fn parts_of_any_text_are_beginnings(
            system in "\\PC{0,300}", texts in prop::collection::vec("\\PC{0,3000}", 1..5),
            prompt in "\\PC{1,600}", before in 0_u64..2000,
        ) {
            let roles = [Role::Assistant, Role::User].into_iter().cycle();
            let whole = ChatRequest {
                system: Some(system).filter(|text| !text.is_empty()),
                context: roles.zip(&texts).map(|(role, text)| message(role, text)).collect(),
                prompt,
                ..ChatRequest::default()
            };
            let parts: Vec<_> = PromptParts::new(&whole, before).iter().collect();
            prop_assert_eq!(&parts.last().unwrap().0, &whole);
            for (part, _) in &parts[..parts.len() - 1] {
                prop_assert!(is_beginning(part, &whole));
            }
        }
    }
}
