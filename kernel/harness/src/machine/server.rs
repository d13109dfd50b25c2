//! The server with scripted answers, as far as the chat itself asks it.

use super::{Answer, Machine, PollResult};
use futures::channel::{mpsc, oneshot};
use futures::future::{self, LocalBoxFuture, ready};
use futures::{FutureExt, StreamExt, stream};
use sash_stores::edges::{AnswerStream, Frames, Transport};
use sash_wire::{
    AnswerNowRequest, ChatRequest, EngineAction, EngineInfo, EngineReach, EngineState, Fault,
    Frame, LoadedModel, ModelInfo, ModelList, ResumeRequest, StopRequest, UpstreamRequest,
};
use serde_json::Value;

impl Machine {
    pub(super) fn transport(&self) -> Transport {
        Transport {
            state: self.call(Self::state),
            models: self.call(Self::models),
            installed: self.call(Self::installed),
            respond: self.call(Self::respond),
            resume: self.call(Self::resume),
            stop: self.call(Self::stop),
            answer_now: self.call(Self::answer_now),
        }
    }

    fn state(&self, request: UpstreamRequest) -> LocalBoxFuture<'static, PollResult> {
        let upstream = request.upstream;
        let engines = self.configured_engines();
        if let Some(name) = request.engine {
            if self.mute_engines.borrow().contains(&name) {
                return future::pending().boxed_local();
            }
            return ready(Ok(EngineState {
                reachable: self.models_of.borrow().contains_key(&name),
                engines,
                from_this_machine: true,
                loaded: self.loaded(self.is_loaded_everywhere.get()),
                ..EngineState::default()
            }))
            .boxed_local();
        }
        self.looks.borrow_mut().push((self.now.get(), request));
        if let Some(slow) = self.slow_looks.borrow_mut().pop_front() {
            return async { slow.await.unwrap_or(Err(Fault::ConnectionLost)) }.boxed_local();
        }
        let there = Ok(EngineState {
            reachable: true,
            upstream,
            engines,
            from_this_machine: true,
            others: self.others.borrow().clone(),
            loaded: self.loaded(self.is_loaded.get()),
            ..EngineState::default()
        });
        ready(self.found.borrow().clone().unwrap_or(there)).boxed_local()
    }

    fn models(&self, request: UpstreamRequest) -> Answer<ModelList> {
        let mut models = match &request.engine {
            None => self.installed_models(),
            Some(name) if self.busy_engines.borrow().contains(name) => {
                return ready(Err(Fault::OllamaBusy)).boxed_local();
            }
            Some(name) => self
                .models_of
                .borrow()
                .get(name)
                .cloned()
                .unwrap_or_default(),
        };
        models.retain(ModelInfo::can_chat);
        let slow = self.slow_lists.next();
        async move {
            slow.await;
            Ok(ModelList { models })
        }
        .boxed_local()
    }

    fn installed(&self, _: UpstreamRequest) -> Answer<ModelList> {
        let models = self.installed_models();
        let slow = self.slow_lists.next();
        let list = self.unless_refused(ModelList { models });
        async move {
            slow.await;
            list.await
        }
        .boxed_local()
    }

    fn respond(&self, request: ChatRequest) -> Answer<AnswerStream> {
        let kept = request.answer_id.is_some() && !self.keeps_nothing.get();
        self.answer_ids.borrow_mut().push(request.answer_id);
        self.requests.borrow_mut().push(ChatRequest {
            answer_id: None,
            ..request
        });
        if self.offline.get() {
            return ready(Err(Fault::ConnectionLost)).boxed_local();
        }
        let frames = self.answers.borrow_mut().pop_front();
        let frames = frames.unwrap_or_else(|| stream::pending().boxed_local());
        ready(Ok(AnswerStream { frames, kept })).boxed_local()
    }

    fn resume(&self, request: ResumeRequest) -> Answer<Frames<Frame>> {
        self.resumed.borrow_mut().push(request);
        if self.offline.get() {
            return ready(Err(Fault::ConnectionLost)).boxed_local();
        }
        let rest = self.rests.borrow_mut().pop_front();
        ready(rest.unwrap_or(Err(Fault::UnknownAnswer))).boxed_local()
    }

    fn stop(&self, request: StopRequest) -> Answer<()> {
        self.stopped.borrow_mut().push(request.id);
        let heard = match self.offline.get() {
            true => Err(Fault::ConnectionLost),
            false => Ok(()),
        };
        ready(heard).boxed_local()
    }

    fn answer_now(&self, request: AnswerNowRequest) -> Answer<()> {
        self.act(format!("answer now {} {}", request.model, request.id))
    }

    /// Does something with a model, which the test finds in [`Machine::asked`].
    pub fn act(&self, words: String) -> Answer<()> {
        self.asked.borrow_mut().push(words);
        let slow = self.slow_actions.next();
        let done = self.unless_refused(());
        async move {
            match slow.await {
                true => done.await,
                false => Err(Fault::ConnectionLost),
            }
        }
        .boxed_local()
    }

    /// Has the server say something else of itself, or no longer.
    pub fn say(&self, name: &str, what: impl Into<Value>) {
        self.others
            .borrow_mut()
            .insert(name.to_owned(), what.into());
    }

    fn configured_engines(&self) -> Vec<EngineInfo> {
        let configured = self.engines.borrow().clone();
        if !configured.is_empty() {
            return configured;
        }
        vec![EngineInfo {
            name: "ollama".to_owned(),
            can: EngineAction::OLLAMA.to_vec(),
            reach: match self.is_elsewhere.get() {
                true => EngineReach::Remote,
                false => EngineReach::Local,
            },
            address_digest: "digest of ollama".to_owned(),
            ..EngineInfo::default()
        }]
    }

    fn loaded(&self, is_loaded: bool) -> Vec<LoadedModel> {
        let tiny = LoadedModel {
            name: "tiny:latest".to_owned(),
            ..LoadedModel::default()
        };
        Vec::from_iter(is_loaded.then_some(tiny))
    }

    pub(super) fn installed_models(&self) -> Vec<ModelInfo> {
        if self.has_no_model.get() {
            return Vec::new();
        }
        let mut models = vec![ModelInfo {
            name: "tiny:latest".to_owned(),
            ..ModelInfo::default()
        }];
        models.extend(self.more_models.borrow().iter().cloned());
        models
    }

    /// Scripts an answer of these frames, after which the stream stays open.
    pub fn hold_open(&self, frames: Vec<Result<Frame, Fault>>) {
        let frames = stream::iter(frames).chain(stream::pending());
        self.answers.borrow_mut().push_back(frames.boxed_local());
    }

    /// Scripts an answer of these frames, after which the stream ends.
    pub fn answer(&self, frames: Vec<Result<Frame, Fault>>) {
        self.answers
            .borrow_mut()
            .push_back(stream::iter(frames).boxed_local());
    }

    /// Scripts an answer whose frames the test sends one by one.
    pub fn stream_answer(&self) -> mpsc::UnboundedSender<Result<Frame, Fault>> {
        let (send, frames) = mpsc::unbounded();
        self.answers.borrow_mut().push_back(frames.boxed_local());
        send
    }

    /// Scripts the rest of an answer: these frames, after which the stream stays open.
    pub fn rest_held_open(&self, frames: Vec<Result<Frame, Fault>>) {
        let frames = stream::iter(frames).chain(stream::pending());
        self.rests.borrow_mut().push_back(Ok(frames.boxed_local()));
    }

    /// Scripts the rest of an answer.
    pub fn rest(&self, frames: Vec<Result<Frame, Fault>>) {
        let frames = stream::iter(frames).boxed_local();
        self.rests.borrow_mut().push_back(Ok(frames));
    }

    /// Scripts the rest of an answer whose frames the test sends one by one.
    pub fn stream_rest(&self) -> mpsc::UnboundedSender<Result<Frame, Fault>> {
        let (send, frames) = mpsc::unbounded();
        self.rests.borrow_mut().push_back(Ok(frames.boxed_local()));
        send
    }

    /// Makes the server refuse the next rest of an answer.
    pub fn refuse_rest(&self, fault: Fault) {
        self.rests.borrow_mut().push_back(Err(fault));
    }

    /// Makes the next check for Ollama wait for the result that the test sends.
    pub fn slow_look(&self) -> oneshot::Sender<PollResult> {
        let (send, found) = oneshot::channel();
        self.slow_looks.borrow_mut().push_back(found);
        send
    }

    /// Makes the next action on a model wait for the test.
    pub fn slow_action(&self) -> oneshot::Sender<()> {
        self.slow_actions.hold_back()
    }

    /// Makes the next request for a list of models wait for the test.
    pub fn slow_list(&self) -> oneshot::Sender<()> {
        self.slow_lists.hold_back()
    }
}
