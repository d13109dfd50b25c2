//! The types that cross between browser and server: the request of a prompt, the frames of its
//! answer, models and pulls, the error enum, and the line decoder with which both sides read
//! streams. Types that only one side needs are not here.

mod addresses;
mod answer_now;
mod backup;
mod calculate;
mod embed;
mod engine;
mod engine_result;
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
mod resume;
mod unsent;

pub use addresses::NetworkAddresses;
pub use answer_now::{AnswerNowRequest, is_completion_id};
pub use backup::{
    BackedUpChat, BackupFault, BackupFileState, BackupGetImageRequest, BackupGetRequest, BackupKey,
    BackupList, BackupListRequest, BackupNews, BackupNewsRequest, BackupProblem, BackupPrompts,
    BackupPromptsRequest, BackupPurge, BackupPurgeRequest, BackupPurged, BackupPut,
    BackupPutImageRequest, BackupPutRequest, BackupText, MAX_BACKUP_CHAT, PROMPTS_IN_NEWS,
};
pub use calculate::{CalculateRequest, CalculationResult};
pub use embed::EmbedRequest;
pub use engine::{EngineAction, EngineInfo, EngineKind};
pub use engine_result::{CountedPrompt, Embedded, ModelDetails};
pub use extract::{DocumentFault, DocumentFormat, ExtractRequest, ExtractedText};
pub use fault::{
    BodyKind, Fault, FaultBody, ModelFeature, NoFaults, RoomFault, RoomFaults, read_room_fault,
};
pub use frame::{DoneReason, Frame, ReadingProgress, Usage};
pub use highlight::{HighlightClass, Highlighted};
pub use lines::{LineDecoder, LineError, MAX_LINE};
pub use linger::{KeptAnswer, KeptRequest, MAX_KEPT_IDS};
pub use manage::{LayerProgress, LoadRequest, ModelFault, ModelRequest, PullFrame, PullRequest};
pub use model_name::ModelName;
pub use models::{
    LoadedModel, LoadingModel, ModelInfo, ModelList, OllamaState, RequestLimits, Upstream,
    UpstreamRequest, short_name,
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
pub use request::{ChatRequest, ContextMessage, InvalidField, invalid_option};
pub use resume::{ANSWER_KEPT, ResumeRequest, StopRequest};
pub use unsent::{DraftMark, EngineReach, UnsentRoute, UnsentScope};
