//! The numbers of answers as a table.

use crate::browser::clock;
use crate::ui::parts::grouped;
use leptos::prelude::*;
use sash_state::AnswerMeasure;

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
                    <th scope="col">"Tokens read"</th>
                    <th scope="col">"Tokens written"</th>
                    <th scope="col">"To the first token"</th>
                    <th scope="col">"Tokens a second"</th>
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

    view! {
        <tr>
            <th scope="row">{clock::date(measure.at)}</th>
            {cells.map(|cell| view! { <td>{cell.unwrap_or_else(|| "–".to_owned())}</td> })}
        </tr>
    }
}
