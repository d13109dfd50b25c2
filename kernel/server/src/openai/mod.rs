//! An engine that speaks the OpenAI chat API: vLLM, `llama-server`, SGLang, LM Studio, a gateway.
//!
//! The set of calls is closed: chat completions, the list of models, the counts of tokens, and of `llama-server` the text
//! after its template and how far its models are loaded. The answer is a stream of server-sent events; they are read line by line with
//! the decoder that reads all streams here, which bounds a line and works on bytes, so that a character cut in two is no
//! error.

mod body;
mod choice_text;
mod count;
mod event_lines;
mod events;
mod list;
mod loading;
mod messages;
mod model_status;
mod partial_calls;
mod refusal;
mod render;
mod said_text;
mod slots;
#[cfg(test)]
mod stream_tests;

use crate::engine::http::{DOCUMENT_TIME, EngineHttp, RequestFailure};
use crate::engine::reader::MAX_VALUES;
use crate::engine::{
    Address, ApiKey, ChatCall, ChatLine, ChatParser, Engine, EngineLabel, EngineStatus, Later,
    ModelPresence, ModelSlots, not_offered,
};
use events::EventParser;
use futures::FutureExt;
use futures::future::BoxFuture;
pub use model_status::ModelStatus;
use refusal::OpenAiRequestContext;
use reqwest::Method;
use sash_wire::{
    ChatRequest, CountedPrompt, EngineAction, EngineInfo, EngineKind, EngineReach, Fault, ModelInfo,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time limit for the check that the engine answers.
pub const LOOK_TIME: Duration = Duration::from_secs(5);
/// Of how many models in memory the `/props` are read at most.
const MAX_PROPS: usize = 8;
/// The pause before a server that loads its model is asked again.
const LOADING_PAUSE: Duration = Duration::from_millis(500);

/// A client of one engine. A clone is the same engine.
#[derive(Clone, Debug)]
pub struct OpenAi {
    http: EngineHttp,
    info: EngineInfo,
    /// Whether it has told its list of models since this server was started, or that it has none.
    has_listed: Arc<AtomicBool>,
    /// Whether its last list of models was that of a `llama-server`.
    is_llama_server: Arc<AtomicBool>,
    /// Whether it was a router of several models.
    is_router: Arc<AtomicBool>,
}

impl OpenAi {
    /// A client of the engine at this address, to which `/v1/…` is added. Does not connect yet.
    ///
    /// # Errors
    /// If the TLS library cannot be set up.
    pub fn new(name: &str, address: Address, key: Option<ApiKey>) -> Result<Self, reqwest::Error> {
        let label = EngineLabel::OpenAi(name.to_owned());
        let info = EngineInfo {
            name: name.to_owned(),
            kind: EngineKind::OpenAi,
            // Which of them count is known once one was asked.
            can: vec![EngineAction::Count],
            parameters: Some(body::PARAMETERS.map(str::to_owned).to_vec()),
            reach: EngineReach::Unknown,
            address_digest: address.digest(name),
        };
        let http = EngineHttp::new(address, key, label)?;
        Ok(Self {
            http,
            info,
            has_listed: Arc::default(),
            is_llama_server: Arc::default(),
            is_router: Arc::default(),
        })
    }

    /// Whether it is a `llama-server`, by its last list of models.
    fn is_llama_server(&self) -> bool {
        self.is_llama_server.load(Ordering::Relaxed)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// Its connection, for calls that not every such engine has.
    #[must_use]
    pub fn http(&self) -> &EngineHttp {
        &self.http
    }

    fn context<'a>(&'a self, model: &'a str) -> OpenAiRequestContext<'a> {
        OpenAiRequestContext {
            engine: &self.info.name,
            model,
            has_key: self.http.has_key(),
        }
    }

    /// The fault of a request about a model, in the engine's words.
    #[must_use]
    pub fn fault(&self, failure: RequestFailure, model: &str) -> Fault {
        match failure {
            RequestFailure::Fault(fault) => fault,
            RequestFailure::Refused(reply) => refusal::from_reply(&reply, &self.context(model)),
        }
    }

    /// A refusal in words of ours.
    #[must_use]
    pub fn refused(&self, reason: &str) -> Fault {
        Fault::EngineRefused {
            engine: self.info.name.clone(),
            reason: reason.to_owned(),
        }
    }

    async fn get(&self, path: &str, limit: Duration) -> Result<Value, Fault> {
        let request = self.http.request(Method::GET, path);
        let document = self.http.document(request, limit, MAX_VALUES).await;
        document.map_err(|failure| self.fault(failure, ""))
    }

    /// A request with this body, whose answer is a stream of events. `extends` says whether it uses the extensions of
    /// `llama-server`.
    fn call(&self, request: &ChatRequest, body: Value, extends: bool) -> ChatCall {
        let model = request.model.clone();
        let parser = EventParser::new(&self.context(&model), self.http.reader(), extends);
        let engine = self.clone();
        // A server that loads its model refuses prompts. As with Ollama the person waits, as long as the caller does.
        let opening = async move {
            let began = Instant::now();
            loop {
                let request = engine.http.request(Method::POST, "/v1/chat/completions");
                let is_answer = |body: &[u8]| engine.is_answer(body, &model);
                let sent = engine
                    .http
                    .stream_or_answer(request.json(&body), "event-stream", is_answer)
                    .await;
                match sent {
                    Err(RequestFailure::Refused(reply))
                        if refusal::is_loading(&reply, began.elapsed()) =>
                    {
                        tokio::time::sleep(LOADING_PAUSE).await;
                    }
                    sent => return sent.map_err(|failure| engine.fault(failure, &model)),
                }
            }
        };
        ChatCall {
            opening: opening.boxed(),
            parser: Box::new(parser),
        }
    }

    /// Whether a reply that is no stream is an answer all the same: a server that does not stream sends it whole.
    fn is_answer(&self, body: &[u8], model: &str) -> bool {
        let mut parser = EventParser::new(&self.context(model), self.http.reader(), false);
        let mut decoder = parser.decoder();
        decoder.push(body);
        let is_answer = |line: &ChatLine| {
            let has_words = !line.content.is_empty() || !line.thinking.is_empty();
            has_words || !line.calls.is_empty() || line.done.is_some()
        };
        while let Ok(Some(line)) = decoder.next_line() {
            match parser.parse(line) {
                Ok(Some(line)) if is_answer(&line) => return true,
                Ok(_) => {}
                Err(_) => return false,
            }
        }
        if let Ok(Some(line)) = decoder.finish()
            && let Ok(Some(line)) = parser.parse(line)
            && is_answer(&line)
        {
            return true;
        }
        let last = parser.finish(Fault::EndedEarly);
        let is_said = |fault: &Fault| {
            matches!(
                fault,
                Fault::PartsUnread { .. } | Fault::ContentFiltered { .. } | Fault::InvalidToolCall
            )
        };
        is_answer(&last) || last.failed.as_ref().is_some_and(is_said)
    }

    /// The list of models as it came. It says what kind of server this is.
    async fn get_list(&self, limit: Duration) -> Result<Value, Fault> {
        let request = self.http.request(Method::GET, "/v1/models");
        let listed = self.http.document(request, limit, MAX_VALUES).await;
        let listed = listed.map_err(|failure| {
            if let RequestFailure::Refused(reply) = &failure
                && reply.has_no_such_path()
            {
                self.has_listed.store(true, Ordering::Relaxed);
            }
            self.fault(failure, "")
        })?;
        // A list without a model says nothing; of a router it is no rare one.
        let is_router = match list::is_empty(&listed) {
            true => self.is_empty_router().await,
            false => list::is_router(&listed),
        };
        let is_llama_server = is_router || list::is_llama_server(&listed);
        self.is_router.store(is_router, Ordering::Relaxed);
        self.is_llama_server
            .store(is_llama_server, Ordering::Relaxed);
        self.has_listed.store(true, Ordering::Relaxed);
        Ok(listed)
    }

    /// The state of a model of a router; `None` for one that is not listed.
    ///
    /// # Errors
    /// That the engine does not answer within `limit`.
    pub async fn status_of(
        &self,
        model: &str,
        limit: Duration,
    ) -> Result<Option<ModelStatus>, Fault> {
        let listed = self.get_list(limit).await?;
        Ok(list::entry(&listed, model).and_then(ModelStatus::of))
    }

    /// Whether a server without models is a router.
    async fn is_empty_router(&self) -> bool {
        let props = self.get("/props", LOOK_TIME).await;
        props.is_ok_and(|props| props.get("role").and_then(Value::as_str) == Some("router"))
    }

    /// What a `llama-server` says of a model that is in memory. Without `autoload` a router would load it for that.
    ///
    /// # Errors
    /// [`Fault::EngineModelNotLoaded`] for another model of a router, and that the engine does not answer.
    pub async fn props(&self, model: &str) -> Result<Value, Fault> {
        let mut request = self.http.request(Method::GET, "/props");
        if self.is_router.load(Ordering::Relaxed) {
            request = request.query(&[("model", model), ("autoload", "false")]);
        }
        let props = self.http.document(request, LOOK_TIME, MAX_VALUES).await;
        props.map_err(|failure| self.fault(failure, model))
    }

    /// The list of models; of a `llama-server` also what its `/props` say of those that are in memory.
    async fn list(&self) -> Result<Vec<ModelInfo>, Fault> {
        let listed = self.get_list(DOCUMENT_TIME).await?;
        let mut models = list::models(&listed);
        for name in list::with_props(&listed).into_iter().take(MAX_PROPS) {
            let model = models.iter_mut().find(|model| model.name == name);
            match self.props(&name).await {
                Ok(props) => model.into_iter().for_each(|m| list::add_props(m, &props)),
                Err(fault) => tracing::info!(status = fault.status(), "no props of an engine"),
            }
        }
        Ok(models)
    }
}

impl Engine for OpenAi {
    fn label(&self) -> &EngineLabel {
        self.http.label()
    }

    fn info(&self) -> &EngineInfo {
        &self.info
    }

    fn find_kind(&self) -> BoxFuture<'_, ()> {
        async move {
            if !self.has_listed.load(Ordering::Relaxed)
                && let Err(fault) = self.get_list(LOOK_TIME).await
            {
                tracing::info!(status = fault.status(), "an engine did not say what it is");
            }
        }
        .boxed()
    }

    fn reach(&self) -> BoxFuture<'_, EngineReach> {
        async move {
            match self.is_llama_server() {
                true => self.http.reach().await,
                false => EngineReach::Unknown,
            }
        }
        .boxed()
    }

    fn find_reach(&self) -> Later<'_, EngineReach> {
        async move {
            self.get_list(LOOK_TIME).await?;
            Ok(self.reach().await)
        }
        .boxed()
    }

    fn is_cloud<'a>(&'a self, _: &'a str) -> Later<'a, bool> {
        futures::future::ready(Ok(false)).boxed()
    }

    /// Beside what all can, what a `llama-server` can, and one that is a router.
    fn actions(&self) -> Vec<EngineAction> {
        use EngineAction as A;
        let mut actions = self.info.can.clone();
        if self.is_llama_server() {
            actions.extend([A::Details, A::Render, A::EndThinking]);
        }
        if self.is_router.load(Ordering::Relaxed) {
            actions.extend([A::Pull, A::Load, A::Delete]);
        }
        actions
    }

    /// Such names have no grammar; what no list can contain is refused.
    fn check_model<'a>(&'a self, model: &'a str, _: &'a [String]) -> Later<'a, ()> {
        let checked = match list::is_model_name(model) {
            true => Ok(()),
            false => Err(Fault::InvalidField {
                field: "model".to_owned(),
                reason: format!(
                    "it must be a name without control characters, at most {} bytes",
                    list::MAX_MODEL_NAME
                ),
            }),
        };
        futures::future::ready(checked).boxed()
    }

    fn chat(&self, request: &ChatRequest) -> Result<ChatCall, Fault> {
        let mut body = body::chat(request, &self.info.name)?;
        let is_llama_server = self.is_llama_server();
        if is_llama_server {
            body::add_extensions_of_llama_server(&mut body);
        }
        Ok(self.call(request, body, is_llama_server))
    }

    /// A `llama-server` may write nothing; vLLM refuses less than one token, and others take nought as no limit.
    fn read(&self, request: &ChatRequest) -> Result<ChatCall, Fault> {
        let mut body = body::chat(request, &self.info.name)?;
        match self.is_llama_server() {
            true => {
                body["n_predict"] = json!(0);
                body["max_tokens"] = json!(0);
            }
            false => body["max_tokens"] = json!(1),
        }
        Ok(self.call(request, body, false))
    }

    /// A router of `llama-server` says which models it has loaded; of any other server the models are taken to be there.
    fn presence<'a>(&'a self, request: &'a ChatRequest) -> Later<'a, ModelPresence> {
        async move {
            let listed = self.get_list(LOOK_TIME).await;
            if !self.is_llama_server() {
                let context = listed.ok().and_then(|l| list::context(&l, &request.model));
                return Ok(ModelPresence::Stays(context));
            }
            let listed = listed?;
            Ok(match list::is_loaded_in(&listed, &request.model) {
                true => ModelPresence::Stays(list::context(&listed, &request.model)),
                false => ModelPresence::Absent,
            })
        }
        .boxed()
    }

    /// Only a `llama-server` gives answers whose thinking can be ended. Without `autoload` a router would load the model
    /// for it.
    fn end_thinking<'a>(&'a self, model: &'a str, id: &'a str) -> Later<'a, ()> {
        async move {
            let body = json!({"id": id, "action": "reasoning_end", "model": model});
            let request = self
                .http
                .request(Method::POST, "/v1/chat/completions/control")
                .query(&[("autoload", "false")]);
            let reply = self
                .http
                .document(request.json(&body), LOOK_TIME, MAX_VALUES);
            let not_offered = || not_offered(&self.info, EngineAction::EndThinking);
            match reply.await {
                Err(RequestFailure::Refused(reply)) if reply.has_no_such_path() => {
                    Err(not_offered())
                }
                Err(failure) => Err(self.fault(failure, model)),
                Ok(reply) => {
                    let message = reply.get("message").and_then(Value::as_str);
                    match message.is_some_and(|message| message.contains("not enabled")) {
                        true => Err(not_offered()),
                        // An answer that has ended meanwhile is no failure.
                        false => Ok(()),
                    }
                }
            }
        }
        .boxed()
    }

    /// Only a `llama-server` tells it, unless it was started with `--no-slots`.
    fn slots<'a>(&'a self, model: &'a str) -> Later<'a, Option<ModelSlots>> {
        async move {
            if !self.is_llama_server() {
                return Ok(None);
            }
            let mut request = self.http.request(Method::GET, "/slots");
            if self.is_router.load(Ordering::Relaxed) {
                request = request.query(&[("model", model), ("autoload", "false")]);
            }
            match self.http.list(request, LOOK_TIME).await {
                Ok(listed) => Ok(slots::read(&listed)),
                Err(RequestFailure::Refused(_)) => Ok(None),
                Err(RequestFailure::Fault(fault)) => Err(fault),
            }
        }
        .boxed()
    }

    fn models(&self) -> Later<'_, Vec<ModelInfo>> {
        self.list().boxed()
    }

    fn count<'a>(&'a self, request: &'a ChatRequest) -> Later<'a, CountedPrompt> {
        self.count_tokens(request).boxed()
    }

    fn status(&self) -> Later<'_, EngineStatus> {
        async move {
            // Unlike `/health`, which not every engine has, the list needs the key.
            match self.get_list(LOOK_TIME).await {
                // Whoever is busy is there: a gateway's limit on requests is no reason to take its models away.
                Err(Fault::EngineBusy { .. }) => Ok(EngineStatus::default()),
                Err(fault) => Err(fault),
                Ok(listed) => Ok(EngineStatus {
                    version: None,
                    loaded: list::loaded(&listed),
                    loading: self.loading(list::loading(&listed)).await,
                }),
            }
        }
        .boxed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use std::sync::atomic::AtomicUsize;

    /// How often an engine that answers its list with this status is asked for it before three requests.
    async fn times_asked(status: StatusCode) -> usize {
        let asked = Arc::new(AtomicUsize::default());
        let count = asked.clone();
        let app = axum::Router::new().fallback(async move || {
            count.fetch_add(1, Ordering::Relaxed);
            status
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let server = tokio::spawn(async move { axum::serve(listener, app).await });
        let engine = OpenAi::new("box", Address::parse(&address).unwrap(), None).unwrap();
        for _ in 0..3 {
            engine.find_kind().await;
        }
        server.abort();
        asked.load(Ordering::Relaxed)
    }

    /// Regression: an engine without a list was asked for it before each prompt.
    #[tokio::test]
    async fn an_engine_without_a_list_is_asked_for_it_once() {
        for status in [404, 405, 501] {
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(times_asked(status).await, 1, "{status}");
        }
        // It may have one later.
        assert_eq!(times_asked(StatusCode::SERVICE_UNAVAILABLE).await, 3);
    }
}
