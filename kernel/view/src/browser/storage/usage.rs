//! The size of localStorage, and what uses it.

use super::areas::local;
use super::raw;
use sash_log::Key;

/// The quota of a page in UTF-16 units of keys and values: 10 MiB at two bytes each in Chromium, and the same
/// in Firefox.
pub const ROOM: usize = 5 * 1024 * 1024;

/// How much of the quota is used, including by other programs under this origin.
#[must_use]
pub fn used() -> usize {
    let Some(storage) = local() else {
        return 0;
    };
    let units = raw::entries(&storage).map(|(key, value)| key.length() + value.length());
    units.sum::<u32>() as usize
}

/// The share of the quota that is used, in per cent. The reserve is kept free, so it is not used.
#[must_use]
pub fn used_percent() -> usize {
    let reserve = local().and_then(|storage| raw::value(&storage, &Key::Reserve.to_string()));
    let reserve = reserve.map_or(0, |value| value.length() as usize);
    used().saturating_sub(reserve) * 100 / ROOM
}

/// Every key, with the size of the key and its value in UTF-16 units.
#[must_use]
pub fn sizes() -> Vec<(String, usize)> {
    let Some(storage) = local() else {
        return Vec::new();
    };
    let size = |(key, value): (js_sys::JsString, js_sys::JsString)| {
        let units = key.length() + value.length();
        Some((key.as_string()?, units as usize))
    };
    raw::entries(&storage).filter_map(size).collect()
}
