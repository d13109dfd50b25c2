//! Which of several asynchronous steps for the same thing is the newest.

use reactive_graph::owner::StoredValue;
use reactive_graph::traits::{GetValue, SetValue};

/// Numbers the steps that ask for one thing, so that only the newest writes what it got: a later answer to an
/// earlier question is dropped.
///
/// ```ignore
/// let step = self.list_request.begin();
/// self.edges.spawn(async move {
///     let list = asked.await;
///     if step.is_latest() {
///         self.list.set(list);
///     }
/// });
/// ```
#[derive(Clone, Copy)]
pub(crate) struct Latest(StoredValue<u64>);

/// One step of [`Latest`].
#[derive(Clone, Copy)]
pub(crate) struct Step {
    latest: Latest,
    number: u64,
}

impl Latest {
    pub(crate) fn new() -> Self {
        Self(StoredValue::new(0))
    }

    /// Begins a step. Those begun before are no longer the latest.
    pub(crate) fn begin(self) -> Step {
        let number = self.0.try_get_value().unwrap_or_default() + 1;
        self.0.try_set_value(number);
        Step {
            latest: self,
            number,
        }
    }

    /// Ends all steps: none is the latest until another begins.
    pub(crate) fn cancel(self) {
        self.begin();
    }
}

impl Step {
    /// Whether no step began after this one, and nobody cancelled it.
    pub(crate) fn is_latest(self) -> bool {
        self.latest.0.try_get_value() == Some(self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reactive_graph::owner::Owner;

    #[test]
    fn only_the_newest_step_is_the_latest() {
        let owner = Owner::new();
        owner.set();
        let latest = Latest::new();
        let first = latest.begin();
        assert!(first.is_latest());
        let second = latest.begin();
        assert!(!first.is_latest() && second.is_latest());
        latest.cancel();
        assert!(!second.is_latest());
    }

    #[test]
    fn a_step_that_outlives_its_owner_is_not_the_latest() {
        let owner = Owner::new();
        owner.set();
        let step = Latest::new().begin();
        owner.cleanup();
        assert!(!step.is_latest());
    }
}
