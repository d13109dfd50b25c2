//! The steps of searches, counted in tests: they must grow with the text and not faster.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// A search has looked at so many bytes.
pub(super) fn searched(bytes: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + bytes);
    #[cfg(not(test))]
    let _ = bytes;
}

/// How many bytes were looked at since this was asked last.
#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
pub(super) fn take() -> usize {
    STEPS.take()
}
