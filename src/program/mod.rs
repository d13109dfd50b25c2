//! The program `sash`: [`run`](main) starts and stops the server, `rooms` names what is in it, `calls` its server functions,
//! which [`sash_server::router`] leads requests to; `flags` and `config` say how it is to be.
//!
//! Of conversations nothing is stored but, in memory, the answers that outlive their page for a while (room `linger`) and the
//! chats of MCP clients (room `mcp`), and with `--backup`, in a directory, what browsers hand over (room `backup`).

mod announce;
mod browser;
mod calls;
mod child_limits;
mod config;
mod embedded_client;
mod flags;
mod log_writer;
mod room_limits;
mod rooms;
mod run;
mod second_start;
mod secret_place;
mod signals;
mod start_error;
mod version;

pub use config::ProgramConfig;
pub use room_limits::RoomLimits;
pub use rooms::Rooms;
pub use run::{RunningServer, main};
pub use start_error::StartError;
