//! The console: for errors that should not be, and that nothing can be done about.

use wasm_bindgen::JsValue;

/// What a browser may refuse.
pub trait LogError {
    /// Goes on; the console has the error, if there is one.
    fn log_error(self);
}

impl<T> LogError for Result<T, JsValue> {
    fn log_error(self) {
        if let Err(error) = self {
            web_sys::console::error_1(&error);
        }
    }
}
