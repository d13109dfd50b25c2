//! The actions of the buttons of code blocks. One listener serves all answers, because a finished answer
//! keeps only its elements.

use super::block::{code_of, ending_of, text_of};
use super::wrapped;
use leptos::ev;
use leptos::prelude::window_event_listener;
use sash_browser_kit::console::LogError;
use sash_browser_kit::{clipboard, clock, file};
use sash_words::t;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, Event};

/// Starts to listen, as long as the page lives.
pub fn listen() {
    window_event_listener(ev::click, |event| _ = clicked(&event));
}

fn clicked(event: &Event) -> Option<()> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let button = target.closest("figure.code button").ok()??;
    let figure = button.closest("figure").ok()??;
    let code = code_of(&figure)?;
    match button.class_name().as_str() {
        "wrap" => {
            wrapped::toggle(&figure, &button)?;
        }
        "download" => {
            let ending = ending_of(&figure).unwrap_or_else(|| "txt".to_owned());
            file::download(
                &format!("code.{ending}"),
                "text/plain",
                text_of(&code).into(),
            );
        }
        _ => {
            let status = figure.query_selector(".code-status").ok()??;
            spawn_local(async move {
                let copied = clipboard::copy(text_of(&code)).await;
                let words = match copied {
                    true => t!(state.copied),
                    false => t!(state.could_not_copy),
                };
                status.set_text_content(Some(words));
                if copied {
                    button.set_attribute("data-copied", "").log_error();
                }
                clock::wait(2000).await;
                status.set_text_content(None);
                button.remove_attribute("data-copied").log_error();
            });
        }
    }
    Some(())
}
