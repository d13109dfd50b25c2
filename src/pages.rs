//! The pages over the chat.

use sash_wire::SubPath;

/// The pages over the chat, which have addresses.
pub const PAGES: &[SubPath] = &[
    SubPath {
        name: "models",
        has_parts: true,
    },
    SubPath {
        name: "settings",
        has_parts: false,
    },
    SubPath {
        name: "numbers",
        has_parts: false,
    },
];
