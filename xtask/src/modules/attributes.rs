//! What the attributes of an item say.

use syn::{Attribute, ImplItem, Item};

/// Whether an item is compiled only for tests.
pub fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else {
            return attribute.path().is_ident("test");
        };
        let words = list.tokens.to_string().replace(' ', "");
        list.path.is_ident("cfg")
            && words.split(['(', ')', ',']).any(|word| word == "test")
            && !words.contains("not(test)")
    })
}

/// An item's attributes, and its name if it has one.
pub fn parts(item: &Item) -> Option<(&[Attribute], Option<String>)> {
    let (attributes, name) = match item {
        Item::Const(item) => (&item.attrs, Some(&item.ident)),
        Item::Enum(item) => (&item.attrs, Some(&item.ident)),
        Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
        Item::Impl(item) => (&item.attrs, None),
        Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
        Item::Mod(item) => (&item.attrs, None),
        Item::Static(item) => (&item.attrs, Some(&item.ident)),
        Item::Struct(item) => (&item.attrs, Some(&item.ident)),
        Item::Trait(item) => (&item.attrs, Some(&item.ident)),
        Item::Type(item) => (&item.attrs, Some(&item.ident)),
        Item::Union(item) => (&item.attrs, Some(&item.ident)),
        Item::Use(item) => (&item.attrs, None),
        _ => return None,
    };
    Some((attributes, name.map(ToString::to_string)))
}

/// The attributes of an item of an `impl` block.
pub fn impl_item_attributes(item: &ImplItem) -> Option<&[Attribute]> {
    Some(match item {
        ImplItem::Const(item) => &item.attrs,
        ImplItem::Fn(item) => &item.attrs,
        ImplItem::Type(item) => &item.attrs,
        _ => return None,
    })
}
