//! Asking once more before anything is gone for good.

use crate::browser::page;
use crate::ui::dom::{El, button, el};
use leptos::prelude::*;
use std::rc::Rc;

/// A button that asks, and what it asks: a sentence, the way back, and the deed.
pub fn confirm(
    name: &'static str,
    sentence: impl Fn() -> String + 'static,
    keep: &'static str,
    deed: &'static str,
    act: impl Fn() + 'static,
) -> El {
    let asked = RwSignal::new(false);
    let act = Rc::new(act);
    el("div").class("confirm").choose(
        move || asked.get(),
        move |now| {
            if !now {
                return Some(button("").text(name).click(move || {
                    asked.set(true);
                    // The least destructive of the two.
                    page::focus_soon("confirm-keep".to_owned());
                }));
            }
            let act = Rc::clone(&act);
            Some(
                el("p")
                    .class("confirm-question")
                    .attr("role", "group")
                    .attr("aria-label", name)
                    .child(el("span").text(&sentence()))
                    .child(
                        button("")
                            .attr("id", "confirm-keep")
                            .text(keep)
                            .click(move || asked.set(false)),
                    )
                    .child(button("danger").text(deed).click(move || {
                        asked.set(false);
                        act();
                    })),
            )
        },
    )
}
