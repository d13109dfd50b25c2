//! The types that cross between browser and server: the request of a prompt, the frames of its
//! answer, models, the error enum, and the line decoder with which both sides read streams. Types
//! that only one side needs are not here.

mod answer_now;
mod engine;
mod engine_result;
mod fault;
mod frame;
mod lines;
mod model_name;
mod models;
mod ollama_version;
mod page_address;
mod page_secrets;
mod parameters;
mod prompt;
mod render;
mod request;
mod resume;
mod unsent;

pub use answer_now::{AnswerNowRequest, is_completion_id};
pub use engine::{EngineAction, EngineInfo, EngineKind};
pub use engine_result::{CountedPrompt, Embedded, ModelDetails};
pub use fault::{
    BodyKind, Fault, FaultBody, ModelFeature, NoFaults, RoomFault, RoomFaults, read_room_fault,
};
pub use frame::{DoneReason, Frame, ReadingProgress, Usage};
pub use lines::{LineDecoder, LineError, MAX_LINE};
pub use model_name::ModelName;
pub use models::{
    EngineState, LoadedModel, LoadingModel, ModelInfo, ModelList, RequestLimits, Upstream,
    UpstreamRequest, short_name,
};
pub use ollama_version::{LEAST_OLLAMA, is_old_ollama};
pub use page_address::{PageAddress, SubPage, SubPath};
pub use page_secrets::PageSecrets;
pub use parameters::{
    KEEP_ALIVE, NUM_CTX, PARAMETERS, Parameter, RUNNER_OPTIONS, parameter_text,
    parse_other_parameter,
};
pub use prompt::{RequestPlan, sent_think};
pub use render::Rendered;
pub use request::{ChatRequest, ContextMessage, InvalidField, invalid_option};
pub use resume::{ANSWER_KEPT, ResumeRequest, StopRequest};
pub use unsent::{DraftMark, EngineReach, UnsentRoute, UnsentScope};
