//! The models: those of the recordings, and others for what these cannot do.

use super::call::CallMessage;
use super::decode::RequestRefusal;
use super::names::Name;
use super::template::Template;
use super::tokens::Tokenizer;
use serde::{Deserialize, Serialize};
use std::time::SystemTime;

/// Which of Ollama's two code paths a model uses; it determines errors, truncation and some formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Path {
    /// Ollama renders the prompt from a Go template.
    Rendered,
    /// The runner renders it from the model's own Jinja template.
    Native,
}

/// The kind of answers that a model gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerStyle {
    /// Tells how many images it received, and their bytes.
    Viewer,
    /// A few random words.
    Words,
    /// Random words without end.
    Endless,
    /// One word without end.
    Repeat,
    /// Thinks, then answers; calls the first tool it is given.
    Thinker,
    /// None: it only makes embeddings.
    Embeddings,
    /// None: it fails to load.
    Broken,
}

/// A model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ServedModel {
    /// Its name; the tag may be left out.
    pub name: String,
    /// Its path.
    pub path: Path,
    /// The kind of its answers.
    pub voice: AnswerStyle,
    /// The template of its prompt.
    #[serde(default)]
    pub template: Template,
    /// How its tokens are counted.
    #[serde(default)]
    pub tokenizer: Tokenizer,
    /// The context length it was trained with.
    pub trained: u64,
    /// Its capabilities in `/api/show`.
    pub capabilities: Vec<String>,
    /// Its capabilities in `/api/tags`, which may be fewer.
    pub listed: Vec<String>,
    /// Its digest, 64 hexadecimal digits.
    pub digest: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its number of parameters, as `/api/show` and `/api/tags` write it.
    pub parameter_size: String,
    /// The system prompt of its Modelfile.
    #[serde(default)]
    pub system: Option<String>,
    /// When it was added or changed.
    #[serde(default = "SystemTime::now")]
    pub modified: SystemTime,
}

impl ServedModel {
    /// A model like those of the recordings.
    #[must_use]
    pub fn tiny(name: &str, path: Path, voice: AnswerStyle) -> Self {
        Self {
            name: name.to_owned(),
            path,
            voice,
            template: Template::ChatMl,
            tokenizer: Tokenizer::Letters,
            trained: 4096,
            capabilities: vec!["completion".to_owned()],
            listed: vec!["completion".to_owned()],
            digest: digest_of(name),
            size: if path == Path::Rendered {
                1_660_441
            } else {
                1_660_088
            },
            parameter_size: "412K".to_owned(),
            system: None,
            modified: SystemTime::now(),
        }
    }

    /// A model with a long context, whose tokens are closer to those of a real one.
    #[must_use]
    pub fn wide() -> Self {
        Self {
            tokenizer: Tokenizer::Pieces,
            trained: 32_768,
            ..Self::tiny("tinywide", Path::Rendered, AnswerStyle::Words)
        }
    }

    /// The models of the recordings.
    #[must_use]
    pub fn tests() -> Vec<Self> {
        use Path::{Native, Rendered};
        let with = |mut model: Self, more: &[&str]| {
            let more = more.iter().map(|&c| c.to_owned());
            model.capabilities = more.chain(model.capabilities).collect();
            model
        };
        let mut embed = Self::tiny("tinyembed", Native, AnswerStyle::Embeddings);
        embed.capabilities = vec!["embedding".to_owned()];
        let mut think = Self::tiny("tinythink", Native, AnswerStyle::Thinker);
        think.template = Template::Thinking;
        let mut tool = Self::tiny("tinytool", Native, AnswerStyle::Thinker);
        tool.template = Template::Thinking;
        let mut miss = Self::tiny("tinymiss", Native, AnswerStyle::Broken);
        miss.parameter_size = "346K".to_owned();
        let mut ctx = Self::tiny("tinyctx", Rendered, AnswerStyle::Words);
        ctx.trained = 512;
        vec![
            Self::tiny("tiny", Rendered, AnswerStyle::Words),
            Self::tiny("tinynotmpl", Native, AnswerStyle::Words),
            with(think, &["thinking"]),
            with(tool, &["tools", "thinking"]),
            embed,
            miss,
            Self::tiny("tinyrep", Rendered, AnswerStyle::Repeat),
            Self::tiny("tinyrepn", Native, AnswerStyle::Repeat),
            Self::tiny("tinyloop", Rendered, AnswerStyle::Endless),
            Self::tiny("tinyloopn", Native, AnswerStyle::Endless),
            ctx,
        ]
    }

    /// Models whose own chat templates refuse some conversations: `tinyquestion` those that begin with an
    /// answer, `tinyalternate` those in which questions and answers do not alternate, `tinynosystem` these
    /// and any system prompt.
    #[must_use]
    pub fn refusing() -> Vec<Self> {
        let models = [
            ("tinyquestion", Template::QuestionFirst),
            ("tinyalternate", Template::Alternating),
            ("tinynosystem", Template::NoSystem),
        ];
        let model = |(name, template)| Self {
            template,
            ..Self::tiny(name, Path::Native, AnswerStyle::Words)
        };
        models.into_iter().map(model).collect()
    }

    /// Models that see images, one on each path.
    #[must_use]
    pub fn seeing() -> Vec<Self> {
        let model = |name, path| {
            let mut model = Self::tiny(name, path, AnswerStyle::Viewer);
            model.capabilities.push("vision".to_owned());
            model.tokenizer = Tokenizer::Pieces;
            model
        };
        vec![
            model("tinyeyes", Path::Rendered),
            model("tinyeyesn", Path::Native),
        ]
    }

    /// Models that think otherwise than `tinythink`: `tinylevels` takes levels, and the template of `tinyopen` opens
    /// the thinking without Ollama knowing.
    #[must_use]
    pub fn thinking() -> Vec<Self> {
        let mut levels = Self::tiny("tinylevels", Path::Native, AnswerStyle::Thinker);
        levels.template = Template::ThinkingLevels;
        levels.capabilities.push("thinking".to_owned());
        let mut open = Self::tiny("tinyopen", Path::Rendered, AnswerStyle::Thinker);
        open.template = Template::OpenThinking;
        vec![levels, open]
    }

    /// The key under which all spellings of its name are equal.
    #[must_use]
    pub fn key(&self) -> String {
        Name::parse(&self.name).map_or_else(|| self.name.clone(), |name| name.key())
    }

    /// Its name with the tag.
    #[must_use]
    pub fn short(&self) -> String {
        Name::parse(&self.name).map_or_else(|| self.name.clone(), |name| name.short())
    }

    /// Its name with every part.
    #[must_use]
    pub fn full(&self) -> String {
        Name::parse(&self.name).map_or_else(|| self.name.clone(), |name| name.full())
    }

    /// Why its own template refuses these messages, if it does. On the rendered path, Ollama's Go template
    /// accepts everything.
    pub(super) fn refusal(&self, messages: &[CallMessage]) -> Option<RequestRefusal> {
        match self.path {
            Path::Rendered => None,
            Path::Native => self.template.refusal(messages),
        }
    }

    /// Whether `/api/show` lists this capability.
    #[must_use]
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|c| c == capability)
    }
}

/// 64 hexadecimal digits derived from the name alone (FNV, four times).
fn digest_of(name: &str) -> String {
    (0_u64..4)
        .map(|round| {
            let start = 0xcbf2_9ce4_8422_2325 ^ round;
            let hash = name.bytes().fold(start, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            });
            format!("{hash:016x}")
        })
        .collect()
}
