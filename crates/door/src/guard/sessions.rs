//! Sessions: what a one-time code gives in the place of the token. One opens the same doors, and can be ended alone.

use crate::random::random_digits;
use sash_wire::Fault;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use subtle::ConstantTimeEq;

/// The sessions of a server, whatever clones it. There is one for each code that was used, and a person reads the codes, so
/// they are few. `Debug` does not print them.
#[derive(Clone, Default)]
pub struct Sessions(Arc<Mutex<Vec<Session>>>);

struct Session {
    secret: String,
    is_ended: bool,
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sessions(…)")
    }
}

impl Sessions {
    /// Begins a session.
    ///
    /// # Errors
    /// A clause for the person if the system gives no random numbers.
    pub fn begin(&self) -> Result<String, String> {
        let secret = random_digits::<32>()?;
        self.with(|sessions| {
            sessions.push(Session {
                secret: secret.clone(),
                is_ended: false,
            });
        });
        Ok(secret)
    }

    /// Ends a session.
    pub fn end(&self, secret: &str) {
        self.with(|sessions| {
            let ended = sessions
                .iter_mut()
                .filter(|session| session.secret == secret);
            ended.for_each(|session| session.is_ended = true);
        });
    }

    /// Whether a client gave the secret of a session.
    ///
    /// # Errors
    /// [`Fault::OpenedTwice`] for one that was ended.
    pub fn check(&self, given: &[u8]) -> Result<bool, Fault> {
        self.with(|sessions| {
            let is_given = |session: &&Session| session.secret.as_bytes().ct_eq(given).into();
            match sessions.iter().find(is_given) {
                Some(session) if session.is_ended => Err(Fault::OpenedTwice),
                found => Ok(found.is_some()),
            }
        })
    }

    fn with<T>(&self, run: impl FnOnce(&mut Vec<Session>) -> T) -> T {
        run(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
