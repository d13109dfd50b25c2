//! Checks that the tests compile their dependencies with the features that the server has: what differs
//! is compiled twice, with everything that stands on it.

use std::collections::BTreeSet;

use crate::{Result, exec};

/// The packages that the server is made of and that have other features in the tests.
pub fn check() -> Result<Vec<String>> {
    // Macros have dependencies of their own, which would hide a difference in a package of the same name.
    let server = tree(&["--package", "sash", "--edges", "normal,no-proc-macro"])?;
    let tests = tree(&["--workspace", "--edges", "normal,dev,no-proc-macro"])?;
    let differing = differing(&server, &tests).into_iter();
    Ok(differing
        .map(|line| format!("with other features in the tests: {line}"))
        .collect())
}

/// The packages of a build with their features, a line each.
fn tree(selection: &[&str]) -> Result<BTreeSet<String>> {
    let format = [
        "tree", "--locked", "--prefix", "none", "--format", "{p} {f}",
    ];
    let text = exec::output(exec::cargo().args(format).args(selection))?;
    let lines = text
        .lines()
        .map(|line| line.trim_end_matches(" (*)").trim());
    Ok(lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect())
}

/// The packages of `server` that `tests` has too, but never with the same features.
fn differing(server: &BTreeSet<String>, tests: &BTreeSet<String>) -> Vec<String> {
    server.difference(tests).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_more_is_a_difference_and_a_package_more_is_none() {
        let set = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let server = set(&["libc v1 default", "tokio v1 net"]);
        let tests = set(&["libc v1 default,extra", "proptest v1", "tokio v1 net"]);
        assert_eq!(differing(&server, &tests), ["libc v1 default"]);
    }
}
