//! The scripts that wait for their requests.

use super::script::{Script, Step};
use super::shared::hold;
use std::sync::Mutex;

/// The scripts not yet used up.
#[derive(Default)]
pub struct Scripts(Mutex<Vec<Script>>);

impl Scripts {
    /// Adds one.
    pub fn add(&self, script: Script) {
        hold(&self.0).push(script);
    }

    /// Forgets all.
    pub fn clear(&self) {
        hold(&self.0).clear();
    }

    /// The steps for a request to this path, if there are any.
    pub fn take(&self, path: &str) -> Option<Vec<Step>> {
        self.take_if(path, |_| true)
    }

    /// The same, if the next steps are such ones.
    pub fn take_if(&self, path: &str, wanted: impl Fn(&[Step]) -> bool) -> Option<Vec<Step>> {
        let mut all = hold(&self.0);
        let here = |script: &Script| script.path == path;
        let once = all.iter().position(|s| here(s) && s.times.is_some());
        let at = once.or_else(|| all.iter().rposition(here))?;
        let script = &mut all[at];
        if !wanted(&script.steps) {
            return None;
        }
        let steps = script.steps.clone();
        if let Some(times) = &mut script.times {
            *times = times.saturating_sub(1);
            if *times == 0 {
                all.remove(at);
            }
        }
        Some(steps)
    }
}
