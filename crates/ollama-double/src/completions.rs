//! The completions of the OpenAI chat API that run, by their ids, and whether their thinking was ended.

use super::locks::hold;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

/// Whether the thinking of one completion may be ended, and has been.
#[derive(Debug)]
pub struct ThoughtControl {
    is_armed: bool,
    is_ended: AtomicBool,
}

impl ThoughtControl {
    /// Whether the thinking was ended.
    pub fn is_ended(&self) -> bool {
        self.is_ended.load(Ordering::Relaxed)
    }
}

/// The completions that run.
#[derive(Default)]
pub struct Completions {
    count: AtomicU64,
    running: Mutex<HashMap<String, Weak<ThoughtControl>>>,
}

impl Completions {
    /// A new id and its control, which is known for as long as it is kept.
    pub fn begin(&self, is_armed: bool) -> (String, Arc<ThoughtControl>) {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let id = format!("chatcmpl-standin{number}");
        let control = Arc::new(ThoughtControl {
            is_armed,
            is_ended: AtomicBool::new(false),
        });
        let mut running = hold(&self.running);
        running.retain(|_, control| control.strong_count() > 0);
        running.insert(id.clone(), Arc::downgrade(&control));
        (id, control)
    }

    /// Ends the thinking of a completion.
    ///
    /// # Errors
    /// Why not, in the words of `llama-server`.
    pub fn end_thinking(&self, id: &str) -> Result<(), &'static str> {
        let found = hold(&self.running).get(id).and_then(Weak::upgrade);
        match found {
            None => Err("no active completion for this id"),
            Some(control) if !control.is_armed => {
                Err("reasoning control not enabled for this completion")
            }
            Some(control) => {
                control.is_ended.store(true, Ordering::Relaxed);
                Ok(())
            }
        }
    }
}
