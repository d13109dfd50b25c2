//! Parts are beginnings, and all of them together are not much more than the prompt.

use super::*;
use proptest::prelude::*;
use sash_chat::AnswerId;
use sash_wire::{DraftMark, Upstream};
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

/// A field that is forgotten is read ahead without it, and the engine does not find what it read in its cache.
#[test]
fn a_part_has_every_field_but_those_of_an_answer_and_what_comes_after_its_end() {
    let texts = chat(60, 1200, 30, 30);
    // No `..`: a new field does not compile until it has a value here.
    let whole = ChatRequest {
        model: texts.model,
        prompt: texts.prompt,
        context: texts.context,
        system: texts.system,
        options: json!({"num_ctx": 4096}).as_object().cloned(),
        think: Some(json!("high")),
        images: vec!["aGk=".to_owned()],
        format: Some(json!("json")),
        tools: vec![json!({"type": "function"})],
        keep_alive: Some(json!("5m")),
        upstream: Upstream::Demo,
        continue_final_message: true,
        engine: Some("box".to_owned()),
        answer_id: Some(AnswerId(7)),
        draft: Some(DraftMark::Unasked),
        wrong: None,
    };
    let record = |request: &ChatRequest| match serde_json::to_value(request) {
        Ok(serde_json::Value::Object(record)) => record,
        other => panic!("{other:?}"),
    };
    let (all, unset) = (record(&whole), record(&ChatRequest::default()));
    assert!(
        all.iter()
            .all(|(name, value)| unset.get(name) != Some(value))
    );
    let not_sent = ["images", "continue_final_message", "answer_id"];
    let cut = ["system", "context", "prompt"];
    let parts = PromptParts::new(&whole, 0);
    assert!(parts.cuts.len() > 2, "{:?}", parts.cuts);
    for at in &parts.cuts {
        let part = record(&parts.part(*at));
        for (name, value) in &all {
            let sent = part.get(name);
            match &name[..] {
                name if not_sent.contains(&name) => assert_eq!(sent, None, "{name}"),
                name if cut.contains(&name) => assert!(sent.is_some(), "{name}"),
                name => assert_eq!(sent, Some(value), "{name}"),
            }
        }
    }
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

fn bytes_of(message: &ContextMessage) -> usize {
    Length::of(message).bytes
}

/// The bytes of all parts, and their number.
fn sent(request: &ChatRequest, read_before: u64) -> (usize, usize) {
    let parts = PromptParts::new(request, read_before);
    let bytes = |part: &ChatRequest| part.messages().iter().map(bytes_of).sum::<usize>();
    let sizes: Vec<usize> = parts.iter().map(|(part, _)| bytes(&part)).collect();
    (sizes.iter().sum(), sizes.len())
}

/// The bytes that a page sends, which asks for one part after the other.
fn sent_one_by_one(request: &ChatRequest) -> usize {
    let (mut before, mut all) = (0, 0);
    loop {
        let parts = PromptParts::new(request, before);
        let (part, tokens) = parts.iter().next().unwrap();
        all += part.messages().iter().map(bytes_of).sum::<usize>();
        if part == *request {
            return all;
        }
        before = tokens;
    }
}

/// 2 MB were 1,953 requests of 1,954 MB, and 23 MB were 8 GB in half a minute.
#[test]
fn all_that_is_sent_is_at_most_four_times_the_text() {
    for words in [300, 3000, 30_000, 350_000] {
        let mut whole = chat(60, words / 4, 30, words / 2);
        for _ in 0..2 {
            let text: usize = whole.messages().iter().map(bytes_of).sum();
            for before in [0, 700, 50_000] {
                let (bytes, parts) = sent(&whole, before);
                assert!(bytes <= 4 * text, "{words} {before}: {bytes} of {text}");
                assert!(parts < 30, "{parts}");
            }
            let bytes = sent_one_by_one(&whole);
            assert!(bytes <= 4 * text, "{words} one by one: {bytes} of {text}");
            // An image is sent with each part, and has few tokens.
            whole.context[1].images = vec!["aGk=".repeat(1_000_000)];
        }
    }
}

#[test]
fn a_text_without_a_space_is_not_searched_again_for_each_part() {
    let mut whole = chat(60, 0, 0, 0);
    whole.prompt = "x".repeat(20_000_000);
    let begun = std::time::Instant::now();
    assert_eq!(PromptParts::new(&whole, 0).iter().count(), 1);
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
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
