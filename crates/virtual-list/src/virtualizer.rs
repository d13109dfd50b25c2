//! The handle of a virtual list.

use super::layout::{Elements, Layout, Target};
use super::mounted::MountedRows;
use crate::{AutoScroll, ListRow};
use leptos::html::{Div, Section};
use leptos::prelude::*;
use sash_browser_kit::page;
use std::time::Duration;

/// The width by which heights are estimated while rows are mounted to be printed, in pixels.
const PRINTED_WIDTH: i32 = 700;

/// Keeps the rows near the screen mounted, and the reader's position.
#[derive(Clone, Copy)]
pub struct Virtualizer<R: ListRow> {
    scroller: NodeRef<Section>,
    /// The element that contains the rows.
    pub list: NodeRef<Div>,
    /// The space above the rows.
    pub(super) above: NodeRef<Div>,
    /// The space below the list.
    pub(super) below: NodeRef<Div>,
    auto_scroll: AutoScroll,
    /// What to show next, and whether to scroll it to the top and focus it.
    pub(super) goal: RwSignal<Option<(R::Id, bool)>>,
    layout: StoredValue<Layout<R>, LocalStorage>,
    mounted: StoredValue<MountedRows<R>, LocalStorage>,
    /// The owner of all rows.
    owner: StoredValue<Owner>,
    /// Notifies when other rows have come near the screen.
    pub(super) near_changed: Trigger,
    /// Notifies when rows are in place.
    pub placed: Trigger,
}

impl<R: ListRow> Virtualizer<R> {
    /// A virtual list in this scrolling element. `goal` is what to show next, and whether to scroll it to the top and
    /// focus it. Rows that match the selector `retained` stay mounted wherever they are.
    pub fn new(
        scroller: NodeRef<Section>,
        auto_scroll: AutoScroll,
        goal: RwSignal<Option<(R::Id, bool)>>,
        retained: &'static str,
    ) -> Self {
        Self {
            scroller,
            list: NodeRef::new(),
            above: NodeRef::new(),
            below: NodeRef::new(),
            auto_scroll,
            goal,
            layout: StoredValue::new_local(Layout::new(retained)),
            mounted: StoredValue::new_local(MountedRows::default()),
            owner: StoredValue::new(Owner::current().unwrap_or_default()),
            near_changed: Trigger::new(),
            placed: Trigger::new(),
        }
    }

    /// Mounts the rows near the screen, unmounts the others, sets the heights of the spaces and restores the
    /// reader's position.
    pub(super) fn update(
        self,
        rows: Vec<R>,
        view: impl Fn(R) -> AnyView,
        estimate: impl Fn(R, i32) -> i32,
    ) {
        let Some(page) = self.elements() else { return };
        let goal = self.goal.write_untracked().take();
        let target = Target {
            goal: goal.map(|(id, shows)| (R::of(id), shows)),
            at_end: self.auto_scroll.is_at_end(),
        };
        let is_printing = self.layout.with_value(|layout| layout.printing.is_some());
        let width = match is_printing {
            // To read it would lay out all rows so far.
            true => PRINTED_WIDTH,
            false => page.list.client_width(),
        };
        let wanted = self.with_layout(|layout, mounted| {
            layout.rows_to_mount(rows, target, &page, mounted, |row| estimate(row, width))
        });
        let owner = self.owner.get_value();
        self.mounted.update_value(|mounted| {
            mounted.update(&wanted, is_printing, &page.list, &owner, view);
        });
        if is_printing {
            return;
        }
        self.place_rows(&page);
        if let Some((id, true)) = goal {
            self.show(id);
        }
        self.placed.notify();
        if self.layout.with_value(|layout| layout.has_surplus) {
            set_timeout(move || self.near_changed.notify(), Duration::ZERO);
        }
    }

    /// Called when the rows are in order: sets the heights of the spaces, measures the rows, and restores the
    /// reader's position.
    fn place_rows(self, page: &Elements) {
        let (opening, to_end) = self.with_layout(|layout, mounted| {
            layout.lay_out_near(mounted);
            layout.set_spaces(page, mounted);
            let is_laid_out = page.scroller.client_height() > 0;
            if is_laid_out {
                layout.measure(mounted);
            }
            let to_end = is_laid_out && std::mem::take(&mut layout.to_end);
            if is_laid_out && !to_end {
                layout.restore_anchor(page);
            }
            (layout.opening, to_end)
        });
        if to_end {
            self.auto_scroll.jump();
            // A row that builds its text in a task of its own may be higher in the next frame.
            self.auto_scroll.follow();
        }
        if opening {
            // The overscan is mounted once the visible rows have been painted.
            let opened = move || {
                if !self.layout.is_disposed() {
                    self.layout.update_value(|layout| layout.opening = false);
                    self.on_scroll();
                }
            };
            request_animation_frame(move || set_timeout(opened, Duration::ZERO));
        }
    }

    /// Scrolls to a mounted row and focuses it.
    fn show(self, id: R::Id) {
        let row = R::of(id);
        let element = self.mounted.with_value(|mounted| mounted.element_of(row));
        if let Some(element) = &element {
            element.scroll_into_view();
        }
        self.auto_scroll.record_jump();
        request_animation_frame(move || element.iter().for_each(page::highlight));
    }

    /// Records how many more rows each [`Self::update`] mounts for the page to be printed.
    pub(super) fn set_printing(self, printing: Option<usize>) {
        if !self.layout.is_disposed() {
            self.layout
                .update_value(|layout| layout.printing = printing);
        }
    }

    /// Whether all rows are mounted.
    pub(super) fn is_ready_to_print(self) -> bool {
        self.layout.is_disposed() || self.layout.with_value(Layout::is_ready_to_print)
    }

    /// Whether an answer is still being built, or an image is not there yet.
    pub(super) fn is_loading(self) -> bool {
        self.elements().is_some_and(|page| {
            let building = page.list.query_selector("[aria-busy=true], [data-loading]");
            building.is_ok_and(|found| found.is_some()) || !page::are_images_complete(&page.list)
        })
    }

    /// Handles a scroll event: other rows may be near.
    pub fn on_scroll(self) {
        if let Some(page) = self.elements()
            && self.layout.with_value(|layout| layout.lacks_rows(&page))
        {
            self.near_changed.notify();
        }
    }

    /// Handles a change of size of a row or of the page.
    pub(super) fn on_resize(self) {
        let Some(page) = self.elements() else { return };
        let is_printing = self.layout.with_value(|layout| layout.printing.is_some());
        if is_printing || page.scroller.client_height() == 0 {
            return;
        }
        // A reader who waits at the end for an answer that is still being built stays there. Its last
        // piece changes the size when it is not being built any more.
        let busy = page.scroller.query_selector("[aria-busy=true]");
        let is_building = busy.is_ok_and(|found| found.is_some());
        let at_end = self.auto_scroll.is_at_end();
        let to_end = self.with_layout(|layout, mounted| {
            let was_building = std::mem::replace(&mut layout.building, is_building);
            layout.to_end |= at_end && (is_building || was_building);
            // All rows are mounted, and an answer may be growing in one of them with each frame: heights are
            // not needed until rows change.
            if layout.is_whole() && (layout.to_end || layout.browser_keeps_place(&page)) {
                layout.stale = true;
                return std::mem::take(&mut layout.to_end).then_some(true);
            }
            layout.set_anchor(page.scroller.scroll_top() as i32);
            layout.measure(mounted);
            let to_end = std::mem::take(&mut layout.to_end);
            if !to_end {
                layout.restore_anchor(&page);
            }
            Some(to_end)
        });
        if to_end == Some(true) {
            self.auto_scroll.jump();
        }
        if !self.layout.with_value(|layout| layout.stale) {
            // In the next frame: changes within a `ResizeObserver` callback would notify it again.
            request_animation_frame(move || self.on_scroll());
        }
    }

    /// The distance of a row from the top of the list, in pixels.
    pub fn offset_of(self, id: R::Id) -> Option<i32> {
        self.elements()?;
        self.with_layout(|layout, mounted| layout.offset_of(R::of(id), mounted))
    }

    /// The distance of the list's end from its top, in pixels.
    pub fn end(self) -> i32 {
        let height = |page: Elements| page.list.client_height() + page.below.client_height();
        self.elements().map_or(0, height)
    }

    fn with_layout<T>(self, read: impl FnOnce(&mut Layout<R>, &MountedRows<R>) -> T) -> T {
        let mut layout = self.layout.write_value();
        self.mounted
            .with_value(|mounted| read(&mut layout, mounted))
    }

    /// The elements, while the list exists: frames, timers and observers may run after that.
    fn elements(self) -> Option<Elements> {
        Some(Elements {
            scroller: self.scroller.try_get_untracked()??,
            list: self.list.try_get_untracked()??.into(),
            above: self.above.try_get_untracked()??.into(),
            below: self.below.try_get_untracked()??.into(),
        })
    }
}
