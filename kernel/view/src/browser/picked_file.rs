//! A file that the person chose.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use sash_browser_kit::file::read_range;
use sash_stores::PickedFile;
use std::ops::Range;
use web_sys::File;

/// A file of the browser, for stores that read it.
#[derive(Clone, Debug)]
pub struct BrowserFile(pub File);

impl PickedFile for BrowserFile {
    fn name(&self) -> String {
        self.0.name()
    }

    fn size(&self) -> u64 {
        self.0.size() as u64
    }

    fn read_range(&self, at: Range<u64>) -> LocalBoxFuture<'static, Option<Vec<u8>>> {
        let file = self.0.clone();
        async move { read_range(&file, at).await }.boxed_local()
    }
}
