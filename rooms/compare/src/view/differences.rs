//! What besides the window is different between two answers.

use leptos::prelude::*;
use sash_stores::WhatIfDifference;
use sash_words::t;

/// A sentence for each difference. Empty if the window is the only one.
#[component]
pub fn Differences(
    /// The differences.
    all: Vec<WhatIfDifference>,
) -> impl IntoView {
    (!all.is_empty()).then(|| {
        let lines = all.into_iter().map(|one| view! { <li>{words(one)}</li> });
        view! {
            <div class="note" role="note">
                <p>{t!(compare.the_window_is_not_the_only)}</p>
                <ul>{lines.collect_view()}</ul>
            </div>
        }
    })
}

fn words(difference: WhatIfDifference) -> String {
    match difference {
        WhatIfDifference::NotRecorded => t!(compare.the_first_answer_does_not_say).to_owned(),
        WhatIfDifference::ModelGone { former, now } => {
            t!(
                compare.is_not_installed_any_more_answers,
                former = &former,
                now = &now
            )
        }
        WhatIfDifference::ModelChanged(name) => {
            t!(compare.was_changed_since_the_first_answer, name = &name)
        }
        WhatIfDifference::ThinkGone => t!(compare.the_model_does_not_offer_the).to_owned(),
        WhatIfDifference::ToolsGone(names) => {
            t!(
                compare.the_model_cannot_call_these_tools,
                list = names.join(", ")
            )
        }
        WhatIfDifference::SystemGone => t!(compare.the_system_prompt_is_not_kept).to_owned(),
        WhatIfDifference::SummaryGone => t!(compare.the_summary_that_the_first_answer).to_owned(),
    }
}
