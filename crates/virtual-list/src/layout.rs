//! Determines which rows are on the page, and the positions of all rows. All lengths are in pixels.

use super::heights::RowHeights;
use super::mounted::{MountedRows, PRINT_ONLY};
use crate::ListRow;
use sash_browser_kit::console::LogError;
use sash_browser_kit::page;
use std::ops::Range;
use web_sys::HtmlElement;

/// A list of at most this many rows, the mark aside, is not virtualized.
const UNVIRTUALIZED_ROWS: usize = 60;
/// Screens of rows that must be mounted above and below the visible area.
pub const MIN_OVERSCAN: i32 = 2;
/// Screens of rows that are mounted when there are fewer.
const OVERSCAN: i32 = 3;
/// The overscan while a list is being opened.
const OPENING_OVERSCAN: i32 = 1;
/// At most this many rows are unmounted at once: some 50 ms of work.
const MAX_UNMOUNTED_ROWS: usize = 64;
/// The elements of the list.
pub struct Elements {
    /// The scrolling element.
    pub scroller: HtmlElement,
    /// The element of the rows, after the space above.
    pub list: HtmlElement,
    /// The space in place of the unmounted rows above.
    pub above: HtmlElement,
    /// The space in place of the unmounted rows below.
    pub below: HtmlElement,
}

/// What must be visible after a change.
#[derive(Clone, Copy)]
pub struct Target<R> {
    /// A row to mount, and whether to scroll it to the top.
    pub goal: Option<(R, bool)>,
    /// Whether the reader is at the end.
    pub at_end: bool,
}

/// The mounted rows, and the positions of all rows.
pub struct Layout<R> {
    heights: RowHeights<R>,
    /// The selector of rows that stay mounted wherever they are.
    retained: &'static str,
    /// The indices of the mounted rows, in order.
    places: Vec<usize>,
    /// The range of those mounted because they are near the screen.
    range: Range<usize>,
    /// The row at the top of the screen before a change, and its distance from the top.
    anchor: Option<(R, i32)>,
    /// Whether to scroll to the end once the rows are in place.
    pub to_end: bool,
    /// Whether a list was just opened. Visible rows are mounted first, the overscan a moment later.
    pub opening: bool,
    /// While the page is being printed, or about to be: how many rows each update mounts above and below those that are.
    pub printing: Option<usize>,
    /// Whether rows are mounted that are to be unmounted by the next updates.
    pub has_surplus: bool,
    /// Whether some of the mounted rows are for printing alone ([`super::mounted::PRINT_ONLY`]).
    pub has_print_only: bool,
    /// Whether the measured heights may be out of date.
    pub stale: bool,
    /// Whether an answer was still being built when a size changed last.
    pub building: bool,
    /// Whether the browser supports scroll anchoring, once that was determined.
    keeps_place: Option<bool>,
}

impl<R: ListRow> Layout<R> {
    /// No rows yet; the first ones are shown from their end.
    pub fn new(retained: &'static str) -> Self {
        Self {
            heights: RowHeights::default(),
            retained,
            places: Vec::new(),
            range: 0..0,
            anchor: None,
            to_end: true,
            opening: false,
            printing: None,
            has_surplus: false,
            has_print_only: false,
            stale: false,
            building: false,
            keeps_place: None,
        }
    }

    /// The rows to mount. Remembers the row at the top of the screen for `restore_anchor`.
    pub fn rows_to_mount(
        &mut self,
        rows: Vec<R>,
        target: Target<R>,
        page: &Elements,
        mounted: &MountedRows<R>,
        estimate: impl Fn(R) -> i32,
    ) -> Vec<R> {
        if let Some(more) = self.printing {
            return self.rows_to_print(rows, more, estimate);
        }
        if self.stale {
            self.measure(mounted);
        }
        let scrolled = page.scroller.scroll_top() as i32;
        self.set_anchor(scrolled);
        let anchor = self.anchor;
        let (former, changed) = self.align(rows, estimate);
        let goal = target
            .goal
            .and_then(|(row, shows)| Some((self.heights.place_of(row)?, shows)));
        // Another list, and what comes to this one, scrolls to the end; a reader at the end stays there.
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
        // Rows that stay are in the order of the branch, before or after the near ones.
        let mut places = self.places_to_keep(&former, mounted);
        places.extend(self.range.clone());
        places.sort_unstable();
        self.places = places;
        self.wanted_rows()
    }

    /// The rows to mount while the page is being prepared for printing: more than before, and none is unmounted. Nothing
    /// is read of the page, so the browser lays out nothing.
    fn rows_to_print(&mut self, rows: Vec<R>, more: usize, estimate: impl Fn(R) -> i32) -> Vec<R> {
        let (former, _) = self.align(rows, estimate);
        self.has_print_only = true;
        let all = self.heights.len();
        self.range = self.range.start.min(all).saturating_sub(more)
            ..self.range.end.saturating_add(more).min(all);
        let beside = former
            .into_iter()
            .flatten()
            .filter(|place| !self.range.contains(place));
        let mut places: Vec<usize> = beside.chain(self.range.clone()).collect();
        places.sort_unstable();
        self.places = places;
        self.wanted_rows()
    }

    /// Sets the rows. Returns the places of the mounted rows among them, in their order, and whether content was added or
    /// removed.
    fn align(&mut self, rows: Vec<R>, estimate: impl Fn(R) -> i32) -> (Vec<Option<usize>>, bool) {
        let places = std::mem::take(&mut self.places);
        // To look up thousands of rows takes long, and they mostly stay.
        if self.heights.are(&rows) {
            return (places.into_iter().map(Some).collect(), false);
        }
        let former: Vec<Option<R>> = places.iter().map(|at| self.heights.row(*at)).collect();
        let changed = self.heights.align(rows, estimate);
        let place_of = |row: Option<R>| self.heights.place_of(row?);
        (former.into_iter().map(place_of).collect(), changed)
    }

    fn wanted_rows(&self) -> Vec<R> {
        let row = |place: &usize| self.heights.row(*place);
        self.places.iter().filter_map(row).collect()
    }

    /// Whether rows that must be mounted are not.
    pub fn lacks_rows(&self, page: &Elements) -> bool {
        let scrolled = page.scroller.scroll_top() as i32;
        let wanted = self.places_near(page, scrolled, MIN_OVERSCAN);
        !self.opening && (wanted.start < self.range.start || wanted.end > self.range.end)
    }

    /// Whether all rows are mounted and on the screen.
    pub fn is_whole(&self) -> bool {
        self.is_ready_to_print() && !self.has_print_only
    }

    /// Whether all rows are mounted.
    pub fn is_ready_to_print(&self) -> bool {
        self.places.len() == self.heights.len()
    }

    /// The mounted rows that have a place on the screen.
    fn laid_out<'a>(
        &'a self,
        mounted: &'a MountedRows<R>,
    ) -> impl Iterator<Item = (usize, &'a HtmlElement)> {
        let rows = self.places.iter().copied().zip(mounted.elements());
        rows.filter(|(_, row)| !(self.has_print_only && row.has_attribute(PRINT_ONLY)))
    }

    /// Gives the rows near the screen their place on it, if they were mounted for printing; once no others are left, all
    /// rows.
    pub fn lay_out_near(&mut self, mounted: &MountedRows<R>) {
        if !self.has_print_only {
            return;
        }
        for (place, row) in self.places.iter().zip(mounted.elements()) {
            if self.range.contains(place) || !self.has_surplus {
                row.remove_attribute(PRINT_ONLY).log_error();
            }
        }
        self.has_print_only = self.has_surplus;
    }

    /// Remembers the row at the top of the screen.
    pub fn set_anchor(&mut self, scrolled: i32) {
        let at = self.heights.place_at(scrolled);
        // The mark moves through the rows, and would take the reader along.
        let is_mark = self.heights.row(at).is_some_and(ListRow::is_mark);
        let first = at + usize::from(is_mark);
        let row = self.heights.row(first);
        self.anchor = row.map(|row| (row, self.heights.top(first)));
    }

    /// The distance of a row from the top: measured if it is mounted.
    pub fn offset_of(&self, row: R, mounted: &MountedRows<R>) -> Option<i32> {
        let place = self.heights.place_of(row)?;
        let at = self.places.binary_search(&place).ok();
        let element = at.and_then(|at| mounted.elements().nth(at));
        Some(element.map_or_else(|| self.heights.top(place), HtmlElement::offset_top))
    }

    /// Gives each gap between mounted rows the height of the unmounted ones.
    pub fn set_spaces(&self, page: &Elements, mounted: &MountedRows<R>) {
        let mut end = 0;
        for (n, (place, row)) in self.laid_out(mounted).enumerate() {
            let gap = self.heights.all().get(end..place);
            let gap: i32 = gap.unwrap_or_default().iter().sum();
            end = place + 1;
            if n == 0 {
                set_length(&page.above, "height", gap);
            } else if gap > 0 {
                set_length(row, "margin-top", gap);
                continue;
            }
            if row.has_attribute("style") {
                // The row had a gap before it. Removing an attribute cannot fail.
                _ = row.remove_attribute("style");
            }
        }
        let rest = self.heights.all().get(end..).unwrap_or_default();
        set_length(&page.below, "height", rest.iter().sum());
        if self.places.is_empty() {
            set_length(&page.above, "height", 0);
        }
    }

    /// Measures the mounted rows.
    pub fn measure(&mut self, mounted: &MountedRows<R>) {
        self.stale = false;
        let mut former: Option<(usize, &HtmlElement, i32)> = None;
        let mut measured = Vec::new();
        for (place, row) in self.laid_out(mounted) {
            let top = row.offset_top();
            if let Some((before, row, its_top)) = former {
                // Measure from top to top: heights are rounded, and their sum would be off.
                let height = match before + 1 == place {
                    true => top - its_top,
                    false => row.offset_height(),
                };
                measured.push((before, height));
            }
            former = Some((place, row, top));
        }
        if let Some((place, row, _)) = former {
            measured.push((place, row.offset_height()));
        }
        for (place, height) in measured {
            self.heights.set_measured(place, height);
        }
    }

    /// Moves the row that was at the top of the screen back to its position, unless the browser does that.
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

    /// Whether the browser supports scroll anchoring. Determined once, because a growing answer needs it with
    /// each frame.
    pub fn browser_keeps_place(&mut self, page: &Elements) -> bool {
        *self
            .keeps_place
            .get_or_insert_with(|| page::keeps_place(&page.scroller))
    }

    /// The places of the mounted rows, `former`, that stay mounted although they are not near the screen: those in use,
    /// and those that the next updates unmount.
    fn places_to_keep(&mut self, former: &[Option<usize>], mounted: &MountedRows<R>) -> Vec<usize> {
        let mut kept = Vec::new();
        let mut unmounted = 0;
        self.has_surplus = false;
        for (place, element) in former.iter().zip(mounted.elements()) {
            let Some(place) = place.filter(|place| !self.range.contains(place)) else {
                continue;
            };
            if unmounted == MAX_UNMOUNTED_ROWS {
                self.has_surplus = true;
            } else if !self.is_retained(element) {
                unmounted += 1;
                continue;
            }
            kept.push(place);
        }
        kept
    }

    /// The indices of the rows within `screens` screens of the visible area, which begins at `seen`.
    fn places_near(&self, page: &Elements, seen: i32, screens: i32) -> Range<usize> {
        let heights = &self.heights;
        let is_short = heights.len_without_mark() <= UNVIRTUALIZED_ROWS && !self.opening;
        if is_short || heights.len() == 0 {
            return 0..heights.len();
        }
        let screen = match page.scroller.client_height() {
            // The list is not laid out yet: assume a large screen.
            0 => 1200,
            height => height.max(400),
        };
        let end = heights.top(heights.len()) - screen;
        let seen = seen.min(end);
        let from = heights.place_at(seen - screens * screen);
        let to = heights.place_at(seen + (screens + 1) * screen) + 1;
        from..to
    }

    /// Whether a row stays mounted wherever it is.
    fn is_retained(&self, element: &HtmlElement) -> bool {
        element.matches(self.retained).unwrap_or(false) || page::is_selected(element)
    }
}

fn set_length(element: &HtmlElement, property: &str, length: i32) {
    // Setting a valid length cannot fail.
    _ = element
        .style()
        .set_property(property, &format!("{length}px"));
}
