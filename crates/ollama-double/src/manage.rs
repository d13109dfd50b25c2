//! `/api/show`, copy, delete, create and push, as far as the recordings need them.

use super::decode::{Fields, RequestRefusal, object};
use super::http::{self, HttpResponse};
use super::locks::hold;
use super::names::Name;
use super::shared::Shared;
use super::show::Show;
use bytes::Bytes;
use hyper::StatusCode;
use serde_json::json;
use std::time::SystemTime;

fn done_or(result: Result<HttpResponse, RequestRefusal>) -> HttpResponse {
    result.unwrap_or_else(Into::into)
}

/// The name under `model`, or under the older `name`.
pub fn model_field(fields: &Fields<'_>) -> Result<String, RequestRefusal> {
    let model = fields.text("model")?;
    if model.is_empty() {
        fields.text("name")
    } else {
        Ok(model)
    }
}

/// `POST /api/show`.
pub fn show(shared: &Shared, body: &[u8]) -> HttpResponse {
    done_or((|| {
        let map = object(body, "ShowRequest")?;
        let sent = model_field(&Fields::new(&map, "ShowRequest"))?;
        if sent.is_empty() {
            return Err(RequestRefusal::bad("model is required"));
        }
        let name = Name::parse(&sent).ok_or_else(|| RequestRefusal::bad("invalid model name"))?;
        let short = name.short();
        let missing = || RequestRefusal::missing(format!("model '{short}' not found"));
        let model = shared.find(&name).ok_or_else(missing)?;
        Ok(http::single(StatusCode::OK, &Show::of(&model)))
    })())
}

/// `POST /api/copy`.
pub fn copy(shared: &Shared, body: &[u8]) -> HttpResponse {
    done_or((|| {
        let map = object(body, "CopyRequest")?;
        let fields = Fields::new(&map, "CopyRequest");
        let (from, to) = (fields.text("source")?, fields.text("destination")?);
        let source = Name::parse(&from)
            .ok_or_else(|| RequestRefusal::bad(format!("source {from:?} is invalid")))?;
        let target = Name::parse(&to)
            .ok_or_else(|| RequestRefusal::bad(format!("destination {to:?} is invalid")))?;
        let missing = || RequestRefusal::missing(format!("model {from:?} not found"));
        let mut model = shared.find(&source).ok_or_else(missing)?;
        model.name = target.short();
        model.modified = SystemTime::now();
        shared.put(model);
        Ok(http::empty(StatusCode::OK))
    })())
}

/// `DELETE /api/delete`.
pub fn delete(shared: &Shared, body: &[u8]) -> HttpResponse {
    done_or((|| {
        let map = object(body, "DeleteRequest")?;
        let sent = model_field(&Fields::new(&map, "DeleteRequest"))?;
        if sent.is_empty() {
            return Err(RequestRefusal::bad("model is required"));
        }
        let name = Name::parse(&sent)
            .ok_or_else(|| RequestRefusal::bad(format!("name {sent:?} is invalid")))?;
        let missing = || RequestRefusal::missing(format!("model '{sent}' not found"));
        let model = shared.find(&name).ok_or_else(missing)?;
        shared.slots.unload(&model.key());
        hold(&shared.models).retain(|other| other.key() != model.key());
        Ok(http::empty(StatusCode::OK))
    })())
}

/// `POST /api/push`; only its first check is simulated.
pub fn push(body: &[u8]) -> HttpResponse {
    done_or((|| {
        let map = object(body, "PushRequest")?;
        let sent = model_field(&Fields::new(&map, "PushRequest"))?;
        if sent.is_empty() {
            return Err(RequestRefusal::bad("model is required"));
        }
        let text = "the stand-in does not push";
        Err(RequestRefusal::new(StatusCode::NOT_IMPLEMENTED, text))
    })())
}

/// `POST /api/create` from an existing model.
pub async fn create(shared: &Shared, body: &[u8]) -> HttpResponse {
    done_or((|| {
        let map = object(body, "CreateRequest")?;
        let fields = Fields::new(&map, "CreateRequest");
        let invalid = || RequestRefusal::bad("invalid model name");
        let target = Name::parse(&model_field(&fields)?).ok_or_else(invalid)?;
        let from = fields.text("from")?;
        let stream = fields.flag("stream")?.unwrap_or(true);
        if from.is_empty() {
            let text = "neither 'from' or 'files' was specified";
            return Ok(http::refuse_in_stream(StatusCode::BAD_REQUEST, text));
        }
        let missing = || RequestRefusal::missing(format!("model '{from}' not found"));
        let source = Name::parse(&from).and_then(|name| shared.find(&name));
        let mut model = source.ok_or_else(missing)?;
        let digest = model.digest.clone();
        model.name = target.short();
        model.modified = SystemTime::now();
        let system = fields.text("system")?;
        if !system.is_empty() {
            model.system = Some(system);
        }
        shared.put(model);
        if !stream {
            let success = json!({"status": "success"});
            return Ok(http::single_bare(StatusCode::OK, &success));
        }
        let lines = [
            format!("using existing layer sha256:{digest}"),
            format!("using existing layer sha256:{digest}"),
            format!("creating new layer sha256:{digest}"),
            format!("creating new layer sha256:{digest}"),
            "writing manifest".to_owned(),
            "success".to_owned(),
        ];
        let lines = lines.map(|line| Ok(Bytes::from(json!({"status": line}).to_string() + "\n")));
        let body = http::chunks(futures::stream::iter(lines));
        let kind = Some("application/x-ndjson");
        Ok(http::build(StatusCode::OK, kind, body))
    })())
}
