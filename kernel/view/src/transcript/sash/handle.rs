//! The handle at the upper edge of the window.

use super::drag::Drag;
use super::stops::policy_at;
use crate::panel::next_tokens;
use crate::stores::use_kernel;
use crate::transcript::row::RowList;
use leptos::html::{Div, Section};
use leptos::prelude::*;
use sash_chat::{ChatSettingsStoreFields, Policy, policy_name};
use sash_stores::Kernel;
use sash_words::t;
use web_sys::KeyboardEvent;

/// For how many frames the edge is kept in view after a key press: rows that come near get their measured
/// height only then.
const FRAMES_IN_VIEW: u32 = 20;
/// Least distance of the edge to the transcript's border after a key press, in pixels.
const EDGE_MARGIN_PX: i32 = 40;

/// A slider, moved by pointer or keyboard.
#[component]
pub fn SashHandle(
    /// The element that scrolls the messages.
    scroller: NodeRef<Section>,
    /// The messages.
    list: RowList,
    /// The line of the edge.
    line: NodeRef<Div>,
    /// Whether the edge is being dragged.
    held: RwSignal<bool>,
) -> impl IntoView {
    let kernel = use_kernel();
    let handle = NodeRef::<Div>::new();
    let drag = Drag::new(kernel, scroller, list, held);
    let keep_in_view = KeepInView {
        scroller,
        line,
        frames: StoredValue::new(0),
    };
    let on_key = move |event: KeyboardEvent| {
        let moved = match event.key().as_str() {
            "Escape" => drag.cancel(),
            key => move_by_key(kernel, key, event.repeat()),
        };
        if moved {
            event.prevent_default();
            keep_in_view.start();
        }
    };
    let counted = move || counted_words(kernel);
    let leaving = Memo::new(move |_| {
        kernel
            .steering()
            .window
            .with(|window| !window.next_out.is_empty())
    });
    let messages_at = move |stop: usize| {
        kernel
            .steering()
            .window
            .with(|window| window.stops.get(stop).map_or(0, |stop| stop.messages))
    };
    let all = move || messages_at(0);
    let sent = move || messages_at(kernel.steering().chosen.with(|window| window.edge));
    view! {
        <div
            class="sash-handle"
            role="slider"
            tabindex="0"
            aria-label=t!(transcript.messages_in_window)
            aria-orientation="vertical"
            aria-valuemin="0"
            aria-valuemax=move || all().to_string()
            aria-valuenow=move || sent().to_string()
            aria-valuetext=move || value_text(kernel)
            data-held=move || drag.held.get()
            hidden=move || kernel.steering().chosen.with(|window| window.stops.is_empty())
            node_ref=handle
            on:pointerdown=move |event| {
                // Otherwise the drag would select the conversation.
                event.prevent_default();
                if let Some(handle) = handle.get_untracked() {
                    // Fails only for a pointer that is gone.
                    _ = handle.set_pointer_capture(event.pointer_id());
                    _ = handle.focus();
                }
                drag.start(&event);
            }
            on:pointermove=move |event| drag.on_move(&event)
            on:pointerup=move |event| {
                drag.on_move(&event);
                drag.drop();
            }
            on:lostpointercapture=move |_| _ = drag.cancel()
            on:keydown=on_key
        >
            <i></i>
            <span class="sash-name" aria-hidden="true">
                <strong>{counted}</strong>
                <span>{t!(transcript.handle_hint)}</span>
                <Show when=move || leaving.get()>
                    <span>{t!(transcript.handle_leaves_hint)}</span>
                </Show>
            </span>
        </div>
    }
}

/// Keeps the edge in view after a key press.
#[derive(Clone, Copy)]
struct KeepInView {
    scroller: NodeRef<Section>,
    line: NodeRef<Div>,
    /// Remaining frames.
    frames: StoredValue<u32>,
}

impl KeepInView {
    /// Starts, or restarts.
    fn start(self) {
        let runs = self.frames.get_value() > 0;
        self.frames.set_value(FRAMES_IN_VIEW);
        if !runs {
            self.each_frame();
        }
    }

    fn each_frame(self) {
        request_animation_frame(move || {
            self.scroll();
            // The sash may be removed by then.
            let left = self.frames.try_get_value().unwrap_or_default();
            if left > 1 {
                self.frames.set_value(left - 1);
                self.each_frame();
            } else {
                _ = self.frames.try_set_value(0);
            }
        });
    }

    /// Scrolls just enough to show the edge.
    fn scroll(self) {
        let elements = self.scroller.try_get_untracked().flatten();
        let Some((scroller, line)) = elements.zip(self.line.try_get_untracked().flatten()) else {
            return;
        };
        let edge = line.offset_top();
        let top = scroller.scroll_top() as i32;
        let height = scroller.client_height();
        if edge < top + EDGE_MARGIN_PX {
            scroller.set_scroll_top((edge - EDGE_MARGIN_PX).into());
        } else if edge + EDGE_MARGIN_PX > top + height {
            scroller.set_scroll_top((edge + EDGE_MARGIN_PX - height).into());
        }
    }
}

/// What goes with the next prompt, in the numbers of the line below the field: `28 of 64 messages, about 630 tokens`.
fn counted_words(kernel: Kernel) -> String {
    let tokens = next_tokens(kernel);
    let counted = kernel.steering().counts.with(|counts| counts.words());
    t!(
        transcript.counted_tokens,
        counted = &counted,
        tokens = &tokens
    )
}

/// The slider's value in words: by which policy, and what goes.
fn value_text(kernel: Kernel) -> String {
    let policy = kernel.chats().open_settings().policy().get();
    let counted = counted_words(kernel);
    match policy {
        // Their number is counted already.
        Policy::Messages(_) => counted,
        policy => t!(
            transcript.policy_counted,
            policy = policy_name(policy),
            counted = &counted
        ),
    }
}

/// Moves the edge by keyboard. Returns whether the key was handled.
fn move_by_key(kernel: Kernel, key: &str, repeats: bool) -> bool {
    let (edge, stops) = kernel
        .steering()
        .window
        .with_untracked(|window| (window.edge, window.stops.len()));
    let to = match key {
        "ArrowUp" | "ArrowRight" => edge.saturating_sub(1),
        "ArrowDown" | "ArrowLeft" => edge + 1,
        "PageUp" => edge.saturating_sub(10),
        "PageDown" => edge + 10,
        "Home" => 0,
        "End" => stops,
        _ => return false,
    };
    let to = to.min(stops);
    if key == "Home" {
        kernel.steering().set_policy(Policy::Everything);
    } else if to != edge {
        let policy = policy_at(kernel, to);
        if repeats {
            kernel.steering().slide_policy(policy);
        } else {
            kernel.steering().set_policy(policy);
        }
    }
    true
}
