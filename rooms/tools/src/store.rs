//! The calls of tools in an answer: those of built-in tools are answered here, the others by the person. Then the
//! model goes on.

use crate::read_file::read_file;
use crate::request::{CalculateRequest, CalculationResult};
use futures::future::AbortHandle;
use reactive_graph::computed::Memo;
use reactive_graph::graph::untrack;
use reactive_graph::owner::expect_context;
use reactive_graph::prelude::*;
use reactive_graph::signal::RwSignal;
use sash_chat::window::{Parts, ToolLimit, ToolRounds, readable};
use sash_chat::{
    BuiltinTool, Chat, ChatSettingsStoreFields, ChatStoreFields, Head, HeadStoreFields, Id,
    Message, ModelId, Tool, ToolCall,
};
use sash_stores::edges::{Call, HeldLock};
use sash_stores::{AnswerEvent, ChatEvent, Edges, Kernel, PendingCalls, RequestBasis};
use sash_words::t;
use std::collections::BTreeMap;
use std::time::Duration;
use time::{OffsetDateTime, UtcOffset};

/// How many names of tools are announced when a model calls them.
const MAX_ANNOUNCED: usize = 3;
/// How often a page that was reloaded looks for the model of an answer whose calls it answers, and how long between.
const MODEL_LOOKS: usize = 40;
const MODEL_LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// Built-in tools that are answering the calls of an answer.
#[derive(Clone, Debug)]
struct ToolRun {
    /// The chat of the answer.
    chat: Id,
    abort: AbortHandle,
}

/// What becomes the result of a call.
enum CallAnswer {
    /// What the person wrote.
    Written(String),
    /// What a tool returns.
    Run(BuiltinTool),
}

/// The tools that answer calls.
#[derive(Clone, Copy)]
pub struct Tools {
    edges: Edges,
    kernel: Kernel,
    calculate: Call<CalculateRequest, CalculationResult>,
    /// The answers whose calls are being answered by built-in tools.
    runs: RwSignal<BTreeMap<Id, ToolRun>>,
}

impl Tools {
    /// Creates the store, which answers the calls of answers that end from now on.
    #[must_use]
    pub fn new(kernel: Kernel, calculate: Call<CalculateRequest, CalculationResult>) -> Self {
        let runs: RwSignal<BTreeMap<Id, ToolRun>> = RwSignal::new(BTreeMap::new());
        let tools = Self {
            edges: kernel.edges(),
            kernel,
            calculate,
            runs,
        };
        let chats =
            Memo::new(move |_| runs.with(|runs| runs.values().map(|run| run.chat).collect()));
        kernel.chats().holds().add(chats);
        kernel.steering().contribute(move |request| Parts {
            tools: tools.offered(request),
            ..Parts::default()
        });
        kernel.answers().events().on(move |event| match event {
            AnswerEvent::Called(calls) => tools.answer_calls(calls),
            AnswerEvent::Stopping(chat) => tools.stop(*chat),
            AnswerEvent::Sending(..)
            | AnswerEvent::Ending(..)
            | AnswerEvent::Ended(..)
            | AnswerEvent::Free(_) => {}
        });
        kernel.chats().events().on(move |event| {
            if *event == ChatEvent::Changed {
                tools.stop_deleted();
            }
        });
        tools
    }

    /// The store, from the context.
    #[must_use]
    pub fn expect() -> Self {
        expect_context()
    }

    /// The tools that go with a request with this head to this model, or else with the next one of the open chat: none to a
    /// model that calls none.
    fn offered(self, request: Option<(&Head, &ModelId)>) -> Vec<Tool> {
        let engine = self.kernel.engine();
        match request {
            Some((head, model)) if engine.uses_tools(model) => head.settings.tools.clone(),
            Some(_) => Vec::new(),
            None => {
                let model = self.kernel.steering().model.get();
                let own = self.kernel.chats().open_settings().tools();
                match model.is_some_and(|model| engine.uses_tools(&model)) {
                    true => own.get(),
                    false => Vec::new(),
                }
            }
        }
    }

    /// The calls of an answer that wait for the person: it is the last message of the branch, and none has a result.
    pub fn waiting_calls(self, answer: Id) -> Vec<ToolCall> {
        let at = self.kernel.chats().open.head().at().get();
        self.kernel.chats().open_tree().with(|tree| {
            let last = tree.leaf(at) == Some(answer);
            let caller = tree.get(answer).filter(|_| last);
            caller
                .map(|caller| caller.first_calls().0)
                .unwrap_or_default()
        })
    }

    /// Whether built-in tools are answering the calls of an answer.
    pub fn runs_tools(self, answer: Id) -> bool {
        self.runs.with(|runs| runs.contains_key(&answer))
    }

    /// Whether a call is answered without the person: its tool is built in and switched on in the open chat.
    pub fn is_automatic(self, call: &ToolCall) -> bool {
        let tools = self.kernel.chats().open_settings().tools();
        tools.with(|tools| builtin(tools, call).is_some())
    }

    /// The limit for which Sash does not answer the calls of an answer by itself.
    pub fn tool_limit(self, answer: Id) -> Option<ToolLimit> {
        self.kernel.chats().open_tree().with(|tree| {
            let (_, rounds) = ToolRounds::before(tree, tree.get(answer)?)?;
            rounds.limit()
        })
    }

    /// Answers the waiting calls of an answer, and lets the model go on: `results` holds what the person wrote, call
    /// by call, and nothing for those of built-in tools. What the person wrote stays a draft until it is used.
    pub fn answer_calls_by_hand(self, answer: Id, results: Vec<Option<String>>) {
        let calls = untrack(|| self.waiting_calls(answer));
        let can_send = untrack(|| self.kernel.answers().can_send());
        let caller = self.kernel.chats().message(answer).filter(|_| can_send);
        let basis = caller
            .as_ref()
            .and_then(|caller| self.kernel.answers().basis_now(caller));
        let (Some(caller), Some(basis)) = (caller, basis) else {
            return;
        };
        let chat = self.kernel.chats().open_id_untracked();
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
        let held = self.kernel.answers().hold_chat(chat);
        let work = self.answer(chat, caller, basis, answered.collect());
        self.run(chat, answer, Some(held), work);
    }

    /// Answers the calls of an answer that has just ended, if all are of tools that are built in and switched on and
    /// no limit is reached. Otherwise they wait for the person.
    fn answer_calls(self, calls: &PendingCalls) {
        self.announce_calls(&calls.caller);
        let (chat, caller, held) = (calls.chat, calls.caller.clone(), calls.keep_lock());
        let Some(basis) = calls.keep_basis() else {
            let id = caller.id;
            let again = self.answer_calls_again(chat, caller);
            return self.run(chat, id, held, again);
        };
        let basis = basis.after(caller.clone());
        if let Some(answered) = automatic(&basis, &caller) {
            let id = caller.id;
            let answer = self.answer(chat, caller, basis, answered);
            self.run(chat, id, held, answer);
        }
    }

    /// The same where a reload lost what decided the request: it is made again from the log, as the receipt says. It
    /// waits for the list of models, which comes after the start of the page.
    async fn answer_calls_again(self, chat: Id, caller: Message) {
        for _ in 0..MODEL_LOOKS {
            let Some(basis) = self.kernel.answers().basis_of_receipt(chat, &caller) else {
                self.edges.wait(MODEL_LOOK_INTERVAL).await;
                continue;
            };
            if self.kernel.answers().is_last(chat, caller.id)
                && let Some(answered) = automatic(&basis, &caller)
            {
                self.answer(chat, caller, basis, answered).await;
            }
            return;
        }
    }

    /// Answers calls one after another, then lets the model go on with the request that `basis`, which ends with
    /// `caller`, decides. All of it belongs to `chat`, whichever chat is open meanwhile.
    async fn answer(
        self,
        chat: Id,
        caller: Message,
        basis: RequestBasis,
        answered: Vec<(ToolCall, CallAnswer)>,
    ) {
        let mut results = Vec::with_capacity(answered.len());
        for (call, by) in answered {
            let text = match by {
                CallAnswer::Written(text) => text,
                CallAnswer::Run(tool) => self.run_tool(tool, &call, chat, &caller).await,
            };
            results.push((call, text));
        }
        self.kernel.answers().go_on(chat, &caller, basis, results);
    }

    /// Runs what answers the calls of an answer, until it is stopped. `held` is the lock of the chat: no other tab answers
    /// the same calls.
    fn run(
        self,
        chat: Id,
        answer: Id,
        held: Option<HeldLock>,
        work: impl Future<Output = ()> + 'static,
    ) {
        let (abort, registration) = AbortHandle::new_pair();
        let run = ToolRun { chat, abort };
        self.runs.update(|runs| _ = runs.insert(answer, run));
        self.edges.spawn_abortable(registration, async move {
            work.await;
            self.runs.update(|runs| _ = runs.remove(&answer));
            drop(held);
        });
    }

    /// Stops the tools that run in a chat. Their calls wait for the person.
    fn stop(self, chat: Id) {
        if self.stop_where(|run, _| run.chat == chat) {
            self.kernel
                .notices()
                .announce(t!(tools.tools_stopped).to_owned());
        }
    }

    /// Stops tools whose answer was deleted.
    fn stop_deleted(self) {
        self.kernel.chats().open.with_untracked(|open| {
            self.stop_where(|run, answer| run.chat == open.head.id && open.is_removed(answer));
        });
    }

    /// Stops those tools that `which` names. Returns whether there are any.
    fn stop_where(self, which: impl Fn(&ToolRun, Id) -> bool) -> bool {
        self.runs.try_maybe_update(|runs| {
            let stopped = runs.extract_if(.., |answer, run| which(run, *answer));
            let stopped: Vec<_> = stopped.collect();
            stopped.iter().for_each(|(_, run)| run.abort.abort());
            (!stopped.is_empty(), !stopped.is_empty())
        }) == Some(true)
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
                self.kernel
                    .chats()
                    .with_chat(chat, read)
                    .unwrap_or_default()
            }
            BuiltinTool::Calculate => {
                let expression = arguments.get("expression").and_then(|value| value.as_str());
                let Some(expression) = expression.map(str::to_owned) else {
                    return "Error: there is no argument “expression”.".to_owned();
                };
                let request = CalculateRequest { expression };
                let asked = self.calculate.send(request);
                match asked.await {
                    Ok(calculation) => calculation.result,
                    Err(fault) => format!("Error: {fault}"),
                }
            }
        }
    }

    fn announce_calls(self, caller: &Message) {
        let (calls, over) = caller.first_calls();
        let names = calls.iter().take(MAX_ANNOUNCED);
        let names: Vec<String> = names.map(|call| call.function.visible_name()).collect();
        let more = calls.len() + over - names.len();
        let mut words = t!(tools.model_calls, list = names.join(", "));
        if more > 0 {
            words += &t!(tools.more_calls, more = &more);
        }
        self.kernel.notices().announce(words);
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

/// The calls of `caller`, with which `basis` ends, if no person is needed to answer them.
fn automatic(basis: &RequestBasis, caller: &Message) -> Option<Vec<(ToolCall, CallAnswer)>> {
    let calls = caller.first_calls().0.into_iter().map(|call| {
        let tool = builtin(basis.tools(), &call)?;
        Some((call, CallAnswer::Run(tool)))
    });
    calls
        .collect::<Option<_>>()
        .filter(|_| basis.limit().is_none())
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
