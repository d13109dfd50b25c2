//! Time and dates.

use crate::console::LogError;
use js_sys::Intl::{DateTimeFormat, DateTimeFormatOptions, DateTimeStyle, MonthFormat, YearFormat};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Milliseconds since 1970. For display; the order of messages never depends on it.
#[must_use]
pub fn now() -> u64 {
    js_sys::Date::now() as u64
}

/// Milliseconds of a monotonic clock, for durations.
#[must_use]
pub fn monotonic() -> f64 {
    web_sys::window()
        .and_then(|w| w.performance())
        .map_or(0.0, |p| p.now())
}

/// A time of day in the notation of the page's language and in the person's time zone: `14:02`, `2:02 PM`.
#[must_use]
pub fn time_of_day(millis: u64) -> String {
    thread_local! {
        static FORMAT: js_sys::Function = {
            let options = DateTimeFormatOptions::new();
            options.set_time_style(DateTimeStyle::Short);
            DateTimeFormat::new(&locales(), &options).format()
        };
    }
    FORMAT.with(|format| format_time(format, millis))
}

/// A moment in ISO 8601, as `<time datetime>` has it.
#[must_use]
pub fn iso(millis: u64) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(millis as f64));
    // A date that JavaScript cannot represent throws.
    match date.get_time().is_nan() {
        true => String::new(),
        false => date.to_iso_string().into(),
    }
}

/// Local UTC offset in milliseconds, positive east of Greenwich.
#[must_use]
pub fn utc_offset_ms() -> i64 {
    (js_sys::Date::new_0().get_timezone_offset() * -60_000.0) as i64
}

/// Date and time in the page's language and the person's time zone: `21 Nov 2026, 14:02`.
#[must_use]
pub fn date(millis: u64) -> String {
    thread_local! {
        // Created once, because creating it takes a browser longer than formatting twenty dates.
        static FORMAT: js_sys::Function = {
            let options = DateTimeFormatOptions::new();
            options.set_date_style(DateTimeStyle::Medium);
            options.set_time_style(DateTimeStyle::Short);
            DateTimeFormat::new(&locales(), &options).format()
        };
    }
    FORMAT.with(|format| format_time(format, millis))
}

/// What `Intl` is asked for: the language of the page.
fn locales() -> js_sys::Array {
    js_sys::Array::of1(&crate::page::language().into())
}

fn format_time(format: &js_sys::Function, millis: u64) -> String {
    let millis = JsValue::from_f64(millis as f64);
    let text = format.call1(&JsValue::UNDEFINED, &millis);
    text.ok()
        .and_then(|text| text.as_string())
        .unwrap_or_default()
}

/// Yields to the event loop, so that the page can paint and handle events.
pub async fn pause() {
    wait(0).await;
}

/// Waits for that many milliseconds.
pub async fn wait(millis: i32) {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            window
                .set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, millis)
                .log_error();
        }
    });
    JsFuture::from(promise).await.log_error();
}

/// A date in the person's time zone: `2026-11-21`.
#[must_use]
pub fn day(millis: u64) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(millis as f64));
    let (month, day) = (date.get_month() + 1, date.get_date());
    format!("{}-{month:02}-{day:02}", date.get_full_year())
}

/// A month with its year in the page's language: `March 2026`. `month` counts from 1.
#[must_use]
pub fn month(year: i64, month: u8) -> String {
    thread_local! {
        static FORMAT: js_sys::Function = {
            let options = DateTimeFormatOptions::new();
            options.set_year(YearFormat::Numeric);
            options.set_month(MonthFormat::Long);
            // The first of the month at noon UTC is shown in UTC: no time zone makes another month of it.
            options.set_time_zone("UTC");
            DateTimeFormat::new(&locales(), &options).format()
        };
    }
    let first = js_sys::Date::utc(year as f64, f64::from(month) - 1.0);
    FORMAT.with(|format| format_time(format, first as u64))
}
