//! Settings and browser notifications.

mod alerts_section;
mod browser_alerts;

pub use alerts_section::{AlertsSection, NOTIFY, SOUND, WAKE_LOCK};
pub use browser_alerts::BrowserAlerts;
