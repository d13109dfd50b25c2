//! Descriptions of roles, fits and limits.

use leptos::prelude::*;
use sash_chat::Role;
use sash_chat::window::ContextFit;
use sash_stores::Kernel;
use sash_words::{
    count::{self, grouped},
    t,
};

/// The size in bytes above which a request is called large.
const LARGE_REQUEST_BYTES: usize = 100_000;

/// The title of a system prompt, which may be a folder's.
pub fn system_title(folder: Option<&str>) -> String {
    match folder {
        Some(folder) => t!(panel.system_prompt_of_folder, folder = folder),
        None => t!(common.system_prompt).to_owned(),
    }
}

/// The name of a role.
pub fn role_words(role: Role) -> &'static str {
    match role {
        Role::System => t!(common.system),
        Role::User => t!(common.you),
        Role::Assistant => t!(common.answer),
        Role::Tool => t!(common.tool),
    }
}

/// The fit as a word for styles, and as a sentence.
pub fn fit_words(fit: ContextFit) -> (&'static str, &'static str) {
    match fit {
        ContextFit::Unknown => ("unknown", ""),
        ContextFit::Fits => ("fits", ""),
        ContextFit::Near => ("near", t!(panel.little_room)),
        ContextFit::Over => ("over", t!(panel.no_room)),
    }
}

/// The sentence about a next request that is close to Sash's limits, or large.
pub fn limit_words(kernel: Kernel) -> Option<String> {
    let limits = kernel
        .engine()
        .state
        .with(|state| state.as_ref().and_then(|state| state.limits));
    let messages =
        usize::try_from(kernel.steering().size.with(|size| size.messages())).unwrap_or(usize::MAX);
    let text_bytes = kernel.steering().bytes();
    let bytes = text_bytes + kernel.attachments().request_bytes();
    let near = |now: usize, most: usize| now.saturating_mul(5) > most.saturating_mul(4);
    if let Some(most) = limits.filter(|limits| near(messages, limits.messages)) {
        return Some(t!(
            panel.message_limit,
            sent = count::messages(messages),
            messages = grouped(most.messages as u64)
        ));
    }
    let size = t!(panel.large_request, bytes = grouped(bytes as u64 / 1000));
    if let Some(most) = limits.filter(|limits| near(bytes, limits.bytes)) {
        return Some(t!(
            panel.size_limit,
            size = &size,
            bytes = grouped(most.bytes as u64 / 1000)
        ));
    }
    // Images are large by nature.
    (text_bytes > LARGE_REQUEST_BYTES).then_some(size)
}

/// The tokens of the next request, as the engine counted them, or about how many.
pub fn next_tokens(kernel: Kernel) -> String {
    let (_, tokens) = kernel.steering().fit.get();
    let tokens = count::tokens(usize::try_from(tokens).unwrap_or(usize::MAX));
    match kernel.steering().exact_tokens.get() {
        Some(_) => tokens,
        None => t!(common.about_tokens, tokens = tokens),
    }
}

/// The tokens of the next request and the room for them.
pub fn context_words(kernel: Kernel) -> String {
    let (fit, tokens) = kernel.steering().fit.get();
    let Some(context) = kernel.steering().context.get() else {
        return unloaded_words(kernel, tokens);
    };
    let (tokens, context) = (grouped(tokens), grouped(context));
    let sum = match kernel.steering().exact_tokens.get() {
        Some(_) => t!(
            panel.exactly_of_tokens,
            tokens = &tokens,
            context = &context
        ),
        None => t!(panel.about_of_tokens, tokens = &tokens, context = &context),
    };
    match fit_words(fit) {
        (_, "") => sum,
        (_, warning) => t!(panel.sum_with_warning, sum = &sum, warning = &warning),
    }
}

/// The tokens where the room for them is not known.
fn unloaded_words(kernel: Kernel, tokens: u64) -> String {
    let words = count::tokens(usize::try_from(tokens).unwrap_or(usize::MAX));
    match kernel.steering().exact_tokens.get() {
        Some(_) => t!(common.exact_tokens_room_unknown, tokens = &words),
        None => t!(common.about_tokens_room_unknown, tokens = &words),
    }
}
