//! Keeps the address of the page and the open chat the same.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};
use sash_chat::Id;
use sash_state::{Address, Stores};

/// Back and forward open the chat of the address; opening a chat writes its address. The stores open
/// the first chat, before there is a router.
pub fn follow_address(stores: Stores) {
    let navigate = use_navigate();
    let pathname = use_location().pathname;
    let write = StoredValue::new_local(move |address: Address, replace: bool| {
        let options = NavigateOptions {
            replace,
            scroll: false,
            ..NavigateOptions::default()
        };
        navigate(&address.to_string(), options);
    });
    let open = Memo::new(move |_| (stores.chats.open_id(), stores.address()));
    Effect::new(move |former: Option<()>| {
        let address = Address::parse(&pathname.get());
        // At the start `/` stands for the chat that was open before.
        let says_more = |address: &Address| former.is_some() || *address != Address::NewChat;
        if let Some(address) = address.filter(says_more)
            && !stores.follow(address)
        {
            stores.notices.show("That chat is not in this browser");
            write.with_value(|write| write(open.get_untracked().1, true));
        }
    });
    Effect::new(move |former: Option<(Id, Address)>| {
        let (id, address) = open.get();
        if Address::parse(&pathname.get_untracked()) != Some(address) {
            // A new chat gets its address with its first message: that is no step to go back.
            let is_first = |former: (Id, Address)| former == (id, Address::NewChat);
            let replace =
                former.is_none_or(|former| is_first(former) && address != Address::Models);
            write.with_value(|write| write(address, replace));
        }
        (id, address)
    });
}
