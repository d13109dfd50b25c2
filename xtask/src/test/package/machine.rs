//! A Debian of its own with systemd, booted in a container without a network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Result, exec, place};

/// What it has beside Debian's essential packages: systemd for the machine and for persons, and what the checks use.
const PACKAGES: &str =
    "--include=systemd-sysv,libpam-systemd,dbus-user-session,curl,iproute2,procps";
/// How long it may take to boot, and a service to answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a script in it may take. Installing the package takes some seconds.
const SCRIPT_LIMIT: Duration = Duration::from_secs(120);

/// A running Debian. Whatever is changed in it goes with it.
pub struct Machine {
    container: Child,
    init: String,
}

impl Machine {
    /// Boots one; the files of a folder are in its `/packages`.
    pub fn boot(packages: &Path) -> Result<Self> {
        let root = root()?;
        let mut nspawn = exec::command("systemd-nspawn");
        nspawn
            .args([
                "--quiet",
                "--boot",
                "--volatile=overlay",
                "--private-network",
            ])
            // Without a systemd on this machine too.
            .args(["--register=no", "--keep-unit", "--console=pipe"])
            .arg(format!("--directory={}", root.display()))
            .arg(format!("--bind-ro={}:/packages", packages.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let container = nspawn.spawn().map_err(|e| format!("systemd-nspawn: {e}"))?;
        let mut machine = Self {
            container,
            init: String::new(),
        };
        let since = Instant::now();
        while since.elapsed() < PATIENCE {
            if let Ok(Some(status)) = machine.container.try_wait() {
                return Err(format!("the container ended ({status})"));
            }
            match machine.init.is_empty() {
                true => machine.init = init_of(machine.container.id()).unwrap_or_default(),
                false => {
                    // It says “degraded” where a service that has nothing to do with Sash did not start.
                    let state = machine.run("systemctl is-system-running || true")?;
                    if ["running", "degraded"].contains(&state.trim()) {
                        return Ok(machine);
                    }
                }
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err("the Debian in the container does not boot".into())
    }

    /// Runs a script in it, and returns its output without the last line break.
    ///
    /// # Errors
    /// It failed, or it took too long. The Debian is ended then: what hangs may be any of its processes, and each of them
    /// could keep the output open.
    pub fn run(&self, script: &str) -> Result<String> {
        std::thread::scope(|scope| {
            let (running, ended) = mpsc::channel::<()>();
            let watch = scope.spawn(move || {
                let is_late = ended.recv_timeout(SCRIPT_LIMIT) == Err(RecvTimeoutError::Timeout);
                if is_late {
                    // It may have ended meanwhile.
                    exec::output(exec::command("kill").args(["-KILL", &self.init])).ok();
                }
                is_late
            });
            let output = exec::output(self.inside().args(["sh", "-ec", script]));
            drop(running);
            match watch.join() {
                Ok(true) => Err(format!(
                    "the Debian was ended, because this took longer than {SCRIPT_LIMIT:?}: {script}"
                )),
                _ => Ok(output?.trim_end().to_owned()),
            }
        })
    }

    /// Whether a script succeeds in it.
    pub fn succeeds(&self, script: &str) -> bool {
        self.run(script).is_ok()
    }

    fn inside(&self) -> Command {
        let mut nsenter = exec::command("nsenter");
        nsenter
            .args(["--target", &self.init, "--all", "--root", "--wd"])
            .args(["env", "-i", "PATH=/usr/sbin:/usr/bin", "LC_ALL=C.UTF-8"]);
        nsenter
    }

    /// Waits until a script succeeds in it.
    pub fn wait_for(&self, script: &str) -> Result {
        let since = Instant::now();
        loop {
            match self.run(script) {
                Ok(_) => return Ok(()),
                Err(why) if since.elapsed() > PATIENCE => return Err(why),
                Err(_) => std::thread::sleep(Duration::from_millis(100)),
            }
        }
    }

    /// Waits until Sash answers.
    pub fn wait_for_sash(&self) -> Result {
        self.wait_for("curl --silent --fail http://127.0.0.1:7274/health")
    }

    /// The answer of a server function; `data` is what curl takes as such. Headers are curl's arguments.
    pub fn call(&self, name: &str, headers: &str, data: &str) -> Result<Value> {
        let answer = self.run(&format!(
            "curl --silent --show-error --max-time 60 --header 'Content-Type: application/json' {headers} \
             --data '{data}' http://127.0.0.1:7274/api/v1/{name}"
        ))?;
        // The last line of a stream is its end.
        let last = answer.lines().last().unwrap_or_default();
        serde_json::from_str(last).map_err(|e| format!("{name}: {e}: {answer}"))
    }

    /// The files and folders that are not Debian's own records and logs, sorted.
    pub fn files(&self) -> Result<Vec<String>> {
        let files = self.run(
            "find / -xdev \\( -path /tmp -o -path /home -o -path /var/log -o -path /var/cache -o -path /var/lib/apt \
             -o -path /var/lib/dpkg -o -path /packages \\) -prune -o -print",
        )?;
        let mut files: Vec<String> = files.lines().map(str::to_owned).collect();
        files.sort();
        Ok(files)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if !self.succeeds("systemctl poweroff --force --force") {
            self.container.kill().ok(); // It may have ended by itself.
        }
        self.container.wait().ok();
    }
}

/// The process that is the first one in a container: a child of the program that made it.
fn init_of(container: u32) -> Option<String> {
    let children =
        fs::read_to_string(format!("/proc/{container}/task/{container}/children")).ok()?;
    let mut children = children.split_whitespace();
    let is_init = |id: &&str| {
        fs::read_to_string(format!("/proc/{id}/comm")).is_ok_and(|name| name.trim() == "systemd")
    };
    children.find(is_init).map(str::to_owned)
}

/// The folder of the Debian, made once for the packages that it has.
fn root() -> Result<PathBuf> {
    let root = place::scratch().join("package/debian");
    let made_with = root.with_extension("packages");
    if root.is_dir() && fs::read_to_string(&made_with).is_ok_and(|packages| packages == PACKAGES) {
        return Ok(root);
    }
    println!("Making a Debian for the checks (a minute or two, once)…");
    let unfinished = root.with_extension("new");
    for older in [&unfinished, &root] {
        fs::remove_dir_all(older).ok(); // There may be none.
    }
    exec::run(
        exec::command("mmdebstrap")
            .args(["--quiet", "--variant=minbase", PACKAGES])
            // A mirror that lags behind is no harm here.
            .arg("--aptopt=Acquire::Check-Valid-Until \"false\"")
            .arg("stable")
            .arg(&unfinished),
    )?;
    fs::rename(&unfinished, &root)
        .and_then(|()| fs::write(&made_with, PACKAGES))
        .map_err(|e| format!("{}: {e}", root.display()))?;
    Ok(root)
}
