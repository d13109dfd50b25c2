//! The stores that a store uses, as handles of eight bytes. By value the large ones would hold each other in kilobytes.

/// A handle over stores, with a method for each that copies it out, and the stores themselves.
#[macro_export]
macro_rules! handle {
    (
        $(#[$of_handle:meta])+ pub struct $handle:ident;
        $(#[$of_all:meta])+ pub struct $all:ident { $($(#[$doc:meta])+ $name:ident: $store:ty,)+ }
    ) => {
        $(#[$of_handle])+
        #[derive(Clone, Copy)]
        pub struct $handle(::reactive_graph::owner::StoredValue<$all>);

        $(#[$of_all])+
        #[derive(Clone, Copy)]
        pub struct $all {
            $($(#[$doc])+ pub $name: $store,)+
        }

        impl $handle {
            $($(#[$doc])+ #[must_use] pub fn $name(self) -> $store {
                ::reactive_graph::traits::WithValue::with_value(&self.0, |all| all.$name)
            })+
        }
    };
}

/// Methods that copy out the stores which a store names: `self.chats()`. Those that its handle has stand before the
/// semicolon, those that it holds itself as a `StoredValue` behind it, with their types.
#[macro_export]
macro_rules! uses {
    ($store:ident.$handle:ident: $($name:ident)+ $(; $($other:ident: $type:ty),+)?) => {
        impl $store {
            $(pub(crate) fn $name(self) -> $crate::used::$name {
                self.$handle.$name()
            })+
            $($(pub(crate) fn $other(self) -> $type {
                ::reactive_graph::traits::GetValue::get_value(&self.$other)
            })+)?
        }
    };
}

/// The types of the kernel's stores, by the names under which others have them.
#[doc(hidden)]
#[expect(non_camel_case_types, reason = "named as the methods of `uses!`")]
pub mod used {
    pub type answers = crate::Answers;
    pub type attachments = crate::Attachments;
    pub type chats = crate::Chats;
    pub type drafts = crate::Drafts;
    pub type engine = crate::EngineStore;
    pub type history = crate::History;
    pub type notices = crate::Notices;
    pub type remote = crate::RemoteAnswers;
    pub type settings = crate::SettingsStore;
    pub type steering = crate::Steering;
    pub type storage = crate::Storage;
    pub type view = crate::View;
}
