//! One budget of turns and of bytes for all that is read, counted, rendered or embedded before the person sends anything.
//! It is refused where there is no room: nobody waits for it, and no prompt waits behind it.

use sash_wire::Fault;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The budget of all requests with what was not sent.
#[derive(Clone, Debug)]
pub struct UnsentBudget {
    turns: usize,
    bytes: usize,
    used: Arc<Mutex<Used>>,
}

#[derive(Debug, Default)]
struct Used {
    turns: usize,
    bytes: usize,
}

/// A turn, and the bytes of a body. Dropping it gives both back.
#[derive(Debug)]
pub struct UnsentPermit {
    used: Arc<Mutex<Used>>,
    bytes: usize,
}

impl UnsentBudget {
    /// So many requests at once, with so many bytes together.
    #[must_use]
    pub fn new(turns: usize, bytes: usize) -> Self {
        Self {
            turns,
            bytes,
            used: Arc::default(),
        }
    }

    /// Refuses a request for which there is no room now, before its body is read.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`]
    pub fn check(&self, bytes: usize) -> Result<(), Fault> {
        self.room(&lock(&self.used), bytes)
    }

    /// A turn for a body of so many bytes.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`]
    pub fn try_acquire(&self, bytes: usize) -> Result<UnsentPermit, Fault> {
        let mut used = lock(&self.used);
        self.room(&used, bytes)?;
        used.turns += 1;
        used.bytes += bytes;
        Ok(UnsentPermit {
            used: Arc::clone(&self.used),
            bytes,
        })
    }

    /// The fault of a request for which there is no room.
    #[must_use]
    pub fn fault(&self) -> Fault {
        let limit = lock(&self.used).turns.max(1);
        Fault::TooManyAnswers { limit }
    }

    fn room(&self, used: &Used, bytes: usize) -> Result<(), Fault> {
        match used.turns < self.turns && used.bytes + bytes <= self.bytes {
            true => Ok(()),
            // Those that run now: where the bytes are used up they are fewer than the turns.
            false => Err(Fault::TooManyAnswers { limit: used.turns }),
        }
    }
}

impl Drop for UnsentPermit {
    fn drop(&mut self) {
        let mut used = lock(&self.used);
        used.turns -= 1;
        used.bytes -= self.bytes;
    }
}

fn lock(used: &Mutex<Used>) -> MutexGuard<'_, Used> {
    used.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_and_bytes_are_bounded_together_and_come_back() {
        let budget = UnsentBudget::new(3, 100);
        let refused = |limit| Some(Fault::TooManyAnswers { limit });
        let large = budget.try_acquire(90).unwrap();
        assert_eq!(budget.try_acquire(11).err(), refused(1));
        assert_eq!(budget.check(11).err(), refused(1));
        let small: Vec<_> = (0..2).map(|_| budget.try_acquire(5).unwrap()).collect();
        assert_eq!(budget.try_acquire(0).err(), refused(3));
        drop(large);
        assert_eq!(budget.check(90), Ok(()));
        drop(small);
        assert!(budget.try_acquire(100).is_ok());
    }
}
