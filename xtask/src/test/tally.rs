//! Counts tests from the output of test programs.

use std::fmt;
use std::ops::AddAssign;

/// How many checks passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Checks that passed.
    pub passed: usize,
    /// Checks that failed.
    pub failed: usize,
    /// Checks that were skipped, including ignored tests.
    pub skipped: usize,
}

impl Tally {
    /// One passed check.
    pub const PASSED: Self = Self {
        passed: 1,
        failed: 0,
        skipped: 0,
    };
    /// One failed check.
    pub const FAILED: Self = Self {
        passed: 0,
        failed: 1,
        skipped: 0,
    };
    /// One skipped check.
    pub const SKIPPED: Self = Self {
        passed: 0,
        failed: 0,
        skipped: 1,
    };
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        match self.skipped {
            0 => Ok(()),
            skipped => write!(f, ", {skipped} skipped"),
        }
    }
}

/// Reads libtest's output line by line: counts results and decides which lines to show.
///
/// Tests run with `--show-output`, because a test that had to skip something prints a line that
/// begins with `skipped:`, which libtest would otherwise hide. The rest of the output of passing
/// tests stays hidden.
#[derive(Default)]
pub struct LibTest {
    /// The counts so far.
    pub tally: Tally,
    in_successes: bool,
}

impl LibTest {
    /// Reads one line. Returns whether to show it.
    pub fn line(&mut self, line: &str) -> bool {
        if line.starts_with("skipped:") {
            self.tally.skipped += 1;
            return true;
        }
        match line {
            "successes:" => self.in_successes = true,
            "failures:" => self.in_successes = false,
            _ => {}
        }
        if let Some(rest) = line.strip_prefix("test result: ") {
            self.in_successes = false;
            self.tally += result(rest);
            // "0 passed; 0 failed; 0 ignored" is a program without tests for this target.
            return result(rest) != Tally::default();
        }
        !self.in_successes && !line.is_empty() && line != "running 0 tests"
    }
}

/// The counts in `ok. 5 passed; 0 failed; 1 ignored; …`.
fn result(text: &str) -> Tally {
    let count = |what: &str| {
        text.split(['.', ';'])
            .filter_map(|part| part.trim().strip_suffix(what))
            .find_map(|number| number.trim().parse().ok())
            .unwrap_or(0)
    };
    Tally {
        passed: count("passed"),
        failed: count("failed"),
        skipped: count("ignored"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libtest_is_counted_and_its_noise_hidden() {
        let mut reader = LibTest::default();
        let shown: Vec<_> = [
            "running 3 tests",
            "test a ... ok",
            "successes:",
            "---- a stdout ----",
            "chatter",
            "skipped: no recordings here",
            "successes:",
            "    a",
            "test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.02s",
            "test b ... FAILED",
            "failures:",
            "---- b stdout ----",
            "test result: FAILED. 10 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out",
        ]
        .into_iter()
        .filter(|line| reader.line(line))
        .collect();
        assert_eq!(
            reader.tally,
            Tally {
                passed: 12,
                failed: 3,
                skipped: 2
            }
        );
        assert!(!shown.contains(&"chatter"), "{shown:?}");
        assert!(shown.contains(&"skipped: no recordings here"), "{shown:?}");
        assert!(shown.contains(&"---- b stdout ----"), "{shown:?}");
    }

    #[test]
    fn skipped_is_told_only_where_something_was() {
        assert_eq!(Tally::PASSED.to_string(), "1 passed, 0 failed");
        assert_eq!(Tally::SKIPPED.to_string(), "0 passed, 0 failed, 1 skipped");
    }
}
