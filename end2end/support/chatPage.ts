// The page as a person uses it: by roles and names.
import { expect, type Locator, type Page } from "@playwright/test";

/** What has a button of its own below a message; all else is in its menu. */
const BUTTONS = ["Copy", "Ask again", "Edit"];

export class ChatPage {
  readonly composer: Locator;
  readonly send: Locator;
  readonly stop: Locator;
  readonly log: Locator;
  readonly messages: Locator;
  readonly chats: Locator;
  readonly chatList: Locator;
  /** The chats of the list that are on the page, without the headings between them. */
  readonly rows: Locator;
  readonly title: Locator;
  readonly model: Locator;
  readonly windowLine: Locator;
  /** The rules for the window, while they are open. */
  readonly rules: Locator;
  readonly edge: Locator;
  readonly panel: Locator;

  constructor(
    readonly page: Page,
    readonly url: string,
  ) {
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    this.composer = page.getByRole("textbox", { name: "Message", exact: true });
    this.send = button("Send");
    this.stop = button("Stop");
    this.log = page.getByRole("log", { name: "Conversation" });
    this.messages = this.log.getByRole("article");
    this.chats = page.getByRole("navigation", { name: "Chats" });
    this.chatList = this.chats.locator(".chat-list");
    this.rows = this.chatList.locator(".chat-row");
    this.title = page.getByRole("heading", { level: 1 });
    this.model = page.getByRole("combobox", { name: /Model|מודל/ });
    this.edge = page.getByRole("slider", { name: "Messages in the window" });
    this.windowLine = page.locator(".window-line");
    this.rules = page.getByRole("dialog", { name: "What is sent with each question" });
    this.panel = page.getByRole("region", { name: "Ollama" });
  }

  /** Opens the page and waits until it runs. */
  async open(): Promise<void> {
    await this.page.goto(this.url);
    await this.started();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.started();
  }

  async started(): Promise<void> {
    await expect(this.page.locator("html")).toHaveAttribute("data-state", "ready", { timeout: 20_000 });
  }

  /** Opens the page and waits until a prompt can be sent. */
  async openReady(model = "llama3.2"): Promise<void> {
    await this.open();
    await this.ready(model);
  }

  async ready(model = "llama3.2"): Promise<void> {
    await expect(this.model).toHaveValue(new RegExp(`^${model}`));
    await expect(this.model).toBeEnabled();
  }

  /** Chooses a model in the picker by its full name. */
  async chooseModel(name: string): Promise<void> {
    await this.model.click();
    await this.page.locator(`.model-option[data-model="${name}"]`).click();
    await expect(this.model).toHaveAttribute("aria-expanded", "false");
  }

  /** Chooses a model in the picker by the name that it has there. */
  async chooseNamed(name: string): Promise<void> {
    await this.model.click();
    await this.page.locator(".model-option").filter({ has: this.page.getByText(name, { exact: true }) }).click();
    await expect(this.model).toHaveAttribute("aria-expanded", "false");
  }

  /** The keys of the models in the picker, in their order. */
  async models(): Promise<(string | null)[]> {
    await this.model.click();
    const options = await this.page.locator(".model-option[data-model]").all();
    const names = await Promise.all(options.map((option) => option.getAttribute("data-model")));
    await this.model.press("Escape");
    return names;
  }

  /** Presses an entry of the picker that is no model. */
  async openFromPicker(entry: string): Promise<void> {
    await this.model.click();
    await this.page.getByRole("option", { name: entry, exact: true }).click();
  }

  /** The same page in another tab of this browser, where a prompt can be sent. */
  async anotherTab(): Promise<ChatPage> {
    const other = new ChatPage(await this.page.context().newPage(), this.url);
    await other.openReady();
    return other;
  }

  message(n: number): Locator {
    return this.messages.nth(n - 1);
  }

  get last(): Locator {
    return this.messages.last();
  }

  text(message: Locator): Locator {
    return message.locator(".message-text");
  }

  async ask(prompt: string): Promise<void> {
    await this.composer.fill(prompt);
    await this.composer.press("Enter");
  }

  /** Asks and waits until the answer is complete. */
  async exchange(prompt: string): Promise<void> {
    const before = await this.messages.count();
    await this.ask(prompt);
    await expect(this.messages).toHaveCount(before + 2);
    await this.ended("complete");
  }

  /** Waits until the last answer ended so. */
  async ended(state: string): Promise<void> {
    await expect(this.last).toHaveAttribute("data-state", state);
  }

  /** Waits until some of the last answer is there. */
  async streaming(): Promise<void> {
    await expect(this.last).toHaveAttribute("data-state", "running");
    await expect(this.text(this.last)).not.toBeEmpty();
  }

  /** A button in a message. */
  inMessage(message: Locator, name: string): Locator {
    return message.getByRole("button", { name, exact: true });
  }

  async openRules(): Promise<void> {
    if (!(await this.rules.isVisible())) await this.windowLine.click();
    await expect(this.rules).toBeVisible();
  }

  /** The rules with what is folded below them. */
  async openMoreRules(): Promise<void> {
    await this.openRules();
    if ((await this.rules.locator("details[open]").count()) === 0) await this.rules.getByText("More", { exact: true }).click();
  }

  /** Has older messages that fit a prompt go with it by themselves. */
  async recallByItself(): Promise<void> {
    await this.openMoreRules();
    await this.rules.getByRole("radio", { name: "Automatically", exact: true }).check();
    await this.rules.getByRole("button", { name: "Close" }).click();
  }

  /** A rule of the open list. */
  rule(name: string): Locator {
    return this.rules.getByRole("radio", { name, exact: true });
  }

  /** Opens the menu of a message. */
  async more(message: Locator): Promise<Locator> {
    await message.hover();
    const button = this.inMessage(message, "More");
    if ((await button.getAttribute("aria-expanded")) === "false") await button.click();
    const menu = message.getByRole("menu", { name: "More" });
    await expect(menu).toBeVisible();
    // It takes focus once it is shown.
    await expect(menu.locator(":focus")).toHaveCount(1);
    return menu;
  }

  /** An entry of the menu of a message, by the words it begins with. The menu must be open. */
  entry(menu: Locator, name: string): Locator {
    return menu.locator("[role^=menuitem]").filter({ hasText: new RegExp(`^${escaped(name)}`) });
  }

  /** Does something with a message: by its button, or from its menu. */
  async act(message: Locator, name: string): Promise<void> {
    await message.hover();
    if (BUTTONS.includes(name)) await this.inMessage(message, name).click();
    else await this.entry(await this.more(message), name).click();
  }

  /** Whether something is switched on in the menu of a message, which is closed again. */
  async expectChecked(message: Locator, name: string, on: boolean): Promise<void> {
    const menu = await this.more(message);
    await expect(this.entry(menu, name)).toHaveAttribute("aria-checked", String(on));
    await this.page.keyboard.press("Escape");
    await expect(menu).toHaveCount(0);
  }

  /** The row of a chat; while chats are selected it is a checkbox. */
  chat(title: string): Locator {
    const [button, checkbox] = (["button", "checkbox"] as const).map((role) => this.chatList.getByRole(role, { name: chatName(title) }));
    return button.or(checkbox);
  }

  /** Opens something from the menu at the foot of the list of chats. */
  async openFromFoot(name: string): Promise<void> {
    const more = this.chats.locator("#sidebar-menu");
    await more.click();
    await this.choose(this.chats.getByRole("menu", { name: "More", exact: true }), name);
  }

  /** Does something with a chat from its menu in the list. */
  async inList(title: string, name: string): Promise<void> {
    const row = this.chatList.getByRole("listitem").filter({ has: this.page.getByRole("button", { name: chatName(title) }) });
    await row.hover();
    await row.getByRole("button", { name: `More: ${title}`, exact: true }).click();
    await this.choose(row.getByRole("menu"), name);
  }

  /** Chooses from a menu that was just opened. It takes focus once it is where it stays. */
  async choose(menu: Locator, name: string): Promise<void> {
    await expect(menu.locator(":focus")).toHaveCount(1);
    await menu.locator("[role^=menuitem]").filter({ hasText: new RegExp(`^${escaped(name)}$`) }).click();
  }

  async newChat(): Promise<void> {
    await this.chats.getByRole("button", { name: "New chat" }).click();
    await expect(this.messages).toHaveCount(0);
  }

  /** Everything localStorage holds. */
  stored(): Promise<Record<string, string>> {
    return this.page.evaluate(() => ({ ...localStorage }));
  }

  /** The same without the reserve, which the page makes when it has time. */
  async kept(): Promise<Record<string, string>> {
    const { "sash:z": _, ...kept } = await this.stored();
    return kept;
  }

  /** The same, once the reserve is there, which the page makes when it has time. */
  async settled(): Promise<Record<string, string>> {
    await expect.poll(async () => "sash:z" in (await this.stored())).toBe(true);
    return this.stored();
  }

  /** What a screen reader was told, in order, once `watchAnnouncements` runs in the page. */
  announced(): Promise<string[]> {
    return this.page.evaluate(() => (globalThis as unknown as { announced: string[] }).announced);
  }
}

/** An init script: notes every text that appears in a live region, wherever it is. */
export function watchAnnouncements(): void {
  const announced: string[] = [];
  (globalThis as unknown as { announced: string[] }).announced = announced;
  const regions = "[role=status],[role=alert],[aria-live=polite],[aria-live=assertive]";
  const note = (node: Node) => {
    const element = node instanceof Element ? node : node.parentElement;
    const region = element?.closest(regions);
    const said = region?.textContent?.trim();
    if (said && announced.at(-1) !== said) announced.push(said);
    else if (region && !said) announced.push("");
  };
  new MutationObserver((changes) => changes.forEach((change) => note(change.target))).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
  });
}

/** The name of the button that opens a chat. */
const chatName = (title: string) => new RegExp(`^${escaped(title)}( answering)?( finished)?$`);

export const escaped = (words: string) => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
