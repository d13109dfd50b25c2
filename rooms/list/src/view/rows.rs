//! The list of chats. However many there are, the page holds the rows near those that are seen: all rows have one
//! height, so a row's place follows from its number.

use super::chat_row::ChatRow;
use super::heading_row::HeadingRow;
use super::list_focus::ListFocus;
use super::list_keys::on_list_key;
use crate::{ChatList, ListRow};
use leptos::html;
use leptos::prelude::*;
use leptos_use_interval_fn::use_interval_fn;
use leptos_use_resize_observer::use_resize_observer;

/// How many rows above and below those that are seen are on the page.
const OVERSCAN_ROWS: usize = 12;
/// The most rows on the page, besides the one with the focus.
const MAX_ROWS: usize = 96;
/// How often the list looks whether another day has begun, in milliseconds.
const DAY_CHECK_MS: u64 = 60_000;

/// The rows. The list is one tab stop; the arrow keys move within it.
#[component]
pub fn Rows() -> impl IntoView {
    let chats = ChatList::expect();
    let rows = chats.rows;
    let scroller = NodeRef::<html::Div>::new();
    let list = NodeRef::<html::Ul>::new();
    let focus = expect_context::<ListFocus>();
    let (scrolled, height) = (RwSignal::new(0.0_f64), RwSignal::new(0.0_f64));
    let row_height = RwSignal::new(36.0_f64);
    let total = Memo::new(move |_| rows.with(|rows| rows.len()));
    use_resize_observer(scroller, move |entries, _| {
        if let Some(entry) = entries.first() {
            height.set(entry.content_rect().height());
        }
    });
    use_interval_fn(move || chats.refresh_today(), DAY_CHECK_MS);
    // The height of a row follows the size of text, which is not known before the list is on the page.
    use_resize_observer(list, move |_, _| {
        let count = total.get_untracked();
        if let Some(list) = list.get_untracked().filter(|_| count > 0) {
            row_height.set(f64::from(list.offset_height()) / count as f64);
        }
    });
    let first_and_last = Memo::new(move |_| {
        let (row, count) = (row_height.get().max(1.0), total.get());
        let first = ((scrolled.get() / row) as usize).saturating_sub(OVERSCAN_ROWS);
        let last = ((scrolled.get() + height.get()) / row).ceil() as usize + OVERSCAN_ROWS;
        let first = first.min(count);
        (first, last.min(first + MAX_ROWS).min(count))
    });
    // The row with the focus stays on the page wherever the list is scrolled to, or the focus would be lost.
    let shown = Memo::new(move |_| {
        let (first, last) = first_and_last.get();
        let kept = focus.number().filter(|at| !(first..last).contains(at));
        rows.with(|rows| {
            let numbers = kept
                .filter(|at| *at < first)
                .into_iter()
                .chain(first..last)
                .chain(kept.filter(|at| *at >= last));
            let shown = numbers.filter_map(|at| Some((at, *rows.get(at)?)));
            shown.collect::<Vec<_>>()
        })
    });
    // A row stays while others come and go above it, so its number is not that with which it was made.
    let number_of = move |row: ListRow| {
        Memo::new(move |_| {
            shown.with(|shown| {
                let found = shown.iter().find(|(_, known)| *known == row);
                found.map_or(1, |(at, _)| at + 1)
            })
        })
    };
    // Scrolls as little as needed to a row that is to have the focus.
    let reveal = move |at: usize| {
        let Some(scroller) = scroller.get_untracked() else {
            return;
        };
        let row = row_height.get_untracked();
        let (top, bottom) = (row * at as f64, row * (at + 1) as f64);
        let seen = f64::from(scroller.client_height());
        let now = scroller.scroll_top();
        if top < now {
            scroller.set_scroll_top(top);
        } else if bottom > now + seen {
            scroller.set_scroll_top((bottom - seen).ceil());
        }
        scrolled.set(scroller.scroll_top());
    };
    // A folder that was just made is scrolled into view, once the list has its row.
    let reveal_row = move |row: ListRow| {
        request_animation_frame(move || {
            let at = rows.with_untracked(|rows| rows.iter().position(|known| *known == row));
            if let Some(at) = at {
                reveal(at);
            }
        });
    };
    let revealed = chats.revealed;
    Effect::watch(
        move || revealed.get(),
        move |row, _, _| row.iter().copied().for_each(reveal_row),
        false,
    );
    let has_focus = move || {
        let scroller = scroller.try_get_untracked().flatten();
        let at = document().active_element();
        scroller.is_some_and(|scroller| scroller.contains(at.as_deref()))
    };
    let on_scroll = move |_| {
        if let Some(scroller) = scroller.get_untracked() {
            let had_focus = has_focus();
            scrolled.set(scroller.scroll_top());
            if had_focus {
                // A row that changes its place among the elements loses the focus.
                request_animation_frame(move || {
                    if !has_focus() {
                        focus.restore();
                    }
                });
            }
        }
    };

    view! {
        <div
            class="chat-list"
            node_ref=scroller
            data-selecting=move || chats.is_selecting().to_string()
            on:scroll=on_scroll
            on:keydown=move |event| on_list_key(&event, chats, focus, &reveal)
        >
            <ul node_ref=list style:--rows=move || total.get().to_string()>
                <For each=move || shown.get() key=|(_, row)| *row let((_, row))>
                    {
                        let number = number_of(row);
                        match row {
                            ListRow::Chat(id, in_folder) => {
                                view! { <ChatRow id in_folder number total /> }.into_any()
                            }
                            ListRow::Heading(kind) => {
                                view! { <HeadingRow kind number total /> }.into_any()
                            }
                        }
                    }
                </For>
            </ul>
        </div>
    }
}
