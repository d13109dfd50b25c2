//! The gauge of the storage.

use super::sizes::{Sizes, USES, names};
use leptos::prelude::*;
use sash_stores::amount;
use sash_view::browser::storage::ROOM;
use sash_words::count::{self, grouped};
use sash_words::t;

/// The used storage: the numbers, a bar with its parts, their legend, and advice when room gets short.
pub fn gauge(sizes: &Sizes) -> impl IntoView + use<> {
    let used = sizes.used();
    let parts = USES.into_iter().zip(names()).zip(sizes.uses);
    let parts = parts.map(|((part, name), units)| (part, name, units));
    let parts: Vec<_> = parts.filter(|(.., units)| *units > 0).collect();
    let list = parts.iter();
    let list = list.map(|(_, name, units)| format!("{name} {}", percent(*units)));
    let list: Vec<String> = list.collect();
    let label = t!(storage.used, used = percent(used), list = list.join(", "));
    // The width is set through the CSSOM: the content security policy allows no inline styles.
    let bar = parts.iter().map(|(part, _, units)| {
        view! { <span data-part=*part style:width=width(*units)></span> }
    });
    let bar = bar.collect_view();
    let legend = parts.into_iter().map(|(part, name, units)| {
        view! {
            <div>
                <dt data-part=part>{name}</dt>
                <dd title=characters(units)>{amount(units)}</dd>
                <dd>{percent(units)}</dd>
            </div>
        }
    });
    let legend = legend.collect_view();
    let kept_free = Some(sizes.reserve).filter(|units| *units > 0);
    let kept_free = kept_free.map(|units| {
        view! { <p class="library-note">{format!("{}: {}", t!(storage.kept_free), amount(units))}</p> }
    });
    let advice = advice(used).map(|(level, words)| {
        view! {
            <p class="note storage-advice" data-level=level>
                {words}
            </p>
        }
    });

    view! {
        <div class="gauge-place">
            <div>
                <p class="storage-used">
                    <strong title=characters(used)>{amount(used)}</strong>
                    {t!(storage.gauge_of_used, amount = amount(ROOM))}
                    <span class="library-note">{format!(" · {}", percent(used))}</span>
                </p>
                <div class="storage-bar" role="img" aria-label=label>
                    {bar}
                </div>
                <dl class="storage-parts">{legend}</dl>
                {kept_free}
                {advice}
            </div>
        </div>
    }
}

/// The share of the room in per cent, in words.
fn percent(units: usize) -> String {
    match units * 100 / ROOM {
        0 if units > 0 => t!(storage.under_1_percent).to_owned(),
        n => count::percent(n as u64),
    }
}

/// The exact amount, for the tooltip.
fn characters(units: usize) -> String {
    t!(storage.characters, units = grouped(units as u64))
}

/// The share of the bar in hundredths of a per cent; the intermediate product needs 64 bits.
fn width(units: usize) -> String {
    let share = units as u64 * 10_000 / ROOM as u64;
    format!("{}.{:02}%", share / 100, share % 100)
}

/// The level of the room for styles, and advice.
fn advice(used: usize) -> Option<(&'static str, &'static str)> {
    match used * 100 / ROOM {
        95.. => Some(("full", t!(storage.gauge_nearly_full))),
        85.. => Some(("high", t!(storage.gauge_getting_full))),
        70.. => Some(("some", t!(storage.gauge_two_thirds))),
        _ => None,
    }
}
