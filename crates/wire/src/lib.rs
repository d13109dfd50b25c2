//! The types that cross between browser and server: the request of a prompt, the frames of its
//! answer, models and pulls, the error enum, and the line decoder with which both sides read
//! streams. Types that only one side needs are not here.

mod addresses;
mod backup;
mod calculate;
mod count;
mod embed;
mod engine;
mod extract;
mod fault;
mod frame;
mod highlight;
mod lines;
mod linger;
mod manage;
mod model_name;
mod models;
mod page_address;
mod page_secrets;
mod parameters;
mod prefill;
mod prompt;
mod read_ahead;
mod render;
mod request;
mod unsent;

pub use addresses::NetworkAddresses;
pub use backup::{
    BackedUpChat, BackupFileState, BackupGetImageRequest, BackupGetRequest, BackupKey, BackupList,
    BackupListRequest, BackupNews, BackupNewsRequest, BackupProblem, BackupPrompts,
    BackupPromptsRequest, BackupPurge, BackupPurgeRequest, BackupPurged, BackupPut,
    BackupPutImageRequest, BackupPutRequest, BackupText, MAX_BACKUP_CHAT, PROMPTS_IN_NEWS,
};
pub use calculate::{CalculateRequest, CalculationResult};
pub use count::CountedPrompt;
pub use embed::{EmbedRequest, Embedded};
pub use engine::{EngineAction, EngineInfo, EngineKind};
pub use extract::{DocumentFormat, ExtractRequest, ExtractedText};
pub use fault::{BodyKind, Fault, FaultBody, ModelFeature};
pub use frame::{DoneReason, Frame, ReadingProgress, Usage};
pub use highlight::{HighlightClass, Highlighted};
pub use lines::{LineDecoder, LineError, MAX_LINE};
pub use linger::{ANSWER_KEPT, KeptAnswer, KeptRequest, MAX_KEPT_IDS, ResumeRequest, StopRequest};
pub use manage::{AnswerNowRequest, LoadRequest, ModelDetails, ModelRequest, is_completion_id};
pub use model_name::ModelName;
pub use models::{
    LayerProgress, LoadedModel, LoadingModel, ModelInfo, ModelList, OllamaState, PullFrame,
    PullRequest, RequestLimits, Upstream, UpstreamRequest, short_name,
};
pub use page_address::{PageAddress, SubPage, SubPath};
pub use page_secrets::PageSecrets;
pub use parameters::{
    KEEP_ALIVE, NUM_CTX, PARAMETERS, Parameter, RUNNER_OPTIONS, parameter_text,
    parse_other_parameter,
};
pub use prefill::{MAX_PREFILL, Prefill};
pub use prompt::{Prompt, sent_think};
pub use read_ahead::{
    PART_TOKENS, PLACEHOLDER, PromptParts, ReadEnd, ReadRequest, ReadResult, answered,
    common_tokens,
};
pub use render::Rendered;
pub use request::{ChatRequest, ContextMessage, InvalidField};
pub use unsent::{DraftMark, EngineReach, UnsentRoute, UnsentScope};
