//! Tests in the browser.
