//! How many tokens a model evaluates anew at each prompt under a policy. The stand-in counts as a
//! real prompt cache does: everything after the longest common prefix with the last prompt and its
//! answer.

use crate::common::House;
use ollama_double::{Config, Model, Script, ScriptStep, StandIn};
use sash_chat::window::{ModelProfile, select};
use sash_chat::{Chat, Head, Id, Message, Policy, Role};
use sash_state::Prompt;

const EXCHANGES: usize = 100;

/// About `tokens` words, in an order that no two messages share.
fn said(seed: usize, tokens: usize) -> String {
    let words = [
        "river", "stone", "cloud", "table", "green", "music", "paper", "light",
    ];
    let word = |i: usize| words[(seed * 31 + i * i + i * seed) % words.len()];
    (0..tokens).map(word).collect::<Vec<_>>().join(" ")
}

/// The tokens evaluated anew per prompt, averaged over 100 exchanges with prompts of 45 tokens,
/// answers of about 300 and a system prompt of 100.
async fn read_anew(policy: Policy) -> u64 {
    let config = Config {
        models: vec![Model::demo()],
        num_ctx: 8192,
        rate: 0.0,
        prompt_rate: 0.0,
        ..Config::tests()
    };
    let house = House::before(StandIn::start(config).unwrap(), |_| {}).await;
    let mut chat = Chat::new(Head::new(Id(1), 0));
    chat.head.policy = policy;
    chat.head.set_system(&said(7, 100));
    for n in 0..EXCHANGES {
        let (question, answer) = (said(n + 1000, 45), said(n + 5000, 250 + n));
        let seq = chat.next_seq();
        let asked = Message {
            content: question.clone(),
            ..Message::new(Id(u64::from(seq)), chat.leaf(), seq, Role::User, 0)
        };
        let reader = ModelProfile {
            context: Some(4_096),
            ..ModelProfile::default()
        };
        let window = select(&chat.path(), &chat.head, &[], reader.before(&question));
        let prompt = Prompt {
            model: "sash-demo".into(),
            text: question,
            question: Some(asked.id),
            ..Prompt::default()
        };
        let request = prompt.request(&chat, &chat.head, &window);
        let text = ScriptStep::Text {
            text: answer.clone(),
            tokens: None,
            rate: None,
        };
        house
            .ollama
            .script(Script::chat(vec![text, ScriptStep::done()]));
        let reply = house.ask(serde_json::to_value(&request).unwrap()).await;
        assert_eq!(reply.status(), 200);
        reply.bytes().await.unwrap();
        let parent = asked.id;
        chat.insert(asked);
        chat.insert(Message {
            content: answer,
            ..Message::new(
                Id(u64::from(seq) + 1),
                Some(parent),
                seq + 1,
                Role::Assistant,
                0,
            )
        });
    }
    let seen = house.ollama.requests_to("/api/chat");
    assert_eq!(seen.len(), EXCHANGES);
    let read: u64 = seen.iter().map(|seen| seen.evaluated.unwrap()).sum();
    read / EXCHANGES as u64
}

#[tokio::test]
async fn a_steady_window_is_read_at_200_tokens_a_prompt_where_three_messages_take_600() {
    let steady = Policy::Steady {
        keep: 4,
        grow_to: 12,
    };
    let (steady, three, alone) = (
        read_anew(steady).await,
        read_anew(Policy::Messages(3)).await,
        read_anew(Policy::Exchanges(0)).await,
    );
    println!(
        "read anew a prompt: steady {steady}, three messages {three}, the prompt alone {alone}"
    );
    assert!(steady <= 200, "{steady}");
    assert!((500..900).contains(&three), "{three}");
    assert!(alone < 60, "{alone}");
}

#[tokio::test]
async fn what_fits_is_cut_in_steps_and_read_at_a_third_of_what_a_sliding_budget_takes() {
    let (fits, slides) = (
        read_anew(Policy::Fits).await,
        read_anew(Policy::Tokens(3_000)).await,
    );
    println!("read anew a prompt: all that fits {fits}, a budget of 3,000 tokens {slides}");
    assert!(fits * 3 < slides, "{fits} and {slides}");
}
