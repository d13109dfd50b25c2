//! Requests, responses and faults of the calls of features, a module for each: they cross between browser and server.

mod backup;

pub use backup::{
    BackedUpChat, BackupFault, BackupFileState, BackupGetImageRequest, BackupGetRequest, BackupKey,
    BackupList, BackupListRequest, BackupNews, BackupNewsRequest, BackupProblem, BackupPrompts,
    BackupPromptsRequest, BackupPurge, BackupPurgeRequest, BackupPurged, BackupPut,
    BackupPutImageRequest, BackupPutRequest, BackupText, KEEPS_BACKUP, MAX_BACKUP_CHAT,
    PROMPTS_IN_NEWS,
};
