//! `POST /api/v1/backup_news`: what is new in the folder of the backup.

use leptos::prelude::*;
use leptos::server_fn::codec::Json;
use sash_calls::{BackupFault, BackupNewsRequest};
use sash_server::api::{ApiError, TokenClient};

/// Tells which chats have another version in the folder, as soon as one has; after some time without news it tells none.
///
/// # Errors
/// [`BackupFault::Off`] and [`BackupFault::Locked`].
#[server(prefix = "/api/v1", endpoint = "backup_news", input = Json, client = TokenClient)]
pub async fn backup_news(
    #[server(flatten)] request: BackupNewsRequest,
) -> Result<sash_calls::BackupNews, ApiError<BackupFault>> {
    let backup = crate::server::backup::opened_with(&request.key)?;
    Ok(backup.news(&request).await)
}
