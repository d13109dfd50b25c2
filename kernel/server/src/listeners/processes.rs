//! The processes of `/proc`, as far as this one may read them.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// What Linux adds to the file of a program that was replaced while it runs, by an update for instance.
const REPLACED: &str = " (deleted)";

/// The folder of the processes.
#[derive(Clone, Copy, Debug)]
pub struct Processes<'a>(pub &'a Path);

impl<'a> Processes<'a> {
    /// The processes that hold a socket.
    pub fn holding(self, inode: u64) -> impl Iterator<Item = u32> + 'a {
        let name = PathBuf::from(format!("socket:[{inode}]"));
        let all = fs::read_dir(self.0).into_iter().flatten().flatten();
        let all = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        all.filter(move |process| {
            // The files of another user's process may not be read.
            let files = fs::read_dir(self.of(*process, "fd")).into_iter().flatten();
            let mut files = files.flatten();
            files.any(|file| fs::read_link(file.path()).is_ok_and(|target| target == name))
        })
    }

    /// Whether a process, or the file of its program, has this name.
    pub fn has_name(self, process: u32, name: &str) -> bool {
        let own = fs::read_to_string(self.of(process, "comm"));
        let program = fs::read_link(self.of(process, "exe")).ok();
        let program = program.as_deref().and_then(Path::file_name);
        let program = program.and_then(OsStr::to_str);
        own.is_ok_and(|own| own.trim_end() == name)
            || program.is_some_and(|file| file.strip_suffix(REPLACED).unwrap_or(file) == name)
    }

    fn of(self, process: u32, file: &str) -> PathBuf {
        self.0.join(process.to_string()).join(file)
    }
}
