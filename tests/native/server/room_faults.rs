//! The faults of all rooms, on their way through the chat's.

use attachments::DocumentFault;
use backup::{BackupFault, BackupProblem};
use models::ModelFault;
use sash_wire::{Fault, RoomFaults};
use serde_json::Value;
use std::collections::BTreeSet;

/// What the page reads, and its code. The sentence is the page's: a fault has it in the language of who wrote it.
fn read_by_room<R: RoomFaults>(faults: Vec<R>) -> Vec<String> {
    let faults = faults.into_iter().map(Fault::from);
    let codes = faults.map(|fault| {
        let json = serde_json::to_string(&fault).unwrap();
        let read: Fault = serde_json::from_str(&json).unwrap();
        assert_eq!(read.clone().told_by::<R>(), fault, "{json}");
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), json);
        fault.code()
    });
    codes.collect()
}

/// A code that two rooms have, or a room and the kernel, would be read as the wrong fault.
#[test]
fn faults_of_rooms_survive_the_wire_and_no_two_have_one_code() {
    let text = || "x".to_owned();
    let backup = vec![
        BackupFault::Off,
        BackupFault::Locked,
        BackupFault::Absent,
        BackupFault::Newer,
        BackupFault::TooLong,
        BackupFault::Failed {
            problem: BackupProblem::Full,
        },
    ];
    let cause = Some(text());
    let models = vec![
        ModelFault::RegistryRefused { host: text() },
        ModelFault::NotInRegistry,
        ModelFault::PullFailed {
            reason: text(),
            cause,
        },
        ModelFault::DeleteFailed { reason: text() },
    ];
    let documents = vec![DocumentFault::FileUnreadable { reason: text() }];
    let codes = [
        read_by_room(backup),
        read_by_room(models),
        read_by_room(documents),
    ]
    .concat();
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    assert_eq!(
        codes,
        [
            "backup_off",
            "backup_locked",
            "not_in_backup",
            "backup_newer",
            "backup_too_long",
            "backup_failed",
            "registry_refused",
            "not_in_registry",
            "pull_failed",
            "delete_failed",
            "file_unreadable",
        ]
    );
    let without_cause = ModelFault::PullFailed {
        reason: text(),
        cause: None,
    };
    read_by_room(vec![without_cause]);
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
