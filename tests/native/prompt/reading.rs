//! Tokens that a model evaluates anew at each prompt under a policy. The stand-in counts as a
//! real prompt cache does: everything after the longest common prefix with the last prompt and its
//! answer.

use crate::common::House;
use ollama_double::{Config, Script, ScriptStep, ServedModel, StandIn};
use sash_chat::window::{
    Estimate, ModelProfile, Parts, RecallCandidate, Window, recalled_block, select,
};
use sash_chat::{Chat, Head, Id, Message, Policy, RecalledBlock, Role};
use sash_search::MessageIndex;
use sash_wire::RequestPlan;
use std::borrow::Cow;

const EXCHANGES: usize = 100;

/// About `tokens` words, in an order that no two messages share.
pub fn said(seed: usize, tokens: usize) -> String {
    let words = [
        "river", "stone", "cloud", "table", "green", "music", "paper", "light",
    ];
    let word = |i: usize| words[(seed * 31 + i * i + i * seed) % words.len()];
    (0..tokens).map(word).collect::<Vec<_>>().join(" ")
}

/// The tokens evaluated anew per prompt, averaged over 100 exchanges with prompts of 45 tokens,
/// answers of about 300 and a system prompt of 100.
async fn read_anew(policy: Policy) -> u64 {
    read_anew_with(policy, None).await.0
}

/// The same with `recall` tokens recalled for each prompt at most, and how many prompts had something recalled. The
/// subjects of the questions come back after ten exchanges.
async fn read_anew_with(policy: Policy, recall: Option<u64>) -> (u64, usize) {
    let mut index = MessageIndex::default();
    let mut recalls = 0;
    let config = Config {
        models: vec![ServedModel::wide()],
        num_ctx: 8192,
        rate: 0.0,
        prompt_rate: 0.0,
        ..Config::tests()
    };
    let house = House::before(StandIn::start(config).unwrap(), |_| {}).await;
    let mut chat = Chat::new(Head::new(Id(1), 0));
    chat.head.settings.policy = policy;
    chat.head.set_system(&said(7, 100));
    for n in 0..EXCHANGES {
        let (mut question, mut answer) = (said(n + 1000, 45), said(n + 5000, 250 + n));
        if recall.is_some() {
            let subject = format!("{0} {0}ing", SUBJECTS[n % SUBJECTS.len()]);
            question = format!("what of {subject} {question}");
            answer = format!("{subject} {answer}");
        }
        let seq = chat.next_seq();
        let mut asked = Message {
            content: question.clone(),
            ..Message::new(Id(u64::from(seq)), chat.leaf(), seq, Role::User, 0)
        };
        let reader = ModelProfile {
            context: Some(8_192),
            ..ModelProfile::default()
        };
        let window = select(
            &chat.path(),
            &chat.head,
            reader.before(&question, 0),
            Parts::summary_of(&chat.head),
        );
        asked.recalled = recall.and_then(|tokens| block(&chat, &index, &window, &question, tokens));
        recalls += usize::from(asked.recalled.is_some());
        let window = window.quoting(asked.recalled.clone());
        let prompt = RequestPlan {
            model: "tinywide".into(),
            text: question,
            question: Some(asked.id),
            ..RequestPlan::default()
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
        let id = Id(u64::from(seq) + 1);
        let answered = Message {
            content: answer,
            ..Message::new(id, Some(asked.id), seq + 1, Role::Assistant, 0)
        };
        for message in [asked, answered] {
            index.add(chat.head.id, &message, 0);
            chat.insert(message);
        }
    }
    let seen = house.ollama.requests_to("/api/chat");
    assert_eq!(seen.len(), EXCHANGES);
    let read: u64 = seen.iter().map(|seen| seen.evaluated.unwrap()).sum();
    (read / EXCHANGES as u64, recalls)
}

/// Subjects with words of their own.
const SUBJECTS: [&str; 10] = [
    "sourdough",
    "postgres",
    "tramway",
    "bicycle",
    "orchid",
    "violin",
    "kernel",
    "greenhouse",
    "telescope",
    "receipt",
];

/// What a page recalls for a prompt.
pub fn block(
    chat: &Chat,
    index: &MessageIndex,
    window: &Window,
    prompt: &str,
    tokens: u64,
) -> Option<RecalledBlock> {
    let entries = window.entries.iter().filter_map(|entry| chat.get(entry.id));
    let blocks: Vec<_> = entries.filter_map(|m| m.recalled.as_ref()).collect();
    let is_sent = |id| window.contains(id) || blocks.iter().any(|block| block.quotes(id));
    let found = index.all().recall(prompt, &|_, id| !is_sent(id));
    let candidates: Vec<RecallCandidate> = found
        .iter()
        .filter_map(|one| {
            Some(RecallCandidate {
                message: Cow::Borrowed(chat.get(one.message)?),
                chat: None,
                date: "1 January 1970".to_owned(),
                words: &one.words,
            })
        })
        .collect();
    recalled_block(candidates, tokens, Estimate::default())
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

#[tokio::test]
async fn recall_frozen_into_a_steady_window_is_read_like_three_messages_without_it() {
    let steady = Policy::Steady {
        keep: 4,
        grow_to: 12,
    };
    let three = read_anew(Policy::Messages(3)).await;
    let (recalling, recalls) = read_anew_with(steady, Some(512)).await;
    println!(
        "read anew a prompt: three messages {three}, steady with recall {recalling}, {recalls} prompts recalled"
    );
    assert!(
        recalls > 70,
        "{recalls} of {EXCHANGES}: too few to say anything"
    );
    assert!(recalling * 10 <= three * 11, "{recalling} and {three}");
}
