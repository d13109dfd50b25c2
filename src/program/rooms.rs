//! The rooms of the server, by name.

use super::config::ProgramConfig;
use super::start_error::StartError;
use super::version::program;
use axum::Router;
use axum::routing::any;
use backup::BackupServer;
use backup::call::KEEPS_BACKUP;
use demo::Demo;
use linger::KeptAnswers;
use read_ahead::ReadTurns;
use sash_door::assets::Files;
use sash_door::guard::{MCP_PATH, Token};
use sash_server::app::App;
use sash_server::hooks::{Hooks, Saying};
use sash_server::one_time_codes::{OneTimeCodes, PageSecret};
use sash_server::router::nothing;
use std::io;
use std::sync::Arc;

/// What the rooms keep while the server runs.
pub struct Rooms {
    /// The answers that outlive their page.
    pub answers: Arc<KeptAnswers>,
    /// The turns of prompts, and of what is read ahead.
    pub reads: Arc<ReadTurns>,
    /// The backup, with `--backup`.
    pub backup: Option<Arc<BackupServer>>,
    /// The codes of addresses, if a page needs anything that they give.
    pub codes: Option<Arc<OneTimeCodes>>,
}

impl Rooms {
    /// The rooms of a server with these settings.
    ///
    /// # Errors
    /// [`StartError::Backup`], and that the system gives no random numbers.
    pub fn open(settings: &ProgramConfig) -> Result<Self, StartError> {
        let backup = settings.backup.as_ref().map(BackupServer::open).transpose();
        let backup = backup.map_err(StartError::Backup)?.map(Arc::new);
        let secrets = backup
            .iter()
            .map(|backup| Arc::clone(backup) as Arc<dyn PageSecret>);
        let sessions = settings.server.token.as_ref().and_then(Token::sessions);
        let codes = OneTimeCodes::new(sessions, secrets.collect());
        let codes = codes.map_err(|error| StartError::System(io::Error::other(error)))?;
        Ok(Self {
            answers: Arc::new(KeptAnswers::new(settings.rooms.linger)),
            reads: Arc::new(ReadTurns::new(
                settings.rooms.reads,
                settings.rooms.read_time,
            )),
            backup,
            codes: codes.map(Arc::new),
        })
    }

    /// What the server, which serves these files, asks and tells the rooms.
    #[must_use]
    pub fn hooks(&self, settings: &ProgramConfig, files: Arc<dyn Files>) -> Hooks {
        let backup = self.backup.as_ref();
        let sayings = [
            Some(about::saying(program(), files)),
            settings.reads_ahead.then(read_ahead::saying),
            backup.map(|_| Saying::new(KEEPS_BACKUP, |_| Some(true.into()))),
        ];
        Hooks {
            keeper: Some(Arc::clone(&self.answers) as _),
            watches: vec![Arc::clone(&self.answers) as _, Arc::clone(&self.reads) as _],
            read_at_once: settings.rooms.extraction.at_once,
            demo: Some(Arc::new(Demo::default())),
            sayings: sayings.into_iter().flatten().collect(),
        }
    }

    /// The routes besides those of server functions: with `mcp` the endpoint for MCP clients.
    pub fn routes(app: &Arc<App>, settings: &ProgramConfig) -> Router {
        match settings.mcp {
            true => mcp::http::routes(Arc::clone(app), settings.rooms.mcp_chats),
            false => Router::new().route(MCP_PATH, any(nothing)),
        }
    }
}
