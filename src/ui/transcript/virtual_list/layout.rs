//! Which rows are on the page, and where all of them stand. All lengths are in pixels.

use super::heights::RowHeights;
use super::mounted::MountedRows;
use crate::browser::page;
use crate::ui::transcript::row::Row;
use std::ops::Range;
use web_sys::HtmlElement;

/// A list of at most so many rows is on the page as a whole.
const UNVIRTUALIZED_ROWS: usize = 60;
/// Screens of rows that must be on the page above and below what is seen.
pub const MIN_OVERSCAN: i32 = 2;
/// Screens of rows that are mounted when there are fewer.
const OVERSCAN: i32 = 3;
/// The same while a chat is being opened.
const OPENING_OVERSCAN: i32 = 1;
/// Rows that stay on the page wherever they are.
const RETAINED: &str = ":focus-within, [data-state=running], [data-state=waiting], :has(.edit, .receipt, details[open])";

/// The elements of the list.
pub struct Elements {
    /// The element that scrolls.
    pub scroller: HtmlElement,
    /// The rows stand in it, after the space above.
    pub list: HtmlElement,
    /// As high as the rows above those that are on the page.
    pub above: HtmlElement,
    /// As high as the rows below them.
    pub below: HtmlElement,
}

/// What is to be on the screen after a change.
#[derive(Clone, Copy)]
pub struct Target {
    /// A row that is to be mounted, and whether it is to be at the top of the screen.
    pub goal: Option<(Row, bool)>,
    /// Whether the reader is at the end.
    pub at_end: bool,
}

/// Which rows are on the page, and where all of them stand.
#[derive(Default)]
pub struct Layout {
    heights: RowHeights,
    /// The places of the rows that are on the page, in order.
    places: Vec<usize>,
    /// Those of them that are on the page because they are near the screen.
    range: Range<usize>,
    /// The row that was at the top of the screen before a change, and how far down it began.
    anchor: Option<(Row, i32)>,
    /// Whether the reader goes to the end once the rows are placed.
    pub to_end: bool,
    /// Whether a chat was just opened. What is seen of it is mounted first, what is near a moment later.
    pub opening: bool,
    /// Whether rows may have another height than the one last measured.
    pub stale: bool,
    /// Whether the browser keeps the reader's place, once it was asked.
    keeps_place: Option<bool>,
}

impl Layout {
    /// No rows yet; the first ones are shown from their end.
    pub fn new() -> Self {
        Self {
            to_end: true,
            ..Self::default()
        }
    }

    /// The rows that are to be on the page. Remembers which row is at the top of the screen until they are.
    pub fn rows_to_mount(
        &mut self,
        rows: Vec<Row>,
        target: Target,
        page: &Elements,
        mounted: &MountedRows,
        estimate: impl Fn(Row) -> i32,
    ) -> Vec<Row> {
        if self.stale {
            self.measure(mounted);
        }
        let scrolled = page.scroller.scroll_top() as i32;
        self.set_anchor(scrolled);
        let anchor = self.anchor;
        let retained = self.retained(mounted);
        let changed = self.heights.align(rows, estimate);
        let goal = target
            .goal
            .and_then(|(row, shows)| Some((self.heights.place_of(row)?, shows)));
        // Another chat, or a question of one's own, leads to the end; who is at the end stays there.
        self.to_end = (self.to_end || changed || target.at_end) && goal.is_none();
        let anchored =
            anchor.and_then(|(row, old_top)| Some((self.heights.place_of(row)?, old_top)));
        let top_of = |place| self.heights.top(place);
        let seen = match goal {
            Some((place, true)) => top_of(place),
            _ if self.to_end => i32::MAX / 2,
            Some((place, false)) if anchored.is_none() => top_of(place),
            _ => anchored.map_or(scrolled, |(place, old_top)| {
                top_of(place) + scrolled - old_top
            }),
        };
        self.opening = changed && anchored.is_none();
        let overscan = if self.opening {
            OPENING_OVERSCAN
        } else {
            OVERSCAN
        };
        self.range = self.places_near(page, seen, overscan);
        // Retained rows stand in the order of the branch, before or behind what is near.
        let mut places: Vec<usize> = retained
            .into_iter()
            .filter_map(|row| self.heights.place_of(row))
            .chain(self.range.clone())
            .collect();
        places.sort_unstable();
        places.dedup();
        self.places = places;
        let row = |place: &usize| self.heights.row(*place);
        self.places.iter().filter_map(row).collect()
    }

    /// Whether rows that must be on the page are not.
    pub fn lacks_rows(&self, page: &Elements) -> bool {
        let scrolled = page.scroller.scroll_top() as i32;
        let wanted = self.places_near(page, scrolled, MIN_OVERSCAN);
        !self.opening && (wanted.start < self.range.start || wanted.end > self.range.end)
    }

    /// Whether all rows are on the page.
    pub fn is_whole(&self) -> bool {
        self.places.len() == self.heights.len()
    }

    /// Remembers which row is at the top of the screen.
    pub fn set_anchor(&mut self, scrolled: i32) {
        let first = self.heights.place_at(scrolled);
        let row = self.heights.row(first);
        self.anchor = row.map(|row| (row, self.heights.top(first)));
    }

    /// How far down a row begins: measured if it is on the page.
    pub fn offset_of(&self, row: Row, mounted: &MountedRows) -> Option<i32> {
        let place = self.heights.place_of(row)?;
        let at = self.places.binary_search(&place).ok();
        let element = at.and_then(|at| mounted.elements().nth(at));
        Some(element.map_or_else(|| self.heights.top(place), HtmlElement::offset_top))
    }

    /// Gives each gap between rows on the page the height of the rows that are not.
    pub fn set_spaces(&self, page: &Elements, mounted: &MountedRows) {
        let mut end = 0;
        for (n, (place, row)) in self.places.iter().zip(mounted.elements()).enumerate() {
            let gap = self.heights.top(*place) - self.heights.top(end);
            end = place + 1;
            if n == 0 {
                set_length(&page.above, "height", gap);
            } else if gap > 0 {
                set_length(row, "margin-top", gap);
                continue;
            }
            if row.has_attribute("style") {
                // The row had a gap before it. Its name is a plain one, so nothing is refused.
                _ = row.remove_attribute("style");
            }
        }
        let rest = self.heights.top(self.heights.len()) - self.heights.top(end);
        set_length(&page.below, "height", rest);
        if self.places.is_empty() {
            set_length(&page.above, "height", 0);
        }
    }

    /// Measures the rows on the page.
    pub fn measure(&mut self, mounted: &MountedRows) {
        self.stale = false;
        let mut former: Option<(usize, &HtmlElement, i32)> = None;
        for (place, row) in self.places.iter().zip(mounted.elements()) {
            let top = row.offset_top();
            if let Some((before, row, its_top)) = former {
                // From top to top: heights are rounded, and the sum of them would be off.
                let height = match before + 1 == *place {
                    true => top - its_top,
                    false => row.offset_height(),
                };
                self.heights.set_measured(before, height);
            }
            former = Some((*place, row, top));
        }
        if let Some((place, row, _)) = former {
            self.heights.set_measured(place, row.offset_height());
        }
    }

    /// Brings the row that was at the top of the screen back to where it was, where the browser does not.
    pub fn restore_anchor(&mut self, page: &Elements) {
        let anchor = self.anchor.take();
        if page::keeps_place(&page.scroller) {
            return;
        }
        let shift = anchor.and_then(|(row, old_top)| {
            let place = self.heights.place_of(row)?;
            Some(self.heights.top(place) - old_top)
        });
        if let Some(shift) = shift.filter(|shift| *shift != 0) {
            let scrolled = page.scroller.scroll_top() as i32;
            page.scroller.set_scroll_top((scrolled + shift).into());
        }
    }

    /// Whether the browser keeps the reader's place. It is asked once: a growing answer asks with each frame.
    pub fn browser_keeps_place(&mut self, page: &Elements) -> bool {
        *self
            .keeps_place
            .get_or_insert_with(|| page::keeps_place(&page.scroller))
    }

    /// The rows on the page that stay wherever they are.
    fn retained(&self, mounted: &MountedRows) -> Vec<Row> {
        let is_retained = |element: &HtmlElement| {
            element.matches(RETAINED).unwrap_or(false) || page::is_selected(element)
        };
        let rows = self.places.iter().zip(mounted.elements());
        let retained = rows.filter(|(_, element)| is_retained(element));
        let rows = retained.filter_map(|(place, _)| self.heights.row(*place));
        rows.collect()
    }

    /// The places of the rows around what is seen from a distance on.
    fn places_near(&self, page: &Elements, seen: i32, screens: i32) -> Range<usize> {
        let heights = &self.heights;
        if heights.len() <= UNVIRTUALIZED_ROWS && !self.opening {
            return 0..heights.len();
        }
        let screen = match page.scroller.client_height() {
            // The list is not on the page yet: that of a large screen.
            0 => 1200,
            height => height.max(400),
        };
        let end = heights.top(heights.len()) - screen;
        let seen = seen.min(end);
        let from = heights.place_at(seen - screens * screen);
        from..heights.place_at(seen + (screens + 1) * screen) + 1
    }
}

fn set_length(element: &HtmlElement, property: &str, length: i32) {
    // A length is always a valid value.
    _ = element
        .style()
        .set_property(property, &format!("{length}px"));
}
