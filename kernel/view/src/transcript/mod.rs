//! The transcript: the shown branch, and the sash in its margin.

mod actions;
mod answer;
mod figures;
mod foot;
mod menu;
mod message;
mod message_state;
mod note;
mod question;
mod question_edit;
mod receipt;
mod remedies;
mod row;
mod sash;
#[cfg(test)]
mod tests;
mod unsaved_edit;
mod waiting;
mod welcome;

use crate::browser::focus_refs::FocusRefs;
use crate::panel::system_title;
use crate::places::{InsertedAfter, PlacesContext, use_places};
use crate::stores::use_kernel;
pub use actions::{CopyButton, focus_after_asking};
use leptos::html::Section;
use leptos::prelude::*;
use leptos_use_resize_observer::use_resize_observer;
pub use menu::{ContinueItem, ReceiptItem};
use message::MessageRow;
pub use message_state::MessageState;
pub use note::Note;
pub use question::UnfoldedQuestions;
pub use question_edit::EditedQuestion;
use row::{EdgePlace, RETAINED, Row, edge_place, estimate_height, rows};
use sash::{Marks, Sash};
use sash_browser_kit::page;
use sash_chat::Id;
use sash_markdown_view::finish_answers;
use sash_stores::Kernel;
use sash_ui_kit::{Icon, IconName};
use sash_virtual_list::{AutoScroll, VirtualList, Virtualizer};
use sash_words::t;
use welcome::Welcome;

/// The transcript, and the button that jumps to its end.
#[component]
pub fn Transcript() -> impl IntoView {
    let (kernel, places) = (use_kernel(), use_places());
    let log = FocusRefs::expect().conversation;
    let scroll = AutoScroll::new(log);
    provide_context(scroll);
    provide_context(Marks::new(kernel));
    provide_context(UnfoldedQuestions::new(kernel));
    let virtualizer = Virtualizer::new(log, scroll, kernel.view().goal, RETAINED);
    // A key in the composer changes the window, but seldom its edge: the rows of thousands of messages stay.
    // While the edge is dragged its line stays, so that the messages do not move under the hand.
    let held = RwSignal::new(false);
    let edge = Memo::new(
        move |former: Option<&Option<EdgePlace>>| match (held.get(), former) {
            (true, Some(former)) => *former,
            _ => edge_place(kernel),
        },
    );
    let rows = Memo::new(move |_| rows(kernel, edge.get(), places.inserted_after.get()));
    let empty = Memo::new(move |_| kernel.chats().path.with(Vec::is_empty));
    follow_size(log, scroll, empty);
    follow_layout(kernel, scroll);
    page::use_print_title(move || {
        kernel
            .chats()
            .title_outside(kernel.chats().open_id_untracked())
    });
    // The heading level between the chat's title and its messages.
    let heading = || view! { <h2 class="visually-hidden">{t!(transcript.conversation)}</h2> };
    view! {
        <div class="transcript-place">
            <section
                class="transcript"
                id="conversation"
                role="log"
                aria-label=t!(transcript.conversation)
                aria-live="off"
                tabindex="0"
                node_ref=log
                on:scroll=move |_| {
                    scroll.on_scroll();
                    virtualizer.on_scroll();
                }
            >
                <Show when=move || empty.get() fallback=heading>
                    <Welcome />
                </Show>
                <SystemLine />
                <VirtualList
                    virtualizer
                    rows
                    view=move |row| row_view(kernel, places, row)
                    estimate_height=move |row, width| estimate_height(kernel, row, width)
                    on_print=finish_answers
                    print_asked=kernel.view().print_asked
                    on_long_print=move || kernel.notices().show(t!(transcript.preparing_to_print))
                >
                    <Show when=move || !empty.get()>
                        <Sash scroller=log list=virtualizer held />
                    </Show>
                </VirtualList>
            </section>
            <JumpToLatest />
            {places.transcript_tools.view()}
        </div>
    }
}

/// Builds a row of the transcript: one element.
fn row_view(kernel: Kernel, places: PlacesContext, row: Row) -> AnyView {
    match row {
        Row::Message(id) => match kernel.chats().message(id) {
            Some(message) => view! { <MessageRow message /> }.into_any(),
            None => view! { <article></article> }.into_any(),
        },
        Row::FreshStart(after) => view! { <FreshStart after /> }.into_any(),
        Row::Inserted(after) => {
            provide_context(InsertedAfter(after));
            places.inserted_row.view().into_any()
        }
        Row::WindowEdge => view! { <WindowNotice /> }.into_any(),
    }
}

/// When the transcript changes its size: exposes the width of its scrollbar gutters to the styles, and keeps a reader
/// at the end there, because the composer takes room from it as it grows. What stands in an empty chat is read from its
/// beginning.
fn follow_size(log: NodeRef<Section>, scroll: AutoScroll, empty: Memo<bool>) {
    use_resize_observer(log, move |_, _| {
        if let Some(scroller) = log.get_untracked() {
            page::record_gutters(&scroller);
        }
        if empty.try_get_untracked() == Some(false) {
            scroll.follow();
        }
    });
}

/// Keeps a reader at the end there when the layout around the messages changes.
fn follow_layout(kernel: Kernel, scroll: AutoScroll) {
    // The panel makes the column narrower and so its text longer; a toast takes room below the transcript.
    Effect::new(move || {
        kernel.view().panel_shown.track();
        kernel.notices().toast.track();
        scroll.follow();
    });
    // The line of a clearing was just added below the last message.
    let drawn = Memo::new(move |_| {
        let last = kernel.chats().path.with(|path| path.last().copied());
        last.is_some()
            && kernel
                .steering()
                .window
                .with(|window| window.cleared == last)
    });
    Effect::new(move || {
        if drawn.get() {
            request_animation_frame(move || scroll.jump());
        }
    });
}

/// The first line of the system prompt, which opens its dialog; empty if there is none.
#[component]
fn SystemLine() -> impl IntoView {
    let kernel = use_kernel();
    let line = Memo::new(move |_| {
        kernel.chats().open.with(|chat| {
            let system = chat.head.system_prompt()?;
            let first = system.text.trim().lines().next().unwrap_or_default();
            Some((system_title(system.folder), first.to_owned()))
        })
    });

    view! {
        <div>
            <ShowLet some=line let:line>
                <button
                    type="button"
                    class="system-line"
                    aria-haspopup="dialog"
                    title=t!(common.edit_system_prompt)
                    on:click=move |_| kernel.view().system_shown.set(true)
                >
                    <strong>{line.0}</strong>
                    " "
                    <span dir="auto">{line.1}</span>
                </button>
            </ShowLet>
        </div>
    }
}

/// The line, and a button that removes the clearing. The conversation above it is unchanged.
#[component]
fn FreshStart(
    /// The message before the line.
    after: Id,
) -> impl IntoView {
    let kernel = use_kernel();
    let conversation = FocusRefs::expect().conversation;
    let remove = move |_| {
        kernel.steering().unclear(after);
        // The button is removed together with its focus.
        page::focus(conversation);
    };
    view! {
        <p class="afresh">
            <span>{t!(transcript.context_cleared)}</span>
            <button
                type="button"
                class="link"
                aria-label=t!(transcript.remove_context_cleared)
                on:click=remove
            >
                {t!(common.remove)}
            </button>
        </p>
    }
}

/// The line at the upper edge of the window: the model no longer sees what is above.
#[component]
fn WindowNotice() -> impl IntoView {
    let window = use_kernel().steering().chosen;
    let words = move || match window.with(|window| window.summary) {
        Some(_) => t!(transcript.summary_above),
        None => t!(transcript.nothing_above_sent),
    };

    view! {
        <p class="window-notice">
            <span>{words}</span>
        </p>
    }
}

/// A button that scrolls to the end, shown while the reader is elsewhere.
#[component]
fn JumpToLatest() -> impl IntoView {
    let scroll = expect_context::<AutoScroll>();
    view! {
        <div class="jump-place">
            <Show when=move || !scroll.at_end.get()>
                <button type="button" class="jump" on:click=move |_| scroll.jump()>
                    <Icon name=IconName::Down />
                    {t!(transcript.jump_to_latest)}
                </button>
            </Show>
        </div>
    }
}
