//! Configuration of a stand-in: what it serves, and how fast.

use super::flavor::Flavor;
use super::models::{AnswerStyle, Path, ServedModel};
use super::template::Template;
use super::tokens::Tokenizer;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Settings of a [`super::StandIn`].
#[derive(Clone, Debug)]
pub struct Config {
    /// The port on 127.0.0.1; 0 takes any free one.
    pub port: u16,
    /// The models at the start.
    pub models: Vec<ServedModel>,
    /// What can be pulled: a simulated registry.
    pub catalogue: Vec<Pullable>,
    /// Whether the control routes under `/_stand_in/` are served. For tests only.
    pub control: bool,
    /// The version of `/api/version`.
    pub version: String,
    /// Tokens per second while answering; 0 means no delay.
    pub rate: f64,
    /// Prompt tokens evaluated per second; 0 means no delay.
    pub prompt_rate: f64,
    /// Prompt tokens of a batch: between two batches the engine looks whether somebody still waits (`num_batch`).
    pub batch: usize,
    /// Whether a limit on the length of an answer is ignored, as some servers do with `n_predict: 0`.
    pub ignores_limits: bool,
    /// How long a model takes to load.
    pub load_time: Duration,
    /// The context length of a request without `num_ctx` (`OLLAMA_CONTEXT_LENGTH`).
    pub num_ctx: u64,
    /// How long a model stays loaded after its last request (`OLLAMA_KEEP_ALIVE`).
    pub keep_alive: Duration,
    /// How many requests may wait for a load (`OLLAMA_MAX_QUEUE`).
    pub max_queue: usize,
    /// How many answers a model writes at once (`OLLAMA_NUM_PARALLEL`).
    pub parallel: usize,
    /// How many models may be loaded (`OLLAMA_MAX_LOADED_MODELS`).
    pub max_loaded: usize,
    /// Whether `OLLAMA_ORIGINS` is `*`.
    pub any_origin: bool,
    /// Speaks the OpenAI chat API as this server does, and not Ollama's.
    pub openai: Option<Flavor>,
    /// Whether its `llama-server` is a router of all its models, and not in front of one.
    pub router: bool,
    /// The key that a server of the OpenAI chat API wants.
    pub key: Option<String>,
    /// Whether `_debug_render_only` is supported; older versions of Ollama ignore it and answer the chat.
    pub render_only: bool,
}

/// A model of the simulated registry.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pullable {
    /// The name to pull, with its host if it has one.
    pub name: String,
    /// Its layers, the largest first, the configuration last.
    pub layers: Vec<Layer>,
    /// Bytes per second.
    pub speed: u64,
    /// The error that ends the pull instead of success.
    #[serde(default)]
    pub error: Option<String>,
    /// The number of bytes after which the error occurs; 0 is before the first layer.
    #[serde(default)]
    pub error_after: u64,
}

/// One layer of a [`Pullable`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Layer {
    /// 64 hexadecimal digits.
    pub digest: String,
    /// Size in bytes.
    pub size: u64,
}

impl Config {
    /// The demo: one model, nothing to pull, no control routes.
    #[must_use]
    pub fn demo() -> Self {
        Self {
            port: 0,
            models: vec![ServedModel::demo()],
            catalogue: Vec::new(),
            control: false,
            version: "0.33.0".to_owned(),
            rate: 40.0,
            prompt_rate: 20_000.0,
            batch: 2048,
            ignores_limits: false,
            load_time: Duration::from_millis(200),
            num_ctx: 4096,
            keep_alive: Duration::from_secs(300),
            max_queue: 512,
            parallel: 1,
            max_loaded: 3,
            any_origin: false,
            openai: None,
            router: false,
            key: None,
            render_only: true,
        }
    }

    /// The test models, a small registry to pull from, and the control routes.
    #[must_use]
    pub fn tests() -> Self {
        Self {
            models: ServedModel::tests(),
            catalogue: Pullable::tests(),
            control: true,
            rate: 500.0,
            prompt_rate: 50_000.0,
            batch: 512,
            load_time: Duration::from_millis(20),
            ..Self::demo()
        }
    }

    /// Like [`Config::tests`] but without any model: the state before the first pull.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            models: Vec::new(),
            ..Self::tests()
        }
    }

    /// A server of the OpenAI chat API: one model that thinks and one that does not; `llama-server` has the first alone.
    #[must_use]
    pub fn openai(flavor: Flavor) -> Self {
        let mut think = ServedModel::tiny("tiny-think.gguf", Path::Native, AnswerStyle::Thinker);
        think.template = Template::Thinking;
        think
            .capabilities
            .extend(["thinking", "tools"].map(str::to_owned));
        let plain = ServedModel::tiny("org/Tiny-Instruct", Path::Native, AnswerStyle::Words);
        Self {
            openai: Some(flavor),
            models: match flavor {
                Flavor::LlamaServer => vec![think, plain],
                Flavor::Vllm => vec![plain, think],
            },
            ..Self::tests()
        }
    }

    /// A `llama-server` that is a router of two models, of which it can delete the second.
    #[must_use]
    pub fn llama_router() -> Self {
        Self {
            router: true,
            ..Self::openai(Flavor::LlamaServer)
        }
    }

    /// The same configuration with this tokenizer for every model.
    #[must_use]
    pub fn tokenizer(mut self, tokenizer: &Tokenizer) -> Self {
        for model in &mut self.models {
            model.tokenizer = tokenizer.clone();
        }
        self
    }
}

impl Pullable {
    /// The registry of the tests: one fast model as recorded, one slow, two that fail.
    fn tests() -> Vec<Self> {
        let layer = |digest: &str, size| Layer {
            digest: digest.to_owned(),
            size,
        };
        let small = vec![
            layer(
                "e3b2721cec511e3a627ae0993753abbf5c72cdf4cfcdbc8f5c33ce15c4c4e04b",
                102,
            ),
            layer(
                "f02dd72bb2423204352eabc5637b44d79d17f109fdb510a7c51455892aa2d216",
                59,
            ),
            layer(
                "cfae2c09e0b8ad39a85cf167a19cc5438f325d00dcff5259137994b2564e4673",
                152,
            ),
        ];
        let entry = |name: &str, first: Layer, speed| Self {
            name: name.to_owned(),
            layers: std::iter::once(first).chain(small.clone()).collect(),
            speed,
            error: None,
            error_after: 0,
        };
        let weights = layer(
            "fc52fbbc0c18d8a5232069a894cdf4f06434a3b761efc9c5acef58bc71786b0b",
            1_660_128,
        );
        let large = layer(
            "0f1c2d3e4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
            500_000_000,
        );
        vec![
            entry("127.0.0.1:5055/ns/tiny", weights.clone(), 4_600_000),
            Self {
                error: Some("pull model manifest: 500: registry exploded".to_owned()),
                ..entry("127.0.0.1:5055/ns/teapot", weights.clone(), 4_600_000)
            },
            Self {
                error: Some("pull model manifest: file does not exist".to_owned()),
                ..entry("127.0.0.1:5055/ns/missing", weights.clone(), 4_600_000)
            },
            entry("pullme", weights, 4_600_000),
            entry("pullslow", large.clone(), 25_000_000),
            Self {
                error: Some("max retries exceeded: unexpected EOF".to_owned()),
                error_after: 100_000_000,
                ..entry("pullbroken", large, 200_000_000)
            },
        ]
    }
}
