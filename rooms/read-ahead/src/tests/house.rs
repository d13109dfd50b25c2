//! The page in memory with a server that reads, and the stores of one tab: the kernel's and reading ahead.

use crate::{READS_AHEAD, ReadAhead, ReadEnd, ReadRequest, ReadResult, common_tokens};
use futures::FutureExt;
use futures::channel::oneshot;
use sash_harness::{Answer, Slow, call, reactive_in};
use sash_wire::Fault;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;

/// The environment of one tab. A clone is the same tab.
#[derive(Clone, Default)]
pub struct Machine {
    of_kernel: sash_harness::Machine,
    /// What was to be read ahead.
    pub reads: Rc<RefCell<Vec<ReadRequest>>>,
    /// What becomes of it; without one it is read to its end.
    pub read_results: Rc<RefCell<VecDeque<Result<ReadResult, Fault>>>>,
    /// Reads whose end the test decides.
    slow_reads: Slow,
}

impl Deref for Machine {
    type Target = sash_harness::Machine;

    fn deref(&self) -> &sash_harness::Machine {
        &self.of_kernel
    }
}

impl Machine {
    /// Says whether the server has models read ahead; then it has its model in memory.
    pub fn set_reads_ahead(&self, is_so: bool) {
        self.say(READS_AHEAD, is_so);
        self.is_loaded.set(is_so);
    }

    /// Another tab of the same browser, which has received all changes made so far.
    pub fn another_tab(&self) -> Self {
        Self {
            of_kernel: self.of_kernel.another_tab(),
            ..self.clone()
        }
    }

    /// Makes the next read wait for the test.
    pub fn slow_read(&self) -> oneshot::Sender<()> {
        self.slow_reads.hold_back()
    }

    fn read(&self, request: ReadRequest) -> Answer<ReadResult> {
        let whole = ReadResult {
            end: ReadEnd::Whole,
            read_tokens: common_tokens(&request.request, &request.request),
            ..ReadResult::default()
        };
        self.reads.borrow_mut().push(request);
        let result = self.read_results.borrow_mut().pop_front();
        let slow = self.slow_reads.next();
        async move {
            slow.await;
            result.unwrap_or(Ok(whole))
        }
        .boxed_local()
    }
}

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    /// Reading ahead.
    pub read_ahead: ReadAhead,
}

impl Deref for House {
    type Target = sash_harness::House;

    fn deref(&self) -> &sash_harness::House {
        &self.of_kernel
    }
}

impl House {
    /// The stores of a new tab; Ollama answered once and has one model.
    pub fn new(machine: &Machine) -> Self {
        let of_kernel = sash_harness::House::new(machine);
        let read_ahead = ReadAhead::new(of_kernel.kernel, call(machine, Machine::read));
        Self {
            of_kernel,
            read_ahead,
        }
    }
}

/// Runs a test of the stores of a new tab.
pub fn reactive(test: impl FnOnce(&Machine, House)) {
    reactive_in(House::new, test);
}

/// Runs a test with a second tab, opened when both have the chat "Hi" with its answer.
pub fn two_tabs(test: impl FnOnce(&Machine, House, &Machine, House)) {
    reactive(|machine, house| {
        house.exchange(machine, "Hi", "Hello");
        let there = machine.another_tab();
        let other = House::new(&there);
        assert_eq!(other.texts(), ["Hi", "Hello"]);
        test(machine, house, &there, other);
    });
}
