//! Long work in slices, so that the page can draw.

use crate::edges::Edges;

/// The time that work may take before the page is given a turn.
pub struct TimeBudget {
    edges: Edges,
    millis: f64,
    until: f64,
}

impl TimeBudget {
    /// A budget of so many milliseconds, from now on.
    #[must_use]
    pub fn new(edges: Edges, millis: f64) -> Self {
        let until = edges.monotonic() + millis;
        Self {
            edges,
            millis,
            until,
        }
    }

    /// Whether it is used up.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.edges.monotonic() > self.until
    }

    /// Pauses if it is used up, and begins anew. Returns whether it paused.
    pub async fn rest(&mut self) -> bool {
        let is_over = self.is_over();
        if is_over {
            self.edges.pause().await;
            *self = Self::new(self.edges, self.millis);
        }
        is_over
    }
}
