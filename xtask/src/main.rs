//! `cargo xtask run | check | test | count | bench | dist | package`: everything around Sash that is not Sash.
//!
//! | module | what it is for |
//! | --- | --- |
//! | `place` | the paths of the workspace, cargo's target folder, the tools |
//! | `exec` | child processes: plain, quiet, or read line by line |
//! | `tools` | set-up: fetches, builds or installs missing tools under `target/tools`, once |
//! | `client` | the browser's half: Trunk, then `names` and, in a release, `compress` |
//! | `server` | the server's half, in release or in development |
//! | `run`, `dist` | start Sash; leave it as one file |
//! | `package` | the files of a release |
//! | `modules` | reads the Rust sources of the workspace |
//! | `count` | the numbers that only fall |
//! | `test` | runs, counts and times the checks |
//! | `bench` | the budgets, measured |

mod bench;
mod client;
mod compress;
mod count;
mod dist;
mod exec;
mod modules;
mod names;
mod package;
mod place;
mod result;
mod run;
mod server;
mod test;
mod tools;

pub use result::Result;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask run [-- FLAGS]   set up what is missing, build Sash and start it; FLAGS go to sash
cargo xtask check            lints, and the native tests of what changed since the last commit: the loop of an edit
cargo xtask test [PART]      every test; PART is one of lint, native, wasm, client, e2e, readme, smoke, release, package
cargo xtask test --all       what takes long too; smoke: Firefox and WebKit; release: the sizes;
                             package: a release is packed, installed and run
cargo xtask count            lines by part of the program, and the numbers that only fall; --places: where they come from;
                             --write: write down those that fell
cargo xtask bench [PART]     measure the budgets; --against PROGRAM: page and answer beside another sash;
                             --development: what `cargo xtask run` starts
cargo xtask bench recall FILE…  the recall on dialogues with labelled questions, in LoCoMo's JSON
cargo xtask dist             leave one self-contained program in target/dist
cargo xtask package [TARGET] leave the archive of a release in target/dist, with its checksum, and the Debian package;
                             page: only page and licences, which are the same for all; --page-ready: use those there are;
                             notes [TAG]: the text of the release, from CHANGELOG.md
cargo xtask setup            only set up what is missing";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let outcome = match command.as_str() {
        "run" => run::run(&rest),
        "check" => return test::check(&rest),
        "test" => return test::test(&rest),
        "count" => count::count(&rest),
        "bench" => bench::bench(&rest),
        "dist" => dist::dist(),
        "package" => package::command(&rest),
        "setup" => tools::client_tools(),
        "" | "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        other => Err(format!("There is no `cargo xtask {other}`.\n\n{HELP}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            ExitCode::FAILURE
        }
    }
}
