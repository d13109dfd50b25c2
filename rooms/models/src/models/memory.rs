//! The memory of a loaded model: where it is, and how long it stays.

use super::time::parse_time;
use sash_wire::LoadedModel;

/// A longer time left means that the model stays: Ollama writes `keep_alive: -1` as the year 2319.
const STAYS_MS: u64 = 10 * 365 * 24 * 3_600_000;

/// How long a loaded model stays in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLeft {
    /// Until someone unloads it.
    Unlimited,
    /// For so many seconds, if nobody uses it.
    Seconds(u64),
    /// The engine does not say.
    Unknown,
}

impl TimeLeft {
    /// The time left at `now`, in milliseconds since 1970.
    #[must_use]
    pub fn of(model: &LoadedModel, now: u64) -> Self {
        let Some(until) = parse_time(&model.expires_at) else {
            return Self::Unknown;
        };
        match until.saturating_sub(now) {
            STAYS_MS.. => Self::Unlimited,
            left => Self::Seconds(left.div_ceil(1000)),
        }
    }
}

/// The share of a loaded model that is in the memory of the GPU, in percent; `None` if the engine
/// does not report its size.
#[must_use]
pub fn gpu_percent(model: &LoadedModel) -> Option<u64> {
    let share = model.size_vram.min(model.size) as f64 / model.size as f64;
    (model.size > 0).then(|| (share * 100.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_counted_in_whole_seconds() {
        let left = |expires_at: &str| {
            let model = LoadedModel {
                expires_at: expires_at.to_owned(),
                ..LoadedModel::default()
            };
            TimeLeft::of(&model, 1_795_000_000_000)
        };
        assert_eq!(left("2026-11-18T11:06:41.5Z"), TimeLeft::Seconds(2));
        assert_eq!(left("2026-11-18T12:06:50+01:00"), TimeLeft::Seconds(10));
        assert_eq!(left("2026-11-18T00:00:00Z"), TimeLeft::Seconds(0));
        assert_eq!(left("2319-03-04T05:06:07Z"), TimeLeft::Unlimited);
        assert_eq!(left(""), TimeLeft::Unknown);
    }

    #[test]
    fn the_share_of_the_gpu_is_that_of_the_bytes() {
        let percent = |size, size_vram| {
            gpu_percent(&LoadedModel {
                size,
                size_vram,
                ..LoadedModel::default()
            })
        };
        assert_eq!(percent(1000, 483), Some(48));
        assert_eq!(percent(1000, 0), Some(0));
        assert_eq!(percent(1000, 2000), Some(100));
        assert_eq!(percent(0, 0), None);
    }
}
