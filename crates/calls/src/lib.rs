//! What crosses between browser and server for the calls of features, a module for each: requests, responses, faults.

mod backup;
mod embed;
mod linger;
mod manage;
mod read_ahead;
#[cfg(test)]
mod tests;

pub use backup::{
    BackedUpChat, BackupFault, BackupFileState, BackupGetImageRequest, BackupGetRequest, BackupKey,
    BackupList, BackupListRequest, BackupNews, BackupNewsRequest, BackupProblem, BackupPrompts,
    BackupPromptsRequest, BackupPurge, BackupPurgeRequest, BackupPurged, BackupPut,
    BackupPutImageRequest, BackupPutRequest, BackupText, KEEPS_BACKUP, MAX_BACKUP_CHAT,
    PROMPTS_IN_NEWS,
};
pub use embed::EmbedRequest;
pub use linger::{KeptAnswer, KeptRequest, MAX_KEPT_IDS};
pub use manage::{LayerProgress, LoadRequest, ModelFault, ModelRequest, PullFrame, PullRequest};
pub use read_ahead::{
    PART_TOKENS, PLACEHOLDER, PromptParts, READS_AHEAD, ReadEnd, ReadRequest, ReadResult, answered,
    common_tokens,
};
