//! The scripts that wait for their requests.

use super::locks::hold;
use super::script::{Script, Step};
use std::sync::Mutex;
use tokio::sync::Semaphore;

/// The scripts not yet used up.
pub struct Scripts {
    waiting: Mutex<Vec<Script>>,
    /// A permit for each release that no step has used.
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
    /// Adds one.
    pub fn add(&self, script: Script) {
        hold(&self.waiting).push(script);
    }

    /// Forgets all.
    pub fn clear(&self) {
        hold(&self.waiting).clear();
        self.releases.forget_permits(usize::MAX);
    }

    /// Lets one [`Step::Hold`] go on.
    #[cfg(feature = "control")]
    pub fn release(&self) {
        self.releases.add_permits(1);
    }

    /// Waits for a release, and uses it.
    pub async fn released(&self) {
        // The semaphore is never closed.
        if let Ok(permit) = self.releases.acquire().await {
            permit.forget();
        }
    }

    /// The steps for a request to this path, if there are any.
    pub fn take(&self, path: &str) -> Option<Vec<Step>> {
        self.take_if(path, |_| true)
    }

    /// The same, if the next steps are such ones.
    pub fn take_if(&self, path: &str, wanted: impl Fn(&[Step]) -> bool) -> Option<Vec<Step>> {
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
