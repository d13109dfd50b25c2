//! Who follows the downloads of a router: one that Sash began ends when the last one leaves it. A download that somebody
//! else began, at the router itself or with another Sash, is not ours to end.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// The downloads of all engines that are followed, by the names of the engines. A clone is the same one.
#[derive(Clone, Debug, Default)]
pub struct AllFollowers(Arc<Mutex<HashMap<String, Followers>>>);

/// The downloads of one engine that are followed, by the names of their models.
#[derive(Clone, Debug, Default)]
pub struct Followers {
    downloads: Arc<Mutex<HashMap<String, Download>>>,
    turns: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug, Default)]
struct Download {
    followers: usize,
    /// Whether it was begun here and has not ended.
    is_ours: bool,
}

/// One of those that follow a download, until it leaves. A clone is the same one.
#[derive(Clone, Debug)]
pub struct Follower {
    all: Followers,
    model: String,
}

impl AllFollowers {
    /// Those of an engine.
    pub fn of(&self, engine: &str) -> Followers {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(engine.to_owned()).or_default().clone()
    }
}

impl Followers {
    /// Follows the download of a model.
    pub fn follow(&self, model: &str) -> Follower {
        self.lock().entry(model.to_owned()).or_default().followers += 1;
        Follower {
            all: self.clone(),
            model: model.to_owned(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Download>> {
        let downloads = self.downloads.lock();
        downloads.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Follower {
    /// The name of the model.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Waits for the turn to begin or to end a download: a page that returns while its download is being ended would
    /// follow one that ends.
    pub async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.all.turns).lock_owned().await
    }

    /// Forgets the download if everybody has left it. Returns false if somebody follows it.
    pub fn forget(&self) -> bool {
        let mut downloads = self.all.lock();
        let is_left = downloads.get(&self.model).is_none_or(|d| d.followers == 0);
        if is_left {
            downloads.remove(&self.model);
        }
        is_left
    }

    /// Records that the download was begun here.
    pub fn began(&self) {
        self.set_ours(true);
    }

    /// Records that the download has ended by itself.
    pub fn ended(&self) {
        self.set_ours(false);
    }

    /// Leaves the download. Returns whether it is to be ended, unless somebody follows it until then
    /// ([`Self::forget`]).
    pub fn leave(&self) -> bool {
        let mut downloads = self.all.lock();
        let Some(download) = downloads.get_mut(&self.model) else {
            return false;
        };
        download.followers = download.followers.saturating_sub(1);
        let is_left = download.followers == 0;
        if is_left && !download.is_ours {
            downloads.remove(&self.model);
            return false;
        }
        is_left
    }

    fn set_ours(&self, is_ours: bool) {
        if let Some(download) = self.all.lock().get_mut(&self.model) {
            download.is_ours = is_ours;
        }
    }
}
