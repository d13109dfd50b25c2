//! The key of the backup as a secret that the code of an address gives.

use super::Backup;
use futures::FutureExt;
use futures::future::BoxFuture;
use sash_calls::BackupKey;
use sash_server::one_time_codes::PageSecret;
use std::sync::Arc;

impl PageSecret for Backup {
    fn name(&self) -> &'static str {
        BackupKey::NAME
    }

    fn value(&self) -> String {
        self.key.get().0
    }

    fn replace(self: Arc<Self>) -> BoxFuture<'static, ()> {
        async move {
            if let Err(fault) = self.blocking(Backup::replace_key).await {
                tracing::error!(%fault, "the file with the key of the backup still has the former one");
            }
        }
        .boxed()
    }
}
