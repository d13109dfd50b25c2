//! Time.

use wasm_bindgen::JsValue;

/// Milliseconds since 1970. For showing; nothing is ordered by it.
#[must_use]
pub fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// Milliseconds on a clock that never jumps, for durations.
#[must_use]
pub fn monotonic() -> f64 {
    web_sys::window()
        .and_then(|w| w.performance())
        .map_or(0.0, |p| p.now())
}

/// A time of day in the person's time zone: `14:02`.
#[must_use]
pub fn time_of_day(millis: u64) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(millis as f64));
    format!("{:02}:{:02}", date.get_hours(), date.get_minutes())
}

/// What the person's clock shows more than UTC now, in milliseconds.
#[must_use]
pub fn offset_of_here() -> i64 {
    (js_sys::Date::new_0().get_timezone_offset() * -60_000.0) as i64
}
