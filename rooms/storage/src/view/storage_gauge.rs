//! The gauge of the storage.

use super::sizes::{Sizes, StorageClass};
use leptos::prelude::*;
use sash_stores::amount;
use sash_view::browser::storage::ROOM;
use sash_words::count::{self, grouped};
use sash_words::t;

/// The used storage: the numbers, a bar with its parts, their legend, and advice when room gets short.
#[component]
pub fn StorageGauge(
    /// The use of the storage.
    sizes: Memo<Sizes>,
) -> impl IntoView {
    let used = Memo::new(move |_| sizes.with(Sizes::used));
    let of = move |class| sizes.with(|sizes| sizes.of(class));
    let classes = Memo::new(move |_| {
        let used = StorageClass::USED
            .into_iter()
            .filter(|class| of(*class) > 0);
        used.collect::<Vec<_>>()
    });
    let kept_free = Memo::new(move |_| of(StorageClass::Reserve));
    let label = move || {
        let parts = classes.get().into_iter();
        let parts = parts.map(|class| format!("{} {}", class.name(), percent(of(class))));
        let parts: Vec<String> = parts.collect();
        t!(
            storage.used,
            used = percent(used.get()),
            list = parts.join(", ")
        )
    };
    let advice = Memo::new(move |_| advice(used.get()));

    view! {
        <div class="gauge-place">
            <div>
                <p class="storage-used">
                    <strong title=move || characters(used.get())>
                        {move || amount(used.get())}
                    </strong>
                    {t!(storage.of_used, amount = amount(ROOM))}
                    <span class="library-note">{move || format!(" · {}", percent(used.get()))}</span>
                </p>
                <div class="storage-bar" role="img" aria-label=label>
                    // The width is set through the CSSOM: the content security policy allows no inline
                    // styles.
                    <For each=move || classes.get() key=|class| *class let:class>
                        <span data-part=class.css() style:width=move || width(of(class))></span>
                    </For>
                </div>
                <dl class="storage-parts">
                    <For each=move || classes.get() key=|class| *class let:class>
                        <div>
                            <dt data-part=class.css()>{class.name()}</dt>
                            <dd title=move || characters(of(class))>{move || amount(of(class))}</dd>
                            <dd>{move || percent(of(class))}</dd>
                        </div>
                    </For>
                </dl>
                <Show when=move || { kept_free.get() > 0 }>
                    <p class="library-note">
                        {move || format!("{}: {}", t!(storage.kept_free), amount(kept_free.get()))}
                    </p>
                </Show>
                <ShowLet some=advice let:advice>
                    <p class="note storage-advice" data-level=advice.0>
                        {advice.1}
                    </p>
                </ShowLet>
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
        95.. => Some(("full", t!(storage.nearly_full_the_next_answers_may))),
        85.. => Some(("high", t!(storage.storage_is_getting_full))),
        70.. => Some(("some", t!(storage.more_than_two_thirds_are_used))),
        _ => None,
    }
}
