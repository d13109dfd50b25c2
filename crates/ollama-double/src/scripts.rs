//! Scripts that wait for their requests.

use super::locks::hold;
use super::script::{Script, ScriptStep};
use std::sync::Mutex;
use tokio::sync::Semaphore;

/// The scripts that are not used up.
pub struct Scripts {
    waiting: Mutex<Vec<Script>>,
    /// One permit for each unused release.
    releases: Semaphore,
}

impl Default for Scripts {
    fn default() -> Self {
        Self {
            waiting: Mutex::default(),
            releases: Semaphore::new(0),
        }
    }
}

impl Scripts {
    /// Adds a script.
    pub fn add(&self, script: Script) {
        hold(&self.waiting).push(script);
    }

    /// Removes all scripts.
    pub fn clear(&self) {
        hold(&self.waiting).clear();
        self.releases.forget_permits(usize::MAX);
    }

    /// Continues one [`ScriptStep::Hold`].
    pub fn release(&self) {
        self.releases.add_permits(1);
    }

    /// Waits for a release and consumes it.
    pub async fn released(&self) {
        // The semaphore is never closed.
        if let Ok(permit) = self.releases.acquire().await {
            permit.forget();
        }
    }

    /// The steps for a request to this path, if there is a script.
    pub fn take(&self, path: &str) -> Option<Vec<ScriptStep>> {
        self.take_if(path, |_| true)
    }

    /// The same, if `wanted` accepts the next steps.
    pub fn take_if(
        &self,
        path: &str,
        wanted: impl Fn(&[ScriptStep]) -> bool,
    ) -> Option<Vec<ScriptStep>> {
        let mut all = hold(&self.waiting);
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
