//! The stand-in Ollama as a program of its own, for tests in a browser:
//! `cargo run -p ollama-double --features program -- --listen 127.0.0.1:11500 --models tests`.
//! The control routes under `/_stand_in/` are always on.

use clap::{Parser, ValueEnum};
use ollama_double::{Config, Model, StandIn};
use std::net::SocketAddr;

#[derive(Clone, Copy, ValueEnum)]
enum InitialModels {
    /// The models of the recordings, and the demo's.
    Tests,
    /// The demo's only, at its own pace.
    Demo,
    /// None; some can be pulled.
    None,
}

/// A stand-in Ollama.
#[derive(Parser)]
struct Arguments {
    /// Where to listen; 127.0.0.1 only, port 0 for any free one.
    #[arg(long, default_value = "127.0.0.1:11500")]
    listen: SocketAddr,
    /// The models at the start.
    #[arg(long, value_enum, default_value = "tests")]
    models: InitialModels,
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    if !arguments.listen.ip().is_loopback() {
        return Err(std::io::Error::other(
            "the stand-in listens on 127.0.0.1 only",
        ));
    }
    let mut config = match arguments.models {
        InitialModels::Tests => Config::tests(),
        InitialModels::Demo => Config::demo(),
        InitialModels::None => Config::empty(),
    };
    if matches!(arguments.models, InitialModels::Tests) {
        config.models.push(Model::demo());
    }
    config.control = true;
    config.port = arguments.listen.port();
    let stand_in = StandIn::start(config)?;
    println!("{}", stand_in.url());
    tokio::signal::ctrl_c().await
}
