//! The tokens that a prompt may recall.

use super::{ContextFit, Estimate, Window};

/// What is recalled for one prompt takes at most this part of the context, where the window takes all that fits.
const RECALL_SHARE: u64 = 8;

/// The tokens of `wanted` that a prompt may recall beside a window that grows: a share of the context, because what was
/// recalled stays with its question, and a small context would hold little else.
#[must_use]
pub fn recall_within(wanted: u64, context: u64) -> u64 {
    wanted.min(context / RECALL_SHARE)
}

/// The tokens that a context leaves for what a prompt recalls by itself, beside the window and an answer. A window that
/// has a fixed number of messages keeps no room for it, so what is recalled gives way. A context that is not known bounds
/// nothing.
#[must_use]
pub fn left_for_recall(
    window: &Window,
    prompt: &str,
    estimate: Estimate,
    context: Option<u64>,
) -> u64 {
    context.map_or(u64::MAX, |context| {
        let taken = ContextFit::answer(context) + estimate.whole(window.size_with(prompt));
        context.saturating_sub(taken)
    })
}
