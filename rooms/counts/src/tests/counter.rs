//! A server that counts what the test says.

use crate::count_next_request;
use futures::FutureExt;
use futures::channel::oneshot;
use sash_harness::{Answer, House, Machine, Slow, call, reactive};
use sash_wire::{ChatRequest, CountedPrompt, EngineAction, Fault};
use std::cell::RefCell;
use std::rc::Rc;

/// The server of a page. A clone is the same one.
#[derive(Clone, Default)]
pub struct Counter {
    /// The requests whose tokens it was asked to count.
    pub counted: Rc<RefCell<Vec<ChatRequest>>>,
    /// What the engine counts; `None`: it cannot count.
    pub tokens: Rc<RefCell<Option<Result<CountedPrompt, Fault>>>>,
    slow: Slow,
}

impl Counter {
    /// The prompts that it was asked to count.
    pub fn prompts(&self) -> Vec<String> {
        let counted = self.counted.borrow();
        let prompts = counted.iter().map(|request| request.prompt.clone());
        prompts.collect()
    }

    /// Makes the next count wait for the test.
    pub fn hold_back(&self) -> oneshot::Sender<()> {
        self.slow.hold_back()
    }

    fn count(&self, request: ChatRequest) -> Answer<CountedPrompt> {
        self.counted.borrow_mut().push(request);
        let slow = self.slow.next();
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
}

/// Runs a test in a page that follows its next request.
pub fn with_counter(test: impl FnOnce(&Machine, House, &Counter)) {
    reactive(|machine, house| {
        let counter = Counter::default();
        count_next_request(house.kernel, call(&counter, Counter::count));
        test(machine, house, &counter);
    });
}
