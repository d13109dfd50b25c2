//! Removes from the derived JSON schemas of arguments and results what clients do not take.

use rmcp::schemars::Schema;

/// Removes `format` from the fields of an object. Rust's widths of integers (`uint16`) are none of JSON Schema's formats;
/// the official TypeScript SDK warns of each.
pub fn without_formats(schema: &mut Schema) {
    let Some(properties) = schema.get_mut("properties") else {
        return;
    };
    for property in properties.as_object_mut().into_iter().flatten() {
        if let Some(property) = property.1.as_object_mut() {
            property.remove("format");
        }
    }
}
