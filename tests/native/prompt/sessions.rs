//! Random sessions: the messages that the page marks, the preview, the request that Ollama received
//! and the receipt are the same, in the same order; and so is what is recalled and summarised.

use crate::common::House;
use ollama_double::{Config, Script, ScriptStep, ServedModel, StandIn};
use sash_chat::window::{
    Estimate, FirstMessageRule, Parts, PromptTurn, Reason, RecallCandidate, Window, recalled_block,
    select, turns,
};
use sash_chat::{Chat, Head, Id, Message, Outcome, Policy, RecalledBlock, Role, Summary, Think};
use sash_log::{Kinds, Log, MemoryStore};
use sash_wire::RequestPlan;
use serde_json::{Value, json};
use std::borrow::Cow;

/// The number of sessions; each has up to 14 steps.
const SESSIONS: u64 = 150;
/// The number with `cargo xtask test --all`, which sets `SASH_TESTS=all`.
const ALL_SESSIONS: u64 = 10_000;

/// A random number generator with the same sequence in each run (splitmix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % sides as u64).unwrap()
    }

    fn one_of(&mut self, ids: &[Id]) -> Option<Id> {
        (!ids.is_empty()).then(|| ids[self.roll(ids.len())])
    }
}

/// The page without its views: the log and the open chat.
struct Page {
    log: Log<MemoryStore>,
    chat: Chat,
    /// What the model's chat template requires first.
    opening: FirstMessageRule,
    named: u64,
}

impl Page {
    fn new(session: u64) -> Self {
        let store = MemoryStore::default();
        let Ok(log) = Log::open(store, Id(1), Kinds::default()) else {
            panic!("an empty store is ours");
        };
        Self {
            log,
            chat: Chat::new(Head::new(Id(session + 2), 0)),
            opening: match session % 3 {
                0 => FirstMessageRule::Question,
                _ => FirstMessageRule::Any,
            },
            named: 1_000_000 * (session + 1),
        }
    }

    fn name(&mut self) -> Id {
        self.named += 1;
        Id(self.named)
    }

    fn path(&self) -> Vec<Id> {
        self.chat.path().iter().map(|m| m.id).collect()
    }

    fn window(&self) -> Window {
        select(
            &self.chat.path(),
            &self.chat.head,
            self.opening,
            Parts::summary_of(&self.chat.head),
        )
    }

    /// A model that accepts every conversation, or one whose chat template rejects a conversation
    /// that begins with an answer. The stricter template also rejects a question after a tool
    /// result, which no window can avoid, so chats with tools do not use it.
    fn model(&self) -> &'static str {
        let has_tools = || self.chat.messages().any(|m| m.role == Role::Tool);
        match self.opening {
            FirstMessageRule::Any => "tiny",
            FirstMessageRule::Question if has_tools() => "tinyquestion",
            FirstMessageRule::Question => "tinyalternate",
        }
    }

    fn keep(&mut self, message: Message) {
        self.log.save_message(self.chat.head.id, &message).unwrap();
        self.chat.insert(message);
    }

    fn steer(&mut self, change: impl FnOnce(&mut Head)) {
        change(&mut self.chat.head);
        self.log.save_head(&self.chat.head).unwrap();
    }

    fn reload(&mut self) {
        let id = self.chat.head.id;
        if !self.chat.is_empty() {
            self.log.save_head(&self.chat.head).unwrap();
            let (before, window) = (self.chat.clone(), self.window());
            self.chat = self.log.load(id).unwrap();
            assert_eq!(self.chat, before, "what is read is what was written");
            assert_eq!(self.window(), window);
        }
    }

    fn message(&mut self, parent: Option<Id>, role: Role, content: &str) -> Message {
        Message {
            content: content.to_owned(),
            ..Message::new(self.name(), parent, self.chat.next_seq(), role, 0)
        }
    }
}

/// The ids in texts such as `q12 and more`: the first word of each part between blank lines.
fn named(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let parts = texts.into_iter().flat_map(|text| {
        let parts: Vec<String> = text.split("\n\n").map(str::to_owned).collect();
        parts
    });
    parts
        .filter_map(|part| part.split_whitespace().next().map(str::to_owned))
        .collect()
}

/// Now and then some messages outside the window, as they are frozen into a question.
fn recalled(page: &Page, dice: &mut Dice) -> Option<RecalledBlock> {
    if dice.roll(3) > 0 {
        return None;
    }
    let window = page.window();
    let outside = page
        .chat
        .messages()
        .filter(|m| m.is_sendable() && !window.contains(m.id));
    let candidates: Vec<RecallCandidate> = outside
        .map(|message| RecallCandidate {
            message: Cow::Borrowed(message),
            chat: None,
            date: "3 March 2026".to_owned(),
            words: &[],
        })
        .collect();
    recalled_block(
        candidates,
        30 + 10 * dice.roll(20) as u64,
        Estimate::default(),
    )
}

/// Summarises the first messages of the branch, takes the summary out, or puts an older one in use.
fn summarize(page: &mut Page, dice: &mut Dice) {
    let path = page.path();
    if path.is_empty() {
        return;
    }
    let last = dice.roll(path.len());
    let summary = Summary {
        number: 0,
        text: format!("s{} what was said", page.named),
        from: path[0],
        through: path[last],
        count: last as u32 + 1,
        model: None,
        prompt_tokens: None,
        answer_tokens: None,
        created: 0,
        edited: false,
        cut_off: false,
    };
    let number = dice.roll(3) as u32;
    match dice.roll(4) {
        0 => page.steer(|head| head.settings.summary = None),
        1 => page.steer(|head| head.settings.summary = Some(number)),
        _ => page.steer(|head| head.add_summary(summary)),
    }
}

/// A message that counts, and the calls and results that belong to it: a call and its results are one round.
struct Group<'a> {
    first: &'a Message,
    rounds: Vec<Vec<&'a Message>>,
}

impl Group<'_> {
    /// What may go of it: rounds that are answered or came with text, and of which nothing is muted.
    fn ids(&self, head: &Head) -> Vec<Id> {
        let goes = |round: &&Vec<&Message>| {
            let is_muted = round.iter().any(|m| head.settings.mutes.contains(&m.id));
            !is_muted && (round.len() > 1 || !round[0].content.trim().is_empty())
        };
        let rounds = self.rounds.iter().filter(goes).flatten();
        std::iter::once(&self.first)
            .chain(rounds)
            .map(|m| m.id)
            .collect()
    }
}

/// The groups of a branch. What was called before the first question belongs to none.
fn groups<'a>(path: &[&'a Message]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group> = Vec::new();
    let mut question = None;
    let mut open = 0;
    for message in path {
        let calls = message.calls().len();
        if message.role == Role::Tool {
            let round = question.and_then(|at: usize| groups[at].rounds.last_mut());
            if let Some(round) = round.filter(|_| open > 0) {
                round.push(message);
                open -= 1;
            }
            continue;
        }
        open = calls;
        if calls == 0 {
            let (first, rounds) = (*message, Vec::new());
            groups.push(Group { first, rounds });
            if message.role == Role::User {
                question = Some(groups.len() - 1);
            }
        } else if let Some(at) = question {
            groups[at].rounds.push(vec![message]);
        }
    }
    groups
}

/// The messages that have to be sent, computed a second time in the simplest way.
fn expected(page: &Page) -> Option<Vec<Id>> {
    let head = &page.chat.head;
    let path = page.chat.path();
    let place = |id: &Id| path.iter().position(|m| m.id == *id).unwrap();
    let fresh = path
        .iter()
        .rposition(|m| head.settings.cleared.contains(&m.id));
    let mut groups = groups(&path);
    groups.retain(|group| {
        !group.first.content.trim().is_empty() && !head.settings.mutes.contains(&group.first.id)
    });
    let (pinned, mut counted): (Vec<&Group>, Vec<&Group>) = groups.iter().partition(|group| {
        group
            .ids(head)
            .iter()
            .any(|id| head.settings.pins.contains(id))
    });
    counted.retain(|group| fresh.is_none_or(|fresh| place(&group.first.id) > fresh));
    let from = match head.settings.policy {
        Policy::Everything => 0,
        Policy::Messages(n) => counted.len().saturating_sub(n as usize),
        Policy::Exchanges(n) => {
            let asks = |at: usize| counted[at].first.role == Role::User;
            let mut from = counted.len();
            for _ in 0..n {
                while from > 0 && {
                    from -= 1;
                    let begins = asks(from) && (from == 0 || !asks(from - 1));
                    !begins && from > 0
                } {}
            }
            from
        }
        Policy::Steady { .. } | Policy::Tokens(_) | Policy::Fits => return None,
    };
    let chosen = counted[from..].iter().chain(&pinned);
    let mut sent: Vec<Id> = chosen.flat_map(|group| group.ids(head)).collect();
    sent.sort_by_key(place);
    if page.opening == FirstMessageRule::Any {
        return Some(sent);
    }
    // The question of the first answer is included, with its calls; if the question may not be sent, the answer is left
    // out.
    let role = |id: &Id| page.chat.get(*id).unwrap().role;
    while let Some(first) = sent.first().filter(|id| role(id) != Role::User) {
        let before = &path[..place(first)];
        let question = before.iter().rfind(|m| m.role == Role::User);
        let is_cleared = |at: usize| fresh.is_some_and(|fresh| at <= fresh && place(first) > fresh);
        let question = question.filter(|question| !is_cleared(place(&question.id)));
        match groups
            .iter()
            .find(|group| Some(group.first.id) == question.map(|m| m.id))
        {
            Some(group) => {
                sent.extend(group.ids(head));
                sent.sort_by_key(place);
            }
            None => _ = sent.remove(0),
        }
    }
    // Tool results without an answer are left out, and so is their call unless it came with text.
    let mut question_follows = true;
    let mut answered = Vec::new();
    for id in sent.into_iter().rev() {
        let message = page.chat.get(id).unwrap();
        let is_silent = message.role == Role::Tool || message.content.trim().is_empty();
        if !(question_follows && is_silent) {
            question_follows = message.role == Role::User;
            answered.insert(0, id);
        }
    }
    Some(answered)
}

fn check_window(page: &Page, window: &Window) {
    let ids = window.ids();
    if let Some(expected) = expected(page) {
        assert_eq!(ids, expected, "{:?}", page.chat.head);
    }
    let sent: Vec<&Message> = ids.iter().map(|id| page.chat.get(*id).unwrap()).collect();
    for (i, message) in sent.iter().enumerate() {
        assert!(
            !page.chat.head.settings.mutes.contains(&message.id),
            "mute and sent"
        );
        assert!(message.is_sendable() || message.role == Role::Tool);
        if message.role == Role::Tool {
            let before = sent[i - 1];
            assert!(
                matches!(before.role, Role::Tool | Role::Assistant),
                "an orphan result"
            );
            assert_eq!(message.parent, Some(before.id), "torn from its call");
        }
    }
    let mut asked = false;
    for message in &sent {
        asked |= message.role == Role::User;
        assert!(asked || message.tool_calls.is_none(), "an orphan call");
    }
    let by_policy = window
        .entries
        .iter()
        .filter(|e| e.reason == Reason::Policy && !e.in_tool_round)
        .count();
    match page.chat.head.settings.policy {
        Policy::Messages(n) => assert!(by_policy <= n as usize),
        Policy::Steady { grow_to, .. } => assert!(by_policy <= grow_to as usize),
        Policy::Exchanges(0) | Policy::Tokens(0) => assert_eq!(by_policy, 0),
        _ => {}
    }
    let counted = page.chat.tree.count_messages(&page.path());
    assert_eq!(
        window.left_out,
        counted - page.chat.tree.count_messages(&ids)
    );
    assert!(window.last_left.is_none_or(|left| !window.contains(left)));
    let before = window.question_before();
    match page.opening {
        FirstMessageRule::Any => assert_eq!(before, None),
        FirstMessageRule::Question => {
            assert!(sent.first().is_none_or(|m| m.role == Role::User));
            assert!(before.is_none_or(|id| ids[0] == id), "it goes first");
        }
    }
    let leaves = |id: &Id| ids.contains(id);
    assert!(window.next_out.iter().all(leaves), "what leaves is there");
}

fn policy(dice: &mut Dice) -> Policy {
    let n = [0, 1, 2, 3, 4, 7, 20][dice.roll(7)];
    match dice.roll(7) {
        0 | 1 => Policy::Messages(n),
        2 => Policy::Exchanges(n),
        3 => Policy::Steady {
            keep: n / 2,
            grow_to: n + 2,
        },
        4 => Policy::Tokens(n * 12),
        5 => Policy::Fits,
        _ => Policy::Everything,
    }
}

/// Sends a prompt over HTTP and compares all four lists.
async fn send(house: &House, page: &mut Page, dice: &mut Dice, instead_of: Option<Id>) {
    let parent = match instead_of {
        Some(question) => page.chat.get(question).unwrap().parent,
        None => page.chat.leaf(),
    };
    let named_so = page.named + 1;
    let text = format!(
        "q{named_so}{}",
        ["", " \n", " and\nmore", "  ?"][dice.roll(4)]
    );
    let mut question = page.message(parent, Role::User, &text);
    question.recalled = recalled(page, dice);
    let prompt = RequestPlan {
        model: page.model().into(),
        text: text.clone(),
        question: Some(question.id),
        // Ollama takes it for any model.
        think_choices: vec![Think::Off],
        ..RequestPlan::default()
    };
    let head = page.chat.head.clone();
    let before = page.chat.path_to(parent);
    let window = select(&before, &head, page.opening, Parts::summary_of(&head));
    if instead_of.is_none() {
        assert_eq!(window, page.window(), "what is marked is what is sent");
        check_window(page, &window);
    }
    let window = window.quoting(question.recalled.clone());
    let after = PromptTurn {
        text: &text,
        ..PromptTurn::default()
    };
    let preview: Vec<(Role, String)> = turns(&page.chat, &window, after)
        .into_iter()
        .map(|turn| (turn.role, turn.content))
        .collect();
    let request = prompt.request(&page.chat, &head, &window);
    let receipt = prompt.receipt(&page.chat, &head, &window, Estimate::default());

    let failed = dice.roll(8) == 0;
    let answered = format!("a{}", page.named + 1);
    let says = ScriptStep::Text {
        text: answered.clone(),
        tokens: Some(1),
        rate: Some(0.0),
    };
    // One failure in three occurs in the middle of the answer.
    let came = !failed || dice.roll(3) == 0;
    let mut steps: Vec<ScriptStep> = came.then_some(says).into_iter().collect();
    steps.push(if failed {
        ScriptStep::error("no")
    } else {
        ScriptStep::done()
    });
    house.ollama.script(Script::chat(steps));
    let reply = house.ask(serde_json::to_value(&request).unwrap()).await;
    let body = reply.bytes().await.unwrap();
    let got = house.ollama.requests_to("/api/chat").pop().unwrap().body;
    assert_eq!(got["truncate"], json!(false));
    assert_eq!(got.get("think").cloned(), receipt.think.map(Think::json));
    assert_eq!(
        receipt.think,
        head.settings.think.filter(|think| *think == Think::Off)
    );
    check_calls(&got);
    let mut received: Vec<(String, String)> = messages(&got);
    assert_eq!(
        window.summary, receipt.summary,
        "the transcript says what the receipt says"
    );
    if let Some(system) = head.system_with(receipt.summary) {
        assert_eq!(received.remove(0), ("system".to_owned(), system));
    }
    let marked = window.ids().into_iter().filter(|id| {
        let message = page.chat.get(*id).unwrap();
        page.chat.head.sends_recalled(message)
    });
    let marked = marked.chain(question.recalled.as_ref().map(|_| question.id));
    assert_eq!(receipt.recalled, marked.collect::<Vec<_>>());
    let preview: Vec<(String, String)> = preview
        .into_iter()
        .map(|(role, text)| (role.as_str().to_owned(), text))
        .collect();
    assert_eq!(received, preview, "the bytes are the preview");
    for (i, (role, text)) in received.iter().enumerate() {
        assert!(
            role == "assistant" || role == "tool" || !text.trim().is_empty(),
            "an empty message"
        );
        assert!(
            i == 0 || role == "tool" || received[i - 1].0 != *role,
            "{role} twice"
        );
    }
    let said = named(received.into_iter().map(|(_, text)| text));
    page.keep(question.clone());
    let of_receipt: Vec<String> = receipt
        .sent
        .iter()
        .flat_map(|id| {
            let message = page.chat.get(*id).unwrap();
            named([message
                .sent_text(receipt.recalled.contains(id))
                .into_owned()])
        })
        .collect();
    assert_eq!(said, of_receipt, "the receipt is the bytes");
    assert_eq!(receipt.question_before, window.question_before());

    let cut = dice.roll(6);
    let (content, outcome) = match (failed, cut) {
        (true, _) if came => (answered, Outcome::failed("no")),
        (true, _) => (String::new(), Outcome::failed("no")),
        (_, 0) => (answered, Outcome::Stopped),
        (_, 1) => (String::new(), Outcome::Interrupted),
        _ => (answered, Outcome::Complete),
    };
    let body = String::from_utf8_lossy(&body);
    assert_eq!(failed, !body.contains(r#""type":"done""#), "{body}");
    assert!(!body.contains("question_first"), "no template refused it");
    let mut answer = page.message(Some(question.id), Role::Assistant, &content);
    answer.outcome = outcome;
    answer.receipt = Some(receipt);
    page.keep(answer);
}

fn messages(body: &Value) -> Vec<(String, String)> {
    let read = |message: &Value, key: &str| message[key].as_str().unwrap_or_default().to_owned();
    let messages = body["messages"].as_array().unwrap().iter();
    messages
        .map(|m| (read(m, "role"), read(m, "content")))
        .collect()
}

/// Calls stand behind a question, and as many results as calls behind each call.
fn check_calls(body: &Value) {
    let (mut asked, mut open) = (false, 0);
    for message in body["messages"].as_array().unwrap() {
        let calls = message["tool_calls"].as_array().map_or(0, Vec::len);
        match message["role"].as_str() {
            Some("tool") => open -= 1,
            role => {
                assert_eq!(open, 0, "{body}");
                asked |= role == Some("user");
                assert!(asked || calls == 0, "{body}");
                open = i64::try_from(calls).unwrap();
            }
        }
        assert!(open >= 0, "{body}");
    }
    assert_eq!(open, 0, "{body}");
}

/// Adds one or two rounds of calls with their results, as an import does; sometimes a result is missing or is one too
/// many, and sometimes an answer follows.
fn use_tools(page: &mut Page, dice: &mut Dice) {
    for _ in 0..1 + dice.roll(2) {
        let text = match dice.roll(2) {
            0 => String::new(),
            _ => format!("c{} calling", page.named + 1),
        };
        let named = dice.roll(2) == 0;
        let calls = 1 + dice.roll(2);
        let call = |n: usize| match named {
            true => json!({"id": format!("call{n}"), "function": {"name": "f", "arguments": {}}}),
            false => json!({"function": {"name": "f", "arguments": {}}}),
        };
        let mut asked = page.message(page.chat.leaf(), Role::Assistant, &text);
        asked.tool_calls = Some((0..calls).map(call).collect());
        page.keep(asked);
        for n in 0..dice.roll(4) {
            let text = format!("t{}", page.named + 1);
            let mut result = page.message(page.chat.leaf(), Role::Tool, &text);
            result.tool_name = Some("f".into());
            result.tool_call_id = named.then(|| format!("call{n}"));
            page.keep(result);
        }
    }
    if dice.roll(2) == 0 {
        let text = format!("a{}", page.named + 1);
        let answer = page.message(page.chat.leaf(), Role::Assistant, &text);
        page.keep(answer);
    }
}

async fn step(house: &House, page: &mut Page, dice: &mut Dice) {
    let path = page.path();
    let any: Vec<Id> = page.chat.messages().map(|m| m.id).collect();
    match dice.roll(17) {
        0..=4 => send(house, page, dice, None).await,
        5 => {
            let asks = |id: &Id| page.chat.get(*id).is_some_and(|m| m.role == Role::User);
            let questions: Vec<Id> = path.iter().copied().filter(asks).collect();
            let question = dice.one_of(&questions);
            if question.is_some() {
                send(house, page, dice, question).await;
            }
        }
        6 | 7 => {
            let policy = policy(dice);
            let think = [None, Some(Think::Off), Some(Think::High)][dice.roll(3)];
            page.steer(|head| {
                head.settings.policy = policy;
                head.settings.think = think;
            });
        }
        8 => {
            if let Some(id) = dice.one_of(&any) {
                let on = dice.roll(3) > 0;
                page.steer(|head| head.pin(id, on));
            }
        }
        9 => {
            if let Some(id) = dice.one_of(&any) {
                let on = dice.roll(3) > 0;
                page.steer(|head| head.mute(id, on));
            }
        }
        10 => {
            if let Some(id) = dice.one_of(&any) {
                let at = page.chat.tree.position_through(id);
                page.steer(|head| head.at = at);
            }
        }
        11 => page.reload(),
        12 => {
            let last = page.chat.leaf();
            page.steer(|head| match last {
                Some(last) if dice.roll(2) == 0 => head.settings.cleared.push(last),
                _ => head.settings.cleared.clear(),
            });
        }
        13 => {
            let text = ["", "s1", " s2\n"][dice.roll(3)];
            page.steer(|head| head.set_system(text));
        }
        14 => summarize(page, dice),
        15 => {
            if let Some(id) = dice.one_of(&any) {
                let on = dice.roll(3) > 0;
                page.steer(|head| head.unrecall(id, on));
            }
        }
        _ => match dice.roll(2) {
            0 => use_tools(page, dice),
            _ => {
                let id = page.chat.head.id;
                page.log.save_head(&page.chat.head).unwrap();
                page.log.delete(id, 1).unwrap();
                page.log.restore(id);
                page.reload();
            }
        },
    }
    check_window(page, &page.window());
}

/// A server whose Ollama also has models with strict templates.
async fn house() -> House {
    let mut config = Config::tests();
    config.models.extend(ServedModel::refusing());
    House::before(StandIn::start(config).unwrap(), |_| {}).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn marks_preview_bytes_and_receipt_are_one_in_random_sessions() {
    let sessions = match std::env::var_os("SASH_TESTS") {
        Some(all) if all == "all" => ALL_SESSIONS,
        _ => SESSIONS,
    };
    let halves = [0, 1].map(|half| {
        tokio::spawn(async move {
            let mut house = house().await;
            let mut sent = 0;
            for session in (half..sessions).step_by(2) {
                // A stand-in stores all requests and returns all of them, so it is replaced before
                // they slow the test.
                if session % 20 < 2 {
                    house = self::house().await;
                }
                let mut dice = Dice(session);
                let mut page = Page::new(session);
                for _ in 0..4 + dice.roll(11) {
                    step(&house, &mut page, &mut dice).await;
                }
                sent += page.chat.messages().filter(|m| m.receipt.is_some()).count();
            }
            sent
        })
    });
    let mut sent = 0;
    for half in halves {
        sent += half.await.unwrap();
    }
    println!("{sessions} sessions, {sent} prompts");
    assert!(
        sent > 2 * sessions as usize,
        "{sent} prompts: too few to say anything"
    );
}
