//! How far the transcript scrolls while the edge is held near its border: a matter of place alone.

/// Distance to the upper or lower border of the transcript within which dragging scrolls it, in pixels.
const SCROLL_ZONE_PX: i32 = 44;
/// How far the transcript scrolls for each pixel of the way into that zone, and beyond the border.
const SCROLL_GAIN: i32 = 8;

/// How far the transcript has to be scrolled up (below zero: down) for a pointer at this height between its borders, in
/// pixels. Where the pointer rests, nothing moves: scrolling that went on by itself took the edge past twenty messages
/// in half a second.
pub fn rim_scroll(client_y: i32, top: i32, bottom: i32) -> i32 {
    let above = top + SCROLL_ZONE_PX - client_y;
    let below = client_y - (bottom - SCROLL_ZONE_PX);
    (above.max(0) - below.max(0)) * SCROLL_GAIN
}
