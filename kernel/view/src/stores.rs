//! The stores of the chat itself, from the context.

use leptos::prelude::expect_context;
use sash_stores::Kernel;

/// The stores of the chat itself, from the context.
#[must_use]
pub fn use_kernel() -> Kernel {
    expect_context::<Kernel>()
}
