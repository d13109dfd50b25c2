//! Counts the steps of searches in tests: they must be linear in the length of the text.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Records that a search has read that many bytes.
pub(super) fn searched(bytes: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + bytes);
    #[cfg(not(test))]
    let _ = bytes;
}

/// The number of bytes read since the last call.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn take() -> usize {
    STEPS.take()
}
