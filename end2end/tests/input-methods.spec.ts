// Input methods: Enter, Escape and arrows belong to the word that is being composed, in every field in which a key acts.
// A browser says so in its own way: Chromium and Firefox with `isComposing` before the composition ends, Safari with the
// key code 229 alone after it.
import type { CDPSession, Locator, Page } from "@playwright/test";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { says, type StandIn } from "../support/standIn";

/** The code of a key that an input method has used. */
const USED = 229;
const KEYS = ["Enter", "Escape", "ArrowDown", "ArrowUp"];

interface Scene {
  app: ChatPage;
  page: Page;
  standIn: StandIn;
}

/** A field in which a key acts. */
interface Field {
  name: string;
  /** Brings the field to the page. */
  open(scene: Scene): Promise<Locator>;
  /** What is in the field before. */
  text?: string;
  /** The key that acts when no word is being composed. */
  acts: string;
}

const named = (page: Page, name: string | RegExp): Locator => page.getByRole("textbox", { name, exact: true });

async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Alt+k");
  const field = page.locator("dialog.palette").getByRole("combobox");
  await field.fill(name);
  await field.press("Enter");
}

const FIELDS: Field[] = [
  { name: "prompt", acts: "Enter", open: async ({ app }) => app.composer },
  { name: "list of commands behind a slash", text: "/", acts: "ArrowDown", open: async ({ app }) => app.composer },
  {
    name: "name of a chat in the list",
    acts: "Enter",
    open: async ({ app, page }) => {
      await app.chat("First?").hover();
      await app.inList("First?", "Rename");
      return named(page, "Chat name");
    },
  },
  {
    name: "name of the open chat",
    acts: "Escape",
    open: async ({ app, page }) => {
      await app.title.dblclick();
      return named(page, "Chat name");
    },
  },
  {
    name: "commands",
    text: "s",
    acts: "ArrowDown",
    open: async ({ page }) => {
      await page.keyboard.press("Alt+k");
      return page.locator("dialog.palette").getByRole("combobox");
    },
  },
  {
    name: "search",
    text: "First",
    acts: "Enter",
    open: async ({ page }) => {
      await page.keyboard.press("Control+k");
      return new Library(page).field;
    },
  },
  {
    name: "models",
    text: "newcomer",
    acts: "Enter",
    open: async ({ app }) => {
      await app.model.click();
      return app.model;
    },
  },
  {
    name: "edit of a question",
    acts: "Enter",
    open: async ({ app, page }) => {
      await app.act(app.message(1), "Edit");
      return named(page, "Edit message");
    },
  },
  {
    name: "edit of an answer",
    acts: "Escape",
    open: async ({ app, page }) => {
      await app.act(app.message(2), "Edit this answer");
      return named(page, "Edit answer");
    },
  },
  {
    name: "system prompt",
    acts: "Control+Enter",
    open: async ({ page }) => {
      await command(page, "System prompt");
      return page.locator("dialog[open] textarea").first();
    },
  },
  {
    name: "name of a folder",
    acts: "Escape",
    open: async ({ app, page }) => {
      await app.openFromFoot("New folder…");
      return page.getByRole("dialog", { name: "Folder" }).getByRole("textbox", { name: "Name" });
    },
  },
  {
    name: "search of the models",
    acts: "Escape",
    open: async ({ page }) => {
      await command(page, "Models");
      return page.locator("dialog[open] input[type=search]").first();
    },
  },
  {
    name: "name of a model to pull",
    acts: "Escape",
    open: async ({ page }) => {
      await command(page, "Models");
      return page.locator("dialog[open] form input").first();
    },
  },
];

/** What a key could have changed. */
const state = (page: Page, field: Locator) =>
  field.evaluate((element: HTMLInputElement) => {
    const label = (dialog: Element) => dialog.className;
    return {
      address: location.href,
      dialogs: [...document.querySelectorAll("dialog[open]")].map(label),
      messages: document.querySelectorAll("article").length,
      isThere: element.isConnected,
      hasFocus: document.activeElement === element,
      value: element.value,
      chosen: element.getAttribute("aria-activedescendant"),
      isOpen: element.getAttribute("aria-expanded"),
    };
  });

const frames = (page: Page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** A key as Chromium (`key`) and Firefox (`Process`) tell of it before the composition ends. */
async function composing(field: Locator, key: string, shown: string): Promise<void> {
  await field.evaluate(
    (element, { key, shown, USED }) => {
      const common = { bubbles: true, cancelable: true, composed: true };
      element.dispatchEvent(new CompositionEvent("compositionstart", common));
      element.dispatchEvent(new KeyboardEvent("keydown", { ...common, key: shown, code: key, keyCode: USED, isComposing: true }));
      element.dispatchEvent(new CompositionEvent("compositionend", { ...common, data: "日本" }));
      element.dispatchEvent(new KeyboardEvent("keyup", { ...common, key, code: key }));
    },
    { key, shown, USED },
  );
}

/** A key as Safari tells of it: a word is composed and taken over, then the key comes with its code alone. */
async function composed(input: CDPSession, key: string): Promise<void> {
  const common = { key, code: key, windowsVirtualKeyCode: USED, nativeVirtualKeyCode: USED };
  await input.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...common });
  await input.send("Input.dispatchKeyEvent", { type: "keyUp", ...common });
}

for (const { name, open, text, acts } of FIELDS) {
  // Guarded in each run by three of them, one within a dialog: one listener of the page has these keys in all fields.
  const tag = ["prompt", "edit of a question", "search of the models"].includes(name) ? [] : "@all";
  test(`a key of an input method does nothing else: ${name}`, { tag }, async ({ app, page, standIn }) => {
    await standIn.script(says("Yes."));
    await app.openReady();
    await app.exchange("First?");
    const field = await open({ app, page, standIn });
    await field.fill(text ?? "word");
    await field.focus();
    const input = await page.context().newCDPSession(page);
    if (!text) {
      await input.send("Input.imeSetComposition", { text: "にほん", selectionStart: 3, selectionEnd: 3 });
      await input.send("Input.insertText", { text: "日本" });
      await expect(field).toHaveValue(/日本/);
    }
    await frames(page);
    const before = await state(page, field);
    expect(before.hasFocus).toBe(true);
    for (const key of KEYS) {
      await composing(field, key, key);
      await composing(field, key, "Process");
      await composed(input, key);
      await frames(page);
      expect(await state(page, field), key).toEqual(before);
    }
    // The same key acts once no word is being composed.
    await field.press(acts);
    await expect(async () => {
      const gone = (await field.count()) === 0;
      expect(gone || JSON.stringify(await state(page, field)) !== JSON.stringify(before)).toBe(true);
    }).toPass();
  });
}
