//! The numbers of answers as a table.

use crate::browser::clock;
use crate::ui::parts::grouped;
use leptos::prelude::*;
use sash_state::AnswerMeasure;

/// The columns behind the time. Where the table has no room for columns, the name of each stands at its value.
const COLUMNS: [&str; 4] = [
    "Tokens read",
    "Tokens written",
    "To the first token",
    "Tokens a second",
];

/// The numbers of answers, a row each, the newest first.
#[component]
pub fn MeasureTable(
    /// The answers, oldest first.
    measures: Memo<Vec<AnswerMeasure>>,
) -> impl IntoView {
    let rows = move || {
        let all = measures.get().into_iter().rev();
        all.map(|measure| view! { <MeasureRow measure /> })
            .collect_view()
    };

    view! {
        <table class="models-table">
            <thead>
                <tr>
                    <th scope="col">"Asked"</th>
                    {COLUMNS.map(|label| view! { <th scope="col">{label}</th> })}
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

#[component]
fn MeasureRow(
    /// The numbers of an answer.
    measure: AnswerMeasure,
) -> impl IntoView {
    let cells = [
        measure.prompt_tokens.map(grouped),
        measure.answer_tokens.map(grouped),
        measure
            .first_token_ms
            .map(|ms| format!("{:.1} s", ms as f64 / 1000.0)),
        measure.tokens_per_second.map(|speed| format!("{speed:.1}")),
    ];
    let cells = COLUMNS.into_iter().zip(cells).map(|(label, cell)| {
        view! { <td data-label=label>{cell.unwrap_or_else(|| "–".to_owned())}</td> }
    });

    view! {
        <tr class="model-row">
            <th scope="row">{clock::date(measure.at)}</th>
            {cells.collect_view()}
        </tr>
    }
}
