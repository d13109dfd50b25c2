//! The control routes of the tests, under `/_stand_in/`. They are not recorded or checked, and exist only if
//! the configuration enables them.
//!
//! | route | what |
//! | --- | --- |
//! | `POST /_stand_in/script` | a [`Script`]: `{"path"?, "times"?: n or null, "steps":[{"do":…}]}` |
//! | `DELETE /_stand_in/script` | removes all scripts |
//! | `POST /_stand_in/release` | continues one [`super::script::ScriptStep::Hold`] |
//! | `GET /_stand_in/requests` | every request so far ([`super::records::RequestRecord`]) |
//! | `DELETE /_stand_in/requests` | removes those that have ended |
//! | `GET /_stand_in/counters` | [`super::records::Counters`] |
//! | `POST /_stand_in/models` | `{"set"?: "tests" or "none", "add"?: [names], "remove"?: [names]}` |
//! | `POST /_stand_in/catalogue` | a list of [`Pullable`] that replaces the registry |
//! | `POST /_stand_in/settings` | `{"silent"?, "rate"?, "prompt_rate"?, "batch"?, "load_ms"?, "num_ctx"?, "version"?}` |
//! | `POST /_stand_in/reset` | scripts, records, models, blobs and settings as at the start |

use super::config::{Config, Pullable};
use super::http::{self, HttpResponse};
use super::locks::hold;
use super::models::{AnswerStyle, Path, ServedModel};
use super::names::Name;
use super::script::Script;
use super::shared::Shared;
use hyper::{Method, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::time::Duration;

/// The path prefix of the control routes.
pub const PREFIX: &str = "/_stand_in/";

#[derive(Deserialize)]
struct ModelsChange {
    set: Option<String>,
    #[serde(default)]
    add: Vec<String>,
    #[serde(default)]
    remove: Vec<String>,
}

#[derive(Deserialize)]
struct ControlSettings {
    silent: Option<bool>,
    rate: Option<f64>,
    prompt_rate: Option<f64>,
    batch: Option<usize>,
    load_ms: Option<u64>,
    num_ctx: Option<u64>,
    version: Option<String>,
}

/// Answers a control request.
pub fn answer(shared: &Shared, method: &Method, path: &str, body: &[u8]) -> HttpResponse {
    let what = path.strip_prefix(PREFIX).unwrap_or("");
    let done = match (method.as_str(), what) {
        ("POST", "script") => read(body).map(|script: Script| shared.scripts.add(script)),
        ("DELETE", "script") => {
            shared.scripts.clear();
            Ok(())
        }
        ("POST", "release") => {
            shared.scripts.release();
            Ok(())
        }
        ("GET", "requests") => return http::single(StatusCode::OK, &shared.records.all()),
        ("DELETE", "requests") => {
            shared.records.clear();
            Ok(())
        }
        ("GET", "counters") => return http::single(StatusCode::OK, &shared.records.counters()),
        ("POST", "models") => read(body).map(|wish: ModelsChange| models(shared, &wish)),
        ("POST", "catalogue") => read(body).map(|catalogue: Vec<Pullable>| {
            hold(&shared.config).catalogue = catalogue;
        }),
        ("POST", "settings") => read(body).map(|wish: ControlSettings| settings(shared, &wish)),
        ("POST", "reset") => {
            reset(shared);
            Ok(())
        }
        _ => return http::plain(StatusCode::NOT_FOUND, "404 no such control route"),
    };
    match done {
        Ok(()) => http::single(StatusCode::OK, &json!({"ok": true})),
        Err(text) => http::refuse(StatusCode::BAD_REQUEST, &text),
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|error| error.to_string())
}

fn models(shared: &Shared, wish: &ModelsChange) {
    match wish.set.as_deref() {
        Some("tests") => shared.set_models(ServedModel::tests()),
        Some(_) => shared.set_models(Vec::new()),
        None => {}
    }
    for name in &wish.add {
        let key = Name::parse(name).map(|name| name.key());
        let known = ServedModel::tests()
            .into_iter()
            .chain(ServedModel::refusing());
        let known = known
            .chain(ServedModel::thinking())
            .chain(ServedModel::seeing())
            .chain([ServedModel::wide()])
            .find(|model| Some(model.key()) == key);
        shared.put(
            known.unwrap_or_else(|| ServedModel::tiny(name, Path::Rendered, AnswerStyle::Words)),
        );
    }
    for name in &wish.remove {
        if let Some(key) = Name::parse(name).map(|name| name.key()) {
            hold(&shared.models).retain(|model| model.key() != key);
            shared.slots.unload(&key);
        }
    }
}

fn settings(shared: &Shared, wish: &ControlSettings) {
    if let Some(silent) = wish.silent {
        shared.silent.send_replace(silent);
    }
    let mut config = hold(&shared.config);
    config.rate = wish.rate.unwrap_or(config.rate);
    config.prompt_rate = wish.prompt_rate.unwrap_or(config.prompt_rate);
    config.batch = wish.batch.unwrap_or(config.batch);
    config.num_ctx = wish.num_ctx.unwrap_or(config.num_ctx);
    if let Some(version) = &wish.version {
        config.version.clone_from(version);
    }
    if let Some(ms) = wish.load_ms {
        config.load_time = Duration::from_millis(ms);
    }
}

fn reset(shared: &Shared) {
    shared.scripts.clear();
    shared.records.clear();
    shared.silent.send_replace(false);
    hold(&shared.blobs).clear();
    shared.router.reset();
    let start: Config = shared.start.clone();
    shared.set_models(Vec::new());
    shared.set_models(start.models.clone());
    *hold(&shared.config) = start;
}
