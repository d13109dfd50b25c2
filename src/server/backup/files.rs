//! The files of the folder, on the disk.

use super::Backup;
use super::disk;
use super::error::now;
use futures::FutureExt;
use futures::future::ready;
use sash_backup::{FileAnswer, FolderEntry, FolderFiles, MAX_CHAT_BYTES};
use sash_chat::Id;
use sash_wire::Fault;
use std::fs;

impl FolderFiles for Backup {
    fn now(&self) -> u64 {
        now()
    }

    fn read<'a>(&'a self, path: &'a str, limit: u64) -> FileAnswer<'a, Option<Vec<u8>>> {
        done(self.folder.read(&self.folder.path(path), limit))
    }

    fn size<'a>(&'a self, path: &'a str) -> FileAnswer<'a, Option<u64>> {
        done(self.folder.size(&self.folder.path(path)))
    }

    fn write<'a>(&'a self, path: &'a str, bytes: &'a [u8]) -> FileAnswer<'a, ()> {
        done(self.folder.replace(&self.folder.path(path), bytes))
    }

    fn copy<'a>(&'a self, from: &'a str, to: &'a str) -> FileAnswer<'a, ()> {
        let (from, to) = (self.folder.path(from), self.folder.path(to));
        done(self.folder.copy(&from, &to, MAX_CHAT_BYTES))
    }

    fn remove<'a>(&'a self, path: &'a str) -> FileAnswer<'a, ()> {
        let removed = disk::remove(&self.folder.path(path));
        done(removed.map_err(|error| disk::problem(&error)))
    }

    fn remove_empty<'a>(&'a self, folder: &'a str) -> FileAnswer<'a, ()> {
        // A folder that is not empty stays.
        fs::remove_dir(self.folder.path(folder)).ok();
        done(Ok(()))
    }

    fn entries<'a>(&'a self, folder: &'a str) -> FileAnswer<'a, Vec<FolderEntry>> {
        done(self.folder.entries(&self.folder.path(folder)))
    }

    fn on_written(&self, chat: Id, crc: &str) {
        self.news.record(chat, crc.to_owned());
    }
}

fn done<'a, T: 'a>(result: Result<T, Fault>) -> FileAnswer<'a, T> {
    ready(result).boxed_local()
}
