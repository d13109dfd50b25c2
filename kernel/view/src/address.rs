//! Keeps the address of the page and the open chat the same.

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_location, use_navigate};
use sash_chat::Id;
use sash_stores::Kernel;
use sash_wire::{PageAddress, SubPath};
use sash_words::t;

/// Back and forward open the chat of the address; opening a chat writes its address. The stores open
/// the first chat, before there is a router.
pub fn follow_address(kernel: Kernel, pages: &'static [SubPath]) {
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
    let open = Memo::new(move |_| (kernel.chats().open_id(), kernel.chats().address()));
    Effect::new(move |former: Option<()>| {
        let address = PageAddress::parse(&pathname.get(), pages);
        // At the start `/` stands for the chat that was open before.
        let says_more =
            |address: &PageAddress| former.is_some() || *address != PageAddress::NewChat;
        if let Some(address) = address.filter(says_more)
            && !kernel.chats().follow(address)
        {
            kernel.notices().show(t!(page.unknown_chat));
            write.with_value(|write| write(open.get_untracked().1, true));
        }
    });
    Effect::new(move |former: Option<(Id, PageAddress)>| {
        let (id, address) = open.get();
        if PageAddress::parse(&pathname.get_untracked(), pages).as_ref() != Some(&address) {
            // A new chat gets its address with its first message: that is no step to go back.
            let is_first = |former: (Id, PageAddress)| former == (id, PageAddress::NewChat);
            let is_over = matches!(address, PageAddress::Sub(_));
            let replace = former.is_none_or(|former| is_first(former) && !is_over);
            write.with_value(|write| write(address.clone(), replace));
        }
        (id, address)
    });
}
