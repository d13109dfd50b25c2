//! The stores of one tab: the kernel's and the tools, with a calculator that waits where the test says so.

use crate::{CalculateRequest, CalculationResult, Tools};
use futures::FutureExt;
use futures::channel::oneshot;
use sash_chat::Id;
use sash_harness::{Answer, Slow, call, reactive_in};
use sash_log::Kinds;
use std::ops::Deref;

/// The environment of one tab. A clone is the same tab.
#[derive(Clone, Default)]
pub struct Machine {
    of_kernel: sash_harness::Machine,
    /// Calculations whose result the test sends later.
    slow_calculations: Slow,
}

impl Deref for Machine {
    type Target = sash_harness::Machine;

    fn deref(&self) -> &sash_harness::Machine {
        &self.of_kernel
    }
}

impl Machine {
    /// Another tab of the same browser, which has received all changes made so far.
    pub fn another_tab(&self) -> Self {
        Self {
            of_kernel: self.of_kernel.another_tab(),
            ..self.clone()
        }
    }

    /// Makes the next calculation wait for the test.
    pub fn slow_calculation(&self) -> oneshot::Sender<()> {
        self.slow_calculations.hold_back()
    }

    fn calculate(&self, request: CalculateRequest) -> Answer<CalculationResult> {
        let result = format!("result of {}", request.expression);
        let slow = self.slow_calculations.next();
        let result = self.unless_refused(CalculationResult { result });
        async move {
            slow.await;
            result.await
        }
        .boxed_local()
    }
}

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    /// The tools.
    pub tools: Tools,
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
        Self::reopened(machine, None)
    }

    /// The stores of a reloaded tab in which the chat `remembered` was open.
    pub fn reopened(machine: &Machine, remembered: Option<Id>) -> Self {
        let kinds = Kinds::default();
        let (of_kernel, tools) =
            sash_harness::House::with_room(machine, remembered, kinds, |kernel| {
                Tools::new(kernel, call(machine, Machine::calculate))
            });
        Self { of_kernel, tools }
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
