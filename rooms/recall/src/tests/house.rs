//! The stores of one tab: the kernel's and those of this room, with an embedder in memory.

use super::embedder::Embedder;
use crate::{AllChats, EmbeddingEdges, Embeddings, Recalls, Stores};
use futures::FutureExt;
use futures::future::ready;
use sash_chat::Id;
use sash_harness::{call, reactive_in};
use sash_log::Kinds;
use std::ops::Deref;
use std::rc::Rc;

/// The environment of one tab. A clone is the same tab.
#[derive(Clone, Default)]
pub struct Machine {
    of_kernel: sash_harness::Machine,
    /// The embedding models, and the vectors that all tabs share.
    pub embedder: Embedder,
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

    fn edges(&self) -> EmbeddingEdges {
        EmbeddingEdges {
            embed: call(self, |machine, request| {
                match machine.refusal.borrow().clone() {
                    None => machine.embedder.embed(request),
                    Some(fault) => ready(Err(fault)).boxed_local(),
                }
            }),
            vectors: Rc::new(self.embedder.clone()),
        }
    }
}

/// The stores of one tab, with helpers for tests.
#[derive(Clone, Copy)]
pub struct House {
    of_kernel: sash_harness::House,
    pub all_chats: AllChats,
    pub embeddings: Embeddings,
    pub recalls: Recalls,
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
        let (of_kernel, stores) =
            sash_harness::House::with_room(machine, remembered, Kinds::default(), |kernel| {
                Stores::new(kernel, machine.edges())
            });
        let Stores {
            all_chats,
            embeddings,
            recalls,
        } = stores;
        Self {
            of_kernel,
            all_chats,
            embeddings,
            recalls,
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
