//! The page's stores, from the context.

use leptos::prelude::expect_context;
use sash_state::{Kernel, Stores};

/// The stores, from the context.
#[must_use]
pub fn use_stores() -> Stores {
    expect_context::<Stores>()
}

/// The stores of the chat itself, from the context.
#[must_use]
pub fn use_kernel() -> Kernel {
    expect_context::<Kernel>()
}
