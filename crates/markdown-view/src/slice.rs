//! Limits how much of an answer is built in one task: what is attached to the page is styled and laid out
//! before the next one.

use sash_browser_kit::clock;

/// The most elements built in one task: laying them out takes longer than making them.
const MAX_TASK_ELEMENTS: usize = 3000;
/// Elements built between two checks of the clock.
pub(crate) const CLOCK_CHECK_ELEMENTS: isize = 200;

/// The remaining budget of a task.
pub(crate) struct TaskBudget {
    until: f64,
    left: usize,
    begun: bool,
}

impl TaskBudget {
    /// A task of about `millis` milliseconds.
    pub fn new(millis: f64) -> Self {
        Self {
            until: clock::monotonic() + millis,
            left: MAX_TASK_ELEMENTS,
            begun: false,
        }
    }

    /// Whether the task is over. Each task does at least one step.
    pub fn is_over(&mut self) -> bool {
        let begun = std::mem::replace(&mut self.begun, true);
        begun && (self.left == 0 || clock::monotonic() >= self.until)
    }

    /// Records how many elements were built.
    pub fn add_elements(&mut self, elements: usize) {
        self.left = self.left.saturating_sub(elements);
    }
}
