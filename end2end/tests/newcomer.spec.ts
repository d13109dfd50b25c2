// What a newcomer wants to do, in a fresh profile, where he looks for it: each in at most six clicks. The count is of
// clicks and of choices in a select; what is typed is no click. On a phone the button that sends is one, and so is the
// one that opens the list of chats.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page } from "@playwright/test";
import { chatsIn } from "../support/backup";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import type { Programs } from "../support/house";
import { Library } from "../support/library";
import type { StandIn } from "../support/standIn";
import { Translation } from "../support/translation";

/** The most clicks of a task. */
const MOST = 6;

interface House {
  standIn: StandIn;
  programs: Programs;
  browser: Browser;
  /** Has what is named in English found in the language of a page. */
  translate(page: Page): void;
}

/** Someone who counts his clicks. */
class Newcomer {
  clicks = 0;

  constructor(
    readonly app: ChatPage,
    readonly house: House,
    /** Whether he has a phone: fingers, no keyboard with Escape, and the list of chats behind a button. */
    readonly onPhone: boolean,
  ) {}

  get page(): Page {
    return this.app.page;
  }

  async press(what: Locator): Promise<void> {
    this.clicks += 1;
    await (this.onPhone ? what.tap() : what.click());
  }

  async choose(what: Locator, value: string): Promise<void> {
    this.clicks += 1;
    await what.selectOption(value);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  /** An entry of the menu that is open. */
  item(name: string): Locator {
    const [action, check] = (["menuitem", "menuitemcheckbox"] as const).map((role) => this.page.getByRole(role, { name, exact: true }));
    return action.or(check);
  }

  dialog(name: string | RegExp): Locator {
    return this.page.getByRole("dialog", { name });
  }

  /** Leaves a dialog. */
  async leave(dialog: Locator): Promise<void> {
    if (this.onPhone) await this.press(dialog.getByRole("button", { name: "Close", exact: true }));
    else await this.page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
  }

  /** Has the list of chats on the page. */
  async openChats(): Promise<void> {
    const isHidden = (await this.page.locator(".page").getAttribute("data-chats")) === "hidden";
    if (this.onPhone && isHidden) await this.press(this.button("Chats"));
  }

  /** Presses a button of the list of chats. */
  async inChats(name: string): Promise<void> {
    await this.openChats();
    await this.press(this.app.chats.getByRole("button", { name, exact: true }));
  }

  /** Chooses from the menu at the foot of the list of chats. */
  async atFoot(name: string): Promise<void> {
    await this.openChats();
    await this.press(this.app.chats.locator("#sidebar-menu"));
    await this.press(this.item(name));
  }

  /** Chooses from the menu of the chat that is open. */
  async withChat(name: string): Promise<void> {
    await this.press(this.button("This chat"));
    await this.press(this.item(name));
  }

  /** Chooses from the menu of the last message. */
  async withLast(name: string): Promise<void> {
    if (!this.onPhone) await this.app.last.hover();
    await this.press(this.app.last.getByRole("button", { name: "More", exact: true }));
    await this.press(this.item(name));
  }

  /** Asks and waits until the answer is complete. */
  async exchange(prompt: string): Promise<void> {
    const before = await this.app.messages.count();
    await this.app.composer.fill(prompt);
    if (this.onPhone) await this.press(this.app.send);
    else await this.app.composer.press("Enter");
    await expect(this.app.messages).toHaveCount(before + 2);
    await this.app.ended("complete");
  }

  /** The same person in another browser, who goes on counting. */
  async elsewhere(url: string): Promise<Newcomer> {
    const page = await (await this.house.browser.newContext()).newPage();
    this.house.translate(page);
    const app = new ChatPage(page, url);
    const other = new Newcomer(app, this.house, this.onPhone);
    other.clicks = this.clicks;
    return other;
  }
}

/** What a task gives: the clicks so far, where it ended with another one than it began with. */
type Task = (one: Newcomer) => Promise<void | Newcomer>;

const tasks: [string, Task][] = [
  ["change the temperature", async (one) => {
    await one.press(one.button("Parameters"));
    await one.page.getByLabel("temperature", { exact: true }).fill("0.2");
    await one.leave(one.dialog("Parameters"));
    await one.exchange("Again");
    const [chat] = (await one.house.standIn.chats(2)).slice(-1);
    expect(chat.body.options).toMatchObject({ temperature: 0.2 });
  }],
  ["make all answers shorter", async (one) => {
    await one.inChats("Settings");
    await one.dialog("Settings").getByRole("textbox", { name: "System prompt" }).fill("Answer in one sentence.");
    await one.leave(one.dialog("Settings"));
    await one.inChats("New chat");
    await one.exchange("Why is the sky blue?");
    const [chat] = (await one.house.standIn.chats(2)).slice(-1);
    expect(chat.body.messages[0]).toMatchObject({ role: "system", content: "Answer in one sentence." });
  }],
  ["two models on one question", async (one) => {
    await one.withLast("Ask several models…");
    const choice = one.dialog("Ask several models");
    await one.press(choice.locator('[data-model^="qwen3"]'));
    await one.press(choice.getByRole("button", { name: "Ask 1 model", exact: true }));
    const sides = one.dialog("Side by side");
    await expect(sides.getByRole("group", { name: /llama3.2/ })).toBeVisible();
    // One at a time on a phone.
    if (one.onPhone) await one.press(sides.getByRole("button", { name: "qwen3:4b", exact: true }));
    await expect(sides.getByRole("group", { name: /qwen3/ })).toBeVisible();
  }],
  ["find an old message", async (one) => {
    await one.inChats("Search");
    const library = new Library(one.page);
    await expect(library.field).toBeFocused();
    await one.page.keyboard.type("cheese");
    await one.press(library.results.first());
    await expect(one.page.getByRole("dialog")).toBeHidden();
    await expect(one.app.messages.first()).toContainText("cheese");
  }],
  ["attach a photo", async (one) => {
    const chosen = one.page.waitForEvent("filechooser");
    await one.press(one.button("Add files"));
    await (await chosen).setFiles("../docs/screenshot.png");
    await expect(one.button(/^Remove the image/)).toBeVisible();
  }],
  ["free the memory that a model holds", async (one) => {
    await one.press(one.app.model);
    await one.press(one.page.getByRole("option", { name: "Manage models…", exact: true }));
    await one.press(one.page.getByRole("region", { name: "Loaded" }).getByRole("button", { name: /^Unload/ }));
    await expect(one.page.getByText("No model is loaded. A model loads with its first prompt, or here.")).toBeVisible();
  }],
  ["put chats into folders", async (one) => {
    await one.openChats();
    const row = one.app.rows.filter({ hasText: "wine" });
    if (!one.onPhone) await row.hover();
    await one.press(row.getByRole("button", { name: "More: Which wine goes with cheese?", exact: true }));
    await one.press(one.item("Move to folder…"));
    await one.page.getByRole("dialog").getByRole("textbox").fill("Kitchen");
    await one.page.keyboard.press("Enter");
    await expect(one.app.chats.getByText("Kitchen")).toBeVisible();
  }],
  ["larger text", async (one) => {
    const size = () => one.page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
    const before = await size();
    await one.inChats("Settings");
    await one.choose(one.page.getByRole("combobox", { name: "Text size", exact: true }), "larger");
    expect(await size()).toBeGreaterThan(before);
  }],
  ["delete everything", async (one) => {
    await one.atFoot("Storage");
    await one.press(one.button("Delete everything…"));
    await one.press(one.button("Delete everything"));
    await expect(one.app.messages).toHaveCount(0);
    await one.app.reload();
    expect(Object.keys(await one.app.stored()).filter((key) => key.startsWith("sash:m:"))).toEqual([]);
  }],
  ["why was this slow", async (one) => {
    await one.withLast("Details and timing");
    const times = ["to the first token", "reading", "writing"].reduce((line, part) => line.filter({ hasText: part }), one.app.last.getByText(/^Time: /));
    await expect(times).toBeVisible();
  }],
  ["use a vLLM server", async (one) => {
    await one.inChats("Settings");
    await expect(one.dialog("Settings")).toContainText("--openai name=url");
  }],
  ["a chat that leaves no trace", async (one) => {
    await one.withChat("New temporary chat");
    await expect(one.page.getByRole("form", { name: "Composer" }).getByText("Temporary: this chat is not stored anywhere and ends when you leave it.")).toBeVisible();
  }],
  ["the list of keys", async (one) => {
    await one.atFoot("Keyboard shortcuts");
    await expect(one.dialog("Keyboard").getByRole("button", { name: /Alt\+N/ })).toBeVisible();
  }],
  ["let the model use an older answer", async (one) => {
    await one.withLast("Pin: always sent");
    await expect(one.app.last).toHaveAttribute("data-window", /in|pin/);
  }],
  ["see what the model was sent", async (one) => {
    await one.withLast("Details and timing");
    await expect(one.app.last.getByText("Model: llama3.2")).toBeVisible();
  }],
  ["move chats to another computer", async (one) => {
    // Of a Sash with a backup: it prints an address for each of the two.
    const folder = await mkdtemp(join(tmpdir(), "sash-newcomer-"));
    try {
      const sash = await one.house.programs.sash(one.house.standIn.url, "--backup", join(folder, "backup"));
      await one.page.goto(sash.url);
      await one.app.ready();
      const clicks = one.clicks;
      await one.exchange("Which cheese goes with wine?");
      one.clicks = clicks;
      await expect.poll(() => chatsIn(join(folder, "backup")), { timeout: 15_000 }).toHaveLength(1);
      const url = await sash.nextUrl();
      const there = await one.elsewhere(url);
      await there.page.goto(url);
      await there.app.ready();
      await there.press(there.page.locator(".banner").getByRole("button", { name: "Restore…" }));
      await there.press(there.button("Restore"));
      await there.press(there.button("Import"));
      await there.leave(there.dialog("All chats"));
      await there.openChats();
      await expect(there.app.rows).toContainText(["Which cheese goes with wine?"]);
      await there.page.context().close();
      return there;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }],
  ["print or save a chat", async (one) => {
    // In the place of the browser's dialog.
    await one.page.evaluate(() => {
      window.print = () => (document.body.dataset.printed = document.querySelector("[role=log]")!.textContent!);
    });
    await one.withChat("Print or save as PDF…");
    await expect(one.page.locator("body")).toHaveAttribute("data-printed", /cheese/);
  }],
  ["change the language", async (one) => {
    const html = one.page.locator("html");
    const other = (await html.getAttribute("lang"))!.startsWith("de") ? "en" : "de";
    await one.inChats("Settings");
    await one.choose(one.page.getByRole("combobox", { name: "Language", exact: true }), other);
    await expect(html).toHaveAttribute("lang", other);
    await expect(one.dialog(other === "de" ? "Einstellungen" : "Settings")).toBeVisible();
  }],
  ["share a chat", async (one) => {
    const saved = one.page.waitForEvent("download");
    await one.withChat("Share as a file");
    expect(await readFile((await (await saved).path())!, "utf8")).toContain("cheese");
  }],
  ["use it from a phone", async (one) => {
    await one.atFoot("This page on my phone…");
    const dialog = one.dialog("This page on my phone");
    await expect(dialog).toContainText("sash --listen 0.0.0.0:7274 --token auto");
    await expect(dialog.getByRole("button", { name: "Copy the command", exact: true })).toBeVisible();
  }],
];

for (const { where, language, onPhone, use } of [
  { where: "", language: "en", onPhone: false, use: {} },
  { where: ", in German", language: "de", onPhone: false, use: { locale: "de" } },
  { where: ", on a phone", language: "en", onPhone: true, use: { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } } },
])
  test.describe(() => {
    test.use(use);

    for (const [name, task] of tasks)
      test(`a newcomer${where}: ${name}`, { tag: "@all" }, async ({ app: { url }, page, standIn, programs, browser }, testInfo) => {
        const undo: (() => void)[] = [];
        const translate = (page: Page) => {
          if (language !== "en") undo.unshift(new Translation(language).apply(page));
        };
        translate(page);
        try {
          const one = new Newcomer(new ChatPage(page, url), { standIn, programs, browser, translate }, onPhone);
          await one.app.openReady();
          await one.exchange("Which wine goes with cheese?");
          one.clicks = 0;
          const { clicks } = (await task(one)) ?? one;
          testInfo.annotations.push({ type: "clicks", description: String(clicks) });
          expect(clicks, "clicks").toBeLessThanOrEqual(MOST);
        } finally {
          undo.forEach((step) => step());
        }
      });
  });
