//! The codes in the addresses that Sash prints and opens. The page exchanges a code for the token and the secrets
//! of rooms, so none is on a command line, which every user of the machine can read, nor in a browser's history.
//!
//! A code opens one page. Whoever uses it a second time shows that somebody else has read it, and which of the two is the
//! person nobody can tell: what it gave ends for both. The session is closed, and each secret is replaced.

use futures::future::BoxFuture;
use sash_door::guard::{FailedAttempts, Sessions};
use sash_door::random::random_digits;
use sash_wire::{Fault, PageSecrets};
use std::fmt;
use std::mem;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use subtle::ConstantTimeEq;
use tokio::sync::watch;

/// How long the code of a browser that Sash opens itself is valid.
pub const OPENED_CODE_LIFETIME: Duration = Duration::from_secs(60);

/// A secret of a room that a page gets beside its token.
pub trait PageSecret: Send + Sync {
    /// Its name in [`PageSecrets::others`].
    fn name(&self) -> &'static str;

    /// What the page gets.
    fn value(&self) -> String;

    /// Makes another one; the former one ends.
    fn replace(self: Arc<Self>) -> BoxFuture<'static, ()>;
}

/// What becomes of a code that a page gives.
enum Taken {
    Valid(PageSecrets),
    Unknown,
    /// Used for the second time, with the session that it gave.
    Again(Option<String>),
    Dead,
}

/// The codes of a server. `Debug` does not print them.
pub struct OneTimeCodes {
    /// Where the token was made: one that the person chose is in no address.
    sessions: Option<Sessions>,
    secrets: Vec<Arc<dyn PageSecret>>,
    codes: Mutex<Vec<Code>>,
    /// The code of the printed address: valid until it is used, and then replaced.
    printed: watch::Sender<String>,
    attempts: FailedAttempts,
}

struct Code {
    text: String,
    until: Option<Instant>,
    state: CodeState,
}

enum CodeState {
    Unused,
    /// With the session that it gave.
    Used(Option<String>),
    /// Used twice.
    Dead,
}

impl Code {
    fn has_expired(&self, now: Instant) -> bool {
        matches!(self.state, CodeState::Unused) && self.until.is_some_and(|until| now >= until)
    }
}

impl fmt::Debug for OneTimeCodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OneTimeCodes(…)")
    }
}

impl OneTimeCodes {
    /// The codes for what a page needs; `None` if it needs nothing.
    ///
    /// # Errors
    /// A clause for the person if the system gives no random numbers.
    pub fn new(
        sessions: Option<Sessions>,
        secrets: Vec<Arc<dyn PageSecret>>,
    ) -> Result<Option<Self>, String> {
        if sessions.is_none() && secrets.is_empty() {
            return Ok(None);
        }
        let codes = Self {
            sessions,
            secrets,
            codes: Mutex::default(),
            printed: watch::Sender::default(),
            attempts: FailedAttempts::default(),
        };
        codes.print_another()?;
        Ok(Some(codes))
    }

    /// The code of the printed address, which changes once it is used.
    #[must_use]
    pub fn printed(&self) -> watch::Receiver<String> {
        self.printed.subscribe()
    }

    /// Makes a code; one with a lifetime is not valid afterwards.
    ///
    /// # Errors
    /// A clause for the person if the system gives no random numbers.
    pub fn issue(&self, lifetime: Option<Duration>) -> Result<String, String> {
        let text = random_digits::<16>()?;
        self.codes().push(Code {
            text: text.clone(),
            until: lifetime.map(|lifetime| Instant::now() + lifetime),
            state: CodeState::Unused,
        });
        Ok(text)
    }

    /// Gives what a code is for.
    ///
    /// # Errors
    /// [`Fault::AddressExpired`] for a code that is not valid (any more), [`Fault::TooManyAttempts`] instead of it after ten
    /// within a minute, and [`Fault::OpenedTwice`] for one that was used.
    pub async fn exchange(&self, code: &str, client: IpAddr) -> Result<PageSecrets, Fault> {
        match self.take(code)? {
            Taken::Valid(secrets) => {
                if *self.printed.borrow() == code {
                    self.print_another().map_err(no_random_numbers)?;
                }
                Ok(secrets)
            }
            Taken::Unknown => {
                self.attempts.count(client)?;
                Err(Fault::AddressExpired)
            }
            Taken::Again(session) => {
                self.end(session).await;
                Err(Fault::OpenedTwice)
            }
            Taken::Dead => Err(Fault::OpenedTwice),
        }
    }

    fn take(&self, given: &str) -> Result<Taken, Fault> {
        let mut codes = self.codes();
        let now = Instant::now();
        codes.retain(|code| !code.has_expired(now));
        let is_given = |code: &&mut Code| code.text.as_bytes().ct_eq(given.as_bytes()).into();
        let Some(code) = codes.iter_mut().find(is_given) else {
            return Ok(Taken::Unknown);
        };
        Ok(match mem::replace(&mut code.state, CodeState::Dead) {
            CodeState::Unused => {
                let token = self.sessions.as_ref().map(Sessions::begin).transpose();
                let token = token.map_err(no_random_numbers)?;
                code.state = CodeState::Used(token.clone());
                let secrets = self.secrets.iter();
                let others = secrets.map(|secret| (secret.name().to_owned(), secret.value()));
                let others = others.collect();
                Taken::Valid(PageSecrets { token, others })
            }
            CodeState::Used(session) => Taken::Again(session),
            CodeState::Dead => Taken::Dead,
        })
    }

    /// Ends what a code gave.
    async fn end(&self, session: Option<String>) {
        tracing::warn!("an address of the page was opened a second time: what it gave has ended");
        if let (Some(sessions), Some(session)) = (&self.sessions, session) {
            sessions.end(&session);
        }
        for secret in &self.secrets {
            Arc::clone(secret).replace().await;
        }
    }

    fn print_another(&self) -> Result<(), String> {
        let code = self.issue(None)?;
        self.printed.send_replace(code);
        Ok(())
    }

    fn codes(&self) -> MutexGuard<'_, Vec<Code>> {
        self.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn no_random_numbers(error: String) -> Fault {
    tracing::error!(%error, "no code and no session");
    Fault::Internal
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLIENT: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn codes() -> (OneTimeCodes, Sessions) {
        let sessions = Sessions::default();
        let codes = OneTimeCodes::new(Some(sessions.clone()), Vec::new()).unwrap();
        (codes.unwrap(), sessions)
    }

    #[tokio::test]
    async fn a_code_opens_one_page_and_a_second_use_ends_what_it_gave() {
        let (codes, sessions) = codes();
        let printed = codes.printed();
        let first = printed.borrow().clone();
        let given = codes.exchange(&first, CLIENT).await.unwrap();
        let (token, other) = (given.token.unwrap(), sessions.begin().unwrap());
        assert!(given.others.is_empty());
        assert_eq!(sessions.check(token.as_bytes()), Ok(true));
        assert_ne!(
            *printed.borrow(),
            first,
            "another browser has another address"
        );
        for _ in 0..2 {
            let again = codes.exchange(&first, CLIENT).await;
            assert_eq!(again, Err(Fault::OpenedTwice));
            assert_eq!(sessions.check(token.as_bytes()), Err(Fault::OpenedTwice));
        }
        assert_eq!(sessions.check(other.as_bytes()), Ok(true));
        assert_eq!(sessions.check(b"nonsense"), Ok(false));
        let next = printed.borrow().clone();
        assert!(codes.exchange(&next, CLIENT).await.is_ok());
    }

    #[tokio::test]
    async fn a_code_with_a_lifetime_expires_and_codes_are_not_found_by_trying() {
        let (codes, _) = codes();
        let short = codes.issue(Some(Duration::ZERO)).unwrap();
        let long = codes.issue(Some(OPENED_CODE_LIFETIME)).unwrap();
        assert_eq!(
            codes.exchange(&short, CLIENT).await,
            Err(Fault::AddressExpired)
        );
        for _ in 0..9 {
            let refused = codes.exchange("nonsense", CLIENT).await;
            assert_eq!(refused, Err(Fault::AddressExpired));
        }
        let refused = codes.exchange("", CLIENT).await;
        assert_eq!(refused, Err(Fault::TooManyAttempts));
        assert!(codes.exchange(&long, CLIENT).await.is_ok());
        // The code of a browser that Sash opened is not the printed one.
        let printed = codes.printed().borrow().clone();
        assert!(codes.exchange(&printed, CLIENT).await.is_ok());
    }

    #[test]
    fn where_nothing_is_needed_there_is_no_code() {
        assert!(OneTimeCodes::new(None, Vec::new()).unwrap().is_none());
    }
}
