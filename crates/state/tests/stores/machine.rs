//! What each room has of this environment.

use super::{Machine, next, wait_for_test};
use crate::folder::{Answer, Folder};
use futures::channel::{mpsc, oneshot};
use futures::future::ready;
use futures::{FutureExt, StreamExt, stream};
use sash_state::edges::Frames;
use sash_state::{Alerts, BackupCalls, BackupEdges, EmbeddingEdges, ModelCalls, RoomEdges};
use sash_wire::{
    CalculateRequest, CalculationResult, ChatRequest, CountedPrompt, EngineAction, Fault,
    ModelDetails, ModelRequest, PullFrame, PullRequest, ReadEnd, ReadRequest, ReadResult,
    common_tokens,
};
use std::rc::Rc;

impl Alerts for Machine {
    fn notify(&self, title: &str, body: &str, _on_click: Box<dyn FnOnce()>) {
        self.notified.borrow_mut().push(format!("{title}: {body}"));
    }
    fn play_sound(&self) {
        self.notified.borrow_mut().push("a sound".to_owned());
    }
}

impl Machine {
    fn read(&self, request: ReadRequest) -> Answer<ReadResult> {
        let whole = ReadResult {
            end: ReadEnd::Whole,
            read_tokens: common_tokens(&request.request, &request.request),
            ..ReadResult::default()
        };
        self.reads.borrow_mut().push(request);
        let result = self.read_results.borrow_mut().pop_front();
        let slow = next(&self.slow_reads);
        async move {
            slow.await;
            result.unwrap_or(Ok(whole))
        }
        .boxed_local()
    }

    fn pull(&self, request: PullRequest) -> Answer<Frames<PullFrame>> {
        let engine = request.engine.map(|engine| format!(" on {engine}"));
        let pulled = request.model + &engine.unwrap_or_default();
        self.pulled.borrow_mut().push(pulled);
        let frames = self.pulls.borrow_mut().pop_front();
        ready(frames.ok_or(Fault::ConnectionLost)).boxed_local()
    }

    fn show(&self, request: ModelRequest) -> Answer<ModelDetails> {
        let template = format!("template of {}", request.model);
        self.unless_refused(ModelDetails {
            template,
            ..ModelDetails::default()
        })
    }

    fn calculate(&self, request: CalculateRequest) -> Answer<CalculationResult> {
        let result = format!("result of {}", request.expression);
        let slow = next(&self.slow_calculations);
        let result = self.unless_refused(CalculationResult { result });
        async move {
            slow.await;
            result.await
        }
        .boxed_local()
    }

    fn count(&self, request: ChatRequest) -> Answer<CountedPrompt> {
        self.counted.borrow_mut().push(request);
        let slow = next(&self.slow_counts);
        let count = self.tokens.borrow().clone();
        let count = count.unwrap_or_else(|| {
            Err(Fault::NotOffered {
                engine: "box".to_owned(),
                action: EngineAction::Count,
            })
        });
        async move {
            slow.await;
            count
        }
        .boxed_local()
    }

    fn model_calls(&self) -> ModelCalls {
        ModelCalls {
            show: self.call(Self::show),
            load: self.call(|machine, request| {
                let options = serde_json::Value::Object(request.options);
                machine.act(format!("load {} {options}", request.model))
            }),
            unload: self.call(|machine, request| machine.act(format!("unload {}", request.model))),
            delete: self.call(|machine, request| machine.act(format!("delete {}", request.model))),
            pull: self.call(Self::pull),
        }
    }

    fn backup_calls(&self) -> BackupCalls {
        BackupCalls {
            list: self.call(|machine, request| machine.online(|folder| folder.list(&request))),
            news: self.call(|machine, request| machine.online(|folder| folder.news(&request))),
            put: self.call(|machine, request| machine.online(|folder| folder.put(&request))),
            prompts: self
                .call(|machine, request| machine.online(|folder| folder.prompts(&request))),
            put_image: self
                .call(|machine, request| machine.online(|folder| folder.put_image(&request))),
            get: self.call(|machine, request| machine.online(|folder| folder.get(&request))),
            get_image: self
                .call(|machine, request| machine.online(|folder| folder.get_image(&request))),
            purge: self.call(|machine, request| machine.online(|folder| folder.purge(&request))),
        }
    }

    /// Those of the rooms.
    pub fn room_edges(&self) -> RoomEdges {
        RoomEdges {
            alerts: Rc::new(self.clone()),
            backup: BackupEdges {
                calls: self.backup_calls(),
                folders: Rc::new(self.device.clone()),
            },
            counts: self.call(Self::count),
            models: self.model_calls(),
            read_ahead: self.call(Self::read),
            recall: EmbeddingEdges {
                embed: self.call(|machine, request| match machine.refusal.borrow().clone() {
                    None => machine.embedder.embed(request),
                    Some(fault) => ready(Err(fault)).boxed_local(),
                }),
                vectors: Rc::new(self.embedder.clone()),
            },
            speech: Rc::new(self.speaker.clone()),
            tools: self.call(Self::calculate),
        }
    }

    pub(super) fn act(&self, words: String) -> Answer<()> {
        self.asked.borrow_mut().push(words);
        if let Some(slow) = self.slow_actions.borrow_mut().pop_front() {
            return async { slow.await.map_err(|_| Fault::ConnectionLost) }.boxed_local();
        }
        self.unless_refused(())
    }

    /// Asks the folder, unless the network is gone.
    fn online<T: 'static>(&self, ask: impl FnOnce(&Folder) -> Answer<T>) -> Answer<T> {
        match self.offline.get() {
            true => ready(Err(Fault::ConnectionLost)).boxed_local(),
            false => ask(&self.folder),
        }
    }

    /// Makes the next read wait for the test.
    pub fn slow_read(&self) -> oneshot::Sender<()> {
        wait_for_test(&self.slow_reads)
    }

    /// Makes the next action on a model wait for the test.
    pub fn slow_action(&self) -> oneshot::Sender<()> {
        wait_for_test(&self.slow_actions)
    }

    /// Makes the next count of tokens wait for the test.
    pub fn slow_count(&self) -> oneshot::Sender<()> {
        wait_for_test(&self.slow_counts)
    }

    /// Makes the next calculation wait for the test.
    pub fn slow_calculation(&self) -> oneshot::Sender<()> {
        wait_for_test(&self.slow_calculations)
    }

    /// Scripts a pull whose frames the test sends one by one.
    pub fn stream_pull(&self) -> mpsc::UnboundedSender<Result<PullFrame, Fault>> {
        let (send, frames) = mpsc::unbounded();
        self.pulls.borrow_mut().push_back(frames.boxed_local());
        send
    }

    /// Makes the server refuse the next pull.
    pub fn refuse_pull(&self, fault: Fault) {
        let refused = stream::iter([Err(fault)]);
        self.pulls.borrow_mut().push_back(refused.boxed_local());
    }
}
