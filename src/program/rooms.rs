//! The rooms of the server, by name.

use super::calls;
use super::router::nothing;
use super::start_error::StartError;
use crate::server::app::App;
use crate::server::backup::Backup;
use crate::server::calls::Calls;
use crate::server::config::ServerConfig;
use crate::server::demo_upstream::Demo;
use crate::server::hooks::Hooks;
use crate::server::linger::KeptAnswers;
use crate::server::mcp;
use crate::server::one_time_codes::{OneTimeCodes, PageSecret};
use crate::server::read_turns::ReadTurns;
use axum::Router;
use axum::routing::any;
use sash_door::guard::{MCP_PATH, Token};
use sash_door::stop::StopSignal;
use sash_wire::OllamaState;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

/// What the rooms keep while the server runs.
pub struct Rooms {
    /// The answers that outlive their page.
    pub answers: Arc<KeptAnswers>,
    reads: Arc<ReadTurns>,
    backup: Option<Arc<Backup>>,
    /// The codes of addresses, if a page needs anything that they give.
    pub codes: Option<Arc<OneTimeCodes>>,
}

impl Rooms {
    /// The rooms of a server with these settings.
    ///
    /// # Errors
    /// [`StartError::Backup`], and that the system gives no random numbers.
    pub fn open(settings: &ServerConfig) -> Result<Self, StartError> {
        let backup = settings.backup.as_deref().map(Backup::open).transpose();
        let backup = backup.map_err(StartError::Backup)?.map(Arc::new);
        let secrets = backup
            .iter()
            .map(|backup| Arc::clone(backup) as Arc<dyn PageSecret>);
        let sessions = settings.token.as_ref().and_then(Token::sessions);
        let codes = OneTimeCodes::new(sessions, secrets.collect());
        let codes = codes.map_err(|error| StartError::System(io::Error::other(error)))?;
        Ok(Self {
            answers: Arc::new(KeptAnswers::new(settings.limits.linger)),
            reads: Arc::new(ReadTurns::new(settings.limits.reads)),
            backup,
            codes: codes.map(Arc::new),
        })
    }

    /// Does what has to be done until the server stops.
    pub fn start(&self, stopped: &StopSignal) {
        if let Some(backup) = &self.backup {
            tokio::spawn(Arc::clone(backup).keep_lock(stopped.clone()));
        }
    }

    /// What the server asks and tells the rooms.
    #[must_use]
    pub fn hooks(&self, settings: &ServerConfig) -> Hooks {
        Hooks {
            keeper: Some(Arc::clone(&self.answers) as _),
            watches: vec![Arc::clone(&self.answers) as _, Arc::clone(&self.reads) as _],
            demo: Some(Arc::new(Demo::default())),
            state: OllamaState {
                reads_ahead: settings.reads_ahead,
                keeps_backup: self.backup.is_some(),
                ..OllamaState::default()
            },
        }
    }

    /// The routes besides those of server functions: with `mcp` the endpoint for MCP clients.
    pub fn routes(app: &Arc<App>, mcp: bool) -> Router {
        match mcp {
            true => mcp::http::routes(Arc::clone(app)),
            false => Router::new().route(MCP_PATH, any(nothing)),
        }
    }

    /// The server functions of all rooms, at a server that listens here.
    #[must_use]
    pub fn calls(&self, app: Arc<App>, listen: SocketAddr) -> Calls {
        let limits = app.limits.clone();
        let mut all = Calls::new(app);
        calls::kernel(&mut all, self.codes.clone());
        calls::models(&mut all, limits.pulls);
        calls::backup(&mut all, self.backup.clone());
        calls::linger(&mut all, Arc::clone(&self.answers));
        calls::read_ahead(&mut all, Arc::clone(&self.reads));
        calls::counts(&mut all);
        calls::recall(&mut all);
        calls::attachments(&mut all, &limits.extraction);
        calls::tools(&mut all, &limits.calculation);
        calls::highlight(&mut all, &limits.highlighting);
        calls::phone(&mut all, listen);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api;
    use crate::server::calls::Rules;
    use axum::http::Method;
    use leptos::server_fn::ServerFn;
    use leptos::server_fn::axum::server_fn_paths;

    fn calls(hooks: Hooks) -> Calls {
        let settings = ServerConfig::default();
        let (_, stopped) = StopSignal::new();
        let app = App::new(&settings, stopped, hooks).unwrap();
        Rooms::open(&settings)
            .unwrap()
            .calls(Arc::new(app), settings.listen)
    }

    #[test]
    fn the_call_without_a_token_is_that_which_gives_it() {
        assert_eq!(api::Exchange::PATH, sash_door::guard::EXCHANGE_PATH);
    }

    /// `backup_news` was registered by Leptos alone. Its own registration finds one path for each `#[server]` of `src/api`.
    #[test]
    fn every_server_function_has_its_rules_and_is_post() {
        let mut paths: Vec<_> = server_fn_paths().collect();
        paths.sort_by_key(|(path, _)| *path);
        let names: Vec<_> = paths.iter().map(|(path, _)| *path).collect();
        let calls = calls(Hooks::default());
        let mut ruled: Vec<_> = calls.rules().keys().copied().collect();
        ruled.sort_unstable();
        assert_eq!(ruled, names);
        assert!(paths.iter().all(|(_, method)| method == Method::POST));
    }

    #[test]
    #[should_panic(expected = "/api/v1/kept has two rules")]
    fn a_call_that_two_rooms_add_is_a_mistake() {
        calls(Hooks::default()).add::<api::Kept>(Rules::NONE);
    }
}
