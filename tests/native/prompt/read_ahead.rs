//! Tokens that a model still reads after Enter, with nothing read ahead, with the window, and with the draft. The
//! stand-in reads as engines do: what is common with the last prompt and its answer comes from its cache.

use super::reading::{block, said};
use crate::common::{House, vocabulary};
use ollama_double::{Config, Script, ScriptStep, ServedModel, StandIn, Template, Tokenizer};
use read_ahead::{PLACEHOLDER, ReadEnd, ReadRequest, ReadResult, answered, common_tokens};
use sash_chat::window::{ModelProfile, Parts, Window, select};
use sash_chat::{Chat, Head, Id, Message, Policy, RecalledBlock, Role, Summary};
use sash_search::MessageIndex;
use sash_wire::{ChatRequest, RequestPlan};
use serde_json::json;

/// Prompts whose reading is counted, after as many exchanges that fill the chat.
const PROMPTS: usize = 20;
const BEFORE: usize = 12;
/// Words typed between two rests.
const REST_WORDS: usize = 8;
/// The most tokens that may be left after Enter where a draft was read.
const GATE: u64 = 30;

/// How much is read ahead.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ahead {
    Nothing,
    Window,
    Draft,
}

/// A chat with a model, and what is read of it.
struct Talk {
    house: House,
    chat: Chat,
    index: MessageIndex,
    recall: Option<u64>,
    last_read: Option<ChatRequest>,
}

impl Talk {
    async fn new(policy: Policy, recall: Option<u64>) -> Self {
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
        chat.head.set_system(&said(7, 60));
        Self {
            house,
            chat,
            index: MessageIndex::default(),
            recall,
            last_read: None,
        }
    }

    /// Summarises what was said so far.
    fn summarize(&mut self) {
        let path: Vec<Id> = self.chat.path().iter().map(|message| message.id).collect();
        self.chat.head.add_summary(Summary {
            number: 0,
            text: said(11, 120),
            from: path[0],
            through: path[path.len() - 1],
            count: path.len() as u32,
            model: None,
            prompt_tokens: None,
            answer_tokens: None,
            created: 0,
            edited: false,
            cut_off: false,
        });
    }

    fn window(&self, draft: &str) -> Window {
        let reader = ModelProfile {
            context: Some(4_096),
            ..ModelProfile::default()
        };
        select(
            &self.chat.path(),
            &self.chat.head,
            reader.before(draft, 0),
            Parts::summary_of(&self.chat.head),
        )
    }

    fn recalled(&self, window: &Window, draft: &str) -> Option<RecalledBlock> {
        let tokens = self.recall?;
        block(&self.chat, &self.index, window, draft, tokens)
    }

    fn request(&self, draft: &str) -> (ChatRequest, Option<RecalledBlock>) {
        let window = self.window(draft);
        let recalled = self.recalled(&window, draft);
        let window = window.quoting(recalled.clone());
        let text = match draft.is_empty() {
            true => PLACEHOLDER,
            false => draft,
        };
        let prompt = RequestPlan {
            model: "tinywide".into(),
            text: text.to_owned(),
            ..RequestPlan::default()
        };
        let request = prompt.request(&self.chat, &self.chat.head, &window);
        (request, recalled)
    }

    /// Reads as a page does: what the last read has in common with this one is not read again in parts.
    async fn read(&mut self, draft: &str) {
        let (request, _) = self.request(draft);
        let last = self.last_read.as_ref();
        let body = ReadRequest {
            read_before: last.map_or(0, |last| common_tokens(last, &request)),
            request: request.clone(),
            parts: None,
        };
        let answer = self.house.post("read", json!(body)).await;
        assert_eq!(answer.status(), 200);
        let result: ReadResult = answer.json().await.unwrap();
        assert_eq!(result.end, ReadEnd::Whole);
        self.last_read = Some(request);
    }

    /// Asks, and returns the tokens that were read for it.
    async fn ask(&mut self, question: &str, answer: &str) -> u64 {
        let (request, recalled) = self.request(question);
        let text = ScriptStep::Text {
            text: answer.to_owned(),
            tokens: None,
            rate: None,
        };
        let steps = vec![text, ScriptStep::done()];
        self.house.ollama.script(Script::chat(steps));
        let reply = self.house.ask(json!(request)).await;
        assert_eq!(reply.status(), 200);
        reply.bytes().await.unwrap();
        self.last_read = Some(answered(request, answer));
        let seq = self.chat.next_seq();
        let asked = Message {
            content: question.to_owned(),
            recalled,
            ..Message::new(Id(u64::from(seq)), self.chat.leaf(), seq, Role::User, 0)
        };
        let id = Id(u64::from(seq) + 1);
        let answered = Message {
            content: answer.to_owned(),
            ..Message::new(id, Some(asked.id), seq + 1, Role::Assistant, 0)
        };
        for message in [asked, answered] {
            self.index.add(self.chat.head.id, &message, 0);
            self.chat.insert(message);
        }
        let seen = self.house.ollama.requests_to("/api/chat");
        seen.last().unwrap().evaluated.unwrap()
    }
}

/// The median of the tokens left to read after Enter.
async fn left(policy: Policy, recall: Option<u64>, is_summarised: bool, ahead: Ahead) -> u64 {
    let mut talk = Talk::new(policy, recall).await;
    let mut counts = Vec::new();
    for n in 0..BEFORE + PROMPTS {
        if n == 4 && is_summarised {
            talk.summarize();
        }
        let subject = ["violin", "kernel", "orchid", "tramway", "bicycle"][n % 5];
        let question = format!("what of {subject} {subject}ing {}", said(n + 1000, 38));
        let answer = format!("{subject} {}", said(n + 5000, 250));
        if n >= BEFORE && ahead >= Ahead::Window {
            talk.read("").await;
        }
        if n >= BEFORE && ahead == Ahead::Draft {
            let words: Vec<&str> = question.split(' ').collect();
            for typed in (REST_WORDS..words.len()).step_by(REST_WORDS) {
                talk.read(&words[..typed].join(" ")).await;
            }
        }
        let read = talk.ask(&question, &answer).await;
        if n >= BEFORE {
            counts.push(read);
        }
    }
    counts.sort_unstable();
    counts[PROMPTS / 2]
}

async fn check(name: &str, policy: Policy, recall: Option<u64>, is_summarised: bool) {
    let of = async |ahead| left(policy, recall, is_summarised, ahead).await;
    let (cold, window, draft) = (
        of(Ahead::Nothing).await,
        of(Ahead::Window).await,
        of(Ahead::Draft).await,
    );
    println!(
        "left to read after Enter, {name}: {cold} cold, {window} with the window read, {draft} with the draft"
    );
    assert!(draft <= GATE, "{draft}");
    assert!(draft < window && window <= cold, "{window} of {cold}");
}

#[tokio::test]
async fn with_three_messages_thirty_tokens_are_left_at_most() {
    check("3 messages", Policy::Messages(3), None, false).await;
}

#[tokio::test]
async fn with_a_steady_window_thirty_tokens_are_left_at_most() {
    // Cut at each prompt, which is the worst case.
    let steady = Policy::Steady {
        keep: 4,
        grow_to: 5,
    };
    check("steady", steady, None, false).await;
}

#[tokio::test]
async fn with_everything_that_fits_thirty_tokens_are_left_at_most() {
    check("everything that fits", Policy::Fits, None, false).await;
}

#[tokio::test]
async fn with_recall_thirty_tokens_are_left_at_most() {
    check(
        "3 messages and recall",
        Policy::Messages(3),
        Some(512),
        false,
    )
    .await;
}

#[tokio::test]
async fn with_a_summary_thirty_tokens_are_left_at_most() {
    check("3 messages and a summary", Policy::Messages(3), None, true).await;
}

/// A stand-in with this template, which counts with the vocabulary of a real model.
async fn with_template(template: Template, tokenizer: &Tokenizer) -> House {
    let mut model = ServedModel::wide();
    model.template = template;
    model
        .capabilities
        .extend(["thinking", "tools"].map(str::to_owned));
    let config = Config {
        models: vec![model],
        rate: 0.0,
        prompt_rate: 0.0,
        ..Config::tests()
    }
    .tokenizer(tokenizer);
    House::before(StandIn::start(config).unwrap(), |_| {}).await
}

/// What counts is the common beginning in tokens, whatever the template writes around it.
#[tokio::test]
async fn the_window_is_in_the_cache_under_every_template_up_to_the_first_word_of_the_question() {
    let answer = json!({"role":"assistant","content":said(1, 200)});
    let call = json!({"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{}}}]});
    let result = json!({"role":"tool","tool_name":"f","content":said(3, 40)});
    let windows = [
        (
            "three messages",
            json!([answer, {"role":"user","content":said(2, 30)}, answer]),
        ),
        ("a blind window", json!([])),
        (
            "calls of tools",
            json!([{"role":"user","content":"q"}, call, result, answer]),
        ),
    ];
    let tool = json!({"type":"function","function":{"name":"f","parameters":{"type":"object"}}});
    for (template, think) in [
        (Template::ChatMl, None),
        (Template::Thinking, Some(true)),
        (Template::Thinking, Some(false)),
        (Template::OpenThinking, None),
    ] {
        for tokenizer in vocabulary::all() {
            let house = with_template(template, &tokenizer).await;
            for (name, window) in &windows {
                let mut body = json!({"model":"tinywide","system":said(5, 40),"context":window,
                    "tools":[tool],"prompt":PLACEHOLDER});
                if let Some(think) = think {
                    body["think"] = json!(think);
                }
                // Loads the model, which a read never does.
                house
                    .ask(json!({"model":"tinywide","prompt":"hi"}))
                    .await
                    .bytes()
                    .await
                    .unwrap();
                let read = house.post("read", body.clone()).await;
                let read: ReadResult = read.json().await.unwrap();
                assert_eq!(read.end, ReadEnd::Whole);
                body["prompt"] = json!("Which of them is newer?");
                house.ask(body).await.bytes().await.unwrap();
                let seen = house.ollama.requests_to("/api/chat");
                let [.., reading, asking] = &seen[..] else {
                    panic!("two requests");
                };
                let (mut read, mut asked) = (reading.body.clone(), asking.body.clone());
                for body in [&mut read, &mut asked] {
                    body["messages"].as_array_mut().unwrap().pop();
                    body.as_object_mut().unwrap().remove("options");
                }
                assert_eq!(read, asked, "{name}: equal up to the question");
                let left = asking.evaluated.unwrap();
                assert!(
                    left <= GATE,
                    "{name}, {template:?}, {tokenizer:?}: {left} tokens left"
                );
            }
        }
    }
}
