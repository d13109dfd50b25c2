//! The package: installed, upgraded, removed.

use super::secrets::backup;
use super::subject::{SETTINGS, Subject, is};
use crate::Result;
use crate::test::package::steps::must;

pub fn installs(it: &Subject) -> Result {
    it.debian
        .run("apt-get install --yes --quiet /tmp/older.deb")?;
    it.debian.wait_for_sash()?;
    is(it, "systemctl is-enabled sash", "enabled")?;
    is(it, &format!("stat --format='%a %U' {SETTINGS}"), "640 root")
}

/// What must be the same after an upgrade.
const KEPT: &str = "sha256sum /etc/default/sash /var/lib/private/sash/backup-* \
     $(find /var/lib/private/sash/backup -type f ! -path '*/tmp/*')";

const PROCESS: &str = "systemctl show --property=MainPID --value sash";

pub fn upgrade(it: &Subject) -> Result {
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

pub fn remove(it: &Subject) -> Result {
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

pub fn purge(it: &Subject) -> Result {
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
