//! Tab title, settings and browser notifications.

mod browser_alerts;
mod notices_section;
mod page_title;

pub use browser_alerts::BrowserAlerts;
pub use notices_section::{NOTIFY, NoticesSection, SOUND, WAKE_LOCK};
pub use page_title::PageTitle;
