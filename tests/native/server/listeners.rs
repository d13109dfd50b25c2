//! Listeners at an engine's port: made-up folders of a system, and real processes.
#![cfg(target_os = "linux")]

use crate::common::{House, refused};
use crate::server::binary::started;
use sash_server::engine::{Address, EngineConfig};
use sash_server::listeners::SystemFiles;
use serde_json::{Value, json};
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tokio::process::{Child, Command};

/// A folder that ends with its value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("sash-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

const OWN: u32 = 700;

/// A line of `/proc/net/tcp`: a listening socket at 127.0.0.1:11434.
fn listens(inode: u64, user: u32) -> String {
    let at = u32::from_ne_bytes([127, 0, 0, 1]);
    format!(
        "0: {at:08X}:2CAA 00000000:0000 0A 00000000:00000000 00:00000000 00000000 {user} 0 {inode} 1"
    )
}

/// The files of a system with these sockets, and with processes by id, name, program and socket.
fn system(folder: &Path, sockets: &[String], processes: &[(u32, &str, &str, u64)]) -> SystemFiles {
    let proc = folder.join("proc");
    fs::create_dir_all(proc.join("net")).unwrap();
    fs::write(proc.join("net/tcp"), sockets.join("\n")).unwrap();
    for (id, name, program, inode) in processes {
        let process = proc.join(id.to_string());
        fs::create_dir_all(process.join("fd")).unwrap();
        fs::write(process.join("comm"), format!("{name}\n")).unwrap();
        symlink(program, process.join("exe")).unwrap();
        symlink("/dev/null", process.join("fd/0")).unwrap();
        symlink(format!("socket:[{inode}]"), process.join("fd/3")).unwrap();
    }
    let passwd = folder.join("passwd");
    let users = "root:x:0:0::/root:/bin/sh\nnot-ollama:x:997:1::/:/bin/sh\nollama:x:998:998::/:/bin/false\n";
    fs::write(&passwd, users).unwrap();
    SystemFiles {
        proc,
        passwd,
        own: OWN,
    }
}

#[test]
fn an_engine_of_this_machine_is_known_by_its_process_or_by_its_user() {
    type Process = (u32, &'static str, &'static str, u64);
    let one = |user| vec![listens(42, user)];
    let cases: Vec<(&str, Vec<String>, Vec<Process>, bool)> = vec![
        ("nobody listens", vec![], vec![], false),
        (
            "ollama",
            one(1000),
            vec![(10, "ollama", "/usr/bin/ollama", 42)],
            true,
        ),
        (
            "llama-server",
            one(1000),
            vec![(10, "llama-server", "/opt/llama-server", 42)],
            true,
        ),
        (
            "by its program",
            one(1000),
            vec![(10, "main", "/usr/bin/ollama", 42)],
            true,
        ),
        (
            "updated",
            one(1000),
            vec![(10, "x", "/usr/bin/ollama (deleted)", 42)],
            true,
        ),
        (
            "a tunnel",
            one(1000),
            vec![(10, "ssh", "/usr/bin/ssh", 42)],
            false,
        ),
        (
            "kubectl",
            one(1000),
            vec![(10, "kubectl", "/usr/bin/kubectl", 42)],
            false,
        ),
        (
            "docker",
            one(0),
            vec![(10, "docker-proxy", "/usr/bin/docker-proxy", 42)],
            false,
        ),
        (
            "a name like it",
            one(1000),
            vec![(10, "ollama-proxy", "/bin/not-ollama", 42)],
            false,
        ),
        (
            "another socket",
            one(1000),
            vec![(10, "ollama", "/usr/bin/ollama", 43)],
            false,
        ),
        (
            "this process",
            one(1000),
            vec![(OWN, "sash", "/usr/bin/sash", 42)],
            true,
        ),
        (
            "the service",
            one(998),
            vec![(10, "bash", "/bin/bash", 7)],
            true,
        ),
        ("another user", one(997), vec![], false),
        (
            "a tunnel of the service's user",
            one(998),
            vec![(10, "ssh", "/usr/bin/ssh", 42)],
            false,
        ),
        (
            "one of two",
            vec![listens(42, 998), listens(43, 1000)],
            vec![(10, "ssh", "/usr/bin/ssh", 43)],
            false,
        ),
        (
            "a socket of two processes",
            one(0),
            vec![
                (1, "systemd", "/lib/systemd/systemd", 42),
                (10, "ollama", "/bin/ollama", 42),
            ],
            true,
        ),
    ];
    for (case, sockets, processes, expected) in cases {
        let folder = Folder::new("system");
        let files = system(&folder.0, &sockets, &processes);
        let found = files.listening_at(&["127.0.0.1:11434".parse().unwrap()]);
        assert_eq!(found.len(), sockets.len(), "{case}");
        assert_eq!(files.are_engines(&found), expected, "{case}");
        assert_eq!(
            files.listening_at(&["127.0.0.1:11435".parse().unwrap()]),
            []
        );
    }
}

#[test]
fn a_system_that_tells_nothing_has_no_engine() {
    let files = SystemFiles {
        proc: "/nothing/here".into(),
        passwd: "/nothing/here".into(),
        own: OWN,
    };
    let found = files.listening_at(&["127.0.0.1:11434".parse().unwrap()]);
    assert_eq!((found.len(), files.are_engines(&found)), (0, false));
}

#[test]
fn the_sockets_of_this_process_are_found_in_the_real_system() {
    for address in ["127.0.0.1:0", "0.0.0.0:0", "[::]:0", "[::1]:0"] {
        // A machine without IPv6 has no such socket.
        let Ok(listener) = TcpListener::bind(address) else {
            continue;
        };
        let port = listener.local_addr().unwrap().port();
        let host = match address {
            "[::1]:0" => "[::1]",
            _ => "127.0.0.1",
        };
        let at: SocketAddr = format!("{host}:{port}").parse().unwrap();
        let files = SystemFiles::default();
        let found = files.listening_at(&[at]);
        assert_eq!(found.len(), 1, "{address}");
        assert!(files.are_engines(&found), "{address}");
        // To another process it is a stranger's: it has no name of an engine.
        let other = SystemFiles { own: 0, ..files };
        assert!(!other.are_engines(&found), "{address}");
    }
}

/// A process that listens here under this name, and where. It is a demo of Sash: what it answers is of no concern.
async fn process_called(folder: &Folder, name: &str, at: &str) -> (Child, SocketAddr) {
    let file = folder.0.join(name);
    symlink(env!("CARGO_BIN_EXE_sash"), &file).unwrap();
    let mut command = Command::new(&file);
    command.args(["--demo", "--listen", at]).kill_on_drop(true);
    let (child, url) = started(&mut command).await;
    let at = url.trim_start_matches("http://").trim_end_matches('/');
    (child, at.parse().unwrap())
}

async fn reach(house: &House) -> Value {
    let state: Value = house.post("state", json!({})).await.json().await.unwrap();
    state["engines"][0]["reach"].clone()
}

async fn in_front_of(engine: SocketAddr) -> House {
    House::with(|settings| settings.server.engine = EngineConfig::ollama(Address::local(engine)))
        .await
}

/// The end of a tunnel was taken for an engine of this machine, and the one that takes the port of an engine, too.
#[tokio::test]
async fn an_engine_on_loopback_is_local_only_while_its_process_is_one() {
    let folder = Folder::new("processes");
    let (mut ollama, at) = process_called(&folder, "ollama", "127.0.0.1:0").await;
    let house = in_front_of(at).await;
    assert_eq!(reach(&house).await, "local");
    ollama.kill().await.unwrap();
    let (tunnel, at_same) = process_called(&folder, "ssh", &at.to_string()).await;
    assert_eq!(at_same, at);
    assert_eq!(reach(&house).await, "loopback");
    let body = json!({"model":"tinyembed","texts":["half a"],"draft":"unasked"});
    let answer = house.post("embed", body).await;
    assert_eq!(refused(answer).await, (403, "draft_refused".to_owned()));
    drop(tunnel);
}
