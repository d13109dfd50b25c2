//! The ids of elements that get focus from another component.

/// The id of the page's heading.
pub const TITLE_ID: &str = "models-title";

/// The id of the button that shows the details of a model.
pub fn details_id(model: &str) -> String {
    format!("details-of-{model}")
}

/// The id of the button that deletes a model.
pub fn delete_id(model: &str) -> String {
    format!("delete-{model}")
}
