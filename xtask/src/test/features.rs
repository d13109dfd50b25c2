//! Checks that the tests compile their dependencies with the features that the server and the page have: what differs is
//! compiled twice, with everything that stands on it.

use std::collections::BTreeSet;

use super::browser::PACKAGES;
use crate::{Result, exec};

/// The packages that server and page are made of and that have other features in their tests.
pub fn check() -> Result<Vec<String>> {
    let page = "--target=wasm32-unknown-unknown";
    let mut found = Vec::new();
    for (target, tests) in [(None, &["--workspace"][..]), (Some(page), &PACKAGES[..])] {
        // Macros have dependencies of their own, which would hide a difference in a package of the same name.
        let program = tree(&["--package=sash", "--edges=normal,no-proc-macro"], target)?;
        let edges = ["--edges=normal,dev,no-proc-macro"];
        let tests = tree(&[tests, &edges].concat(), target)?;
        let differing = differing(&program, &tests).into_iter();
        found.extend(differing.map(|line| format!("with other features in the tests: {line}")));
    }
    Ok(found)
}

/// The packages of a build with their features, a line each.
fn tree(selection: &[&str], target: Option<&str>) -> Result<BTreeSet<String>> {
    let format = [
        "tree", "--locked", "--prefix", "none", "--format", "{p} {f}",
    ];
    let text = exec::output(exec::cargo().args(format).args(selection).args(target))?;
    let lines = text
        .lines()
        .map(|line| line.trim_end_matches(" (*)").trim());
    Ok(lines
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect())
}

/// The packages of a program with features that they never have in its tests.
fn differing(program: &BTreeSet<String>, tests: &BTreeSet<String>) -> Vec<String> {
    program.difference(tests).cloned().collect()
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
