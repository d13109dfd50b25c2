//! In the browser: which rows are on the page, and what stays where it is while others come and go.

use crate::heights::RowHeights;
use crate::{AutoScroll, ListRow, VirtualList, Virtualizer};
use leptos::html::Section;
use leptos::prelude::*;
use leptos::tachys::html::node_ref::NodeRefContainer;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::{Element, HtmlElement};

wasm_bindgen_test_configure!(run_in_browser);

/// The height of the element that scrolls, in pixels.
const SCREEN: i32 = 400;
/// The height of a row, in pixels.
const ROW: i32 = 80;
/// The height that each row is estimated to have, in pixels.
const ESTIMATED: i32 = 50;
/// Frames until a change has certainly been laid out, and what it brought near has been mounted.
const FRAMES: usize = 6;

/// A row as a transcript has them.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Row {
    Message(u64),
    /// The line that moves among the messages.
    Line,
}

impl ListRow for Row {
    type Id = u64;

    fn of(id: u64) -> Self {
        Self::Message(id)
    }

    fn is_content(self) -> bool {
        self != Self::Line
    }

    fn is_mark(self) -> bool {
        self == Self::Line
    }
}

/// A fold that a person opened or closed; one that is open from the beginning has `data-unfolded`.
const RETAINED: &str =
    ":focus-within, :has(details[open]:not([data-unfolded]), details[data-unfolded]:not([open]))";

/// A list in the page, until it is dropped.
struct List {
    rows: RwSignal<Vec<Row>>,
    place: HtmlElement,
    scroller: HtmlElement,
}

impl List {
    /// Mounts a list of so many rows. `anchors` says whether the browser may keep the reader's place.
    async fn mount(count: u64, anchors: bool) -> Self {
        let rows = RwSignal::new(rows(0..count));
        let place = document().create_element("div").unwrap();
        document().body().unwrap().append_child(&place).unwrap();
        let place: HtmlElement = place.unchecked_into();
        let anchor = if anchors { "auto" } else { "none" };
        leptos::mount::mount_to(place.clone(), move || list(rows, anchor)).forget();
        let scroller = place.first_element_child().unwrap().unchecked_into();
        let list = Self {
            rows,
            place,
            scroller,
        };
        frames().await;
        list
    }

    /// The row of a message, if it is on the page.
    fn row(&self, id: u64) -> Option<HtmlElement> {
        let row = self.place.query_selector(&format!("#r-{id}")).unwrap();
        row.map(JsCast::unchecked_into)
    }

    /// How many rows are on the page.
    fn count(&self) -> u32 {
        self.place.query_selector_all("article").unwrap().length()
    }

    /// How far below the upper rim of what is seen a row begins, in pixels.
    fn top(&self, id: u64) -> i32 {
        self.row(id).unwrap().offset_top() - self.scroller.scroll_top() as i32
    }

    async fn scroll_to(&self, top: i32) {
        self.scroller.set_scroll_top(top.into());
        frames().await;
    }
}

impl Drop for List {
    fn drop(&mut self) {
        self.place.remove();
    }
}

/// As in the transcript: the element that scrolls, and the list in it.
fn list(rows: RwSignal<Vec<Row>>, anchor: &'static str) -> impl IntoView {
    let scroller = NodeRef::<Section>::new();
    let auto_scroll = AutoScroll::new(scroller);
    let virtualizer = Virtualizer::new(scroller, auto_scroll, RwSignal::new(None), RETAINED);
    let view = |row| {
        let Row::Message(id) = row else {
            return view! { <p></p> }.into_any();
        };
        view! {
            // The height is that of what stands in the row: the list uses the row's own style for gaps.
            <article id=format!("r-{id}")>
                <div tabindex="-1" style=format!("height: {ROW}px")>
                    {format!("row {id}")}
                </div>
                // A call of a tool, which is unfolded from the beginning.
                <details hidden open data-unfolded=""></details>
            </article>
        }
        .into_any()
    };
    view! {
        <section
            node_ref=scroller
            on:scroll=move |_| {
                auto_scroll.on_scroll();
                virtualizer.on_scroll();
            }
            style=format!("position: relative; height: {SCREEN}px; overflow-y: scroll; overflow-anchor: {anchor}")
        >
            <VirtualList
                virtualizer
                rows=Memo::new(move |_| rows.get())
                view
                estimate_height=|_, _| ESTIMATED
                on_print=|| ()
                print_asked=Trigger::new()
                on_long_print=|| ()
            >
                ""
            </VirtualList>
        </section>
    }
}

fn rows(ids: std::ops::Range<u64>) -> Vec<Row> {
    ids.map(Row::Message).collect()
}

/// Waits until the page has been laid out and told of it.
async fn frames() {
    for _ in 0..FRAMES {
        let frame = js_sys::Promise::new(&mut |done, _| {
            window().request_animation_frame(&done).unwrap();
        });
        JsFuture::from(frame).await.unwrap();
    }
}

/// Selects from the text of one row to the text of another.
fn select(from: &Element, to: &Element) -> web_sys::Selection {
    let text = |row: &Element| row.first_element_child().unwrap().first_child().unwrap();
    let (from, to) = (text(from), text(to));
    let range = document().create_range().unwrap();
    range.set_start(&from, 0).unwrap();
    range.set_end(&to, "row 998".len() as u32).unwrap();
    let selection = window().get_selection().unwrap().unwrap();
    selection.remove_all_ranges().unwrap();
    selection.add_range(&range).unwrap();
    selection
}

#[wasm_bindgen_test]
async fn of_a_long_list_only_the_rows_near_the_screen_are_on_the_page() {
    let list = List::mount(1_000, true).await;
    assert!(list.count() < 80, "{} rows", list.count());
    assert!(list.row(999).is_some() && list.row(0).is_none());
    list.scroll_to(0).await;
    assert!(list.row(0).is_some() && list.row(999).is_none());
    assert!(list.count() < 80, "{} rows", list.count());
}

#[wasm_bindgen_test]
async fn a_short_list_is_on_the_page_as_a_whole() {
    let list = List::mount(60, true).await;
    assert_eq!(list.count(), 60);
}

#[wasm_bindgen_test]
async fn a_list_opens_at_its_end() {
    let list = List::mount(1_000, true).await;
    assert_eq!(list.top(999) + ROW, SCREEN);
}

#[wasm_bindgen_test]
async fn a_row_keeps_its_element_while_others_come_and_go() {
    let list = List::mount(1_000, true).await;
    let row = list.row(995).unwrap();
    list.rows.update(|rows| rows.push(Row::Message(1_000)));
    frames().await;
    assert!(list.row(1_000).is_some());
    assert_eq!(list.row(995), Some(row));
}

#[wasm_bindgen_test]
async fn focus_stays_in_a_row_that_is_far_away() {
    let list = List::mount(1_000, true).await;
    let inner = list.row(998).unwrap().first_element_child().unwrap();
    inner.unchecked_ref::<HtmlElement>().focus().unwrap();
    list.scroll_to(0).await;
    assert!(list.row(990).is_none());
    assert_eq!(document().active_element(), Some(inner));
    // A gap before the row is as high as the rows that are not there.
    assert!(list.row(998).unwrap().offset_top() > 900 * ESTIMATED);
}

#[wasm_bindgen_test]
async fn a_row_stays_in_which_the_person_opened_or_closed_a_fold() {
    for (selector, opens) in [("[data-unfolded]", false), ("[data-folded]", true)] {
        let list = List::mount(1_000, true).await;
        let row = list.row(998).unwrap();
        let fold = document().create_element("details").unwrap();
        fold.set_attribute("hidden", "").unwrap();
        fold.set_attribute("data-folded", "").unwrap();
        row.append_child(&fold).unwrap();
        let fold = row.query_selector(selector).unwrap().unwrap();
        fold.toggle_attribute("open").unwrap();
        assert_eq!(fold.has_attribute("open"), opens);
        list.scroll_to(0).await;
        assert!(list.row(998).is_some() && list.row(990).is_none());
    }
}

#[wasm_bindgen_test]
async fn a_selection_across_rows_stays() {
    let list = List::mount(1_000, true).await;
    let (first, last) = (list.row(996).unwrap(), list.row(998).unwrap());
    let selection = select(&first, &last);
    list.scroll_to(0).await;
    assert!(list.row(990).is_none());
    let text = String::from(selection.to_string());
    for id in 996..=998 {
        assert!(text.contains(&format!("row {id}")), "{text}");
    }
    selection.remove_all_ranges().unwrap();
}

/// Rows that were never measured are higher than they were estimated.
async fn stays_in_its_place(anchors: bool) {
    let list = List::mount(1_000, anchors).await;
    list.scroll_to(20_000).await;
    let reader = (0..1_000)
        .find(|id| list.row(*id).is_some() && list.top(*id) >= 0)
        .unwrap();
    let before = list.top(reader);
    for step in 1..=10 {
        let top = list.scroller.scroll_top() as i32;
        list.scroll_to(top - 100).await;
        let moved = list.top(reader) - before;
        assert_eq!(moved, step * 100, "after {step} steps");
    }
}

#[wasm_bindgen_test]
async fn the_reader_keeps_their_place_where_the_browser_keeps_it() {
    stays_in_its_place(true).await;
}

#[wasm_bindgen_test]
async fn the_reader_keeps_their_place_where_the_browser_does_not() {
    stays_in_its_place(false).await;
}

#[wasm_bindgen_test]
async fn a_message_that_goes_takes_its_row_along() {
    let list = List::mount(20, true).await;
    list.rows
        .update(|rows| rows.retain(|row| *row != Row::Message(5)));
    frames().await;
    assert_eq!((list.row(5), list.count()), (None, 19));
    assert_eq!(list.row(6).unwrap().offset_top(), 5 * ROW);
}

/// *New chat* after a long chat was a blank page: the space of the former chat's rows stayed above the first screen.
#[wasm_bindgen_test]
async fn a_long_list_that_becomes_empty_leaves_no_space() {
    let list = List::mount(1_000, true).await;
    list.rows.set(Vec::new());
    frames().await;
    assert_eq!(list.count(), 0);
    assert_eq!(list.scroller.scroll_height(), SCREEN);
    assert_eq!(list.scroller.scroll_top() as i32, 0);
}

/// The line was taken for a change of the messages: a reader in the middle found themselves at the end.
#[wasm_bindgen_test]
fn the_line_of_the_window_passes_rows_that_keep_their_heights() {
    let with_line = |at: usize| {
        let mut all = rows(0..10);
        all.insert(at, Row::Line);
        all
    };
    let mut heights = RowHeights::default();
    heights.align(with_line(7), |_| ESTIMATED);
    (0..11).for_each(|place| heights.set_measured(place, ROW));
    assert!(!heights.align(with_line(2), |_| ESTIMATED));
    assert_eq!(heights.all(), [ROW; 11]);
    assert_eq!(heights.row(2), Some(Row::Line));
}

/// A page that shows something else in the place of a list does so before a slow browser's first frame.
#[wasm_bindgen_test]
async fn a_list_that_is_removed_before_the_next_frame_leaves_nothing_to_follow() {
    let page = Owner::new();
    let scroller = page.with(NodeRef::<Section>::new);
    let place = document().create_element("section").unwrap();
    scroller.load(&place);
    let list = page.with(Owner::new);
    let scroll = list.with(|| AutoScroll::new(scroller));
    scroll.follow();
    list.cleanup();
    frames().await;
    // What was left of it would have panicked.
    scroll.jump();
}
