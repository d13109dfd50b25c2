//! The speed of a pull.

use std::collections::VecDeque;

/// The speed is that of the last ten seconds, in milliseconds.
const WINDOW_MS: f64 = 10_000.0;
/// The shortest time between two samples, in milliseconds. The shown speed changes no faster.
const SAMPLE_MS: f64 = 500.0;

/// How fast bytes come. Bytes that were there before the pull are not counted.
#[derive(Clone, Debug, Default)]
pub struct PullRate {
    received: u64,
    /// Times on the monotonic clock in milliseconds, each with the bytes received until then.
    samples: VecDeque<(f64, u64)>,
    speed: u64,
}

impl PullRate {
    /// Notes that so many bytes came.
    pub(super) fn record(&mut self, now: f64, bytes: u64) {
        self.received += bytes;
        if self
            .samples
            .back()
            .is_some_and(|(at, _)| now - at < SAMPLE_MS)
        {
            return;
        }
        self.samples.push_back((now, self.received));
        while self.samples.len() > 2
            && self
                .samples
                .front()
                .is_some_and(|(at, _)| now - at > WINDOW_MS)
        {
            self.samples.pop_front();
        }
        if let Some((at, before)) = self.samples.front().filter(|(at, _)| *at < now) {
            self.speed = ((self.received - before) as f64 * 1000.0 / (now - at)) as u64;
        }
    }

    /// Bytes per second; 0 while it is unknown.
    #[must_use]
    pub fn speed(&self) -> u64 {
        self.speed
    }

    /// The seconds that so many bytes take; `None` while the speed is unknown.
    #[must_use]
    pub fn seconds_for(&self, bytes: u64) -> Option<u64> {
        (self.speed > 0).then(|| bytes.div_ceil(self.speed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_that_of_the_last_seconds() {
        let mut rate = PullRate::default();
        rate.record(0.0, 0);
        assert_eq!((rate.speed(), rate.seconds_for(100)), (0, None));
        for second in 1..=20 {
            rate.record(f64::from(second) * 1000.0, 1_000_000);
        }
        assert_eq!(rate.speed(), 1_000_000);
        assert_eq!(rate.seconds_for(2_500_000), Some(3));
        for second in 21..=40 {
            rate.record(f64::from(second) * 1000.0, 10_000);
        }
        assert_eq!(rate.speed(), 10_000);
    }

    #[test]
    fn it_changes_twice_a_second_at_most() {
        let mut rate = PullRate::default();
        rate.record(0.0, 0);
        rate.record(1000.0, 1000);
        for tick in 1..8 {
            rate.record(1000.0 + f64::from(tick) * 60.0, 500);
            assert_eq!(rate.speed(), 1000);
        }
        rate.record(2000.0, 0);
        assert_eq!(rate.speed(), 2250);
    }
}
