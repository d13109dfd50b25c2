//! Work that is done by a child process: this program, started by itself with a private flag. Whatever a child costs
//! ends with it, and it is killed when nobody waits for it.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `process` | the server's side: starts a child without an environment, hands it the input, reads the output |
//! | `watch` | ends a child that has more memory than it may |
//! | `input` | the child's side: reads the input, and ends when the server is gone |
//! | `limits` | the child's side: what the system limits, and how the server asks for it |

mod input;
mod limits;
mod process;
mod watch;

pub use input::read_input;
pub use limits::{ChildLimits, limits_memory, report_limits};
pub use process::{ChildError, ChildProcess};

use std::time::Duration;

/// How much longer than its own time limit a process may run before it is killed.
pub const GRACE: Duration = Duration::from_millis(500);
