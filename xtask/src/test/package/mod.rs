//! What is packed for other machines: files of services and containers, the program alone, the Debian package.
//!
//! | module | what it checks |
//! | --- | --- |
//! | `files` | units, launchd agent and compose file, as the systems that read them do |
//! | `empty_root` | the program with nothing beside it |
//! | `replaced` | the program of the archive, replaced while it runs |
//! | `debian` | the Debian package: installed, running, upgraded, removed |
//! | `machine` | the Debian that it is installed in |
//! | `ask` | asks a running Sash |
//! | `packages` | where the files of a release are |
//! | `steps` | steps that are told and counted |
//! | `workflow` | the steps of `release.yml` and `image.yml` in `.github/workflows` that need no host |

mod ask;
mod debian;
mod empty_root;
mod files;
mod machine;
mod packages;
mod replaced;
mod steps;
mod workflow;

pub use debian::check as debian;
pub use empty_root::check as empty_root;
pub use files::check as files;
pub use replaced::check as replaced;
pub use workflow::check as workflow;
