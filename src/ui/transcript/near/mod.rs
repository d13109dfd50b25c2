//! What of a long chat is on the page: the rows near the screen. Above and below, an empty space is as high as
//! what is not there. A row that is being used - it has focus, part of the selection, an open field or receipt,
//! a running answer - stays wherever it is.
//!
//! The browser keeps the place while rows above it come, go and take their size (`overflow-anchor`); where it does
//! not know how, it is done here.

mod heights;

use super::afresh::Row;
use crate::browser::page::{self, Follower};
use crate::ui::dom::{El, el};
use crate::ui::session::{Goal, Session};
use heights::Heights;
use leptos::prelude::*;
use sash_chat::Id;
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// So many rows are on the page all at once.
const WHOLE: usize = 60;
/// Screens that must be there above and below what is seen, and screens that are fetched when they are not.
const LEAST: i32 = 2;
const FETCHED: i32 = 3;
/// And of a chat that is being opened.
const SEEN: i32 = 1;
/// A row that stays on the page.
const USED: &str = ":focus-within, [data-state=running], [data-state=waiting], :has(.edit, .receipt, details[open])";

/// Which rows are on the page, and where all of them stand.
pub struct Near {
    session: Session,
    log: HtmlElement,
    list: HtmlElement,
    above: HtmlElement,
    below: HtmlElement,
    follower: Follower,
    heights: RefCell<Heights>,
    /// The places of the rows that are on the page, in order.
    there: RefCell<Vec<usize>>,
    /// Those of them that are there because they are near.
    range: RefCell<Range<usize>>,
    /// What was at the top of the screen before a change, and how far down.
    anchor: Cell<Option<(Row, i32)>>,
    /// To the end as soon as there is one.
    to_end: Cell<bool>,
    /// Whether a chat was just opened: at first what is seen of it is there, and a moment later what is near.
    opening: Cell<bool>,
    /// Whether rows have other sizes than those that were last measured.
    stale: Cell<bool>,
    /// Whether the browser keeps the reader's place, once it was asked.
    keeps: OnceCell<bool>,
    /// The row that is to be shown now.
    goal: Cell<Option<Goal>>,
    /// Changes when other rows have come near.
    pub moved: RwSignal<()>,
    /// Changes when rows have taken their place.
    pub placed: RwSignal<()>,
}

impl Near {
    /// For a list of messages in the element that scrolls, and the spaces around the list.
    pub fn new(session: Session, log: &El, list: &El, follower: &Follower) -> (Rc<Self>, El, El) {
        let space = || el("div").class("space").attr("aria-hidden", "true");
        let (above, below) = (space(), space());
        let near = Rc::new(Self {
            session,
            log: log.html(),
            list: list.html(),
            above: above.html(),
            below: below.html(),
            follower: follower.clone(),
            heights: RefCell::default(),
            there: RefCell::default(),
            range: RefCell::new(0..0),
            anchor: Cell::new(None),
            to_end: Cell::new(true),
            opening: Cell::new(false),
            stale: Cell::new(false),
            keeps: OnceCell::new(),
            goal: Cell::new(None),
            moved: RwSignal::new(()),
            placed: RwSignal::new(()),
        });
        let resized = Rc::clone(&near);
        let watched = page::Watched::new(&list.element(), Box::new(move || resized.resized()));
        StoredValue::new_local(watched);
        (near, above, below)
    }

    /// The rows that are to be on the page. Keeps in mind what stands at the top of the screen until they are.
    pub fn rows(&self, rows: Vec<Row>) -> Vec<Row> {
        if self.stale.get() {
            self.measure();
        }
        let mut heights = self.heights.borrow_mut();
        let seen = self.log.scroll_top() as i32;
        let first = heights.at(seen);
        let old = heights.top(first);
        let anchor = heights.row(first);
        self.anchor.set(anchor.map(|row| (row, old)));
        let used = self.used(&heights);
        let width = self.list.client_width();
        let changed = heights.align(rows, |row| self.guess(row, width));
        let goal = self.session.goal.write_untracked().take();
        self.goal.set(goal);
        let goal = goal.and_then(|(id, shows)| {
            let at = heights.place_of(Row::Message(id))?;
            Some((at, shows))
        });
        // Another chat, or a question of one's own; and who is at the end stays there.
        let to_end = self.to_end.get() || changed || self.follower.is_at_end();
        self.to_end.set(to_end && goal.is_none());
        let anchored = anchor.and_then(|row| heights.place_of(row));
        let seen = match goal {
            Some((at, true)) => heights.top(at),
            _ if self.to_end.get() => i32::MAX / 2,
            Some((at, false)) if anchored.is_none() => heights.top(at),
            _ => anchored.map_or(seen, |at| heights.top(at) + seen - old),
        };
        let opening = changed && anchored.is_none();
        self.opening.set(opening);
        let near = self.near(&heights, seen, if opening { SEEN } else { FETCHED });
        let mut there = Vec::new();
        let mut rows = Vec::new();
        let mut add = |at| {
            there.push(at);
            rows.extend(heights.row(at));
        };
        let mut near_at = near.clone();
        for row in used {
            // They stand in the order of the branch, before or behind what is near.
            match heights.place_of(row) {
                Some(at) if at < near.start => add(at),
                Some(at) if at >= near.end => {
                    near_at.by_ref().for_each(&mut add);
                    add(at);
                }
                _ => {}
            }
        }
        near_at.for_each(add);
        self.there.replace(there);
        self.range.replace(near);
        rows
    }

    /// The rows are on the page: gives the spaces their heights, the rows theirs, and the reader their place.
    pub fn arranged(self: &Rc<Self>) {
        if self.opening.get() {
            let this = Rc::clone(self);
            // Once it has been painted.
            request_animation_frame(move || set_timeout(move || this.opened(), Duration::ZERO));
        }
        self.space();
        if self.log.client_height() > 0 {
            self.measure();
            self.settle();
        }
        if let Some((id, true)) = self.goal.take() {
            let heading = format!("h-{id}");
            page::bring_up(&heading);
            self.follower.scrolled(&self.log);
            request_animation_frame(move || page::show_around(&heading));
        }
        self.placed.set(());
    }

    fn opened(&self) {
        self.opening.set(false);
        self.scrolled();
    }

    /// The reader scrolled: other rows may be near.
    pub fn scrolled(&self) {
        if self.opening.get() {
            return;
        }
        let heights = self.heights.borrow();
        let wanted = self.near(&heights, self.log.scroll_top() as i32, LEAST);
        drop(heights);
        let range = self.range.borrow().clone();
        if wanted.start < range.start || wanted.end > range.end {
            // The page may be gone by now.
            _ = self.moved.try_set(());
        }
    }

    /// How far down a message begins.
    pub fn top_of(&self, id: Id) -> Option<i32> {
        let heights = self.heights.borrow();
        let place = heights.place_of(Row::Message(id))?;
        let there = self.there.borrow();
        let at = there.binary_search(&place).ok();
        let row = at.and_then(|at| self.elements().nth(at));
        Some(row.map_or_else(|| heights.top(place), |row| row.offset_top()))
    }

    /// The list itself.
    pub fn list(&self) -> HtmlElement {
        self.list.clone()
    }

    /// How far down the list ends.
    pub fn end(&self) -> i32 {
        self.list.client_height() + self.below.client_height()
    }

    /// Some row, or the page, has another size.
    fn resized(self: &Rc<Self>) {
        if self.log.client_height() == 0 {
            return;
        }
        // Who waits at the end for an answer that is still being built stays there.
        let building = self.log.query_selector("[aria-busy=true]");
        if self.follower.is_at_end() && building.is_ok_and(|building| building.is_some()) {
            self.to_end.set(true);
        }
        let heights = self.heights.borrow();
        // All rows are on the page, and an answer may be growing in one of them with each frame: nobody asks for
        // heights until there are other rows.
        let whole = self.there.borrow().len() == heights.len();
        let keeps_place = || *self.keeps.get_or_init(|| page::keeps_place(&self.log));
        if whole && (self.to_end.get() || keeps_place()) {
            drop(heights);
            self.stale.set(true);
            if self.to_end.get() {
                self.settle();
            }
            return;
        }
        let first = heights.at(self.log.scroll_top() as i32);
        let anchor = heights.row(first).map(|row| (row, heights.top(first)));
        drop(heights);
        self.anchor.set(anchor);
        self.measure();
        self.settle();
        // Not at once: what an observer of sizes changes, it would be told of again.
        let this = Rc::clone(self);
        request_animation_frame(move || this.scrolled());
    }

    /// The rows on the page, in their order.
    fn elements(&self) -> impl Iterator<Item = HtmlElement> {
        let next = |element: &HtmlElement| {
            let next = element.next_element_sibling()?;
            next.dyn_into::<HtmlElement>().ok()
        };
        std::iter::successors(next(&self.above), next)
    }

    /// The rows that stay wherever they are.
    fn used(&self, heights: &Heights) -> Vec<Row> {
        let there = self.there.borrow();
        let used = |row: &HtmlElement| row.matches(USED).unwrap_or(false) || page::is_selected(row);
        let rows = there.iter().zip(self.elements());
        let rows = rows.filter(|(_, element)| used(element));
        rows.filter_map(|(at, _)| heights.row(*at)).collect()
    }

    /// The rows around what is seen from a height on.
    fn near(&self, heights: &Heights, seen: i32, screens: i32) -> Range<usize> {
        if heights.len() <= WHOLE && !self.opening.get() {
            return 0..heights.len();
        }
        let screen = match self.log.client_height() {
            // Not on the page yet: that of a large one.
            0 => 1200,
            height => height.max(400),
        };
        let end = heights.top(heights.len()) - screen;
        let seen = seen.min(end);
        let from = heights.at(seen - screens * screen);
        from..heights.at(seen + (screens + 1) * screen) + 1
    }

    /// A height for a row that was never on the page, in a list of that width.
    fn guess(&self, row: Row, width: i32) -> i32 {
        // What stands around a text, a line of it, and a letter: averages of the page's own styles.
        const AROUND: i32 = 58;
        const LINE: i32 = 26;
        const LETTER: i32 = 8;
        let Row::Message(id) = row else {
            return 40;
        };
        let length = |session: Session| {
            session.open.with_untracked(|chat| {
                let message = chat.get(id);
                message.map_or(0, |message| message.content.len())
            })
        };
        let letters = ((width - 56) / LETTER).max(20);
        let lines = i32::try_from(length(self.session)).unwrap_or_default() / letters + 1;
        AROUND + LINE * lines
    }

    /// Gives each gap between rows that are there the height of the rows that are not.
    fn space(&self) {
        let (heights, there) = (self.heights.borrow(), self.there.borrow());
        let mut end = 0;
        for (n, (at, row)) in there.iter().zip(self.elements()).enumerate() {
            let gap = heights.top(*at) - heights.top(end);
            end = at + 1;
            if n == 0 {
                set(&self.above, "height", gap);
            } else if gap > 0 {
                set(&row, "margin-top", gap);
                continue;
            }
            if row.has_attribute("style") {
                // It had a gap before it.
                let _ = row.remove_attribute("style");
            }
        }
        let rest = heights.top(heights.len()) - heights.top(end);
        set(&self.below, "height", rest);
        if there.is_empty() {
            set(&self.above, "height", 0);
        }
    }

    /// Takes the true heights of the rows on the page.
    fn measure(&self) {
        self.stale.set(false);
        let there = self.there.borrow();
        let mut heights = self.heights.borrow_mut();
        let mut former: Option<(usize, HtmlElement, i32)> = None;
        for (at, row) in there.iter().zip(self.elements()) {
            let top = row.offset_top();
            if let Some((before, row, its)) = former {
                // From top to top: heights are rounded, and the sum of them would be off.
                let next = before + 1 == *at;
                heights.measured(before, if next { top - its } else { row.offset_height() });
            }
            former = Some((*at, row, top));
        }
        if let Some((at, row, _)) = former {
            heights.measured(at, row.offset_height());
        }
    }

    /// Brings the reader to where they were, or to the end if that is where they go.
    fn settle(&self) {
        let anchor = self.anchor.take();
        if self.to_end.replace(false) {
            self.follower.jump(&self.log);
            return;
        }
        if page::keeps_place(&self.log) {
            return;
        }
        let heights = self.heights.borrow();
        let now = anchor.and_then(|(row, old)| {
            let at = heights.place_of(row)?;
            Some(heights.top(at) - old)
        });
        let by = now.unwrap_or_default();
        if by != 0 {
            self.log
                .set_scroll_top((self.log.scroll_top() as i32 + by).into());
        }
    }
}

fn set(element: &HtmlElement, what: &str, length: i32) {
    // A length is always a valid one.
    let _ = element.style().set_property(what, &format!("{length}px"));
}
