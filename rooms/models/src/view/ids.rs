//! The ids of elements that get focus from another component.

/// The id of the page's title.
pub const TITLE_ID: &str = "models-title";

/// The id of the button that shows the details of a model.
pub fn details_id(model: &str) -> String {
    format!("details-of-{model}")
}
