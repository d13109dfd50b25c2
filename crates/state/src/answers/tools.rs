//! The calls of tools in an answer: those of built-in tools are answered here, the others by the person. Then the
//! model goes on.

use super::Answers;
use crate::overflow::OverflowSource;
use crate::prompt::RequestBasis;
use reactive_graph::graph::untrack;
use reactive_graph::prelude::*;
use sash_chat::window::{MAX_TOOL_ROUNDS, ToolRounds};
use sash_chat::{BuiltinTool, Chat, Id, Message, Role, Tool, ToolCall, read_file};
use sash_wire::CalculateRequest;
use time::{OffsetDateTime, UtcOffset};

impl Answers {
    /// The calls of an answer that wait for the person: it is the last message of the branch, and none has a result.
    pub fn waiting_calls(self, answer: Id) -> Vec<ToolCall> {
        self.chats.open.with(|chat| {
            let last = chat.leaf() == Some(answer);
            let caller = chat.get(answer).filter(|_| last);
            caller.map(Message::calls).unwrap_or_default()
        })
    }

    /// Whether built-in tools are answering the calls of an answer.
    pub fn runs_tools(self, answer: Id) -> bool {
        self.tools_run_for.with(|all| all.contains(&answer))
    }

    /// Whether a call is answered without the person: its tool is built in and switched on in the open chat.
    pub fn is_automatic(self, call: &ToolCall) -> bool {
        self.chats
            .open
            .with(|chat| builtin(&chat.head.tools, call).is_some())
    }

    /// Whether an answer came after as many rounds of calls as Sash answers by itself.
    pub fn is_last_round(self, answer: Id) -> bool {
        self.chats.open.with(|chat| {
            let caller = chat.get(answer);
            let rounds = caller.and_then(|caller| ToolRounds::before(chat, caller));
            rounds.is_some_and(|(_, rounds)| rounds.count() >= MAX_TOOL_ROUNDS)
        })
    }

    /// Answers the waiting calls of an answer, and lets the model go on: `results` holds what the person wrote, call
    /// by call, and nothing for those of built-in tools.
    pub fn answer_calls_by_hand(self, answer: Id, results: Vec<Option<String>>) {
        let calls = self.waiting_calls(answer);
        let Some(caller) = self
            .chats
            .message(answer)
            .filter(|_| untrack(|| self.may_ask()))
        else {
            return;
        };
        let chat = self.chats.open_id_untracked();
        self.edges.spawn(async move {
            self.tools_run_for.update(|all| _ = all.insert(answer));
            let mut texts = Vec::with_capacity(calls.len());
            for (at, call) in calls.iter().enumerate() {
                let written = results.get(at).cloned().flatten();
                texts.push(match (written, BuiltinTool::named(&call.function.name)) {
                    (Some(text), _) => text,
                    (None, Some(tool)) => self.run_tool(tool, call, chat, &caller).await,
                    (None, None) => String::new(),
                });
            }
            self.tools_run_for.update(|all| _ = all.remove(&answer));
            if self.chats.open_id_untracked() != chat || !untrack(|| self.may_ask()) {
                return;
            }
            let kept = self.keep_results(chat, &caller, &calls, texts);
            if let Some(last) = kept.last() {
                self.answer(last.id);
            }
        });
    }

    /// Answers the calls of an answer that has just ended, if all are of tools that are built in and switched on and
    /// the limit of rounds is not reached. Otherwise they wait for the person.
    pub(super) fn answer_calls(self, chat: Id, caller: Message, mut basis: RequestBasis) {
        let calls = caller.calls();
        let tools: Option<Vec<BuiltinTool>> = calls
            .iter()
            .map(|call| builtin(&basis.prompt.tools, call))
            .collect();
        let rounds = 1 + basis
            .prompt
            .rounds
            .iter()
            .filter(|m| m.role == Role::Assistant)
            .count();
        let Some(tools) = tools.filter(|_| rounds < MAX_TOOL_ROUNDS) else {
            return;
        };
        self.tools_run_for.update(|all| _ = all.insert(caller.id));
        self.edges.spawn(async move {
            let mut texts = Vec::with_capacity(calls.len());
            for (tool, call) in tools.into_iter().zip(&calls) {
                texts.push(self.run_tool(tool, call, chat, &caller).await);
            }
            self.tools_run_for.update(|all| _ = all.remove(&caller.id));
            // Whoever asked something else meanwhile does not wait for this.
            let is_last = |chat: &Chat| chat.leaf() == Some(caller.id);
            let is_current = self.chats.with_chat(chat, is_last) == Some(true);
            if self.runs_in(chat) || self.chats.is_gone(chat) || !is_current {
                return;
            }
            let kept = self.keep_results(chat, &caller, &calls, texts);
            let Some(last) = kept.last().cloned() else {
                return;
            };
            basis.prompt.rounds.push(caller);
            basis.prompt.rounds.extend(kept);
            let prepared = self.chats.with_chat(chat, |chat| {
                let answer = self.answer_message(chat, &last);
                basis.prepare(chat, answer)
            });
            let Some(prepared) = prepared else {
                return;
            };
            let is_open = self.chats.open_id_untracked() == chat;
            if !is_open || !self.does_not_fit(&prepared, OverflowSource::Question(last.id)) {
                self.run(prepared);
            }
        });
    }

    /// Writes the results of calls behind their answer.
    fn keep_results(
        self,
        chat: Id,
        caller: &Message,
        calls: &[ToolCall],
        texts: Vec<String>,
    ) -> Vec<Message> {
        let next = self
            .chats
            .with_chat(chat, Chat::next_seq)
            .unwrap_or(caller.seq);
        let mut parent = caller.id;
        let mut kept = Vec::with_capacity(texts.len());
        for (seq, (call, text)) in (next.max(caller.seq + 1)..).zip(calls.iter().zip(texts)) {
            let id = self.edges.new_id();
            let result = Message {
                content: text,
                tool_name: Some(call.function.name.clone()),
                tool_call_id: call.id.clone(),
                ..Message::new(id, Some(parent), seq, Role::Tool, self.edges.now())
            };
            self.storage.write(|log| log.save_message(chat, &result));
            parent = id;
            kept.push(result);
        }
        self.chats.open.update(|open| {
            if open.head.id == chat {
                for result in &kept {
                    open.insert(result.clone());
                }
            }
        });
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
                let read = |chat: &Chat| read_file(&chat.path_to(Some(caller.id)), arguments);
                self.chats.with_chat(chat, read).unwrap_or_default()
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
        let names: Vec<String> = caller
            .calls()
            .into_iter()
            .map(|call| call.function.name)
            .collect();
        self.notices
            .announce(format!("The model calls {}", names.join(", ")));
    }
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
