//! The stand-in Ollama as a program of its own, for tests in a browser:
//! `cargo run -p ollama-double -- --listen 127.0.0.1:11500 --models tests`.
//! The control routes under `/_stand_in/` are always on.

use clap::{Parser, ValueEnum};
use ollama_double::{Config, Flavor, StandIn};
use std::net::SocketAddr;

#[derive(Clone, Copy, ValueEnum)]
enum InitialModels {
    /// The models of the recordings.
    Tests,
    /// None; some can be pulled.
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Api {
    /// Ollama's own.
    Ollama,
    /// The OpenAI chat API of llama.cpp's `llama-server`.
    LlamaServer,
    /// The same as a router of several models.
    LlamaRouter,
    /// The OpenAI chat API of vLLM.
    Vllm,
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
    /// The API that it speaks; with another one than Ollama's it has models of its own.
    #[arg(long, value_enum, default_value = "ollama")]
    api: Api,
    /// The key that it wants, with another API than Ollama's.
    #[arg(long)]
    key: Option<String>,
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let arguments = Arguments::parse();
    if !arguments.listen.ip().is_loopback() {
        return Err(std::io::Error::other(
            "the stand-in listens on 127.0.0.1 only",
        ));
    }
    let mut config = match (arguments.api, arguments.models) {
        (Api::LlamaServer, _) => Config::openai(Flavor::LlamaServer),
        (Api::LlamaRouter, _) => Config::llama_router(),
        (Api::Vllm, _) => Config::openai(Flavor::Vllm),
        (Api::Ollama, InitialModels::Tests) => Config::tests(),
        (Api::Ollama, InitialModels::None) => Config::empty(),
    };
    config.key = arguments.key;
    config.control = true;
    config.port = arguments.listen.port();
    let stand_in = StandIn::start(config)?;
    println!("{}", stand_in.url());
    tokio::signal::ctrl_c().await
}
