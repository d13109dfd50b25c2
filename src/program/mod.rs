//! The program `sash`: [`run`](main) starts and stops the server, [`router`] leads each request to its answer, and
//! [`calls`] hands a request to its server function.

mod announce;
mod calls;
mod child_limits;
mod log_writer;
mod router;
mod run;
mod secret_place;
mod signals;

pub use calls::PASSED_TEXTS;
pub use run::{RunningServer, StartError, main};
