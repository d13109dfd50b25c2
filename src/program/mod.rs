//! The program `sash`: [`run`](main) starts and stops the server, [`rooms`] names what is in it, [`calls`] its server
//! functions, which [`sash_server::router`] leads requests to.

mod announce;
mod calls;
mod child_limits;
mod log_writer;
mod rooms;
mod run;
mod secret_place;
mod signals;
mod start_error;

pub use rooms::Rooms;
pub use run::{RunningServer, main};
pub use start_error::StartError;
