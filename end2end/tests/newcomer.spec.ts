// What a newcomer wants to do, in a fresh profile, where he looks for it: each in at most six clicks. The count is of
// clicks and of choices in a select; what is typed is no click.
import { type Locator, type Page } from "@playwright/test";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import type { StandIn } from "../support/standIn";

/** The most clicks of a task. */
const MOST = 6;

/** Someone who counts his clicks. */
class Newcomer {
  clicks = 0;

  constructor(
    readonly app: ChatPage,
    readonly page: Page,
    readonly standIn: StandIn,
  ) {}

  async press(what: Locator): Promise<void> {
    this.clicks += 1;
    await what.click();
  }

  async choose(what: Locator, label: string): Promise<void> {
    this.clicks += 1;
    await what.selectOption({ label });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, exact: typeof name === "string" });
  }

  /** An entry of the menu that is open. */
  item(name: string): Locator {
    const [action, check] = (["menuitem", "menuitemcheckbox"] as const).map((role) => this.page.getByRole(role, { name, exact: true }));
    return action.or(check);
  }

  /** Chooses from the menu of the last message. */
  async withLast(name: string): Promise<void> {
    await this.app.last.hover();
    await this.press(this.app.last.getByRole("button", { name: "More" }));
    await this.press(this.item(name));
  }

  /** Chooses from the menu at the foot of the list of chats. */
  async atFoot(name: string): Promise<void> {
    await this.press(this.app.chats.locator("#sidebar-menu"));
    await this.press(this.item(name));
  }

  dialog(name: string | RegExp): Locator {
    return this.page.getByRole("dialog", { name });
  }
}

const tasks: [string, (one: Newcomer) => Promise<void>][] = [
  ["change the temperature", async (one) => {
    await one.press(one.button("Parameters"));
    await one.page.getByLabel("temperature", { exact: true }).fill("0.2");
    await one.page.keyboard.press("Escape");
    await one.app.exchange("Again");
    const [chat] = (await one.standIn.chats(2)).slice(-1);
    expect(chat.body.options.temperature).toBe(0.2);
  }],
  ["make all answers shorter", async (one) => {
    await one.press(one.button("Settings"));
    await one.dialog("Settings").getByRole("textbox", { name: "System prompt" }).fill("Answer in one sentence.");
    await one.page.keyboard.press("Escape");
    await one.press(one.button("New chat"));
    await one.app.exchange("Why is the sky blue?");
    const [chat] = (await one.standIn.chats(2)).slice(-1);
    expect(chat.body.messages[0]).toMatchObject({ role: "system", content: "Answer in one sentence." });
  }],
  ["two models on one question", async (one) => {
    await one.withLast("Ask several models…");
    const choice = one.dialog("Ask several models");
    await one.press(choice.locator('[data-model^="qwen3"]'));
    await one.press(choice.getByRole("button", { name: "Ask 1 model" }));
    for (const name of [/llama3.2/, /qwen3/]) await expect(one.dialog("Side by side").getByRole("group", { name })).toBeVisible();
  }],
  ["find an old message", async (one) => {
    await one.press(one.button("Search"));
    await one.page.keyboard.type("cheese");
    await one.press(one.page.getByRole("dialog").getByText("Which wine goes with", { exact: false }).first());
    await expect(one.app.messages.first()).toContainText("cheese");
  }],
  ["attach a photo", async (one) => {
    const chosen = one.page.waitForEvent("filechooser");
    await one.press(one.button(/^Add files|^Add/));
    await (await chosen).setFiles("../docs/screenshot.png");
    await expect(one.button(/^Remove the image/)).toBeVisible();
  }],
  ["free the memory that a model holds", async (one) => {
    await one.press(one.page.getByRole("combobox", { name: "Model" }));
    await one.press(one.page.getByText("Manage models…").first());
    await one.press(one.page.getByRole("region", { name: "Loaded" }).getByRole("button", { name: "Unload llama3.2" }));
    await expect(one.page.getByText("No model is in memory")).toBeVisible();
  }],
  ["put chats into folders", async (one) => {
    const row = one.app.chats.getByRole("listitem").filter({ hasText: "wine" });
    await row.hover();
    await one.press(row.getByRole("button", { name: /^More/ }));
    await one.press(one.item("Move to folder…"));
    await one.page.getByRole("dialog").getByRole("textbox").fill("Kitchen");
    await one.page.keyboard.press("Enter");
    await expect(one.app.chats.getByText("Kitchen")).toBeVisible();
  }],
  ["larger text", async (one) => {
    const size = () => one.page.evaluate(() => parseFloat(getComputedStyle(document.documentElement).fontSize));
    const before = await size();
    await one.press(one.button("Settings"));
    await one.choose(one.page.getByRole("combobox", { name: "Text size" }), "Larger");
    expect(await size()).toBeGreaterThan(before);
  }],
  ["delete everything", async (one) => {
    await one.atFoot("Storage");
    await one.press(one.button(/^Delete everything/));
    const sure = one.page.getByRole("button", { name: /^Delete everything|^Delete/ }).last();
    await one.press(sure);
    await expect(one.app.messages).toHaveCount(0);
    await one.app.reload();
    expect(Object.keys(await one.app.stored()).filter((key) => key.startsWith("sash:m:"))).toEqual([]);
  }],
  ["why was this slow", async (one) => {
    await one.withLast("What it read");
    await expect(one.app.last).toContainText(/Time: to the first token .* reading .* writing/);
  }],
  ["use a vLLM server", async (one) => {
    await one.press(one.button("Settings"));
    await expect(one.dialog("Settings")).toContainText("--openai name=url");
  }],
  ["a chat that leaves no trace", async (one) => {
    await one.press(one.button("This chat"));
    await one.press(one.item("New temporary chat"));
    await expect(one.page.getByRole("form", { name: "Composer" })).toContainText(/temporary|stored nowhere/i);
  }],
  ["the list of keys", async (one) => {
    await one.atFoot("Keyboard shortcuts");
    await expect(one.page.getByRole("dialog")).toContainText("Ctrl");
  }],
  ["let the model use an older answer", async (one) => {
    await one.withLast("Pin: always sent");
    await expect(one.app.last).toHaveAttribute("data-window", /in|pin/);
  }],
  ["see what the model was sent", async (one) => {
    await one.withLast("What it read");
    await expect(one.app.last).toContainText("Model: llama3.2");
  }],
];

for (const [name, task] of tasks) {
  test(`a newcomer: ${name} @all`, async ({ app, page, standIn }, testInfo) => {
    await app.openReady();
    await app.exchange("Which wine goes with cheese?");
    const one = new Newcomer(app, page, standIn);
    await task(one);
    testInfo.annotations.push({ type: "clicks", description: String(one.clicks) });
    expect(one.clicks, "clicks").toBeLessThanOrEqual(MOST);
  });
}
