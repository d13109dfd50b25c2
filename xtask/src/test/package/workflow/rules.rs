//! What the dry run does with a command of a workflow.

use std::env::consts::ARCH;

/// What is done with a command.
#[derive(Debug, PartialEq, Eq)]
pub enum Rule {
    /// It must succeed.
    Run,
    /// It must succeed if the version has a section in the changelog, which it gets before its release.
    Notes,
    /// It must succeed if this program is installed.
    Program(&'static str),
    /// It makes the release of these files, which must be there.
    Files(String),
    /// It needs what a clone does not have.
    LeftOut(&'static str),
}

/// The rule of a command; none if nobody judged it.
pub fn rule(command: &str) -> Option<Rule> {
    let words: Vec<&str> = command.split_whitespace().collect();
    if words.iter().any(|word| is_of_another_machine(word)) {
        return Some(Rule::LeftOut("it is of what another machine packs"));
    }
    Some(match words.as_slice() {
        ["cargo", "xtask", "package", "notes", ..] => Rule::Notes,
        ["cargo", "xtask", "package", ..] => Rule::Run,
        ["(cd", "target/dist", "&&", "sha256sum", "--check", ..] => Rule::Run,
        ["tar", "-xzf", ..] => Rule::Run,
        ["buildah", "build", ..] => Rule::Program("buildah"),
        ["buildah", "manifest", "push", ..] => Rule::LeftOut("it pushes the image to the host"),
        ["echo", _, "|", "buildah", "login", ..] => Rule::LeftOut("it signs in at the host"),
        ["gh", "release", "download", ..] => Rule::LeftOut("the release is at the host"),
        ["gh", "release", "create", ..] => {
            let is_file = |word: &&&str| word.starts_with("target/dist/sash");
            let files: Vec<&str> = words.iter().filter(is_file).copied().collect();
            match files.is_empty() {
                true => return None,
                false => Rule::Files(files.join(" ")),
            }
        }
        _ => return None,
    })
}

/// Whether a word names a file or a platform of the other processor that there are archives for Linux of.
fn is_of_another_machine(word: &str) -> bool {
    let others = match ARCH {
        "x86_64" => ["Linux-aarch64", "linux/arm64"],
        _ => ["Linux-x86_64", "linux/amd64"],
    };
    others.iter().any(|other| word.contains(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_nobody_judged_has_no_rule() {
        for command in [
            "rm -rf target",
            "cargo publish",
            "gh release create v1",
            "gh release delete v1",
        ] {
            assert_eq!(rule(command), None, "{command}");
        }
    }

    #[test]
    fn what_needs_the_host_or_another_machine_is_left_out() {
        for command in [
            "gh release download v1 --dir target/dist",
            "echo token | buildah login --password-stdin ghcr.io",
            "buildah manifest push --all sash docker://ghcr.io/a/b:v1",
        ] {
            let rule = rule(command);
            assert!(
                matches!(rule, Some(Rule::LeftOut(_))),
                "{command}: {rule:?}"
            );
        }
        let two = ["linux/amd64", "linux/arm64"].map(|platform| {
            let command = format!("buildah build --platform {platform} folder");
            rule(&command) == Some(Rule::Program("buildah"))
        });
        assert!(two[0] != two[1], "{two:?}");
    }

    #[test]
    fn the_files_of_a_release_must_be_there() {
        let rule = rule(
            "gh release create v1 --draft --notes-file target/dist/notes.md target/dist/sash[-_]*",
        );
        assert_eq!(rule, Some(Rule::Files("target/dist/sash[-_]*".to_owned())));
    }
}
