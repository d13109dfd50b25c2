//! Which of several asynchronous steps for the same thing is the newest.

use reactive_graph::owner::StoredValue;
use reactive_graph::traits::{GetValue, UpdateValue, WithValue};
use std::collections::BTreeMap;

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
pub struct Latest(StoredValue<u64>);

/// One step of [`Latest`].
#[derive(Clone, Copy)]
pub struct Step {
    latest: Latest,
    number: u64,
}

impl Default for Latest {
    fn default() -> Self {
        Self::new()
    }
}

impl Latest {
    /// Numbers steps until the current owner is cleaned up; from then on no step is the latest.
    #[must_use]
    pub fn new() -> Self {
        Self(StoredValue::new(0))
    }

    /// Begins a step. Those begun before are no longer the latest.
    pub fn begin(self) -> Step {
        let next = |number: &mut u64| {
            *number += 1;
            *number
        };
        Step {
            latest: self,
            number: self.0.try_update_value(next).unwrap_or_default(),
        }
    }

    /// The present step, for work that is to end when another begins.
    #[must_use]
    pub fn present(self) -> Step {
        Step {
            latest: self,
            number: self.0.try_get_value().unwrap_or_default(),
        }
    }

    /// Ends all steps: none is the latest until another begins.
    pub fn cancel(self) {
        self.begin();
    }
}

impl Step {
    /// Whether no step began after this one, and nobody cancelled it.
    #[must_use]
    pub fn is_latest(self) -> bool {
        self.latest.0.try_get_value() == Some(self.number)
    }
}

/// [`Latest`] for things of which there are several, each by its key.
pub(crate) struct LatestOf<K: Send + Sync + 'static>(StoredValue<BTreeMap<K, u64>>);

/// One step of [`LatestOf`].
#[derive(Clone)]
pub(crate) struct StepOf<K: Send + Sync + 'static> {
    latest: StoredValue<BTreeMap<K, u64>>,
    key: K,
    number: u64,
}

impl<K: Send + Sync + 'static> Clone for LatestOf<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Send + Sync + 'static> Copy for LatestOf<K> {}

impl<K: Clone + Ord + Send + Sync + 'static> LatestOf<K> {
    pub(crate) fn new() -> Self {
        Self(StoredValue::new(BTreeMap::new()))
    }

    /// Begins a step for `key`. Those begun before for the same key are no longer the latest.
    pub(crate) fn begin(self, key: K) -> StepOf<K> {
        let next = |numbers: &mut BTreeMap<K, u64>| {
            let number = numbers.entry(key.clone()).or_default();
            *number += 1;
            *number
        };
        let number = self.0.try_update_value(next).unwrap_or_default();
        StepOf {
            latest: self.0,
            key,
            number,
        }
    }

    /// Ends all steps for `key`.
    pub(crate) fn cancel(self, key: K) {
        self.begin(key);
    }
}

impl<K: Ord + Send + Sync + 'static> StepOf<K> {
    /// Whether no step for the same key began after this one, and nobody cancelled it.
    pub(crate) fn is_latest(&self) -> bool {
        let newest = self
            .latest
            .try_with_value(|all| all.get(&self.key).copied());
        newest.flatten() == Some(self.number)
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
        assert!(first.is_latest() && latest.present().is_latest());
        let second = latest.begin();
        assert!(!first.is_latest() && second.is_latest());
        latest.cancel();
        assert!(!second.is_latest());
    }

    #[test]
    fn steps_of_two_keys_do_not_end_each_other() {
        let owner = Owner::new();
        owner.set();
        let latest = LatestOf::new();
        let (here, there) = (latest.begin("here"), latest.begin("there"));
        assert!(here.is_latest() && there.is_latest());
        latest.cancel("here");
        assert!(!here.is_latest() && there.is_latest());
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
