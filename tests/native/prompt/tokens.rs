//! The stand-in counts tokens with vocabularies of real models if a test asks for it.

use crate::common::vocabulary::{all, cl100k, o200k, r50k};
use crate::common::{House, lines};
use ollama_double::Tokenizer;
use sash_wire::{Fault, FaultBody, Frame, Rendered};
use serde_json::{Value, json};

/// The prompt tokens of an answer, as Ollama reports them.
async fn counted(house: &House, body: &Value) -> u64 {
    let frames: Vec<Frame> = lines(house.ask(body.clone()).await).await;
    match frames.last() {
        Some(Frame::Done { usage, .. }) => usage.prompt_tokens.unwrap(),
        other => panic!("{other:?}"),
    }
}

/// The rendered prompt.
async fn rendered(house: &House, body: &Value) -> String {
    let answer = house.post("render", body.clone()).await;
    answer.json::<Rendered>().await.unwrap().prompt
}

fn window() -> Value {
    json!({"model":"tiny","system":"Answer briefly.","prompt":"And in Rust? `fn main() {}`",
        "context":[
            {"role":"user","content":"How do I concatenate strings in Go?"},
            {"role":"assistant","content":"Use `+`, or a strings.Builder:\n\n```go\nb.WriteString(s)\n```"},
            {"role":"user","content":"Straße, 日本語, приве́т, 12345678 🌍"}]})
}

#[test]
fn the_vocabularies_are_those_of_their_names() {
    // The start token counts as one. The counts are those of the vocabularies' publisher.
    let count = |tokenizer: &Tokenizer, text: &str| tokenizer.prompt(text).len() - 1;
    for (text, expected) in [
        ("hello world", [2, 2, 2]),
        ("antidisestablishmentarianism", [5, 6, 6]),
        ("2 + 2 = 4", [5, 7, 7]),
        ("お誕生日おめでとう", [14, 9, 8]),
    ] {
        let counts = all().map(|tokenizer| count(&tokenizer, text));
        assert_eq!(counts, expected, "{text}");
    }
}

#[tokio::test]
async fn prompts_are_counted_over_the_rendered_template() {
    let mut counts = Vec::new();
    for (tokenizer, bpe) in [
        (r50k(), tiktoken_rs::r50k_base_singleton()),
        (cl100k(), tiktoken_rs::cl100k_base_singleton()),
        (o200k(), tiktoken_rs::o200k_base_singleton()),
    ] {
        let house = House::counting(&tokenizer).await;
        let text = rendered(&house, &window()).await;
        // Each marker is one token, and one start token precedes everything.
        let markers = text.matches("<|im_").count();
        let between = text
            .split("<|im_start|>")
            .flat_map(|part| part.split("<|im_end|>"));
        let runs: usize = between.map(|run| bpe.encode_ordinary(run).len()).sum();
        let expected = (1 + markers + runs) as u64;
        assert_eq!(counted(&house, &window()).await, expected, "{tokenizer:?}");
        counts.push(expected);
    }
    assert!(counts[0] > counts[1] && counts[1] > counts[2], "{counts:?}");
}

#[tokio::test]
async fn the_prompt_cache_is_counted_so_too() {
    let tokenizer = cl100k();
    let house = House::counting(&tokenizer).await;
    let first = json!({"model":"tiny","prompt":"What is a monad, in one sentence?"});
    let next = json!({"model":"tiny","prompt":"And a functor?","context":[
        {"role":"user","content":"What is a monad, in one sentence?"},
        {"role":"assistant","content":"A monoid in the category of endofunctors."}]});
    let whole = counted(&house, &first).await;
    let longer = counted(&house, &next).await;
    let seen = house.ollama.requests_to("/api/chat");
    let figures: Vec<_> = seen
        .iter()
        .map(|seen| (seen.cached.unwrap(), seen.evaluated.unwrap()))
        .collect();
    assert_eq!(figures[0], (0, whole));
    // The second prompt has the whole first one as its prefix, up to the answer's first letter.
    assert_eq!(figures[1], (whole, longer - whole));
    let text = rendered(&house, &next).await;
    assert_eq!(longer, tokenizer.prompt(&text).len() as u64);
}

#[tokio::test]
async fn an_overflow_is_counted_so_too() {
    let house = House::counting(&o200k()).await;
    let body = json!({"model":"tiny","prompt":" word".repeat(300),"options":{"num_ctx":256}});
    let text = rendered(&house, &body).await;
    let fault = house
        .ask(body)
        .await
        .json::<FaultBody>()
        .await
        .unwrap()
        .error;
    let expected = Fault::ContextOverflow {
        prompt_tokens: o200k().prompt(&text).len() as u64,
        context_tokens: 256,
    };
    assert_eq!(fault, expected);
}
