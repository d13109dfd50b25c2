//! The stand-in Ollama: a small Ollama-compatible server.
//!
//! It serves the integration tests and the end-to-end tests, always over real HTTP on loopback. It
//! reproduces Ollama's behaviour on the wire, faults included; `tests/recordings.rs` compares it with
//! recorded exchanges of a real server.
//!
//! | file | what it is for |
//! | --- | --- |
//! | `config`, `flavor`, `models`, `names`, `show`, `decode` | what is served, and requests decoded as Ollama does |
//! | `http`, `json`, `guard`, `router`, `watch`, `wire`, `faults`, `shared`, `locks` | answers in Ollama's forms, its checks, bytes on the socket |
//! | `chat`, `generate`, `call`, `options`, `render`, `template`, `tokens`, `limits`, `voice`, `run`, `prompt_reading`, `speaker`, `line`, `stream`, `completions` | from a prompt to a stream of lines |
//! | `slots`, `runner`, `lease`, `model_router` | loaded models, each with one answer at a time or with more slots |
//! | `list`, `manage`, `pull`, `embed` | the other endpoints |
//! | `openai` | the OpenAI chat API, as `llama-server` and vLLM speak it, instead of Ollama's |
//! | `script`, `scripts`, `play`, `records`, `control` | faults on demand, and what tests can see |

mod call;
mod chat;
mod completions;
mod config;
mod control;
mod decode;
mod embed;
mod faults;
mod flavor;
mod generate;
mod guard;
mod http;
mod json;
mod lease;
mod limits;
mod line;
mod list;
mod locks;
mod manage;
mod model_router;
mod models;
mod names;
mod openai;
mod options;
mod play;
mod prompt_reading;
mod pull;
mod records;
mod render;
mod router;
mod run;
mod runner;
mod script;
mod scripts;
mod shared;
mod show;
mod slots;
mod speaker;
mod stream;
mod template;
mod tokens;
mod voice;
mod watch;
mod wire;

pub use config::{Config, Layer, Pullable};
pub use flavor::Flavor;
pub use models::{AnswerStyle, Path, ServedModel};
pub use records::{Counters, RequestRecord};
pub use script::{Script, ScriptStep};
pub use template::Template;
pub use tokens::{Tokenizer, Vocabulary};

#[cfg(test)]
mod tests;

use shared::Shared;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// A running stand-in. Dropping it stops it and closes every connection.
pub struct StandIn {
    address: SocketAddr,
    shared: Arc<Shared>,
    server: JoinHandle<()>,
}

impl StandIn {
    /// Binds `127.0.0.1` at `config.port` (0: any free port) and serves from then on.
    ///
    /// # Errors
    /// The port is taken, or the caller is not inside a Tokio runtime.
    pub fn start(config: Config) -> io::Result<Self> {
        let runtime = tokio::runtime::Handle::try_current().map_err(io::Error::other)?;
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, config.port))?;
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::new(config));
        let server = runtime.spawn(wire::serve(listener, Arc::clone(&shared)));
        Ok(Self {
            address,
            shared,
            server,
        })
    }

    /// The address it listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its base URL, `http://127.0.0.1:<port>`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops it: refuses new connections and closes the open ones.
    pub fn stop(self) {}

    /// Adds a script for later requests. Scripts for one path are used in order.
    pub fn script(&self, script: Script) {
        self.shared.scripts.add(script);
    }

    /// Every request so far, oldest first; control requests are not among them. Bodies are kept only with
    /// [`Config::control`].
    #[must_use]
    pub fn requests(&self) -> Vec<RequestRecord> {
        self.shared.records.all()
    }

    /// The requests to one path so far, oldest first.
    #[must_use]
    pub fn requests_to(&self, path: &str) -> Vec<RequestRecord> {
        let mut all = self.shared.records.all();
        all.retain(|seen| seen.path == path);
        all
    }

    /// When clients disconnected before their answer was complete, oldest first.
    #[must_use]
    pub fn disconnects(&self) -> Vec<Instant> {
        self.shared
            .records
            .all()
            .iter()
            .filter_map(|r| r.disconnected)
            .collect()
    }

    /// Waits until at least `n` clients have disconnected early; false after `limit`.
    pub async fn wait_for_disconnects(&self, n: usize, limit: Duration) -> bool {
        let until = Instant::now() + limit;
        while self.disconnects().len() < n {
            if Instant::now() > until {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        true
    }

    /// Totals over all requests.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.shared.records.counters()
    }

    /// While silent, connections are accepted and requests read, but nothing is answered.
    pub fn set_silent(&self, silent: bool) {
        self.shared.silent.send_replace(silent);
    }

    /// Sets the speed of all models, in tokens per second (0: no delay).
    pub fn set_rate(&self, tokens_per_second: f64) {
        locks::hold(&self.shared.config).rate = tokens_per_second;
    }

    /// Replaces the models; loaded ones that are not in the new list are unloaded.
    pub fn set_models(&self, models: Vec<ServedModel>) {
        self.shared.set_models(models);
    }
}

impl Drop for StandIn {
    fn drop(&mut self) {
        self.server.abort();
    }
}
