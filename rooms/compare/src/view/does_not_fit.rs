//! A request that may not fit.

use leptos::prelude::*;
use sash_stores::OverflowSource;
use sash_view::stores::use_kernel;
use sash_words::{count::grouped, t};

/// What was pressed in the dialog and may not fit, with both numbers. Empty if nothing was.
#[component]
pub fn DoesNotFit(
    /// Whether it stands out as a failure.
    #[prop(optional)]
    is_failure: bool,
) -> impl IntoView {
    let overflow = use_kernel().steering().overflow;
    let too_large = Memo::new(move |_| {
        overflow.with(|overflow| {
            let overflow = overflow.as_ref()?;
            let is_ours = matches!(
                overflow.asked,
                OverflowSource::OtherModel(_) | OverflowSource::Trial(_)
            );
            is_ours.then_some((overflow.tokens, overflow.context))
        })
    });
    // It is said nowhere else.
    on_cleanup(move || {
        if too_large.try_get_untracked().flatten().is_some() {
            overflow.set(None);
        }
    });
    let words = move || {
        too_large.get().map(|(tokens, context)| {
            t!(
                compare.may_not_fit,
                tokens = grouped(tokens),
                context = grouped(context)
            )
        })
    };

    let is_marked = move || is_failure && too_large.with(Option::is_some);

    // Some screen readers announce only a text that comes into a region which is there already.
    view! {
        <p class="note" class:note-failed=is_marked role="alert">
            {words}
        </p>
    }
}
