//! What besides the window is different between two answers.

use leptos::prelude::*;
use sash_state::WhatIfDifference;

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
                <p>"The window is not the only difference:"</p>
                <ul>{lines.collect_view()}</ul>
            </div>
        }
    })
}

fn words(difference: WhatIfDifference) -> String {
    match difference {
        WhatIfDifference::NotRecorded => "The first answer does not say with which parameters, tools and format it was asked for. Those of this chat are used.".to_owned(),
        WhatIfDifference::ModelGone { former, now } => {
            format!("{former} is not installed any more. {now} answers.")
        }
        WhatIfDifference::ModelChanged(name) => {
            format!("{name} was changed since the first answer.")
        }
        WhatIfDifference::ThinkGone => {
            "The model does not offer the thinking of the first answer.".to_owned()
        }
        WhatIfDifference::ToolsGone(names) => {
            format!("The model cannot call these tools any more: {}.", names.join(", "))
        }
        WhatIfDifference::SummaryGone => {
            "The summary that the first answer read is not kept any more.".to_owned()
        }
    }
}
