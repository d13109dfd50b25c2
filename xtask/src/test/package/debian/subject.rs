//! The Debian that the steps are taken in.

use crate::Result;
use crate::test::package::machine::Machine;
use crate::test::package::steps::must;

/// The Debian, and the files that it had before.
pub struct Subject {
    pub debian: Machine,
    pub before: Vec<String>,
}

/// Where the settings of the service are.
pub const SETTINGS: &str = "/etc/default/sash";

/// Checks what a script prints.
pub fn is(it: &Subject, script: &str, expected: &str) -> Result {
    let said = it.debian.run(script)?;
    must(said == expected, said)
}

/// Checks that the journal of the service has a line that matches.
pub fn journal(it: &Subject, line: &str) -> Result {
    let find = format!("journalctl --quiet --unit sash --output cat --grep '{line}'");
    it.debian.run(&find).map(drop)
}

/// Changes the settings as a person does, and starts the service again.
pub fn set(it: &Subject, settings: &str) -> Result {
    it.debian.run(&format!(
        "sed -i '/^[A-Z]/d' {SETTINGS}\necho '{settings}' >>{SETTINGS}\nsystemctl reset-failed sash\nsystemctl restart sash"
    ))?;
    Ok(())
}
