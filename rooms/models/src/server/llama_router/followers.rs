//! Followers of the downloads of routers: one that Sash began ends when the last one leaves it. A download that somebody
//! else began, at the router itself or with another Sash, is not ours to end.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// The downloads that are followed, by the names of their engines and models. A clone is the same ones.
#[derive(Clone, Debug, Default)]
pub struct Followers(Arc<Mutex<HashMap<(String, String), Download>>>);

#[derive(Debug, Default)]
struct Download {
    followers: usize,
    /// Whether it was begun here and has not ended.
    is_ours: bool,
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// One of those that follow a download, until it leaves. A clone is the same one.
#[derive(Clone, Debug)]
pub struct Follower {
    all: Followers,
    /// The names of the engine and the model.
    of: (String, String),
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Followers {
    /// Follows the download of a model.
    pub fn follow(&self, engine: &str, model: &str) -> Follower {
        let of = (engine.to_owned(), model.to_owned());
        let mut downloads = self.lock();
        let download = downloads.entry(of.clone()).or_default();
        download.followers += 1;
        Follower {
            all: self.clone(),
            of,
            turn: Arc::clone(&download.turn),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(String, String), Download>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Follower {
    /// Waits for the turn to begin or to end the download: a page that returns while it is being ended would follow one
    /// that ends.
    pub async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.turn).lock_owned().await
    }

    /// Records that the download was begun here, or has ended by itself.
    pub fn set_ours(&self, is_ours: bool) {
        if let Some(download) = self.download(&mut self.all.lock()) {
            download.is_ours = is_ours;
        }
    }

    /// Leaves the download. Returns whether it is to be ended, unless somebody follows it until then ([`Self::is_left`]).
    pub fn leave(&self) -> bool {
        let mut downloads = self.all.lock();
        let Some(download) = self.download(&mut downloads) else {
            return false;
        };
        download.followers = download.followers.saturating_sub(1);
        let (is_left, is_ours) = (download.followers == 0, download.is_ours);
        if is_left && !is_ours {
            downloads.remove(&self.of);
        }
        is_left && is_ours
    }

    /// Whether nobody follows the download, and it is still to be ended.
    pub fn is_left(&self) -> bool {
        let mut downloads = self.all.lock();
        let download = self.download(&mut downloads);
        download.is_some_and(|download| download.is_ours && download.followers == 0)
    }

    /// Forgets the download, which was ended. Who follows it by now has its turn next, and begins it anew.
    pub fn forget(&self) {
        let mut downloads = self.all.lock();
        if let Some(download) = self.download(&mut downloads) {
            download.is_ours = false;
            if download.followers == 0 {
                downloads.remove(&self.of);
            }
        }
    }

    /// The download that it follows. `None` if it was forgotten, even if another one of the model was begun since: that one
    /// has another turn, which does not hold back who waits for this one.
    fn download<'a>(
        &self,
        downloads: &'a mut HashMap<(String, String), Download>,
    ) -> Option<&'a mut Download> {
        let download = downloads.get_mut(&self.of);
        download.filter(|download| Arc::ptr_eq(&download.turn, &self.turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_download_that_was_ended_is_not_ended_again_when_it_is_begun_anew() {
        let all = Followers::default();
        let first = all.follow("box", "m");
        first.set_ours(true);
        assert!(first.leave() && first.is_left());
        // While it is being ended, a page follows it and leaves.
        let second = all.follow("box", "m");
        assert!(second.leave());
        first.forget();

        let third = all.follow("box", "m");
        third.set_ours(true);
        assert!(!second.is_left());
        assert!(third.leave() && third.is_left());
        assert!(!second.is_left(), "it is the third's to end");
        third.forget();
        assert!(all.lock().is_empty());
    }

    #[test]
    fn a_download_goes_on_for_who_follows_it_before_it_is_ended() {
        let all = Followers::default();
        let first = all.follow("box", "m");
        first.set_ours(true);
        assert!(first.leave());
        let second = all.follow("box", "m");
        assert!(!first.is_left());
        assert!(second.leave() && second.is_left());
    }

    #[test]
    fn a_download_that_was_not_begun_here_is_not_ended() {
        let all = Followers::default();
        let follower = all.follow("box", "m");
        assert!(!follower.leave());
        assert!(all.lock().is_empty());
    }
}
