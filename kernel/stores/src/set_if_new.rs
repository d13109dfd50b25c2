//! Signals that are set to what they may be already.

use reactive_graph::signal::RwSignal;
use reactive_graph::traits::Update;

/// Sets a signal. Who reads it is not woken if it has that value.
pub(crate) fn set_if_new<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    signal.maybe_update(|now| {
        let is_new = *now != value;
        *now = value;
        is_new
    });
}
