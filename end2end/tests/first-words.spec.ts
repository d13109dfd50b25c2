// What is written before the program has come: the field of the frame takes it, the page's own takes it over.
import type { Page } from "@playwright/test";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { forgetJournal, id, openWith, record } from "../support/log";
import { says } from "../support/standIn";

const all = process.env.SASH_TESTS === "all";
const WASM = /\.wasm$/;
const frame = (page: Page) => page.locator("#shell-prompt");

/** Holds the program back until the returned function is called. */
async function hold(page: Page): Promise<() => void> {
  let arrive = () => {};
  const held = new Promise<void>((done) => (arrive = done));
  await page.route(WASM, async (route) => {
    await held;
    await route.continue();
  });
  return arrive;
}

/** Opens an address, and waits until the frame takes words. */
async function openFrame(app: ChatPage, path = "/"): Promise<() => void> {
  const arrive = await hold(app.page);
  await app.page.goto(app.url + path);
  await expect(frame(app.page)).toBeEnabled();
  return arrive;
}

async function arrived(app: ChatPage, arrive: () => void): Promise<void> {
  arrive();
  await app.started();
  await expect(app.page.locator("#shell")).toHaveCount(0);
}

test("words typed every 20 ms of the start are all there, once and in order", async ({ app, page }) => {
  const words = "The quick brown fox jumps over the lazy dog and runs through the wood. ".repeat(2);
  // Before the program is there, and while it begins.
  for (const wait of all ? [0, 60, 200, 400] : [60, 400]) {
    await page.route(WASM, async (route) => {
      await new Promise((done) => setTimeout(done, wait));
      await route.continue();
    });
    await page.goto(app.url);
    await expect(frame(page).or(app.composer)).toBeFocused();
    const before = await page.evaluate(() => document.activeElement!.id);
    if (wait >= 200) expect(before, "the frame takes words").toBe("shell-prompt");
    for (const letter of words) {
      await page.keyboard.press(letter === " " ? "Space" : letter);
      await page.waitForTimeout(20);
    }
    await app.started();
    await expect(app.composer, `from ${before}, with the program ${wait} ms late`).toHaveValue(words);
    await expect(app.composer).toBeFocused();
    await page.unroute(WASM);
    await app.composer.fill("");
    await page.evaluate(() => (localStorage.clear(), sessionStorage.clear()));
  }
});

test("caret and selection stay where they were, and undo takes what was typed back", async ({ app, page }) => {
  const arrive = await openFrame(app);
  await page.keyboard.type("one three\nfour");
  await frame(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(4, 9));
  await arrived(app, arrive);
  await expect(app.composer).toBeFocused();
  await page.keyboard.type("two");
  await expect(app.composer).toHaveValue("one two\nfour");
  // How many letters a step takes back is the browser's.
  const values: string[] = [];
  const undo = async () => {
    await page.keyboard.press("ControlOrMeta+z");
    values.push(await app.composer.inputValue());
    return values.at(-1);
  };
  await expect.poll(undo).toBe("");
  expect(values).toContain("one three\nfour");
});

test("Enter is a wish to send that is shown, and is done once the program is there", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  const arrive = await openFrame(app);
  const wish = page.locator("#shell-wish");
  await page.keyboard.press("Enter");
  await expect(wish, "nothing is written").toHaveText("");
  await page.keyboard.type("A question?");
  await page.keyboard.press("Enter");
  await expect(wish).toHaveText("Sends as soon as Sash has loaded");
  await expect(frame(page)).toHaveValue("A question?");
  expect(await standIn.seen()).toEqual([]);
  await arrived(app, arrive);
  await app.ended("complete");
  await expect(app.text(app.message(1))).toHaveText("A question?");
  await expect(app.composer).toHaveValue("");
});

test("Enter is the end of a line where more is written after it, and Escape takes it back", async ({ app, page, standIn }) => {
  let arrive = await openFrame(app);
  await page.keyboard.type("One");
  await page.keyboard.press("Enter");
  await page.keyboard.type("two");
  await expect(frame(page)).toHaveValue("One\ntwo");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("three");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(page.locator("#shell-wish")).toHaveText("");
  await arrived(app, arrive);
  await app.ready();
  await expect(app.composer).toHaveValue("One\ntwo\nthree");
  expect(await standIn.seen()).toEqual([]);
  // Where Ctrl+Enter is chosen, Enter ends a line.
  await app.composer.fill("");
  await page.evaluate((settings) => localStorage.setItem("sash:set", settings), record({ send_key: "ctrl_enter", rev: 9 }));
  await page.unrouteAll();
  arrive = await openFrame(app);
  await page.keyboard.type("One");
  await page.keyboard.press("Enter");
  await expect(frame(page)).toHaveValue("One\n");
  await page.keyboard.press("Control+Enter");
  await expect(page.locator("#shell-wish")).not.toHaveText("");
});

test("on a phone nothing has the focus, Enter ends a line, and what is written there is taken over", async ({ browser, house, standIn }) => {
  void standIn;
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  const app = new ChatPage(await context.newPage(), house.sash.url);
  const arrive = await openFrame(app);
  await expect(frame(app.page)).not.toBeFocused();
  await frame(app.page).tap();
  await app.page.keyboard.type("One");
  await app.page.keyboard.press("Enter");
  await app.page.keyboard.type("two");
  await arrived(app, arrive);
  await expect(app.composer).toHaveValue("One\ntwo");
  await expect(app.composer).toBeFocused();
  await context.close();
});

test("a stored draft is in the field at once, and is written on with", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question?");
  await app.composer.fill("A draft");
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith("sash:d:")))).toBe(true);
  let arrive = await hold(page);
  await page.reload();
  await expect(frame(page)).toHaveValue("A draft");
  await expect(frame(page)).toBeFocused();
  await page.keyboard.type(", and more");
  await arrived(app, arrive);
  await expect(app.composer).toHaveValue("A draft, and more");
  // Nothing typed: it is as it was.
  await page.unrouteAll();
  await app.reload();
  await expect(app.composer).toHaveValue("A draft, and more");
  // Left before the program has come, and come back to: what was typed is there.
  arrive = await hold(page);
  await page.reload();
  await expect(frame(page)).toBeFocused();
  await page.keyboard.type("!");
  await page.reload();
  await expect(frame(page)).toHaveValue("A draft, and more!");
  await arrived(app, arrive);
  await expect(app.composer).toHaveValue("A draft, and more!");
});

test("a draft that the frame does not show comes before what is typed, and Enter does not send it", async ({ app, page, standIn }) => {
  const chat = id(0xc1);
  const text = "[File: a.txt]\n```\ntext\n```\n\nWhat is it?";
  await openWith(app, { [`sash:d:${chat}`]: record({ at: Date.now(), rev: 1, text }) });
  await expect(app.composer).toHaveValue("What is it?");
  const arrive = await hold(page);
  await page.reload();
  await expect(frame(page)).toBeFocused();
  await page.keyboard.type("Really");
  await page.keyboard.press("Enter");
  await arrived(app, arrive);
  await app.ready();
  await expect(app.composer).toHaveValue("What is it?\nReally");
  expect(await standIn.seen()).toEqual([]);
});

test("an address that fills in a question has it before what is typed, unsent", async ({ app, page, standIn }) => {
  const arrive = await openFrame(app, "/?q=Why%3F");
  await page.keyboard.type("Tell me.");
  await page.keyboard.press("Enter");
  await arrived(app, arrive);
  await app.ready();
  await expect(app.composer).toHaveValue("Why?\nTell me.");
  expect(await standIn.seen()).toEqual([]);
});

test("Enter sends only into the chat that the frame had", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question?");
  const wish = page.locator("#shell-wish");
  // A new tab opens the chat that was changed last, and an address of no chat a new one.
  for (const [path, words, messages] of [["/", "Whereto?", 2], [`/chats/${id(0xff)}`, "And this?", 0]] as const) {
    await page.evaluate(() => sessionStorage.clear());
    const arrive = await openFrame(app, path);
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
    await expect(wish, path).toHaveText("");
    await arrived(app, arrive);
    await app.ready();
    await expect(app.composer, path).toHaveValue(words);
    await expect(app.messages, path).toHaveCount(messages);
    await page.unrouteAll();
  }
  await app.composer.fill("");
  await app.chat("A question?").click();
  await expect(app.messages).toHaveCount(2);
  await app.composer.fill("");
  await standIn.script(says("Another answer."));
  const arrive = await hold(page);
  await page.reload();
  await expect(frame(page)).toBeFocused();
  await page.keyboard.type("Another question?");
  await page.keyboard.press("Enter");
  await expect(wish).not.toHaveText("");
  await arrived(app, arrive);
  await expect(app.messages).toHaveCount(4);
  await app.ended("complete");
  await expect(app.text(app.message(3))).toHaveText("Another question?");
});

test("after the reload of a temporary chat Enter sends nothing into another one", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question?");
  await page.keyboard.press("Alt+Shift+n");
  await expect(app.title).toHaveText("Temporary chat");
  await app.composer.fill("Not to be kept");
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("sash:temporary"))).not.toBe(null);
  const arrive = await hold(page);
  await page.reload();
  await expect(frame(page)).toBeFocused();
  await page.keyboard.type("Nor this");
  await page.keyboard.press("Enter");
  await expect(page.locator("#shell-wish")).toHaveText("");
  await arrived(app, arrive);
  await app.ready();
  await expect(app.composer).toHaveValue("Nor this");
  await expect(app.messages).toHaveCount(2);
});

test("words of the frame that were sent do not come back after a crash", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question?");
  const arrive = await hold(page);
  await page.reload();
  await expect(frame(page)).toBeFocused();
  await page.keyboard.type("Another question?");
  await arrived(app, arrive);
  await app.ready();
  await standIn.script(says("Another answer."));
  await app.composer.press("Enter");
  await expect(app.messages).toHaveCount(4);
  await app.ended("complete");
  await page.evaluate(() => dispatchEvent(new CustomEvent("sash:crash", { detail: "A test." })));
  await page.getByRole("alert").getByRole("button", { name: "Reload" }).click();
  await app.started();
  await expect(app.messages).toHaveCount(4);
  await expect(app.composer).toHaveValue("");
});

test("words of a frame that was left are there once, also where the draft changed meanwhile", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question?");
  const chat = await page.evaluate(() => sessionStorage.getItem("sash:open"));
  const arrive = await hold(page);
  await page.reload();
  await expect(frame(page)).toBeFocused();
  await page.keyboard.type("Typed");
  await forgetJournal(page);
  const draft = record({ at: Date.now(), rev: 9, text: "From elsewhere" });
  await page.evaluate(([key, draft]) => localStorage.setItem(key!, draft!), [`sash:d:${chat}`, draft]);
  await page.reload();
  await expect(frame(page)).toHaveValue("Typed");
  await arrived(app, arrive);
  await expect(app.composer).toHaveValue("From elsewhere\nTyped");
  await app.composer.fill("");
  await page.unrouteAll();
  await app.reload();
  await expect(app.composer).toHaveValue("");
});

test("the frame says what will be opened: a new chat for a question of an address, and nothing of a chat in the trash", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question?");
  const chat = await page.evaluate(() => sessionStorage.getItem("sash:open"));
  await app.composer.fill("A draft");
  await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), `sash:d:${chat}`)).not.toBe(null);
  const title = page.locator("#shell-title");
  await openFrame(app);
  await expect(frame(page)).toHaveValue("A draft");
  await page.goto(`${app.url}/?q=Why%3F`);
  await expect(frame(page)).toBeEnabled();
  await expect(title).toHaveText("New chat");
  await expect(frame(page)).toHaveValue("");
  await page.evaluate(([key, tombstone]) => localStorage.setItem(key!, tombstone!), [`sash:x:${chat}`, record({ at: Date.now(), rev: 9 })]);
  await page.goto(app.url);
  await expect(frame(page)).toBeEnabled();
  await expect(title).toHaveText("New chat");
  await expect(frame(page)).toHaveValue("");
});

test("what AltGr writes goes into the frame, and what Ctrl and Alt do does not", async ({ app, page }) => {
  await openFrame(app);
  const press = (modifierAltGraph: boolean) =>
    page.evaluate((modifierAltGraph) => {
      const keys = { key: "@", ctrlKey: true, altKey: true, modifierAltGraph, bubbles: true };
      document.body.dispatchEvent(new KeyboardEvent("keydown", keys));
    }, modifierAltGraph);
  await frame(page).blur();
  await press(false);
  await expect(frame(page)).not.toBeFocused();
  await press(true);
  await expect(frame(page)).toBeFocused();
});

test("a word that is being composed is not broken off", async ({ app, page }) => {
  const arrive = await openFrame(app);
  await page.keyboard.type("ab");
  const input = await page.context().newCDPSession(page);
  await input.send("Input.imeSetComposition", { text: "にほ", selectionStart: 2, selectionEnd: 2 });
  arrive();
  await app.started();
  await expect(frame(page)).toBeFocused();
  await expect(app.send, "the page has the words meanwhile").toBeEnabled();
  await input.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
  await expect(app.composer.last()).toHaveValue("abにほん");
  await input.send("Input.insertText", { text: "日本" });
  await expect(page.locator("#shell")).toHaveCount(0);
  await expect(app.composer).toBeFocused();
  await page.keyboard.type("!");
  await expect(app.composer).toHaveValue("ab日本!");
});

test("where the program does not come or stops, what was typed is there to be copied, and after Retry again", async ({ app, page, watch }) => {
  watch.allow(/Sash could not start/);
  let fail = () => {};
  const held = new Promise<void>((done) => (fail = done));
  await page.route(WASM, async (route) => {
    await held;
    await route.fulfill({ status: 404, contentType: "text/plain", body: "no" });
  });
  await page.goto(app.url);
  await expect(frame(page)).toBeFocused();
  await page.keyboard.type("Not to be lost");
  fail();
  const failure = page.getByRole("alert");
  await expect(failure.getByRole("textbox", { name: "What you were writing:" })).toHaveValue("Not to be lost");
  await expect(frame(page)).toBeHidden();
  await page.unroute(WASM);
  await failure.getByRole("button", { name: "Retry" }).click();
  await app.started();
  await expect(app.composer).toHaveValue("Not to be lost");
});

test("a page over the chat has the keys: the frame takes none", async ({ app, page }) => {
  for (const path of ["/settings", "/models", "/numbers"]) {
    const arrive = await hold(page);
    await page.goto(app.url + path);
    await expect(page.locator("#shell")).toBeVisible();
    await expect(frame(page)).toBeDisabled();
    await page.keyboard.type("abc");
    await arrived(app, arrive);
    await expect(page.locator("#prompt")).toHaveValue("");
    await page.unroute(WASM);
  }
});

/** A page's look that boot.js takes over. */
const LOOKS = [
  { name: "wide", width: 1280, height: 800, language: "en", theme: "light" },
  { name: "wide, dark, German, larger", width: 1280, height: 800, language: "de", theme: "dark", size: "larger" },
  { name: "wide, Hebrew, with the panel", width: 1280, height: 800, language: "he", theme: "light", panel: true },
  { name: "a tablet, @scrollbars", width: 700, height: 900, language: "en", theme: "light" },
  { name: "a phone", width: 390, height: 844, language: "en", theme: "dark", touch: true },
  { name: "a narrow phone, Hebrew", width: 320, height: 568, language: "he", theme: "light", touch: true },
] as const;

for (const look of LOOKS) {
  // Guarded in each run by three of them: from left to right, from right to left, in another language, wide and narrow.
  const tag = ["wide", "wide, Hebrew, with the panel", "a phone"].includes(look.name) ? "@all" : [];
  test(`nothing moves when the program takes over, and its words are those of the page: ${look.name}`, { tag }, async ({ browser, house, standIn }) => {
    void standIn;
    const { width, height, language, theme } = look;
    const isTouch = "touch" in look;
    const context = await browser.newContext({ viewport: { width, height }, hasTouch: isTouch, isMobile: isTouch });
    await context.addInitScript(
      ([language, theme, size, panel]) => {
        localStorage.setItem("sash:language", language!);
        localStorage.setItem("sash:theme", theme!);
        if (size) localStorage.setItem("sash:text-size", size);
        if (panel) sessionStorage.setItem("sash:panel", "open");
        const moved: string[] = [];
        Object.assign(globalThis, { moved });
        new PerformanceObserver((list) => {
          for (const { sources } of list.getEntries() as (PerformanceEntry & { sources: { node?: Node }[] })[]) {
            for (const { node } of sources) {
              const element = node instanceof Element ? node : node?.parentElement;
              // What the list of models moves when it comes is another matter.
              if (element?.closest("#shell, .composer, h1")) moved.push(element.outerHTML.slice(0, 120));
            }
          }
        }).observe({ type: "layout-shift", buffered: true });
      },
      [language, theme, "size" in look ? look.size : "", "panel" in look ? "panel" : ""],
    );
    const page = await context.newPage();
    const app = new ChatPage(page, house.sash.url);
    const arrive = await openFrame(app);
    await page.waitForTimeout(300);
    const looks = (field: string) =>
      page.evaluate((field) => {
        const element = document.querySelector<HTMLTextAreaElement>(field)!;
        const box = (element: Element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [x, y, width, height];
        };
        const { color, fontFamily, fontSize, lineHeight, padding, direction, textAlign } = getComputedStyle(element);
        const frame = element.closest(".composer-box")!;
        const { border, borderRadius, backgroundColor, boxShadow } = getComputedStyle(frame);
        const title = element.closest(".page")!.querySelector("h1")!;
        return {
          field: box(element),
          composer: box(frame),
          title: box(title).slice(0, 2),
          words: [element.placeholder, element.getAttribute("aria-label"), title.textContent],
          style: { color, fontFamily, fontSize, lineHeight, padding, direction, textAlign, border, borderRadius, backgroundColor, boxShadow },
        };
      }, field);
    const before = await looks("#shell-prompt");
    expect(before.words[2]).not.toBe("");
    await arrived(app, arrive);
    expect(await looks("#prompt")).toEqual(before);
    expect(await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)).toEqual([]);
    await context.close();
  });
}
