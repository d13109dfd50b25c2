//! Archives whose bytes depend on what is in them alone: files by name, one time, no owner.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flate2::write::GzEncoder;
use zip::write::SimpleFileOptions;
use zip::{DateTime, ZipWriter};

use super::commit::CommitTime;
use super::contents::Entry;
use crate::Result;

/// Packs files into an archive of the kind that its name says: `.zip`, else `.tar.gz`.
pub fn pack(entries: &[Entry], time: &CommitTime, archive: &Path) -> Result {
    let bytes = match archive.extension().is_some_and(|ending| ending == "zip") {
        true => zip(entries, time),
        false => tar_gz(entries, time),
    };
    bytes
        .and_then(|bytes| fs::write(archive, bytes))
        .map_err(|e| format!("{} cannot be packed: {e}", archive.display()))
}

fn mode(entry: &Entry) -> u32 {
    if entry.executable { 0o755 } else { 0o644 }
}

fn read(entry: &Entry) -> io::Result<Vec<u8>> {
    let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", entry.file.display()));
    fs::read(&entry.file).map_err(named)
}

fn tar_gz(entries: &[Entry], time: &CommitTime) -> io::Result<Vec<u8>> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), flate2::Compression::best()));
    for entry in entries {
        let bytes = read(entry)?;
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(mode(entry));
        header.set_mtime(time.seconds);
        header.set_uid(0);
        header.set_gid(0);
        tar.append_data(&mut header, &entry.name, bytes.as_slice())?;
    }
    tar.into_inner()?.finish()
}

fn zip(entries: &[Entry], time: &CommitTime) -> io::Result<Vec<u8>> {
    let [year, rest @ ..] = time.calendar;
    let [month, day, hour, minute, second] = rest.map(|part| part as u8);
    let time = DateTime::from_date_and_time(year, month, day, hour, minute, second)
        .map_err(io::Error::other)?;
    let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default()
            .unix_permissions(mode(entry))
            .last_modified_time(time);
        zip.start_file(&*entry.name, options)?;
        zip.write_all(&read(entry)?)?;
    }
    Ok(zip.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec;
    use std::path::PathBuf;

    const TIME: CommitTime = CommitTime {
        seconds: 1_795_824_006,
        calendar: [2026, 11, 28, 5, 20, 6],
    };

    /// A folder of a test with a program and a text.
    fn folder(test: &str) -> PathBuf {
        let name = format!("sash-pack-{test}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::remove_dir_all(&folder).ok(); // The folder may not exist.
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("program"), "#!/bin/sh\necho it runs\n").unwrap();
        fs::write(folder.join("text"), "words\n".repeat(100)).unwrap();
        folder
    }

    fn entries(folder: &Path) -> Vec<Entry> {
        let entry = |name: &str, executable| Entry {
            name: format!("sash/{name}"),
            file: folder.join(name),
            executable,
        };
        vec![entry("program", true), entry("text", false)]
    }

    #[test]
    fn the_same_files_give_the_same_bytes_whenever_they_were_written() {
        for ending in ["tar.gz", "zip"] {
            let packed = ["one", "other"].map(|test| {
                let folder = folder(&format!("{test}-{ending}"));
                let text = fs::File::options()
                    .append(true)
                    .open(folder.join("text"))
                    .unwrap();
                if test == "other" {
                    text.set_modified(std::time::UNIX_EPOCH).unwrap();
                }
                let archive = folder.join("a").with_extension(ending);
                pack(&entries(&folder), &TIME, &archive).unwrap();
                let bytes = fs::read(archive).unwrap();
                fs::remove_dir_all(folder).unwrap();
                bytes
            });
            assert!(packed[0] == packed[1], "{ending}");
        }
    }

    #[test]
    fn an_archive_keeps_time_mode_and_words_and_names_no_owner() {
        let folder = folder("kept");
        let packed = tar_gz(&entries(&folder), &TIME).unwrap();
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
        let read: Vec<_> = archive
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                let owner = (header.uid().unwrap(), header.gid().unwrap());
                let numbers = (header.mode().unwrap(), header.mtime().unwrap(), owner);
                (entry.path().unwrap().into_owned(), entry.size(), numbers)
            })
            .collect();
        fs::remove_dir_all(folder).unwrap();
        let time = TIME.seconds;
        assert_eq!(
            read,
            [
                ("sash/program".into(), 23, (0o755, time, (0, 0))),
                ("sash/text".into(), 600, (0o644, time, (0, 0)))
            ]
        );
    }

    #[test]
    fn a_zip_archive_keeps_them_too() {
        let folder = folder("zip");
        let packed = zip(&entries(&folder), &TIME).unwrap();
        fs::remove_dir_all(folder).unwrap();
        let mut archive = zip::ZipArchive::new(io::Cursor::new(packed)).unwrap();
        let mut program = archive.by_name("sash/program").unwrap();
        assert_eq!(program.unix_mode().unwrap() & 0o777, 0o755);
        let time = program.last_modified().unwrap();
        assert_eq!((time.year(), time.month(), time.second()), (2026, 11, 6));
        assert_eq!(io::read_to_string(&mut program).unwrap().len(), 23);
    }

    #[cfg(unix)]
    #[test]
    fn tar_unpacks_a_program_that_runs() {
        let folder = folder("runs");
        let archive = folder.join("a.tar.gz");
        pack(&entries(&folder), &TIME, &archive).unwrap();
        exec::output(
            exec::command("tar")
                .arg("-xzf")
                .arg(&archive)
                .arg("-C")
                .arg(&folder),
        )
        .unwrap();
        let says = exec::output(&mut exec::command(folder.join("sash/program"))).unwrap();
        fs::remove_dir_all(folder).unwrap();
        assert_eq!(says, "it runs\n");
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let folder = folder("absent");
        fs::remove_file(folder.join("text")).unwrap();
        let archive = folder.join("a.zip");
        let why = pack(&entries(&folder), &TIME, &archive).unwrap_err();
        assert!(why.contains("text") && !archive.exists(), "{why}");
        fs::remove_dir_all(folder).unwrap();
    }
}
