//! The limits that the system keeps for a child process. Each is set on its own: a system that refuses one may take
//! the other, and without any the server still ends a child that takes too long or too much memory.

use super::input::read_input;
use super::process::{ChildError, ChildProcess};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// The flag that makes the program report which limits this system takes, and exit.
const FLAG: &str = "--report-child-limits";
/// What the report says if the system limits the memory of a process.
const LIMITS_MEMORY: &[u8] = b"memory";
/// The limits that are tried for the report.
const TRIED: ChildLimits = ChildLimits {
    seconds: 10,
    memory_bytes: 1024 * 1024 * 1024,
};

/// The limits of a child process.
#[derive(Clone, Copy, Debug)]
pub struct ChildLimits {
    /// The most seconds of processor time.
    pub seconds: u64,
    /// The most bytes of memory.
    pub memory_bytes: u64,
}

/// What a limit is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Limited {
    Memory,
    Time,
}

impl ChildLimits {
    /// Sets the limits for this process. What exceeds them ends it.
    pub fn apply(self) {
        self.apply_with(set);
    }

    /// Sets each limit with `set`, and returns those that were set.
    fn apply_with(self, mut set: impl FnMut(Limited, u64, u64) -> io::Result<()>) -> Vec<Limited> {
        let limits = [
            (Limited::Memory, self.memory_bytes, self.memory_bytes),
            // The process is told by a signal and killed a second later.
            (Limited::Time, self.seconds, self.seconds + 1),
        ];
        let mut taken = Vec::new();
        for (limited, soft, hard) in limits {
            if set(limited, soft, hard).is_ok() {
                taken.push(limited);
            }
        }
        taken
    }
}

#[cfg(unix)]
fn set(limited: Limited, soft: u64, hard: u64) -> io::Result<()> {
    let resource = match limited {
        Limited::Memory => rlimit::Resource::AS,
        Limited::Time => rlimit::Resource::CPU,
    };
    resource.set(soft, hard)
}

#[cfg(not(unix))]
fn set(_: Limited, _: u64, _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Reports which limits this system takes if this process was started for that. A limit cannot be taken back, so only
/// a child can try.
#[must_use]
pub fn report_limits() -> Option<ExitCode> {
    if std::env::args().nth(1)? != FLAG {
        return None;
    }
    // The input is empty; the server could not write it to a process that has ended.
    if read_input().is_err() {
        return Some(ExitCode::FAILURE);
    }
    let taken = TRIED.apply_with(set);
    let report: &[u8] = match taken.contains(&Limited::Memory) {
        true => LIMITS_MEMORY,
        false => b"",
    };
    Some(match io::stdout().write_all(report) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

/// Whether the system limits the memory of child processes: a child of `program`, this one, tries.
///
/// # Errors
/// [`ChildError`]
pub async fn limits_memory(program: Option<&Path>) -> Result<bool, ChildError> {
    let process = ChildProcess {
        program,
        arguments: &[FLAG],
        memory_bytes: usize::MAX,
        output_bytes: LIMITS_MEMORY.len(),
    };
    Ok(process.run(Vec::new()).await? == LIMITS_MEMORY)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ChildLimits = ChildLimits {
        seconds: 2,
        memory_bytes: 512,
    };

    #[test]
    fn a_limit_that_is_refused_costs_no_other() {
        for refused in [Limited::Memory, Limited::Time] {
            let mut asked = Vec::new();
            let taken = LIMITS.apply_with(|limited, soft, hard| {
                asked.push((limited, soft, hard));
                match limited == refused {
                    true => Err(io::ErrorKind::InvalidInput.into()),
                    false => Ok(()),
                }
            });
            assert_eq!(
                asked,
                [(Limited::Memory, 512, 512), (Limited::Time, 2, 3)],
                "each is asked for"
            );
            assert_eq!(taken.len(), 1);
            assert!(!taken.contains(&refused));
        }
    }

    #[test]
    fn a_system_may_refuse_all() {
        let taken = LIMITS.apply_with(|_, _, _| Err(io::ErrorKind::Unsupported.into()));
        assert_eq!(taken, []);
    }
}
