//! The server functions, with the rules of each: those of a room stand together, with the state that they find.

use super::config::ProgramConfig;
use super::rooms::Rooms;
use sash_server::api as chat_api;
use sash_server::app::App;
use sash_server::calls::{Calls, Rules};
use sash_server::unsent::PassedText;
use std::net::SocketAddr;
use std::sync::Arc;

/// The most bytes of a code with its JSON: anyone may send it, without the token.
const EXCHANGE_BYTES: usize = 256;

impl Rooms {
    /// All server functions of a server that listens here.
    #[must_use]
    pub fn calls(&self, app: Arc<App>, settings: &ProgramConfig, listen: SocketAddr) -> Calls {
        let mut calls = Calls::new(app);
        self.add_kernel(&mut calls);
        about::calls(&mut calls);
        attachments::calls(&mut calls, settings.rooms.extraction.clone());
        backup::calls(&mut calls, self.backup.clone());
        counts::calls(&mut calls);
        highlight::calls(&mut calls, settings.rooms.highlighting.clone());
        linger::calls(&mut calls, Arc::clone(&self.answers));
        models::calls(&mut calls, settings.rooms.pulls);
        phone::calls(&mut calls, listen);
        recall::calls(&mut calls);
        read_ahead::calls(&mut calls, Arc::clone(&self.reads));
        tools::calls(&mut calls, settings.rooms.calculation.clone());
        calls
    }

    fn add_kernel(&self, calls: &mut Calls) {
        calls.add::<chat_api::Response>(Rules {
            text: PassedText::Sent,
            ..Rules::UNSENT_PROMPT
        });
        calls.add::<chat_api::Render>(Rules::UNSENT_PROMPT);
        calls.add::<chat_api::AnswerNow>(Rules::NONE);
        calls.add::<chat_api::Resume>(Rules::NONE);
        calls.add::<chat_api::Stop>(Rules::NONE);
        calls.add::<chat_api::Models>(Rules::NONE);
        calls.add::<chat_api::Installed>(Rules::NONE);
        calls.add::<chat_api::State>(Rules::NONE);

        calls.provide(self.codes.clone());
        calls.add::<chat_api::Exchange>(Rules {
            most_bytes: Some(EXCHANGE_BYTES),
            ..Rules::NONE
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Method;
    use leptos::server_fn::ServerFn;
    use leptos::server_fn::axum::server_fn_paths;
    use sash_door::stop::StopSignal;
    use sash_server::hooks::Hooks;

    fn calls() -> Calls {
        let settings = ProgramConfig::default();
        let (_, stopped) = StopSignal::new();
        let app = App::new(&settings.server, stopped, Hooks::default()).unwrap();
        Rooms::open(&settings)
            .unwrap()
            .calls(Arc::new(app), &settings, settings.server.listen)
    }

    #[test]
    fn the_call_without_a_token_is_that_which_gives_it() {
        assert_eq!(chat_api::Exchange::PATH, sash_door::guard::EXCHANGE_PATH);
    }

    /// `backup_news` was registered by Leptos alone. Its own registration finds one path for each `#[server]`.
    #[test]
    fn every_server_function_has_its_rules_and_is_post() {
        let mut paths: Vec<_> = server_fn_paths().collect();
        paths.sort_by_key(|(path, _)| *path);
        let names: Vec<_> = paths.iter().map(|(path, _)| *path).collect();
        let calls = calls();
        let mut ruled: Vec<_> = calls.rules.keys().copied().collect();
        ruled.sort_unstable();
        assert_eq!(ruled, names);
        assert!(paths.iter().all(|(_, method)| method == Method::POST));
    }

    #[test]
    #[should_panic(expected = "/api/v1/models has two rules")]
    fn a_call_that_two_rooms_add_is_a_mistake() {
        calls().add::<chat_api::Models>(Rules::NONE);
    }
}
