//! The page's stores, from the context.

use leptos::prelude::expect_context;
use sash_state::Stores;

/// The stores, from the context.
#[must_use]
pub fn use_stores() -> Stores {
    expect_context::<Stores>()
}
