//! A small plot.

use crate::AnswerMeasure;
use leptos::prelude::*;
use sash_browser_kit::clock;
use sash_words::{
    count::{grouped, one_decimal},
    t,
};
use std::fmt::Write;

/// The width and the height of the drawing, in its own units.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 48.0;
/// The space around the line, so that its ends are not cut.
const MARGIN: f64 = 3.0;

/// A small plot of one number of the answers, in their order: the axis at the left goes from zero to the greatest
/// value, the one below from the oldest answer to the newest. The table below says all values.
#[component]
pub fn MeasurePlot(
    /// What is measured.
    label: &'static str,
    /// The answers, oldest first.
    measures: Vec<AnswerMeasure>,
    /// The number of an answer, if it is known.
    read: fn(&AnswerMeasure) -> Option<f64>,
    /// The unit behind a value.
    unit: &'static str,
) -> impl IntoView {
    let values: Vec<f64> = measures.iter().filter_map(read).collect();
    let bounds = bounds(&values);
    let mut known = measures.iter().filter(|one| read(one).is_some());
    let oldest = known.next().map(|one| clock::date(one.at));
    let newest = known.next_back().map(|one| clock::date(one.at));
    // Answers of one minute have one date.
    let newest = newest.filter(|newest| oldest.as_ref() != Some(newest));
    let top = bounds.map(|(_, greatest)| format!("{}{unit}", short(greatest)));
    let top = top.filter(|_| bounds.is_some_and(|(_, greatest)| greatest > 0.0));
    let words = match (values.last(), bounds) {
        (Some(last), Some((least, greatest))) if least == greatest => {
            format!("{}{unit}", short(*last))
        }
        (Some(last), Some((least, greatest))) => t!(
            numbers.plot_summary,
            last = short(*last),
            unit = &unit,
            least = short(least),
            greatest = short(greatest)
        ),
        _ => t!(numbers.value_unknown).to_owned(),
    };

    view! {
        <figure class="plot">
            <figcaption>
                <strong>{label}</strong>
                <span>{words}</span>
            </figcaption>
            <span class="plot-top" aria-hidden="true">
                {top}
            </span>
            <span class="plot-zero" aria-hidden="true">
                {bounds.map(|_| "0")}
            </span>
            <svg
                viewBox=format!("0 0 {WIDTH} {HEIGHT}")
                preserveAspectRatio="none"
                aria-hidden="true"
            >
                <path class:plot-point=values.len() == 1 d=line(&values) />
            </svg>
            <span class="plot-oldest" aria-hidden="true">
                {oldest}
            </span>
            <span class="plot-newest" aria-hidden="true">
                {newest}
            </span>
        </figure>
    }
}

fn bounds(values: &[f64]) -> Option<(f64, f64)> {
    let mut values = values.iter().copied();
    let first = values.next()?;
    Some(values.fold((first, first), |(least, greatest), value| {
        (least.min(value), greatest.max(value))
    }))
}

/// The values as the path of a line, from the left to the right, with zero at the bottom. One value is a point in the middle.
fn line(values: &[f64]) -> String {
    let Some((_, greatest)) = bounds(values) else {
        return String::new();
    };
    let steps = values.len().saturating_sub(1).max(1) as f64;
    let mut path = String::new();
    for (at, value) in values.iter().enumerate() {
        let x = match values.len() {
            1 => WIDTH / 2.0,
            _ => MARGIN + (WIDTH - 2.0 * MARGIN) * at as f64 / steps,
        };
        let share = match greatest > 0.0 {
            true => value / greatest,
            false => 0.0,
        };
        let y = HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * share;
        let command = if at == 0 { 'M' } else { 'L' };
        // Writing to a string cannot fail.
        _ = write!(path, "{command}{x:.1} {y:.1}");
    }
    if values.len() == 1 {
        // The round end of a line of no length.
        path.push_str("h0");
    }
    path
}

/// A value with one decimal digit while it is small and has a fraction.
fn short(value: f64) -> String {
    match value < 10.0 && value.fract() > 0.0 {
        true => one_decimal(value),
        false => grouped(value.round() as u64),
    }
}
