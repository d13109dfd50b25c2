//! From a window to its request and its receipt. The preview, sending and the tests all use this
//! code.

use crate::{ChatRequest, ContextMessage, KEEP_ALIVE, Upstream};
use sash_chat::window::{Estimate, PromptTurn, Size, Window, turns};
use sash_chat::{
    Beginning, Chat, FromFolder, Head, Id, Image, ImageCount, ImageHash, Message, Receipt, Role,
    Think, TokenCount, Tool,
};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// A prompt and everything else that decides a request, except the log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestPlan {
    /// The name of the model.
    pub model: String,
    /// The engine that has the model, by its name; `None` is the first one.
    pub engine: Option<String>,
    /// The digest of that engine's address, if known.
    pub engine_address: Option<String>,
    /// The model's digest in the engine's list, if known.
    pub digest: Option<String>,
    /// The prompt's text, with its whitespace unchanged.
    pub text: String,
    /// The prompt's images.
    pub images: Vec<Image>,
    /// Whether the model sees images.
    pub sees_images: bool,
    /// Images that are known to be kept no more.
    pub gone_images: BTreeSet<ImageHash>,
    /// The prompt's message, if the log has it already.
    pub question: Option<Id>,
    /// What the model called since, and the results: answers with calls and results, oldest first.
    pub rounds: Vec<Message>,
    /// The answer that is carried on: the last of `rounds`.
    pub continued: Option<Id>,
    /// The values of `think` that the model offers; empty if it cannot think.
    pub think_choices: Vec<Think>,
    /// The parameters of all chats with the model.
    pub parameters: Map<String, Value>,
    /// The parameters that the engine takes; `None` where it takes any. No other is sent.
    pub taken: Option<Vec<String>>,
    /// Whether the configured engines answer, or the demo.
    pub upstream: Upstream,
    /// The context length of the model, in tokens.
    pub context_length: Option<u64>,
}

impl RequestPlan {
    /// The request for `window` and this prompt, without the bytes of images, which are read when it is
    /// sent ([`Self::sent_images`]). `head` is what chose the window: the chat's own head, or one that
    /// is only tried.
    #[must_use]
    pub fn request(&self, chat: &Chat, head: &Head, window: &Window) -> ChatRequest {
        let mut turns = turns(chat, window, self.turn(&[]));
        // After the result of a tool the model goes on without a prompt.
        let prompt = turns.pop_if(|turn| turn.role == Role::User);
        let prompt = prompt.map(|turn| turn.content).unwrap_or_default();
        ChatRequest {
            model: self.model.clone(),
            prompt,
            context: turns
                .into_iter()
                .map(|turn| ContextMessage {
                    role: turn.role,
                    content: turn.content,
                    tool_calls: turn.tool_calls,
                    tool_name: turn.tool_name,
                    tool_call_id: turn.tool_call_id,
                    thinking: Some(turn.thinking).filter(|thinking| !thinking.is_empty()),
                    ..ContextMessage::default()
                })
                .collect(),
            system: head.system_with(window.summary),
            options: Some(self.options(head)).filter(|options| !options.is_empty()),
            keep_alive: self.parameter(head, KEEP_ALIVE),
            think: sent_think(head.settings.think, &self.think_choices).map(Think::json),
            format: head.settings.format.clone().map(Value::from),
            tools: window.tools.iter().map(Tool::definition).collect(),
            upstream: self.upstream,
            continue_final_message: self.continued.is_some(),
            engine: self.engine.clone(),
            ..ChatRequest::default()
        }
    }

    /// What comes after the window.
    fn turn<'a>(&'a self, images: &'a [Image]) -> PromptTurn<'a> {
        PromptTurn {
            text: &self.text,
            images,
            id: self.question,
            rounds: &self.rounds,
        }
    }

    /// The images that go with each message of the request, in the order of its context; the last are
    /// those of the prompt, if there is one.
    #[must_use]
    pub fn sent_images(&self, chat: &Chat, window: &Window) -> Vec<Vec<Image>> {
        let mut turns = turns(chat, window, self.turn(&self.images));
        for turn in &mut turns {
            turn.images.retain(|image| self.sends(image));
        }
        turns.into_iter().map(|turn| turn.images).collect()
    }

    fn sends(&self, image: &Image) -> bool {
        self.sees_images && !self.gone_images.contains(&image.hash)
    }

    /// The images of the window and the prompt: how many are sent, and how many are not.
    #[must_use]
    pub fn count_images(&self, chat: &Chat, window: &Window) -> ImageCount {
        let entries = window.entries.iter();
        let messages = entries.filter_map(|entry| chat.get(entry.id));
        let mut count = ImageCount::default();
        for image in messages
            .flat_map(|message| message.sent_images())
            .chain(&self.images)
        {
            let gone = self.gone_images.contains(&image.hash);
            match (self.sees_images, gone) {
                (false, _) => count.unseen += 1,
                (true, true) => count.gone += 1,
                (true, false) => count.sent += 1,
            }
        }
        count
    }

    /// The options: the model's parameters, overridden by those of the folder, and these by the chat's.
    fn options(&self, head: &Head) -> Map<String, Value> {
        let mut options = self.parameters.clone();
        options.extend(head.effective_parameters());
        options.retain(|name, _| name != KEEP_ALIVE && self.is_accepted(name));
        options
    }

    /// A parameter of the chat or its folder, or else of the model.
    fn parameter(&self, head: &Head, name: &str) -> Option<Value> {
        let value = head.effective_parameters().remove(name);
        let value = value.or_else(|| self.parameters.get(name).cloned());
        value.filter(|_| self.is_accepted(name))
    }

    fn is_accepted(&self, name: &str) -> bool {
        let taken = self.taken.as_ref();
        taken.is_none_or(|taken| taken.iter().any(|known| known == name))
    }

    /// The receipt of the request; the counts are filled in when the answer ends.
    #[must_use]
    pub fn receipt(
        &self,
        chat: &Chat,
        head: &Head,
        window: &Window,
        estimate: Estimate,
    ) -> Receipt {
        Receipt {
            images: self.count_images(chat, window),
            sent: window
                .ids()
                .into_iter()
                .chain(self.question)
                .chain(self.rounds.iter().map(|message| message.id))
                .collect(),
            policy: head.settings.policy,
            question_before: window.question_before(),
            model: Some(self.model.clone()),
            engine: self.engine.clone(),
            engine_address: self.engine_address.clone(),
            digest: self.digest.clone(),
            system: head.sent_system(),
            from_folder: self.folder_part(head),
            summary: window.summary,
            continued: self.continued,
            recalled: self.recalled_for(window),
            think: sent_think(head.settings.think, &self.think_choices),
            format: head.settings.format.clone(),
            tools: window
                .tools
                .iter()
                .map(|tool| tool.name().to_owned())
                .collect(),
            options: Some(self.options(head))
                .filter(|options| !options.is_empty())
                .map(Value::Object),
            prompt_tokens: TokenCount {
                estimated: estimate.whole(self.size(window)),
                counted: None,
            },
            context_length: self.context_length,
            ..Receipt::default()
        }
    }

    /// What comes from the folder of the chat, the parameters that the engine takes alone.
    fn folder_part(&self, head: &Head) -> Option<FromFolder> {
        let mut from = head.from_folder()?;
        from.parameters.retain(|name| self.is_accepted(name));
        let is_any = from.system || from.model || !from.parameters.is_empty();
        is_any.then_some(from)
    }

    /// What the request begins with: all of it but the prompt and its rounds.
    #[must_use]
    pub fn beginning(&self, chat: &Chat, head: &Head, window: &Window) -> Beginning {
        let messages = || window.entries.iter();
        let has_images = |id: &Id| {
            let message = chat.get(*id);
            let mut images = message.into_iter().flat_map(Message::sent_images);
            images.any(|image| self.sends(image))
        };
        let mut options = self.options(head);
        options.retain(|_, value| !value.is_number() && !value.is_boolean());
        Beginning {
            messages: messages().map(|entry| entry.id).collect(),
            recalled: messages()
                .filter(|entry| entry.recalled)
                .map(|entry| entry.id)
                .collect(),
            with_images: messages()
                .map(|entry| entry.id)
                .filter(has_images)
                .collect(),
            system: head.system_prompt().map(|system| system.text.to_owned()),
            summary: window.summary,
            format: head.settings.format.clone(),
            options,
            has_own_tool: window.tools.iter().any(|tool| matches!(tool, Tool::Own(_))),
        }
    }

    /// The questions that go with what was recalled for them.
    fn recalled_for(&self, window: &Window) -> Vec<Id> {
        let before = window.entries.iter().filter(|entry| entry.recalled);
        let asked = self.question.filter(|_| window.quotes.is_some());
        before.map(|entry| entry.id).chain(asked).collect()
    }

    /// The size of the request.
    #[must_use]
    pub fn size(&self, window: &Window) -> Size {
        let mut size = window.size_with(&self.text);
        for message in &self.rounds {
            size += Size::of_message(message, false);
            size += Size::of_part(&message.thinking);
        }
        size
    }
}

/// What a request says of thinking: the chat's choice, if the model offers it. Ollama refuses `true` and levels
/// for a model that cannot think, and a value that the model does not offer would have no effect.
#[must_use]
pub fn sent_think(think: Option<Think>, choices: &[Think]) -> Option<Think> {
    think.filter(|think| choices.contains(think))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sash_chat::RecalledBlock;
    use sash_chat::window::{FirstMessageRule, Parts, select};
    use sash_chat::{AnswerFormat, BuiltinTool, ChatSettings, OwnTool, Policy, Role};
    use serde_json::json;

    fn chat(messages: u32) -> Chat {
        let mut chat = Chat::new(Head::new(Id(99), 0));
        for seq in 1..=messages {
            let role = if seq % 2 == 1 {
                Role::User
            } else {
                Role::Assistant
            };
            let parent = (seq > 1).then(|| Id(u64::from(seq) - 1));
            chat.insert(Message {
                content: format!("message {seq}"),
                ..Message::new(Id(u64::from(seq)), parent, seq, role, 0)
            });
        }
        chat
    }

    fn sent(chat: &Chat, text: &str) -> (ChatRequest, Receipt) {
        sent_to(chat, text, FirstMessageRule::Any)
    }

    fn sent_to(chat: &Chat, text: &str, opening: FirstMessageRule) -> (ChatRequest, Receipt) {
        let prompt = RequestPlan {
            model: "m".into(),
            text: text.into(),
            question: Some(Id(100)),
            ..RequestPlan::default()
        };
        let window = select(
            &chat.path(),
            &chat.head,
            opening,
            Parts::summary_of(&chat.head),
        );
        (
            prompt.request(chat, &chat.head, &window),
            prompt.receipt(chat, &chat.head, &window, Estimate::default()),
        )
    }

    #[test]
    fn the_system_prompt_is_always_kept_first_and_outside_the_count() {
        let steady = Policy::Steady {
            keep: 4,
            grow_to: 12,
        };
        for policy in [
            Policy::Messages(0),
            Policy::Messages(3),
            Policy::Exchanges(10),
            steady,
            Policy::Tokens(10),
            Policy::Everything,
        ] {
            let mut chat = chat(60);
            chat.head.settings.policy = policy;
            let without = sent(&chat, "p").0;
            chat.head.set_system(" Be brief.\n");
            let (request, receipt) = sent(&chat, "p");
            assert_eq!(request.context, without.context, "{policy:?}");
            let messages = request.messages();
            assert_eq!(messages[0].role, Role::System);
            assert_eq!(messages[0].content, " Be brief.\n");
            assert_eq!(chat.head.system_at(receipt.system), Some(" Be brief.\n"));
        }
    }

    #[test]
    fn white_space_around_a_prompt_is_kept() {
        let (request, _) = sent(&chat(4), "\n  fn x() {\n");
        assert_eq!(request.prompt, "\n  fn x() {\n");
        let body = serde_json::to_value(&request).unwrap();
        assert_eq!(body["prompt"], json!("\n  fn x() {\n"));
    }

    #[test]
    fn a_question_without_an_answer_is_joined_to_the_prompt_and_named_in_the_receipt() {
        let (request, receipt) = sent(&chat(3), "again");
        assert_eq!(request.prompt, "message 3\n\nagain");
        assert_eq!(request.context.len(), 2);
        assert_eq!(receipt.sent, [Id(1), Id(2), Id(3), Id(100)]);
    }

    #[test]
    fn the_question_before_is_in_the_bytes_and_named_in_the_receipt() {
        let chat = chat(8);
        let (request, receipt) = sent_to(&chat, "p", FirstMessageRule::Question);
        let said: Vec<&str> = request.context.iter().map(|m| m.content.as_str()).collect();
        assert_eq!(said, ["message 5", "message 6", "message 7", "message 8"]);
        assert_eq!(receipt.question_before, Some(Id(5)));
        assert_eq!(receipt.sent, [5, 6, 7, 8, 100].map(Id));
        let (_, plain) = sent(&chat, "p");
        assert_eq!(plain.question_before, None);
        let kept = serde_json::to_string(&receipt).unwrap();
        assert_eq!(serde_json::from_str::<Receipt>(&kept).unwrap(), receipt);
    }

    #[test]
    fn a_receipt_names_the_model_and_its_digest() {
        let chat = chat(0);
        let mut prompt = RequestPlan {
            model: "llama3.2:latest".into(),
            digest: Some("a80c4f17acd5".into()),
            text: "p".into(),
            ..RequestPlan::default()
        };
        let receipt = |prompt: &RequestPlan| {
            prompt.receipt(&chat, &chat.head, &Window::default(), Estimate::default())
        };
        let known = receipt(&prompt);
        assert_eq!(known.model.as_deref(), Some("llama3.2:latest"));
        assert_eq!(known.digest.as_deref(), Some("a80c4f17acd5"));
        let text = serde_json::to_string(&known).unwrap();
        assert_eq!(serde_json::from_str::<Receipt>(&text).unwrap(), known);
        prompt.digest = None;
        let text = serde_json::to_string(&receipt(&prompt)).unwrap();
        assert!(!text.contains("digest"), "{text}");
        assert_eq!(serde_json::from_str::<Receipt>(&text).unwrap().digest, None);
    }

    /// A parameter that is added and forgotten in the receipt would leave it untold what the model was sent.
    #[test]
    fn each_parameter_that_changes_the_request_is_in_the_receipt() {
        let mut chat = chat(8);
        chat.head.set_system("Be brief.");
        let summary = json!({"number": 0, "text": "s", "from": Id(1), "through": Id(2), "count": 2,
            "created": 0});
        chat.head
            .add_summary(serde_json::from_value(summary).unwrap());
        let recalled = chat.get(Id(7)).cloned().unwrap();
        chat.insert(Message {
            recalled: Some(RecalledBlock {
                pieces: Vec::new(),
                text: "quoted".into(),
            }),
            ..recalled
        });
        chat.head.settings = ChatSettings::default();
        let whole = ChatSettings {
            policy: Policy::Exchanges(1),
            pins: vec![Id(1)],
            mutes: vec![Id(8)],
            cleared: vec![Id(6)],
            recall: None,
            unrecalled: vec![Id(7)],
            summary: Some(0),
            summarizes: true,
            system: Some(0),
            think: Some(Think::High),
            format: Some(AnswerFormat::Json),
            tools: vec![Tool::Builtin(BuiltinTool::Calculate)],
            parameters: [("top_k".into(), json!(3))].into_iter().collect(),
            withheld: Some(Box::default()),
        };
        let record = |head: &Head| serde_json::to_value(head).unwrap();
        let prompt = RequestPlan {
            think_choices: Think::ALL.into(),
            ..RequestPlan::default()
        };
        let sent = |head: &Head| {
            let parts = Parts {
                tools: head.settings.tools.clone(),
                ..Parts::summary_of(head)
            };
            let window = select(&chat.path(), head, FirstMessageRule::Any, parts);
            let receipt = prompt.receipt(&chat, head, &window, Estimate::default());
            (prompt.request(&chat, head, &window), receipt)
        };
        let plain = sent(&chat.head);
        let whole = record(&Head {
            settings: whole,
            ..chat.head.clone()
        });
        let mut changing = Vec::new();
        for row in ChatSettings::ROWS {
            let mut with = record(&chat.head);
            with[row.name] = whole[row.name].clone();
            let (request, receipt) = sent(&serde_json::from_value(with).unwrap());
            let (is_sent, is_said) = (request != plain.0, receipt != plain.1);
            assert_eq!(is_sent, is_said, "{}", row.name);
            changing.extend(is_sent.then_some(row.name));
        }
        let expected = [
            "policy",
            "pins",
            "mutes",
            "cleared",
            "unrecalled",
            "summary",
            "system",
            "think",
            "format",
            "tools",
            "parameters",
        ];
        assert_eq!(changing, expected);
    }

    /// Of every kind of part: what the window has is in the request and in the receipt, and what it has not is in neither.
    #[test]
    fn a_window_with_parts_makes_a_request_and_a_receipt_that_agree() {
        let mut chat = chat(6);
        let summary = json!({"number": 0, "text": "They met.", "from": Id(1), "through": Id(2),
            "count": 2, "created": 0});
        chat.head
            .add_summary(serde_json::from_value(summary).unwrap());
        let quotes = RecalledBlock {
            pieces: Vec::new(),
            text: "quoted".into(),
        };
        let prompt = RequestPlan {
            text: "p".into(),
            question: Some(Id(100)),
            ..RequestPlan::default()
        };
        for kinds in 0..8 {
            let has = |kind: u32| kinds & kind != 0;
            let parts = Parts {
                summary: has(1).then_some(0),
                tools: match has(2) {
                    true => vec![Tool::Builtin(BuiltinTool::Calculate)],
                    false => Vec::new(),
                },
            };
            let window = select(&chat.path(), &chat.head, FirstMessageRule::Any, parts)
                .quoting(has(4).then(|| quotes.clone()));
            let request = prompt.request(&chat, &chat.head, &window);
            let receipt = prompt.receipt(&chat, &chat.head, &window, Estimate::default());
            let system = request.system.as_deref().unwrap_or_default();
            assert_eq!(system.contains("They met."), has(1));
            assert_eq!(receipt.summary, has(1).then_some(0));
            assert_eq!(request.tools.len(), usize::from(has(2)));
            assert_eq!(receipt.tools.len(), request.tools.len());
            assert_eq!(request.prompt.starts_with("quoted\n\n"), has(4));
            assert_eq!(receipt.recalled, Vec::from_iter(has(4).then_some(Id(100))));
            let plain = prompt.size(&Window {
                summary: None,
                tools: Vec::new(),
                quotes: None,
                ..window.clone()
            });
            let estimate = |size| Estimate::default().whole(size);
            assert_eq!(
                receipt.prompt_tokens.estimated,
                estimate(prompt.size(&window))
            );
            assert_eq!(estimate(prompt.size(&window)) > estimate(plain), has(4));
        }
    }

    #[test]
    fn options_go_along_and_into_the_receipt() {
        let chat = chat(0);
        let mut prompt = RequestPlan {
            text: "p".into(),
            ..RequestPlan::default()
        };
        let receipt = |prompt: &RequestPlan| {
            prompt.receipt(&chat, &chat.head, &Window::default(), Estimate::default())
        };
        assert_eq!(receipt(&prompt).options, None);
        prompt.parameters.insert("num_ctx".into(), json!(8192));
        let request = prompt.request(&chat, &chat.head, &Window::default());
        let body = serde_json::to_value(&request).unwrap();
        assert_eq!(body["options"], json!({"num_ctx": 8192}));
        assert_eq!(receipt(&prompt).options, Some(json!({"num_ctx": 8192})));
    }

    #[test]
    fn a_chats_parameters_override_the_models_and_keep_alive_is_a_field_of_the_request() {
        let mut chat = chat(0);
        let set = |to: &mut Map<String, Value>, name: &str, value: Value| {
            to.insert(name.to_owned(), value);
        };
        let mut prompt = RequestPlan {
            text: "p".into(),
            ..RequestPlan::default()
        };
        set(&mut prompt.parameters, "temperature", json!(0.2));
        set(&mut prompt.parameters, "top_k", json!(10));
        set(&mut prompt.parameters, "keep_alive", json!("1h"));
        set(
            &mut chat.head.settings.parameters,
            "temperature",
            json!(1.0),
        );
        set(&mut chat.head.settings.parameters, "seed", json!(7));
        let body = |chat: &Chat| {
            let request = prompt.request(chat, &chat.head, &Window::default());
            serde_json::to_value(&request).unwrap()
        };
        let options = json!({"temperature": 1.0, "top_k": 10, "seed": 7});
        assert_eq!(body(&chat)["options"], options);
        assert_eq!(body(&chat)["keep_alive"], json!("1h"));
        let receipt = prompt.receipt(&chat, &chat.head, &Window::default(), Estimate::default());
        assert_eq!(receipt.options, Some(options));
        set(&mut chat.head.settings.parameters, "keep_alive", json!(0));
        assert_eq!(body(&chat)["keep_alive"], json!(0));
    }

    #[test]
    fn what_the_engine_does_not_take_is_neither_sent_nor_in_the_receipt() {
        let mut chat = chat(0);
        for (name, value) in [
            ("temperature", json!(0.2)),
            ("mirostat", json!(2)),
            ("keep_alive", json!("1h")),
        ] {
            chat.head.settings.parameters.insert(name.to_owned(), value);
        }
        let prompt = RequestPlan {
            text: "p".into(),
            engine: Some("vllm".into()),
            taken: Some(vec!["temperature".into()]),
            ..RequestPlan::default()
        };
        let request = prompt.request(&chat, &chat.head, &Window::default());
        let body = serde_json::to_value(&request).unwrap();
        assert_eq!(
            (&body["options"], &body["engine"]),
            (&json!({"temperature": 0.2}), &json!("vllm"))
        );
        assert_eq!(body.get("keep_alive"), None);
        let receipt = prompt.receipt(&chat, &chat.head, &Window::default(), Estimate::default());
        assert_eq!(receipt.options, Some(json!({"temperature": 0.2})));
        assert_eq!(receipt.engine.as_deref(), Some("vllm"));
    }

    #[test]
    fn thinking_goes_along_and_into_the_receipt_where_the_model_offers_it() {
        use Think::{High, Low, Off, On};
        let plain = [On, Off];
        for (chosen, choices, sent) in [
            (None, &plain[..], None),
            (Some(Off), &plain, Some(Off)),
            (Some(On), &plain, Some(On)),
            (Some(Low), &plain, None),
            (Some(Low), &[Low, High], Some(Low)),
            (Some(Off), &[Low, High], None),
            (Some(Off), &[], None),
            (Some(High), &[], None),
        ] {
            let mut chat = chat(0);
            chat.head.settings.think = chosen;
            let prompt = RequestPlan {
                text: "p".into(),
                think_choices: choices.to_vec(),
                ..RequestPlan::default()
            };
            let request = prompt.request(&chat, &chat.head, &Window::default());
            let body = serde_json::to_value(&request).unwrap();
            assert_eq!(body.get("think").cloned(), sent.map(Think::json));
            let receipt =
                prompt.receipt(&chat, &chat.head, &Window::default(), Estimate::default());
            assert_eq!(receipt.think, sent);
            let kept = serde_json::to_string(&receipt).unwrap();
            assert_eq!(kept.contains("think"), sent.is_some(), "{kept}");
            assert_eq!(serde_json::from_str::<Receipt>(&kept).unwrap(), receipt);
        }
    }

    #[test]
    fn images_go_with_their_messages_where_the_model_sees_them_and_they_are_kept() {
        let image = |n: u8| Image {
            hash: ImageHash([n; 32]),
            format: sash_chat::ImageFormat::Png,
            size: 3,
            width: 1,
            height: 1,
            preview: String::new(),
        };
        let mut chat = chat(2);
        let mut question = chat.get(Id(1)).cloned().unwrap();
        question.images = vec![image(1), image(2)];
        chat.insert(question);
        let mut prompt = RequestPlan {
            text: "p".into(),
            images: vec![image(3)],
            sees_images: true,
            gone_images: BTreeSet::from([ImageHash([2; 32])]),
            ..RequestPlan::default()
        };
        let window = select(
            &chat.path(),
            &chat.head,
            FirstMessageRule::Any,
            Parts::summary_of(&chat.head),
        );
        let sent = |prompt: &RequestPlan| -> Vec<Vec<u8>> {
            let sent = prompt.sent_images(&chat, &window).into_iter();
            sent.map(|images| images.iter().map(|image| image.hash.0[0]).collect())
                .collect()
        };
        assert_eq!(sent(&prompt), [vec![1], vec![], vec![3]]);
        let receipt =
            |prompt: &RequestPlan| prompt.receipt(&chat, &chat.head, &window, Estimate::default());
        let count = |sent, unseen, gone| ImageCount { sent, unseen, gone };
        assert_eq!(receipt(&prompt).images, count(2, 0, 1));
        prompt.sees_images = false;
        assert_eq!(sent(&prompt), [vec![], vec![], Vec::<u8>::new()]);
        let kept = receipt(&prompt);
        assert_eq!(kept.images, count(0, 3, 0));
        let text = serde_json::to_string(&kept).unwrap();
        assert!(text.contains(r#""images":{"unseen":3}"#), "{text}");
        assert_eq!(serde_json::from_str::<Receipt>(&text).unwrap(), kept);
        assert!(
            !serde_json::to_string(&Receipt::default())
                .unwrap()
                .contains("images")
        );
    }

    /// A part of the request that receipts do not name would never count as read, or, worse, always.
    #[test]
    fn what_was_asked_once_was_read_at_that_address_and_nowhere_else() {
        let mut chat = chat(4);
        chat.head.set_system("Be brief.");
        chat.head.settings.format = Some(AnswerFormat::Json);
        chat.head.settings.parameters = Map::from_iter([
            ("stop".to_owned(), json!(["END"])),
            ("top_k".to_owned(), json!(3)),
        ]);
        chat.head.pin(Id(1), true);
        let prompt = RequestPlan {
            question: Some(Id(100)),
            engine_address: Some("box".into()),
            ..RequestPlan::default()
        };
        let window = select(
            &chat.path(),
            &chat.head,
            FirstMessageRule::Any,
            Parts::summary_of(&chat.head),
        );
        let with_tools = |tools: Vec<Tool>, chat: &Chat| {
            let window = Window {
                tools,
                ..window.clone()
            };
            prompt.beginning(chat, &chat.head, &window)
        };
        let beginning = |chat: &Chat| with_tools(Vec::new(), chat);
        let of_box = beginning(&chat);
        assert_eq!(of_box.messages, [1, 2, 3, 4].map(Id).into());
        assert!(
            !of_box.clone().was_read_at(&chat, "box"),
            "it was not asked"
        );
        chat.insert(Message {
            content: "answer".into(),
            receipt: Some(prompt.receipt(&chat, &chat.head, &window, Estimate::default())),
            ..Message::new(Id(101), Some(Id(4)), 5, Role::Assistant, 0)
        });
        assert!(of_box.clone().was_read_at(&chat, "box"));
        assert!(!of_box.was_read_at(&chat, "here"));
        // Numbers are no words.
        let parameters = &mut chat.head.settings.parameters;
        parameters.insert("top_k".to_owned(), json!(4));
        assert!(beginning(&chat).was_read_at(&chat, "box"));
        let builtin = vec![Tool::Builtin(BuiltinTool::Calculate)];
        assert!(with_tools(builtin, &chat).was_read_at(&chat, "box"));
        let own = vec![Tool::Own(OwnTool {
            name: "stock".into(),
            description: "Pieces in stock".into(),
            parameters: None,
        })];
        assert!(!with_tools(own, &chat).was_read_at(&chat, "box"));
    }

    #[test]
    fn a_receipt_without_thinking_or_with_an_unknown_value_reads_as_none() {
        for text in [r#"{"sent":[]}"#, r#"{"sent":[],"think":"ultra"}"#] {
            assert_eq!(serde_json::from_str::<Receipt>(text).unwrap().think, None);
        }
    }
}
