//! The stores over the page in memory, and what crosses.

mod house;
mod models;
mod pulls;

use crate::{ModelFault, PullFrame};

/// The last line of a pull has the sentence of the page too.
#[test]
fn a_fault_within_a_frame_is_read_by_its_room() {
    let json = r#"{"type":"error","error":{"code":"not_in_registry","message":"Oh."}}"#;
    let read: PullFrame = serde_json::from_str(json).unwrap();
    let error = ModelFault::NotInRegistry.into();
    assert_eq!(read, PullFrame::Error { error });
}
