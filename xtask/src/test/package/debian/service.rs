//! The service: its user, its limits, its starts.

use super::secrets::token;
use super::subject::{Subject, is, journal, set};
use crate::Result;
use crate::test::package::steps::must;

/// systemd takes it from a range of its own, and knows a name for it only where Debian's libnss-systemd is installed.
pub fn own_user(it: &Subject) -> Result {
    let user = it.debian.run("ps -o uid= -C sash")?;
    let is_dynamic = |user: u32| (61184..=65519).contains(&user);
    must(user.trim().parse().is_ok_and(is_dynamic), user)
}

pub fn verify(it: &Subject) -> Result {
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

pub fn ollama_later(it: &Subject) -> Result {
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

pub fn children(it: &Subject) -> Result {
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

pub fn addresses(it: &Subject) -> Result {
    it.debian.run(
        "ip link add name lan type veth peer name far
         ip address add 192.0.2.50/24 dev lan
         ip link set lan up
         ip link set far up",
    )?;
    let found = it.debian.call("addresses", &token(it)?, "{}")?;
    must(found["origins"][0] == "http://192.0.2.50:7274", found)
}

pub fn killed(it: &Subject) -> Result {
    it.debian.run("systemctl kill --signal=KILL sash")?;
    it.debian
        .wait_for("systemctl show --property=NRestarts sash | grep --quiet =1")?;
    it.debian.wait_for_sash()
}

pub fn of_a_person(it: &Subject) -> Result {
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

pub fn wrong_setting(it: &Subject) -> Result {
    set(it, "SASH_TOKEN=short\nSASH_BACKUP=/var/lib/sash/backup")?;
    it.debian.wait_for("systemctl is-failed sash")?;
    journal(it, "--token: a token has at least 16 characters")?;
    is(it, "systemctl show --property=NRestarts --value sash", "0")?;
    set(it, "SASH_BACKUP=/var/lib/sash/backup")?;
    it.debian.wait_for_sash()
}

pub fn taken_port(it: &Subject) -> Result {
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
