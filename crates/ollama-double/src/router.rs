//! Routes requests, and wraps each one in its record, its checks and its faults.

use super::chat::{self, RequestScope};
use super::control;
use super::faults::Faults;
use super::guard::{self, Origin};
use super::http::{self, HttpResponse};
use super::line::LineForm;
use super::play;
use super::script::ScriptStep;
use super::shared::Shared;
use super::stream::PieceSource;
use super::watch::watch;
use super::{embed, generate, list, manage, openai, pull};
use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::{HOST, HeaderMap};
use hyper::{Method, Request, StatusCode};
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The routes and the methods they allow, in gin's order: the order of each method's first route, of which
/// `HEAD /` is one.
const ROUTES: [(&str, &str); 18] = [
    ("/", "HEAD, GET"),
    ("/api/version", "HEAD, GET"),
    ("/api/tags", "HEAD, GET"),
    ("/api/status", "GET"),
    ("/api/ps", "GET"),
    ("/api/show", "POST"),
    ("/api/chat", "POST"),
    ("/api/generate", "POST"),
    ("/api/embed", "POST"),
    ("/api/embeddings", "POST"),
    ("/api/pull", "POST"),
    ("/api/push", "POST"),
    ("/api/create", "POST"),
    ("/api/copy", "POST"),
    ("/api/delete", "DELETE"),
    ("/api/experimental/web_search", "POST"),
    ("/api/experimental/web_fetch", "POST"),
    ("/v1/models", "GET"),
];

/// Answers one request.
///
/// # Errors
/// The connection must be closed without an answer.
pub async fn answer(
    shared: Arc<Shared>,
    faults: Arc<Faults>,
    request: Request<Incoming>,
) -> io::Result<HttpResponse> {
    let arrived = Instant::now();
    let (parts, body) = request.into_parts();
    let path = parts.uri.path().to_owned();
    let query = parts.uri.query().unwrap_or_default().to_owned();
    if path.starts_with(control::PREFIX) && shared.settings().control {
        let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
        return Ok(control::answer(&shared, &parts.method, &path, &body));
    }
    let headers = text_of(&parts.headers);
    let visit = shared.records.arrive(parts.method.as_str(), &path, headers);
    let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
    if shared.start.control {
        visit.record.write(|record| record.body = readable(&body));
    }

    // Silence lasts until the client disconnects, even if it is switched off in between.
    if *shared.silent.borrow() {
        std::future::pending::<()>().await;
    }
    let scope = RequestScope {
        shared: Arc::clone(&shared),
        faults,
        record: visit.record.clone(),
        arrived,
        path,
        query,
    };
    let answer = checked(scope, &parts.method, &parts.headers, body).await?;
    visit.record.write(|record| {
        record.answered = Some(Instant::now());
        record.status = Some(answer.status().as_u16());
    });
    Ok(watch(answer, visit))
}

async fn checked(
    scope: RequestScope,
    method: &Method,
    headers: &HeaderMap,
    body: Bytes,
) -> io::Result<HttpResponse> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let host = host.unwrap_or("").to_owned();
    let config = scope.shared.settings();
    if let Some(flavor) = config.openai {
        let key = config.key.as_deref();
        return match openai::unauthorized(flavor, key, &scope.path, headers) {
            Some(refusal) => Ok(refusal),
            None => scripted(scope, method, body).await,
        };
    }
    let any = config.any_origin;
    let origin = guard::origin(headers, &host, any);
    let known = ROUTES.iter().find(|(path, _)| *path == scope.path);
    if let Some((_, allow)) = known
        && let Some(answer) = guard::options(method, &origin, &host, allow)
    {
        return Ok(answer);
    }
    if matches!(origin, Origin::Refused) || !guard::host_allowed(&host) {
        return Ok(http::empty(StatusCode::FORBIDDEN));
    }
    let mut answer = scripted(scope, method, body).await?;
    guard::mark(&mut answer, &origin);
    Ok(answer)
}

/// Answers with a script for this path, or else with the path's own answer.
async fn scripted(scope: RequestScope, method: &Method, body: Bytes) -> io::Result<HttpResponse> {
    let scripts = &scope.shared.scripts;
    let speaks = matches!(
        scope.path.as_str(),
        "/api/chat" | "/api/generate" | openai::CHAT
    );
    if speaks {
        if let Some(steps) = scripts.take_if(&scope.path, play::is_at_once)
            && let Some(answer) = play::at_once(&steps).await
        {
            return Ok(answer);
        }
        return route(scope, method, body).await;
    }
    let Some(steps) = scripts.take(&scope.path) else {
        return route(scope, method, body).await;
    };
    if let Some(answer) = play::at_once(&steps).await {
        return Ok(answer);
    }
    if matches!(steps.last(), Some(ScriptStep::Answer { .. })) {
        for step in steps {
            match step {
                ScriptStep::Wait { ms } => tokio::time::sleep(Duration::from_millis(ms)).await,
                ScriptStep::Split { bytes, wait_us } => scope.faults.split(bytes, wait_us),
                _ => {}
            }
        }
        return route(scope, method, body).await;
    }
    let form = LineForm {
        model: String::new(),
        generate: false,
    };
    let source = PieceSource::spawn(move |to| play::plain(steps, to, scope.faults));
    form.stream(source).await
}

async fn route(scope: RequestScope, method: &Method, body: Bytes) -> io::Result<HttpResponse> {
    let path = scope.path.clone();
    if let Some(flavor) = scope.shared.settings().openai {
        return openai::route(scope, flavor, method, &body).await;
    }
    let Some((_, allow)) = ROUTES.iter().find(|(known, _)| *known == path) else {
        return Ok(elsewhere(&path, method));
    };
    if !allow.split(", ").any(|name| name == method.as_str()) {
        return Ok(http::not_allowed(allow));
    }
    let shared = Arc::clone(&scope.shared);
    let answer = match path.as_str() {
        "/api/chat" => return chat::chat(scope, &body).await,
        "/api/generate" => return generate::generate(scope, &body).await,
        "/api/pull" => return pull::pull(&shared, &body).await,
        "/api/create" => manage::create(&shared, &body).await,
        "/api/embed" => embed::embed(&scope, &body, false).await,
        "/api/embeddings" => embed::embed(&scope, &body, true).await,
        "/" => {
            let text = "Ollama is running";
            http::text(StatusCode::OK, "text/plain; charset=utf-8", text)
        }
        "/api/version" => {
            let version = shared.settings().version;
            http::single(StatusCode::OK, &json!({"version": version}))
        }
        "/api/status" => list::status(),
        "/api/tags" => list::tags(&shared),
        "/api/ps" => list::ps(&shared),
        "/v1/models" => list::v1_models(&shared),
        "/api/show" => manage::show(&shared, &body),
        "/api/copy" => manage::copy(&shared, &body),
        "/api/delete" => manage::delete(&shared, &body),
        "/api/push" => manage::push(&body),
        _ => {
            let text = "ollama cloud is disabled: web search is unavailable";
            http::refuse(StatusCode::FORBIDDEN, text)
        }
    };
    Ok(if method == Method::HEAD {
        http::head(answer, path != "/api/tags")
    } else {
        answer
    })
}

/// Answers on unknown paths.
fn elsewhere(path: &str, method: &Method) -> HttpResponse {
    let shorter = path.trim_end_matches('/');
    if path.len() > 1 && shorter.len() < path.len() && ROUTES.iter().any(|(p, _)| *p == shorter) {
        return http::moved(shorter);
    }
    if let Some(model) = path.strip_prefix("/v1/models/") {
        return list::v1_missing(model);
    }
    if let Some(digest) = path.strip_prefix("/api/blobs/")
        && *method == Method::HEAD
    {
        let text = format!("blob \"{digest}\" not found");
        return http::head(http::refuse(StatusCode::NOT_FOUND, &text), true);
    }
    http::plain(StatusCode::NOT_FOUND, "404 page not found")
}

fn text_of(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.to_string(), value)
        })
        .collect()
}

fn readable(body: &[u8]) -> Value {
    if body.is_empty() {
        return Value::Null;
    }
    serde_json::from_slice(body)
        .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(body).into_owned()))
}
