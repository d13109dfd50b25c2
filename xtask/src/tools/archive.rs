//! Tools from their release archives: downloaded by `curl`, checked, unpacked by `tar`. Both come
//! with every system that Sash is built on.

use std::fs;
use std::path::Path;

use super::pins::{Archive, Release};
use crate::names::sha256;
use crate::{Result, exec, place};

/// Puts the programs of a release into the folder `bin`; the archive lies in `download` beside it
/// meanwhile. `host` is the address above the release's folder.
///
/// # Errors
/// Why the archive cannot be used: none is pinned for this platform, it cannot be downloaded, or
/// its checksum is another one. Then nothing is left in `bin`.
pub fn install(release: &Release, host: &str, bin: &Path) -> Result {
    let archive = release.archive();
    let archive = archive.ok_or("no archive is pinned for this platform")?;
    let work = bin.with_file_name("download").join(archive.name);
    fs::remove_dir_all(&work).ok(); // The folder may not exist.
    let unpacked =
        fetch(release, &archive, host, &work).and_then(|()| copy_programs(release, &work, bin));
    fs::remove_dir_all(&work).ok(); // A leftover folder is harmless.
    unpacked
}

/// Downloads, checks and unpacks an archive into `work`.
fn fetch(release: &Release, archive: &Archive, host: &str, work: &Path) -> Result {
    fs::create_dir_all(work).map_err(|e| format!("{} cannot be made: {e}", work.display()))?;
    let file = work.join("archive.tar.gz");
    let url = format!("{host}/{}/{}.tar.gz", release.folder, archive.name);
    exec::output(
        exec::command("curl")
            .args(["--fail", "--location", "--silent", "--show-error"])
            .args(["--connect-timeout", "10", "--max-time", "120", "--output"])
            .arg(&file)
            .arg(&url),
    )?;
    let bytes = fs::read(&file).map_err(|e| format!("{} is not readable: {e}", file.display()))?;
    let found = sha256(&bytes);
    if found != archive.sha256 {
        return Err(format!(
            "{url} has the SHA-256 {found}, but {} is pinned",
            archive.sha256
        ));
    }
    exec::output(
        exec::command("tar")
            .arg("-xzf")
            .arg(&file)
            .arg("-C")
            .arg(work),
    )?;
    Ok(())
}

/// Copies the programs, which lie at the top of the archive or in a folder of its name.
fn copy_programs(release: &Release, work: &Path, bin: &Path) -> Result {
    fs::create_dir_all(bin).map_err(|e| format!("{} cannot be made: {e}", bin.display()))?;
    let folder = work.join(work.file_name().unwrap_or_default());
    let from = if folder.is_dir() { &folder } else { work };
    for program in release.programs {
        let name = place::program(program);
        fs::copy(from.join(&name), bin.join(&name))
            .map_err(|e| format!("{program} cannot be taken out of the archive: {e}"))?;
    }
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::path::PathBuf;

    /// An empty folder of a test.
    fn folder(test: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("sash-archive-{test}-{}", std::process::id()));
        fs::remove_dir_all(&folder).ok(); // The folder may not exist.
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// The bytes of an archive with a program that says its version.
    fn packed(folder: &Path) -> Vec<u8> {
        let program = folder.join("tool");
        fs::write(&program, "#!/bin/sh\necho tool 1.2.3\n").unwrap();
        let file = folder.join("packed.tar.gz");
        exec::output(
            exec::command("tar")
                .arg("-czf")
                .arg(&file)
                .arg("-C")
                .arg(folder)
                .arg("tool"),
        )
        .unwrap();
        fs::read(file).unwrap()
    }

    /// A server on this machine that answers `/folder/tool.tar.gz` with these bytes.
    fn serve(bytes: Vec<u8>) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let mut request = [0; 1024];
                let read = stream.read(&mut request).unwrap();
                let request = String::from_utf8_lossy(&request[..read]).into_owned();
                let found = request.starts_with("GET /folder/tool.tar.gz ");
                let status = if found { "200 OK" } else { "404 Not Found" };
                let head = format!(
                    "HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                    bytes.len()
                );
                stream.write_all(head.as_bytes()).unwrap();
                stream.write_all(&bytes).unwrap();
            }
        });
        format!("http://{address}")
    }

    #[expect(clippy::disallowed_methods, reason = "pins are constants")]
    fn release(os: &str, name: &str, sha256: &str) -> Release {
        let arch = std::env::consts::ARCH;
        Release {
            version: "1.2.3",
            folder: "folder",
            archives: format!("{os} {arch} {name} {sha256}").leak(),
            programs: &["tool"],
        }
    }

    #[test]
    fn an_archive_with_its_checksum_becomes_a_program() {
        let folder = folder("right");
        let bytes = packed(&folder);
        let release = release(std::env::consts::OS, "tool", &sha256(&bytes));
        let bin = folder.join("bin");
        install(&release, &serve(bytes), &bin).unwrap();
        let says = exec::output(exec::command("sh").arg(bin.join("tool"))).unwrap();
        assert_eq!(says.trim(), "tool 1.2.3");
    }

    #[test]
    fn an_archive_with_another_checksum_is_not_used() {
        let folder = folder("wrong");
        let bytes = packed(&folder);
        let release = release(std::env::consts::OS, "tool", &sha256(b"another archive"));
        let bin = folder.join("bin");
        let why = install(&release, &serve(bytes), &bin).unwrap_err();
        assert!(why.contains("is pinned"), "{why}");
        assert!(!bin.exists());
    }

    #[test]
    fn without_a_checksum_for_the_platform_nothing_is_downloaded() {
        let folder = folder("missing");
        let bytes = packed(&folder);
        let release = release("another system", "tool", &sha256(&bytes));
        let why = install(&release, "http://127.0.0.1:9", &folder.join("bin")).unwrap_err();
        assert_eq!(why, "no archive is pinned for this platform");
    }

    #[test]
    fn an_archive_that_cannot_be_had_is_said() {
        let folder = folder("absent");
        let bytes = packed(&folder);
        let sum = sha256(&bytes);
        let gone = release(std::env::consts::OS, "gone", &sum);
        let bin = folder.join("bin");
        let why = install(&gone, &serve(bytes), &bin).unwrap_err();
        assert!(why.contains("404"), "{why}");
        let why = install(&gone, "http://127.0.0.1:9", &bin).unwrap_err();
        assert!(why.contains("curl"), "{why}");
        assert!(!bin.exists());
    }
}
