//! Who wrote a message, in words.

use sash_chat::{Message, Role};

/// Who wrote a message: its model, or its role.
pub fn speaker(message: &Message) -> &str {
    match message.role {
        Role::Assistant => message.model.as_deref().unwrap_or("Answer"),
        Role::System => "System",
        Role::Tool => "Tool",
        Role::User => "You",
    }
}
