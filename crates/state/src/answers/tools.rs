//! The calls of tools in an answer: those of built-in tools are answered here, the others by the person. Then the
//! model goes on.

use super::Answers;
use crate::edges::HeldLock;
use crate::overflow::OverflowSource;
use crate::prepared::RequestBasis;
use crate::steering::{WhatIfDifference, settings_of};
use futures::future::AbortHandle;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::{ToolLimit, ToolRounds, readable};
use sash_chat::{
    BuiltinTool, Chat, ChatSettingsStoreFields, ChatStoreFields, HeadStoreFields, Id, Message,
    Role, Tool, ToolCall, read_file,
};
use sash_wire::CalculateRequest;
use sash_words::t;
use std::time::Duration;
use time::{OffsetDateTime, UtcOffset};

/// How many names of tools are announced when a model calls them.
const MAX_ANNOUNCED: usize = 3;
/// How often a page that was reloaded looks for the model of an answer whose calls it answers, and how long between.
const MODEL_LOOKS: usize = 40;
const MODEL_LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// Built-in tools that are answering the calls of an answer.
#[derive(Clone, Debug)]
pub(crate) struct ToolRun {
    chat: Id,
    abort: AbortHandle,
}

impl ToolRun {
    /// The chat of the answer.
    pub(crate) fn chat(&self) -> Id {
        self.chat
    }
}

/// What becomes the result of a call.
enum CallAnswer {
    /// What the person wrote.
    Written(String),
    /// What a tool returns.
    Run(BuiltinTool),
}

impl Answers {
    /// The calls of an answer that wait for the person: it is the last message of the branch, and none has a result.
    pub fn waiting_calls(self, answer: Id) -> Vec<ToolCall> {
        let at = self.chats().open.head().at().get();
        self.chats().open_tree().with(|tree| {
            let last = tree.leaf(at) == Some(answer);
            let caller = tree.get(answer).filter(|_| last);
            caller
                .map(|caller| caller.first_calls().0)
                .unwrap_or_default()
        })
    }

    /// Whether built-in tools are answering the calls of an answer.
    pub fn runs_tools(self, answer: Id) -> bool {
        self.tool_runs.with(|runs| runs.contains_key(&answer))
    }

    /// Whether a call is answered without the person: its tool is built in and switched on in the open chat.
    pub fn is_automatic(self, call: &ToolCall) -> bool {
        let tools = self.chats().open_settings().tools();
        tools.with(|tools| builtin(tools, call).is_some())
    }

    /// The limit for which Sash does not answer the calls of an answer by itself.
    pub fn tool_limit(self, answer: Id) -> Option<ToolLimit> {
        self.chats().open_tree().with(|tree| {
            let (_, rounds) = ToolRounds::before(tree, tree.get(answer)?)?;
            rounds.limit()
        })
    }

    /// Answers the waiting calls of an answer, and lets the model go on: `results` holds what the person wrote, call
    /// by call, and nothing for those of built-in tools. What the person wrote stays a draft until it is used.
    pub fn answer_calls_by_hand(self, answer: Id, results: Vec<Option<String>>) {
        let calls = untrack(|| self.waiting_calls(answer));
        let can_send = untrack(|| self.can_send());
        let Some(caller) = self.chats().message(answer).filter(|_| can_send) else {
            return;
        };
        let head = self.chats().open.with_untracked(|chat| chat.head.clone());
        let chat = head.id;
        let Some(mut settings) = self.steering().settings_with(head) else {
            return;
        };
        self.keep_sent_system(&mut settings);
        let basis = self.basis(&caller, settings);
        let mut results = results.into_iter();
        let answered = calls.into_iter().map(|call| {
            let written = results.next().flatten();
            let tool = BuiltinTool::named(&call.function.name);
            let by = match (written, tool) {
                (None, Some(tool)) => CallAnswer::Run(tool),
                (written, _) => CallAnswer::Written(written.unwrap_or_default()),
            };
            (call, by)
        });
        let held = self.hold_chat(chat);
        self.run_calls(chat, caller, basis, answered.collect(), Some(held));
    }

    /// Answers the calls of an answer that has just ended, if all are of tools that are built in and switched on and
    /// no limit is reached. Otherwise they wait for the person. `basis` decided the request of the answer; a reload loses
    /// it. `held` is the lock of the chat.
    pub(super) fn answer_calls(
        self,
        chat: Id,
        caller: Message,
        basis: Option<RequestBasis>,
        held: Option<HeldLock>,
    ) {
        match basis {
            Some(mut basis) => {
                basis.prompt.rounds.push(caller.clone());
                self.answer_automatic(chat, caller, basis, held);
            }
            None => self.answer_calls_again(chat, caller, held),
        }
    }

    /// The same where a reload lost what decided the request: it is made again from the log, as the receipt says. It
    /// waits for the list of models, which comes after the start of the page.
    fn answer_calls_again(self, chat: Id, caller: Message, held: Option<HeldLock>) {
        let (abort, registration) = AbortHandle::new_pair();
        let id = caller.id;
        let run = ToolRun { chat, abort };
        self.tool_runs.update(|runs| _ = runs.insert(id, run));
        self.edges.spawn_abortable(registration, async move {
            let mut basis = None;
            for _ in 0..MODEL_LOOKS {
                basis = self.basis_of_receipt(chat, &caller);
                if basis.is_some() {
                    break;
                }
                self.edges.wait(MODEL_LOOK_INTERVAL).await;
            }
            if let Some(basis) = basis.filter(|_| self.is_last(chat, id)) {
                self.answer_automatic(chat, caller, basis, held);
            } else {
                self.tool_runs.update(|runs| _ = runs.remove(&id));
            }
        });
    }

    /// What decides the request after an answer that calls tools, by the answer's receipt; `None` while its model is not
    /// known, or where it is gone.
    fn basis_of_receipt(self, chat: Id, caller: &Message) -> Option<RequestBasis> {
        let head = self.chats().with_chat(chat, |chat| chat.head.clone())?;
        // The open chat may be another one, with another model and other tools.
        let model = caller.model_id();
        let model = model.or_else(|| self.steering().model.get_untracked())?;
        let now = self.steering().settings_for(head, model);
        let (mut settings, differences) = settings_of(self.engine(), self.steering(), caller, now);
        let is_gone = |what: &WhatIfDifference| matches!(what, WhatIfDifference::ModelGone { .. });
        if differences.iter().any(is_gone) {
            return None;
        }
        if let Some(receipt) = &caller.receipt {
            settings.head.settings.policy = receipt.policy;
        }
        self.chats()
            .with_chat(chat, |chat| self.basis_in(chat, caller, settings, ""))
    }

    /// Whether an answer is still the last message of its branch, which need not be the one that is shown.
    fn is_last(self, chat: Id, answer: Id) -> bool {
        let is_last = |chat: &Chat| {
            let mut others = chat.messages();
            !chat.is_removed(answer) && others.all(|message| message.parent != Some(answer))
        };
        self.chats().with_chat(chat, is_last) == Some(true)
    }

    /// Answers the calls of `caller`, with which `basis` ends, if no person is needed.
    fn answer_automatic(
        self,
        chat: Id,
        caller: Message,
        basis: RequestBasis,
        held: Option<HeldLock>,
    ) {
        let (calls, _) = caller.first_calls();
        let answered = calls.into_iter().map(|call| {
            let tool = builtin(&basis.window.tools, &call)?;
            Some((call, CallAnswer::Run(tool)))
        });
        let answered: Option<Vec<_>> = answered.collect();
        let rounds = ToolRounds {
            messages: basis.prompt.rounds.clone(),
        };
        match answered.filter(|_| rounds.limit().is_none()) {
            Some(answered) => self.run_calls(chat, caller, basis, answered, held),
            None => self.tool_runs.update(|runs| _ = runs.remove(&caller.id)),
        }
    }

    /// Answers calls one after another, then lets the model go on with the request that `basis`, which ends with
    /// `caller`, decides. All of it belongs to `chat`, whichever chat is open meanwhile. `held` is its lock: no other tab
    /// answers the same calls.
    fn run_calls(
        self,
        chat: Id,
        caller: Message,
        basis: RequestBasis,
        answered: Vec<(ToolCall, CallAnswer)>,
        held: Option<HeldLock>,
    ) {
        let (abort, registration) = AbortHandle::new_pair();
        let run = ToolRun { chat, abort };
        self.tool_runs
            .update(|runs| _ = runs.insert(caller.id, run));
        self.edges.spawn_abortable(registration, async move {
            let mut results = Vec::with_capacity(answered.len());
            for (call, by) in answered {
                let text = match by {
                    CallAnswer::Written(text) => text,
                    CallAnswer::Run(tool) => self.run_tool(tool, &call, chat, &caller).await,
                };
                results.push((call, text));
            }
            self.go_on(chat, caller, basis, results);
            drop(held);
        });
    }

    /// Keeps the results of calls, and asks the model to go on. If something else was asked meanwhile, or the answer
    /// was deleted, nothing is kept: its calls wait for the person, with what the person wrote for them.
    fn go_on(
        self,
        chat: Id,
        caller: Message,
        mut basis: RequestBasis,
        results: Vec<(ToolCall, String)>,
    ) {
        let is_wanted =
            self.is_last(chat, caller.id) && !self.runs_in(chat) && !self.chats().is_gone(chat);
        if is_wanted {
            let keep = || self.keep_results(chat, &caller, results);
            let kept = self.chats().write_beside(chat, caller.id, keep);
            self.drafts().drop_results(chat, caller.id);
            let last = kept.last().cloned();
            basis.prompt.rounds.extend(kept);
            let prepared = last.and_then(|last| {
                let prepare = |chat: &Chat| basis.prepare(chat, self.answer_message(chat, &last));
                let prepared = self.chats().with_chat(chat, prepare)?;
                Some((prepared, OverflowSource::Question(last.id)))
            });
            if let Some((prepared, asked)) = prepared {
                let is_open = self.chats().open_id_untracked() == chat;
                if !is_open || !self.does_not_fit(&prepared, asked) {
                    let parent = prepared.answer.parent.unwrap_or(caller.id);
                    self.chats()
                        .write_beside(chat, parent, || self.run(prepared));
                }
            }
        }
        self.tool_runs.update(|runs| _ = runs.remove(&caller.id));
    }

    /// Stops the tools that run in a chat. Their calls wait for the person.
    pub(super) fn stop_tools(self, chat: Id) {
        if self.stop_tools_where(|run, _| run.chat == chat) {
            self.notices().announce(t!(state.tools_stopped).to_owned());
        }
    }

    /// Stops tools whose answer was deleted.
    pub(super) fn stop_tools_of_deleted(self) {
        self.chats().open.with_untracked(|open| {
            self.stop_tools_where(|run, answer| {
                run.chat == open.head.id && open.is_removed(answer)
            });
        });
    }

    /// Stops those tools that `which` names. Returns whether there are any.
    fn stop_tools_where(self, which: impl Fn(&ToolRun, Id) -> bool) -> bool {
        let stopped = self.tool_runs.with_untracked(|runs| {
            let stopped = runs.iter().filter(|(answer, run)| which(run, **answer));
            stopped
                .map(|(answer, run)| (*answer, run.abort.clone()))
                .collect::<Vec<_>>()
        });
        for (answer, abort) in &stopped {
            abort.abort();
            self.tool_runs.update(|runs| _ = runs.remove(answer));
        }
        !stopped.is_empty()
    }

    /// Writes the results of calls behind their answer.
    fn keep_results(
        self,
        chat: Id,
        caller: &Message,
        results: Vec<(ToolCall, String)>,
    ) -> Vec<Message> {
        let next = self
            .chats()
            .with_chat(chat, Chat::next_seq)
            .unwrap_or(caller.seq);
        let mut parent = caller.id;
        let mut kept = Vec::with_capacity(results.len());
        for (seq, (call, text)) in (next.max(caller.seq + 1)..).zip(results) {
            let id = self.edges.new_id();
            let result = Message {
                content: text,
                tool_name: Some(call.function.name),
                tool_call_id: call.id,
                ..Message::new(id, Some(parent), seq, Role::Tool, self.edges.now())
            };
            self.storage().write(|log| log.save_message(chat, &result));
            parent = id;
            kept.push(result);
        }
        self.chats().show(chat, kept.clone());
        kept
    }

    async fn run_tool(
        self,
        tool: BuiltinTool,
        call: &ToolCall,
        chat: Id,
        caller: &Message,
    ) -> String {
        let arguments = &call.function.arguments;
        match tool {
            BuiltinTool::CurrentTime => current_time(self.edges.now(), self.edges.utc_offset()),
            BuiltinTool::ReadFile => {
                let read = |chat: &Chat| read_file(&readable_questions(chat, caller), arguments);
                self.chats().with_chat(chat, read).unwrap_or_default()
            }
            BuiltinTool::Calculate => {
                let expression = arguments.get("expression").and_then(|value| value.as_str());
                let Some(expression) = expression.map(str::to_owned) else {
                    return "Error: there is no argument “expression”.".to_owned();
                };
                let request = CalculateRequest { expression };
                let asked = self
                    .edges
                    .with_transport(|server| server.calculate(request));
                match asked.await {
                    Ok(calculation) => calculation.result,
                    Err(fault) => format!("Error: {fault}"),
                }
            }
        }
    }

    pub(super) fn announce_calls(self, caller: &Message) {
        let (calls, over) = caller.first_calls();
        let names = calls.iter().take(MAX_ANNOUNCED);
        let names: Vec<String> = names.map(|call| call.function.visible_name()).collect();
        let more = calls.len() + over - names.len();
        let mut words = t!(state.the_model_calls, list = names.join(", "));
        if more > 0 {
            words += &t!(state.and_more, more = &more);
        }
        self.notices().announce(words);
    }
}

/// The messages whose files the model may read: those of the branch that it may be shown, and the question that it answers.
fn readable_questions<'a>(chat: &'a Chat, caller: &'a Message) -> Vec<&'a Message> {
    let question = ToolRounds::question_of(&chat.tree, caller);
    let before = chat.path_to(question.parent);
    let mut readable = readable(&before, &chat.effective_head(&chat.head));
    readable.push(question);
    readable
}

/// The built-in tool of a call, if it is among the tools that are switched on.
fn builtin(tools: &[Tool], call: &ToolCall) -> Option<BuiltinTool> {
    let tool = BuiltinTool::named(&call.function.name)?;
    tools.contains(&Tool::Builtin(tool)).then_some(tool)
}

/// Date, time and weekday by the person's clock. `now` is in milliseconds since 1970, `offset` in milliseconds east of
/// Greenwich.
fn current_time(now: u64, offset: i64) -> String {
    let seconds = i64::try_from(now / 1_000).unwrap_or_default();
    let minutes = i32::try_from(offset / 60_000).unwrap_or_default();
    let local = OffsetDateTime::from_unix_timestamp(seconds)
        .ok()
        .zip(UtcOffset::from_whole_seconds(minutes * 60).ok())
        .and_then(|(utc, offset)| utc.checked_to_offset(offset));
    let Some(local) = local else {
        return "Error: the clock has no date.".to_owned();
    };
    let (hour, minute, second) = local.to_hms();
    let sign = if minutes < 0 { '-' } else { '+' };
    let (ahead, of_hour) = (minutes.abs() / 60, minutes.abs() % 60);
    format!(
        "{}, {} {} {}, {hour:02}:{minute:02}:{second:02} (UTC{sign}{ahead:02}:{of_hour:02})",
        local.weekday(),
        local.day(),
        local.month(),
        local.year(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_is_that_of_the_persons_clock() {
        for (offset, shown) in [
            (0, "Monday, 23 November 2026, 07:05:09 (UTC+00:00)"),
            (3_600_000, "Monday, 23 November 2026, 08:05:09 (UTC+01:00)"),
            (
                -34_200_000,
                "Sunday, 22 November 2026, 21:35:09 (UTC-09:30)",
            ),
        ] {
            assert_eq!(current_time(1_795_417_509_999, offset), shown);
        }
    }
}
