//! The faults of features, on their way through the chat's.

use crate::{BackupFault, BackupProblem, ModelFault, PullFrame};
use sash_wire::{Fault, RoomFaults};

/// The last line of a pull has the sentence of the page too.
#[test]
fn a_fault_within_a_frame_is_read_by_its_room() {
    let json = r#"{"type":"error","error":{"code":"not_in_registry","message":"Oh."}}"#;
    let read: PullFrame = serde_json::from_str(json).unwrap();
    let error = ModelFault::NotInRegistry.into();
    assert_eq!(read, PullFrame::Error { error });
}

/// An older server tells no problem.
#[test]
fn a_fault_of_a_room_without_its_fields_is_read_and_not_by_another_room() {
    let json = r#"{"code":"backup_failed","message":"Oh."}"#;
    let fault: Fault = serde_json::from_str(json).unwrap();
    let problem = BackupProblem::Other;
    assert_eq!(
        BackupFault::of(&fault),
        Some(BackupFault::Failed { problem })
    );
    assert_eq!(ModelFault::of(&fault), None);
    assert_eq!(fault.clone().told_by::<ModelFault>(), fault);
    let told = fault.told_by::<BackupFault>();
    assert_eq!((told.status(), told.to_string() == "Oh."), (507, false));
}
