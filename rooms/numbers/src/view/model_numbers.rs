//! The numbers of a model.

use super::measure_plot::MeasurePlot;
use crate::AnswerMeasure;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_chat::ModelId;
use sash_view::parts::model_title;
use sash_view::stores::use_kernel;
use sash_words::{
    count::{self, grouped, one_decimal},
    t,
};

/// The most answers in a plot and in its table: the newest.
const MAX_ANSWERS: usize = 100;

/// What the answers of a model cost and how fast they came: in all, as plots, and as a table.
#[component]
pub fn ModelNumbers(
    /// The model's key.
    model: String,
    /// Its answers, oldest first.
    mut measures: Vec<AnswerMeasure>,
) -> impl IntoView {
    let name = model_title(use_kernel().engine(), &ModelId::from(model.as_str()));
    let total = total_words(&measures);
    let ahead = ahead_words(&measures);
    let newest = measures.split_off(measures.len().saturating_sub(MAX_ANSWERS));
    let plots = [
        (
            t!(numbers.tokens_written),
            read_tokens as fn(&AnswerMeasure) -> Option<f64>,
            t!(numbers.unit_tokens),
        ),
        (t!(numbers.first_token_time), read_wait, " s"),
        (
            t!(numbers.tokens_a_second),
            |one| one.tokens_per_second,
            " / s",
        ),
    ];

    view! {
        <section aria-label=name.clone()>
            <h3>{name.clone()}</h3>
            <p>{total}</p>
            {ahead.map(|words| view! { <p>{words}</p> })}
            <div class="plots">
                {plots
                    .map(|(label, read, unit)| {
                        view! { <MeasurePlot label measures=newest.clone() read unit /> }
                    })}
            </div>
            <details>
                <summary>{t!(numbers.as_a_table)}</summary>
                <MeasureTable measures=newest />
            </details>
        </section>
    }
}

fn read_tokens(measure: &AnswerMeasure) -> Option<f64> {
    measure.answer_tokens.map(|tokens| tokens as f64)
}

fn read_wait(measure: &AnswerMeasure) -> Option<f64> {
    measure.first_token_ms.map(|ms| ms as f64 / 1000.0)
}

/// "12 answers: 3,400 tokens read, 2,100 written."
fn total_words(all: &[AnswerMeasure]) -> String {
    let sum = |read: fn(&AnswerMeasure) -> Option<u64>| all.iter().filter_map(read).sum::<u64>();
    t!(
        numbers.tokens_read_written,
        answers = count::answers(all.len()),
        prompt_tokens = grouped(sum(|one| one.prompt_tokens)),
        answer_tokens = grouped(sum(|one| one.answer_tokens))
    )
}

/// "Read ahead: about 3,400 tokens; 3,200 of them were used, 200 not." `None` where nothing was.
fn ahead_words(all: &[AnswerMeasure]) -> Option<String> {
    let ahead = all.iter().filter_map(|one| one.read_ahead);
    let (read, used) = ahead.fold((0, 0), |sum, (read, used)| (sum.0 + read, sum.1 + used));
    (read > 0).then(|| {
        t!(
            numbers.read_ahead_use,
            read = grouped(read),
            used = grouped(used),
            wasted = grouped(read.saturating_sub(used))
        )
    })
}

/// The columns behind the time. Where the table has no room for columns, the name of each stands at its value.
fn columns() -> [&'static str; 4] {
    [
        t!(numbers.tokens_read),
        t!(numbers.tokens_written),
        t!(numbers.first_token_time),
        t!(numbers.tokens_a_second),
    ]
}

/// The numbers of answers, a row each, the newest first.
#[component]
fn MeasureTable(
    /// The answers, oldest first.
    measures: Vec<AnswerMeasure>,
) -> impl IntoView {
    let rows = measures.into_iter().rev();
    let rows = rows.map(|measure| view! { <MeasureRow measure /> });

    view! {
        <table class="models-table">
            <thead>
                <tr>
                    <th scope="col">{t!(numbers.asked)}</th>
                    {columns().map(|label| view! { <th scope="col">{label}</th> })}
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
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
            .map(|ms| format!("{} s", one_decimal(ms as f64 / 1000.0))),
        measure.tokens_per_second.map(one_decimal),
    ];
    let cells = columns().into_iter().zip(cells).map(|(label, cell)| {
        view! { <td data-label=label>{cell.unwrap_or_else(|| "–".to_owned())}</td> }
    });

    view! {
        <tr class="model-row">
            <th scope="row">{clock::date(measure.at)}</th>
            {cells.collect_view()}
        </tr>
    }
}
