//! Keeps the address of the page and the open chat the same.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};
use sash_chat::Id;
use sash_state::Stores;
use sash_wire::{PageAddress, Prefill};
use sash_words::t;

/// Back and forward open the chat of the address; opening a chat writes its address. The stores open
/// the first chat, before there is a router.
/// An address that fills in a prompt or a model opens a new chat with them, once, and becomes that chat's.
pub fn follow_address(stores: Stores) {
    let navigate = use_navigate();
    let pathname = use_location().pathname;
    let write = StoredValue::new_local(move |address: PageAddress, replace: bool| {
        let options = NavigateOptions {
            replace,
            scroll: false,
            ..NavigateOptions::default()
        };
        navigate(&address.to_string(), options);
    });
    let query = use_location().search.get_untracked();
    if PageAddress::parse(&pathname.get_untracked()) == Some(PageAddress::NewChat)
        && let Some(prefill) = Prefill::parse(&query)
    {
        stores.prefills().apply(prefill);
        write.with_value(|write| write(PageAddress::NewChat, true));
    }
    let open = Memo::new(move |_| (stores.chats().open_id(), stores.address()));
    Effect::new(move |former: Option<()>| {
        let address = PageAddress::parse(&pathname.get());
        // At the start `/` stands for the chat that was open before.
        let says_more =
            |address: &PageAddress| former.is_some() || *address != PageAddress::NewChat;
        if let Some(address) = address.filter(says_more)
            && !stores.follow(address)
        {
            stores.notices().show(t!(page.that_chat_is_not_in_this));
            write.with_value(|write| write(open.get_untracked().1, true));
        }
    });
    Effect::new(move |former: Option<(Id, PageAddress)>| {
        let (id, address) = open.get();
        if PageAddress::parse(&pathname.get_untracked()).as_ref() != Some(&address) {
            // A new chat gets its address with its first message: that is no step to go back.
            let is_first = |former: (Id, PageAddress)| former == (id, PageAddress::NewChat);
            let is_over = matches!(address, PageAddress::Sub(_) | PageAddress::Model(_));
            let replace = former.is_none_or(|former| is_first(former) && !is_over);
            write.with_value(|write| write(address.clone(), replace));
        }
        (id, address)
    });
}
