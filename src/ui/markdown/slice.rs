//! How much of an answer is built in one task: what is attached to the page is styled and laid out before the next one.

use crate::browser::clock;

/// What is built at most, counted in elements: to lay them out takes longer than to make them.
const MOST: usize = 3000;
/// What is built between two looks at the clock.
pub(super) const STEP: isize = 200;

/// What a task may still do.
pub(super) struct Slice {
    until: f64,
    left: usize,
    begun: bool,
}

impl Slice {
    /// A task of about so many milliseconds.
    pub fn new(millis: f64) -> Self {
        Self {
            until: clock::monotonic() + millis,
            left: MOST,
            begun: false,
        }
    }

    /// Whether the rest is for another task. Each one does something.
    pub fn is_over(&mut self) -> bool {
        let begun = std::mem::replace(&mut self.begun, true);
        begun && (self.left == 0 || clock::monotonic() >= self.until)
    }

    /// Takes note of what was built.
    pub fn took(&mut self, elements: usize) {
        self.left = self.left.saturating_sub(elements);
    }
}
