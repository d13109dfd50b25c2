//! The address of the page, as the program prints and opens it: a one-time code in the place of the token and of the key of
//! the backup.

use crate::common::{client, refused};
use crate::server::binary::{sash, started};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

/// A folder that goes with the test.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sash-{}-{name}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// A `PATH` whose first opener of pages writes the address into the file `opened`, and then does this.
    #[cfg(target_os = "linux")]
    fn with_opener(&self, then: &str) -> String {
        use std::os::unix::fs::PermissionsExt;
        let opener = self.0.join("xdg-open");
        let script =
            "#!/bin/sh\ncd \"$(dirname \"$0\")\"\nprintf %s \"$1\" > part\nmv part opened\n";
        std::fs::write(&opener, format!("{script}{then}\n")).unwrap();
        std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).unwrap();
        format!("{}:{}", self.0.display(), std::env::var("PATH").unwrap())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// A program whose output is read on.
struct Spoken {
    _child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Spoken {
    fn start(command: &mut Command) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Self {
            _child: child,
            lines: out.lines(),
        }
    }

    /// The rest of the next line that begins like this.
    async fn after(&mut self, beginning: &str) -> String {
        let found = async {
            loop {
                let line = self.lines.next_line().await.unwrap().unwrap();
                if let Some(rest) = line.strip_prefix(beginning) {
                    return rest.to_owned();
                }
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(10), found).await;
        found.unwrap_or_else(|_| panic!("no line begins with “{beginning}”"))
    }
}

/// The key that browsers know.
fn key_of(place: &Place) -> String {
    let key = std::fs::read_to_string(place.0.join("state/backup-key"));
    key.unwrap().trim().to_owned()
}

async fn exchange(page: &str) -> Result<Value, (u16, String)> {
    let (origin, code) = page.split_once("/#c=").unwrap();
    let asked = client().post(format!("{origin}/api/v1/exchange"));
    let answer = asked.json(&json!({ "code": code })).send().await.unwrap();
    match answer.status().as_u16() {
        200 => Ok(answer.json().await.unwrap()),
        _ => Err(refused(answer).await),
    }
}

async fn state(origin: &str, token: &str) -> u16 {
    let asked = client().post(format!("{origin}/api/v1/state"));
    let asked = asked.bearer_auth(token).json(&json!({}));
    asked.send().await.unwrap().status().as_u16()
}

fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test]
async fn the_printed_address_has_a_code_that_opens_one_page_and_a_second_use_ends_what_it_gave() {
    let place = Place::new("opening");
    let backup = place.path("backup");
    let args = [
        "--demo",
        "--listen",
        "127.0.0.1:0",
        "--token",
        "auto",
        "--backup",
        &backup,
    ];
    let mut sash = Spoken::start(sash(&args).env("STATE_DIRECTORY", place.path("state")));
    let page = sash.after("Sash is at ").await;
    let token = sash.after("The token for other programs is ").await;
    let key = || key_of(&place);
    let (origin, code) = page.split_once("/#c=").unwrap();
    assert_eq!((code.len(), token.len()), (32, 64));
    let first_key = key();

    let given = exchange(&page).await.unwrap();
    let session = given["token"].as_str().unwrap();
    assert_eq!(given["backup_key"], first_key);
    assert_ne!(session, token, "the token itself never reaches a browser");
    assert_eq!(
        [state(origin, session).await, state(origin, &token).await],
        [200, 200]
    );
    assert_eq!(state(origin, "nonsense").await, 401);

    // Another browser has another address.
    let next = sash.after("For another browser Sash is at ").await;
    let other = exchange(&next).await.unwrap();
    sash.after("For another browser Sash is at ").await;

    let twice = Err((401, "opened_twice".to_owned()));
    assert_eq!(exchange(&page).await, twice);
    assert_eq!(exchange(&page).await, twice);
    assert_eq!(state(origin, session).await, 401);
    assert_eq!(state(origin, other["token"].as_str().unwrap()).await, 200);
    assert_eq!(state(origin, &token).await, 200);
    let second_key = key();
    assert_ne!(second_key, first_key);
    let list = async |key: &str| {
        let asked = client().post(format!("{origin}/api/v1/backup_list"));
        let asked = asked.header("x-sash-backup", key).json(&json!({}));
        let answer = asked.bearer_auth(&token).send().await.unwrap();
        match answer.status().as_u16() {
            200 => "listed".to_owned(),
            _ => refused(answer).await.1,
        }
    };
    assert_eq!(list(&first_key).await, "opened_twice");
    assert_eq!(list(&second_key).await, "listed");
    assert_eq!(mode(&place.0.join("state/backup-key")), 0o600);
    let unknown = format!("{origin}/#c={}", "0".repeat(32));
    assert_eq!(
        exchange(&unknown).await,
        Err((401, "address_expired".to_owned()))
    );
}

#[tokio::test]
async fn where_a_page_needs_nothing_the_address_has_nothing() {
    let args = ["--demo", "--listen", "127.0.0.1:0"];
    let (_child, page) = started(&mut sash(&args)).await;
    assert!(!page.contains('#'), "{page}");
    let asked = format!("{page}/#c={}", "0".repeat(32));
    assert_eq!(
        exchange(&asked).await,
        Err((401, "address_expired".to_owned()))
    );
    // A token that the person chose is in no address.
    let args = [&args[..], &["--token", "0123456789abcdef"]].concat();
    let (_child, page) = started(&mut sash(&args)).await;
    assert!(!page.contains('#'), "{page}");
}

/// The command line of the browser had the token and the key, where every user of the machine can read it.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_browser_is_opened_with_a_code_of_its_own() {
    let place = Place::new("opening-browser");
    let path = place.with_opener("");
    let backup = place.path("backup");
    let args = [
        "--demo",
        "--listen",
        "127.0.0.1:0",
        "--open",
        "--token",
        "auto",
        "--backup",
        &backup,
    ];
    let mut command = sash(&args);
    command.env("STATE_DIRECTORY", place.path("state"));
    let mut sash = Spoken::start(command.env("PATH", path));
    let page = sash.after("Sash is at ").await;
    let token = sash.after("The token for other programs is ").await;
    let opened = async {
        loop {
            if let Ok(opened) = std::fs::read_to_string(place.0.join("opened")) {
                return opened;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let opened = tokio::time::timeout(Duration::from_secs(10), opened)
        .await
        .unwrap();
    assert!(
        !opened.contains(&token) && !opened.contains(&key_of(&place)),
        "{opened}"
    );
    assert_ne!(opened, page, "each has a code of its own");
    assert!(exchange(&opened).await.is_ok());
    assert!(exchange(&page).await.is_ok());
}

/// It said nothing before the browser was closed where the opener ends with it.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_second_start_opens_the_page_and_does_not_wait_until_the_browser_ends() {
    let place = Place::new("opening-second");
    let path = place.with_opener("exec sleep 30");
    let (_child, page) = started(&mut sash(&["--demo", "--listen", "127.0.0.1:0"])).await;
    let address = page.strip_prefix("http://").unwrap();
    let mut second = sash(&["--listen", address, "--open"]);
    let ended = second.env("PATH", path).output();
    let ended = tokio::time::timeout(Duration::from_secs(10), ended).await;
    let ended = ended.unwrap().unwrap();
    assert_eq!(ended.status.code(), Some(98));
    let opened = std::fs::read_to_string(place.0.join("opened"));
    assert_eq!(opened.unwrap(), page);
}

/// The journal keeps what a service prints for weeks, and shows it to others.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn in_the_journal_is_the_place_of_the_address_and_not_the_address() {
    use std::os::unix::fs::MetadataExt;
    let place = Place::new("opening-journal");
    let runtime = place.0.join("runtime");
    let journal = std::fs::File::create(place.0.join("journal")).unwrap();
    let own = journal.metadata().unwrap();
    let backup = place.path("backup");
    let args = [
        "--demo",
        "--listen",
        "127.0.0.1:0",
        "--token",
        "auto",
        "--backup",
        &backup,
    ];
    let mut command = sash(&args);
    command
        .env("JOURNAL_STREAM", format!("{}:{}", own.dev(), own.ino()))
        .env("RUNTIME_DIRECTORY", &runtime)
        .env("STATE_DIRECTORY", place.path("state"))
        .stdout(journal)
        .stderr(Stdio::null());
    let _child = command.spawn().unwrap();
    let lines = async {
        loop {
            let text = std::fs::read_to_string(place.0.join("journal")).unwrap();
            if text.contains("The backup is in") {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let printed = tokio::time::timeout(Duration::from_secs(10), lines)
        .await
        .unwrap();
    let file = printed.lines().find_map(|line| {
        let rest = line.strip_prefix("The address that opens the page is in ")?;
        rest.split(',').next()
    });
    let file = PathBuf::from(file.unwrap());
    assert!(file.starts_with(&runtime), "{printed}");
    assert_eq!([mode(&file), mode(&runtime)], [0o600, 0o700]);
    let read = || std::fs::read_to_string(&file).unwrap();
    let find = |beginning: &str| {
        let text = read();
        let found = text.lines().find_map(|line| line.strip_prefix(beginning));
        found.unwrap().to_owned()
    };
    let (page, token) = (
        find("Sash is at "),
        find("The token for other programs is "),
    );
    let (origin, code) = page.split_once("/#c=").unwrap();
    assert!(
        printed.contains(&format!("Sash is at {origin}\n")),
        "{printed}"
    );
    for secret in [code, &token, "#c="] {
        assert!(!printed.contains(secret), "{printed}");
    }
    assert!(exchange(&page).await.is_ok());
    let next = async {
        while find("Sash is at ") == page {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), next)
        .await
        .unwrap();
    assert_eq!(mode(&file), 0o600);
    assert!(exchange(&find("Sash is at ")).await.is_ok());
}

/// What a service starts inherits the variable, and may print into a pipe all the same.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn in_a_pipe_of_a_service_the_address_is_printed() {
    let mut command = sash(&["--demo", "--listen", "127.0.0.1:0", "--token", "auto"]);
    let (_child, page) = started(command.env("JOURNAL_STREAM", "1:2")).await;
    assert!(page.contains("/#c="), "{page}");
}

/// The name of a directory came raw into the terminal.
#[tokio::test]
async fn names_of_places_are_printed_with_what_would_speak_to_the_terminal_shown() {
    let place = Place::new("opening-\u{1b}[2J\u{202e}");
    let backup = place.path("backup");
    std::fs::create_dir(&backup).unwrap();
    std::fs::write(place.0.join("backup/photo\u{1b}.jpg"), "").unwrap();
    let mut command = sash(&["--demo", "--listen", "127.0.0.1:0", "--backup", &backup]);
    command.env("STATE_DIRECTORY", place.path("state"));
    let output = command.output().await.unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("␛[2J\\u{202e}"), "{said}");
    assert_eq!(said.matches('\n').count(), 1, "{said}");

    std::fs::remove_file(place.0.join("backup/photo\u{1b}.jpg")).unwrap();
    let mut sash = Spoken::start(&mut command);
    let places = sash.after("The backup is in ").await;
    assert_eq!(places.matches("␛[2J\\u{202e}").count(), 2, "{places}");
}
