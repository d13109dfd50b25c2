//! Work that is done by a child process: this program, started by itself with a private flag. Whatever a child costs
//! ends with it, and it is killed when nobody waits for it.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `process` | the server's side: starts a child without an environment, hands it the input, reads the output |
//! | `watch` | ends a child that has more memory than it may |
//! | `turns` | how many children of one kind run at once |
//! | `input` | the child's side: reads the input, and ends when the server is gone |
//! | `limits` | the child's side: what the system limits, and the line at the start that says so |

mod input;
mod limits;
mod process;
mod turns;
mod watch;

pub use input::read_input;
pub use limits::{ChildLimits, report_limits, say_limits};
pub use process::{ChildError, ChildProcess};
pub use turns::ChildTurns;

use std::time::Duration;

/// How much longer than its own time limit a process may run before it is killed.
pub const GRACE: Duration = Duration::from_millis(500);
