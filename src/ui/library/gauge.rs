//! How full the storage is: the numbers, a bar of its parts, and what they are.

use super::sizes::{Class, Sizes, amount};
use crate::browser::storage::ROOM;
use crate::ui::composer::grouped;
use crate::ui::dom::{El, el};
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// The part of the room, in parts of a hundred, as it is said.
fn percent(units: usize) -> String {
    match units * 100 / ROOM {
        0 if units > 0 => "under 1 %".to_owned(),
        n => format!("{n} %"),
    }
}

/// An amount, and the exact one for who points at it.
fn exact(place: El, units: usize) -> El {
    let characters = format!("{} characters", grouped(units as u64));
    place.attr("title", &characters).text(&amount(units))
}

/// The gauge.
pub fn gauge(sizes: Memo<Sizes>) -> El {
    el("div").class("gauge-place").choose(
        move || sizes.get(),
        |sizes| {
            let used = sizes.all();
            let level = match used * 100 / ROOM {
                95.. => "full",
                85.. => "high",
                70.. => "some",
                _ => "",
            };
            let shown: Vec<Class> = Class::ALL
                .into_iter()
                .filter(|class| sizes.of(*class) > 0)
                .collect();
            let said: Vec<String> = shown
                .iter()
                .map(|class| format!("{} {}", class.name(), percent(sizes.of(*class))))
                .collect();
            let mut bar = el("div").class("storage-bar").attr("role", "img").attr(
                "aria-label",
                &format!("{} used: {}", percent(used), said.join(", ")),
            );
            let mut legend = el("dl").class("storage-parts");
            for class in shown {
                let part = el("span").attr("data-part", class.css());
                let element: HtmlElement = part.element().unchecked_into();
                // Through the object model: the page's policy allows no style in attributes.
                // In hundredths of a hundredth, which is more than 32 bits on the way.
                let share = sizes.of(class) as u64 * 10_000 / ROOM as u64;
                let width = format!("{}.{:02}%", share / 100, share % 100);
                let _ = element.style().set_property("width", &width);
                bar = bar.child(part);
                legend = legend.child(
                    el("div")
                        .child(el("dt").attr("data-part", class.css()).text(class.name()))
                        .child(exact(el("dd"), sizes.of(class)))
                        .child(el("dd").text(&percent(sizes.of(class)))),
                );
            }
            Some(
                el("div")
                    .child(
                        el("p")
                            .class("storage-used")
                            .child(exact(el("strong"), used))
                            .text(&format!(" of {} used", amount(ROOM)))
                            .child(
                                el("span")
                                    .class("library-note")
                                    .text(&format!(" · {}", percent(used))),
                            ),
                    )
                    .child(bar)
                    .child(legend)
                    .maybe(advice(level)),
            )
        },
    )
}

fn advice(level: &str) -> Option<El> {
    let words = match level {
        "full" => {
            "Nearly full: the next answers may find no room. Pack idle chats now, empty the trash, or export chats and delete them."
        }
        "high" => {
            "It gets tight. Packing idle chats is the quickest way to room; nothing is lost by it."
        }
        "some" => "More than two thirds are used. Packing idle chats makes room.",
        _ => return None,
    };
    Some(
        el("p")
            .class("note storage-advice")
            .attr("data-level", level)
            .text(words),
    )
}
