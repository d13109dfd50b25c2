//! The time of all packed files: the commit's, so that an archive does not depend on when it was made.

use crate::{Result, exec};

/// The time of a commit, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommitTime {
    /// Seconds since 1970.
    pub seconds: u64,
    /// Year, month, day, hour, minute, second.
    pub calendar: [u16; 6],
}

/// The time of the last commit of this clone.
pub fn head() -> Result<CommitTime> {
    let told = exec::output(
        exec::command("git")
            .args(["log", "-1", "--format=%ct %cd"])
            .arg("--date=format-local:%Y %m %d %H %M %S")
            .env("TZ", "UTC"),
    )
    .map_err(|why| {
        format!("{why}\nPacked files have the time of the commit, so a clone with git is needed.")
    })?;
    parse(&told).ok_or_else(|| format!("`git log` says no time of the commit: {told}"))
}

fn parse(told: &str) -> Option<CommitTime> {
    let mut words = told.split_whitespace();
    let seconds = words.next()?.parse().ok()?;
    let calendar: Vec<u16> = words.map_while(|word| word.parse().ok()).collect();
    let calendar = calendar.try_into().ok()?;
    Some(CommitTime { seconds, calendar })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_has_a_time_in_both_forms() {
        let time = CommitTime {
            seconds: 1_795_824_007,
            calendar: [2026, 11, 28, 5, 20, 7],
        };
        assert_eq!(parse("1795824007 2026 11 28 05 20 07\n"), Some(time));
        assert_eq!(parse("1795824007 2026 11\n"), None);
        assert_eq!(parse(""), None);
    }

    #[test]
    fn this_clone_has_a_last_commit() {
        assert!(head().unwrap().calendar[0] >= 2026);
    }
}
