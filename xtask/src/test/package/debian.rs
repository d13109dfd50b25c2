//! The Debian package in a Debian of its own: installed, used as its service, upgraded, removed.

use std::fs;
use std::path::Path;

use super::machine::Machine;
use super::packages;
use super::steps::{Step, must, skip, take};
use crate::test::context;
use crate::test::tally::Tally;
use crate::{Result, place, server, tools};

/// The Debian, and the files that it had before.
struct Subject {
    debian: Machine,
    before: Vec<String>,
}

const STEPS: [Step<Subject>; 16] = [
    (
        "the package is installed without a network, and its service runs",
        installs,
    ),
    ("the service has a user of its own", own_user),
    ("the journal says where the page is", |it| {
        journal(it, "Sash is at http://127.0.0.1:7274$")
    }),
    ("systemd finds no mistake in the installed units", verify),
    (
        "an Ollama that starts after Sash is found, and known as one of this machine",
        ollama_later,
    ),
    (
        "documents, colours and the calculator work within the limits of the unit",
        children,
    ),
    (
        "a key that only root can read is passed on by systemd",
        key_file,
    ),
    (
        "an address with a secret is in the file of the service, and not in the journal",
        secret,
    ),
    (
        "the addresses of the network are known within the limits of the unit",
        addresses,
    ),
    ("a service that was killed starts again", killed),
    ("a person has the service as their own", of_a_person),
    (
        "an upgrade keeps the backup, its keys and the changed settings, and starts the new program",
        upgrade,
    ),
    (
        "a wrong setting is said in the journal, and not tried again",
        wrong_setting,
    ),
    (
        "a port that is taken is said in the journal, and not tried again",
        taken_port,
    ),
    (
        "removing ends the service and leaves settings and backup",
        remove,
    ),
    (
        "purging leaves the backup and its keys, and nothing else",
        purge,
    ),
];

/// Where the settings of the service are.
const SETTINGS: &str = "/etc/default/sash";

/// Checks it. Where no Debian can be booted, that is skipped.
pub fn check() -> Result<Tally> {
    if let Err(why) = tools::debian_machine() {
        return Ok(skip("Debian package", &why));
    }
    let folder = place::scratch().join("package/machine");
    context::building(|| gather(&folder))?;
    let debian = Machine::boot(&folder)?;
    debian.run(
        "useradd --system ollama
         useradd --create-home ana
         loginctl enable-linger ana
         # The same package with a lower version.
         dpkg-deb --raw-extract /packages/sash.deb /tmp/older
         sed -i 's/^Version: .*/Version: 0.0.1-1/' /tmp/older/DEBIAN/control
         dpkg-deb --root-owner-group --build /tmp/older /tmp/older.deb",
    )?;
    packages::check_commit(&debian.run("/tmp/older/usr/bin/sash --version")?)?;
    let before = debian.files()?;
    let subject = Subject { debian, before };
    let (installation, others) = STEPS.split_at(1);
    let mut tally = take(&subject, installation);
    // Without the service each of the others would only wait for it.
    if tally.failed == 0 {
        tally += take(&subject, others);
    }
    Ok(tally)
}

/// Puts what the Debian needs into a folder.
fn gather(folder: &Path) -> Result {
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    fs::remove_dir_all(folder).ok(); // The folder may not exist.
    fs::create_dir_all(folder).map_err(failed)?;
    let documents = place::root().join("tests/data/documents");
    for (from, name) in [
        (packages::debian()?, "sash.deb"),
        (server::stand_in()?, "ollama-double"),
        (documents.join("chromium-en.pdf"), "library.pdf"),
        (documents.join("pandoc-en.docx"), "library.docx"),
    ] {
        fs::copy(from, folder.join(name)).map_err(failed)?;
    }
    Ok(())
}

fn is(it: &Subject, script: &str, expected: &str) -> Result {
    let said = it.debian.run(script)?;
    must(said == expected, said)
}

fn journal(it: &Subject, line: &str) -> Result {
    let find = format!("journalctl --quiet --unit sash --output cat --grep '{line}'");
    it.debian.run(&find).map(drop)
}

/// Changes the settings as a person does, and starts the service again.
fn set(it: &Subject, settings: &str) -> Result {
    it.debian.run(&format!(
        "sed -i '/^[A-Z]/d' {SETTINGS}\necho '{settings}' >>{SETTINGS}\nsystemctl reset-failed sash\nsystemctl restart sash"
    ))?;
    Ok(())
}

fn installs(it: &Subject) -> Result {
    it.debian
        .run("apt-get install --yes --quiet /tmp/older.deb")?;
    it.debian.wait_for_sash()?;
    is(it, "systemctl is-enabled sash", "enabled")?;
    is(it, &format!("stat --format='%a %U' {SETTINGS}"), "640 root")
}

/// systemd takes it from a range of its own, and knows a name for it only where Debian's libnss-systemd is installed.
fn own_user(it: &Subject) -> Result {
    let user = it.debian.run("ps -o uid= -C sash")?;
    let is_dynamic = |user: u32| (61184..=65519).contains(&user);
    must(user.trim().parse().is_ok_and(is_dynamic), user)
}

fn verify(it: &Subject) -> Result {
    let units = "/usr/lib/systemd/system/sash.service /usr/lib/systemd/user/sash.service";
    is(
        it,
        &format!("XDG_RUNTIME_DIR=/run systemd-analyze verify {units} 2>&1"),
        "",
    )?;
    println!(
        "{}",
        it.debian
            .run("systemd-analyze security --no-pager sash | tail -n 1")?
    );
    Ok(())
}

fn ollama_later(it: &Subject) -> Result {
    let state = it.debian.call("state", "", "{}")?;
    must(state["reachable"] == false, state)?;
    it.debian.run(
        "systemd-run --quiet --unit=ollama --property=User=ollama /packages/ollama-double --listen 127.0.0.1:11434",
    )?;
    it.debian
        .wait_for("curl --silent --fail http://127.0.0.1:11434/api/version")?;
    let state = it.debian.call("state", "", "{}")?;
    must(
        state["reachable"] == true && state["engines"][0]["reach"] == "local",
        &state,
    )?;
    let answer = it
        .debian
        .call("response", "", r#"{"model":"tiny","prompt":"Hello"}"#)?;
    must(answer["type"] == "done", answer)
}

fn children(it: &Subject) -> Result {
    for name in ["library.pdf", "library.docx"] {
        let data = format!(
            "printf '{{\"data\":\"%s\"}}' \"$(base64 --wrap=0 /packages/{name})\" >/tmp/document"
        );
        it.debian.run(&data)?;
        let text = it.debian.call("extract", "", "@/tmp/document")?;
        must(
            text["parts"][0]
                .as_str()
                .is_some_and(|part| part.contains("City library")),
            text,
        )?;
    }
    let colours = it.debian.call(
        "highlight",
        "",
        r#"{"language":"rust","code":"fn main() {}"}"#,
    )?;
    must(
        colours["runs"]
            .as_str()
            .is_some_and(|runs| !runs.is_empty()),
        colours,
    )?;
    let result = it.debian.call("calculate", "", r#"{"expression":"6*7"}"#)?;
    must(result["result"] == "42", result)?;
    let result = it
        .debian
        .call("calculate", "", r#"{"expression":"2^(2^40)"}"#)?;
    let is_ended = |result: &str| result.contains("too much time or memory");
    must(result["result"].as_str().is_some_and(is_ended), result)
}

/// Sash does not start with a key that it cannot read.
fn key_file(it: &Subject) -> Result {
    it.debian.run(
        "mkdir /etc/sash /etc/systemd/system/sash.service.d
         (umask 077 && echo key >/etc/sash/vllm.key)
         printf '[Service]\\nLoadCredential=vllm.key:/etc/sash/vllm.key\\n' >/etc/systemd/system/sash.service.d/override.conf
         systemctl daemon-reload",
    )?;
    let engine = "SASH_OPENAI=vllm=http://127.0.0.1:8000\nSASH_OPENAI_KEY_FILE=vllm=";
    set(it, &format!("{engine}/etc/sash/vllm.key"))?;
    it.debian.wait_for("systemctl is-failed sash")?;
    set(
        it,
        &format!("{engine}/run/credentials/sash.service/vllm.key"),
    )?;
    it.debian.wait_for_sash()?;
    it.debian.run(
        "rm -r /etc/sash /etc/systemd/system/sash.service.d
         systemctl daemon-reload",
    )?;
    Ok(())
}

/// The token of the service, as a header for curl.
fn token(it: &Subject) -> Result<String> {
    let token = it
        .debian
        .run("sed -n 's/^The token for other programs is //p' /run/sash/address-7274")?;
    must(token.len() == 64, &token)?;
    Ok(format!("--header 'Authorization: Bearer {token}'"))
}

fn backup(it: &Subject, name: &str, body: &str) -> Result<serde_json::Value> {
    let key = it.debian.run("cat /var/lib/sash/backup-key")?;
    it.debian.call(
        name,
        &format!("{} --header 'X-Sash-Backup: {key}'", token(it)?),
        body,
    )
}

fn secret(it: &Subject) -> Result {
    set(
        it,
        "SASH_LISTEN=0.0.0.0:7274\nSASH_TOKEN=auto\nSASH_BACKUP=/var/lib/sash/backup",
    )?;
    it.debian.wait_for_sash()?;
    journal(
        it,
        "The address that opens the page is in /run/sash/address-7274, not in the journal",
    )?;
    let text = it.debian.run("cat /run/sash/address-7274")?;
    let code = text
        .split_once("/#c=")
        .and_then(|(_, rest)| rest.split_whitespace().next());
    let code = code.ok_or_else(|| text.clone())?;
    must(
        journal(it, "#c=").is_err() && journal(it, code).is_err(),
        "the code, in the journal",
    )?;
    let others = "runuser --user ana -- cat /run/sash/address-7274 /var/lib/sash/backup-key";
    must(
        !it.debian.succeeds(others),
        "a secret that other users can read",
    )?;
    let given = it
        .debian
        .call("exchange", "", &format!("{{\"code\":\"{code}\"}}"))?;
    must(
        given["token"].is_string() && given["backup_key"].is_string(),
        given,
    )?;
    let chat = r#"{"chat":"0000000000000007","browser":"0000000000000001","lines":"","state":"s","title":"Kept","running":[],"fields":{}}"#;
    let put = backup(it, "backup_put", chat)?;
    must(put["write"] == 1, put)
}

fn addresses(it: &Subject) -> Result {
    it.debian.run(
        "ip link add name lan type veth peer name far
         ip address add 192.0.2.50/24 dev lan
         ip link set lan up
         ip link set far up",
    )?;
    let found = it.debian.call("addresses", &token(it)?, "{}")?;
    must(found["origins"][0] == "http://192.0.2.50:7274", found)
}

fn killed(it: &Subject) -> Result {
    it.debian.run("systemctl kill --signal=KILL sash")?;
    it.debian
        .wait_for("systemctl show --property=NRestarts sash | grep --quiet =1")?;
    it.debian.wait_for_sash()
}

fn of_a_person(it: &Subject) -> Result {
    let systemctl =
        "runuser --user ana -- env XDG_RUNTIME_DIR=/run/user/$(id --user ana) systemctl --user";
    // Beside the service of the machine it does not start, and does not try again.
    it.debian.run(&format!("{systemctl} start sash"))?;
    it.debian.wait_for(&format!("{systemctl} is-failed sash"))?;
    let restarts = format!("{systemctl} show --property=NRestarts --value sash");
    is(it, &restarts, "0")?;
    it.debian.run(&format!(
        "{systemctl} reset-failed sash
         systemctl stop sash
         runuser --user ana -- install -D /usr/bin/sash /home/ana/.local/bin/sash
         {systemctl} enable --quiet --now sash"
    ))?;
    it.debian.wait_for_sash()?;
    let program = format!("readlink /proc/$({systemctl} show --property=MainPID --value sash)/exe");
    is(it, &program, "/home/ana/.local/bin/sash")?;
    it.debian.run(&format!(
        "{systemctl} disable --quiet --now sash\nsystemctl start sash"
    ))?;
    it.debian.wait_for_sash()
}

/// What must be the same after an upgrade.
const KEPT: &str = "sha256sum /etc/default/sash /var/lib/private/sash/backup-* \
     $(find /var/lib/private/sash/backup -type f ! -path '*/tmp/*')";
const PROCESS: &str = "systemctl show --property=MainPID --value sash";

fn upgrade(it: &Subject) -> Result {
    let [kept, process] = [KEPT, PROCESS].map(|script| it.debian.run(script));
    it.debian
        .run("apt-get install --yes --quiet /packages/sash.deb")?;
    it.debian.wait_for_sash()?;
    is(it, KEPT, &kept?)?;
    must(it.debian.run(PROCESS)? != process?, "the old process")?;
    is(
        it,
        &format!("readlink /proc/$({PROCESS})/exe"),
        "/usr/bin/sash",
    )?;
    let list = backup(it, "backup_list", "{}")?;
    let copy = &list["copies"][0];
    must(
        copy["title"] == "Kept" && copy["standing"] == "sealed",
        &list,
    )
}

fn wrong_setting(it: &Subject) -> Result {
    set(it, "SASH_TOKEN=short\nSASH_BACKUP=/var/lib/sash/backup")?;
    it.debian.wait_for("systemctl is-failed sash")?;
    journal(it, "--token: a token has at least 16 characters")?;
    is(it, "systemctl show --property=NRestarts --value sash", "0")?;
    set(it, "SASH_BACKUP=/var/lib/sash/backup")?;
    it.debian.wait_for_sash()
}

fn taken_port(it: &Subject) -> Result {
    it.debian.run(
        "systemctl stop sash
         systemd-run --quiet --unit=other /packages/ollama-double --listen 127.0.0.1:7274",
    )?;
    it.debian
        .wait_for("curl --silent --fail http://127.0.0.1:7274/api/version")?;
    it.debian.run("systemctl start sash")?;
    it.debian.wait_for("systemctl is-failed sash")?;
    journal(it, "Port 7274 is taken")?;
    is(it, "systemctl show --property=NRestarts --value sash", "0")?;
    it.debian
        .run("systemctl stop other\nsystemctl reset-failed sash\nsystemctl start sash")?;
    it.debian.wait_for_sash()
}

fn remove(it: &Subject) -> Result {
    it.debian.run("apt-get remove --yes --quiet sash")?;
    must(
        !it.debian.succeeds("pgrep --exact sash || command -v sash"),
        "a program",
    )?;
    is(
        it,
        &format!("grep ^SASH {SETTINGS}"),
        "SASH_BACKUP=/var/lib/sash/backup",
    )?;
    it.debian
        .run("test -s /var/lib/private/sash/backup-key")
        .map(drop)
}

fn purge(it: &Subject) -> Result {
    it.debian.run("apt-get purge --yes --quiet sash")?;
    let after = it.debian.files()?;
    let is_left = |file: &&String| !it.before.contains(file);
    let left: Vec<&str> = after.iter().filter(is_left).map(String::as_str).collect();
    let (ours, others): (Vec<&str>, Vec<&str>) = left
        .iter()
        .partition(|file| file.starts_with("/var/lib/private/sash"));
    println!("{}", left.join("\n"));
    must(
        ours.contains(&"/var/lib/private/sash/backup-key"),
        ours.join("\n"),
    )?;
    // systemd's own: the folder of all services with a user that exists while they run, and the link to ours.
    let is_systemds = |file: &&str| ["/var/lib/private", "/var/lib/sash"].contains(file);
    must(others.iter().all(is_systemds), others.join("\n"))
}
