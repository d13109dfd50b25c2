//! The Debian package in a Debian of its own: installed, used as its service, upgraded, removed.
//!
//! | module | its steps |
//! | --- | --- |
//! | `installed` | installed, upgraded, removed |
//! | `service` | the user, the limits and the starts of the service |
//! | `secrets` | what only some may read |
//! | `subject` | what the steps are taken with |

mod installed;
mod secrets;
mod service;
mod subject;

use std::fs;
use std::path::Path;

use super::machine::Machine;
use super::packages;
use super::steps::{Step, skip, take};
use crate::test::context;
use crate::test::tally::Tally;
use crate::{Result, place, server, tools};
use subject::{Subject, journal};

const STEPS: [Step<Subject>; 16] = [
    (
        "the package is installed without a network, and its service runs",
        installed::installs,
    ),
    ("the service has a user of its own", service::own_user),
    ("the journal says where the page is", |it| {
        journal(it, "Sash is at http://127.0.0.1:7274$")
    }),
    (
        "systemd finds no mistake in the installed units",
        service::verify,
    ),
    (
        "an Ollama that starts after Sash is found, and known as one of this machine",
        service::ollama_later,
    ),
    (
        "documents, colours and the calculator work within the limits of the unit",
        service::children,
    ),
    (
        "a key that only root can read is passed on by systemd",
        secrets::key_file,
    ),
    (
        "an address with a secret is in the file of the service, and not in the journal",
        secrets::secret,
    ),
    (
        "the addresses of the network are known within the limits of the unit",
        service::addresses,
    ),
    ("a service that was killed starts again", service::killed),
    (
        "a person has the service as their own",
        service::of_a_person,
    ),
    (
        "an upgrade keeps the backup, its keys and the changed settings, and starts the new program",
        installed::upgrade,
    ),
    (
        "a wrong setting is said in the journal, and not tried again",
        service::wrong_setting,
    ),
    (
        "a port that is taken is said in the journal, and not tried again",
        service::taken_port,
    ),
    (
        "removing ends the service and leaves settings and backup",
        installed::remove,
    ),
    (
        "purging leaves the backup and its keys, and nothing else",
        installed::purge,
    ),
];

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
