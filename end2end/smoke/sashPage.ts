// The page as a person uses it, in any browser: who looks until it is there, and clicks where it can be clicked.
import { expect } from "@playwright/test";
import type { Tab } from "./browser";
import { find, type Found, Selector } from "./selector";

export const el = (css: string, name?: string | RegExp) => new Selector().el(css, name);
export const button = (name: string | RegExp) => el("button", name);
export const composer = el("textarea", "Message");
export const messages = el("[role=log] article");
export const answer = messages.nth(-1);
export const textOf = (message: Selector) => message.el(".message-text");

export class SashPage {
  constructor(
    readonly tab: Tab,
    readonly url: string,
  ) {}

  /** All that is there now. */
  all(what: Selector): Promise<Found[]> {
    return this.tab.evaluate(find, what.steps, false);
  }

  /** Waits until something is there and is so, and gives the first of it. */
  async see(what: Selector, like: Partial<Found> = {}): Promise<Found> {
    await this.poll(what, async () => (await this.all(what))[0]).toMatchObject(like);
    return (await this.all(what))[0];
  }

  /** Waits until there are so many. */
  async count(what: Selector, n: number): Promise<void> {
    await this.poll(what, async () => (await this.all(what)).length).toBe(n);
  }

  gone(what: Selector): Promise<void> {
    return this.count(what, 0);
  }

  /** Waits until the text of the first is so. */
  async reads(what: Selector, words: RegExp): Promise<void> {
    await this.poll(what, async () => (await this.all(what))[0]?.text).toMatch(words);
  }

  /** Waits until the texts of all are these. */
  async texts(what: Selector, ...texts: string[]): Promise<void> {
    await this.poll(what, async () => (await this.all(what)).map((found) => found.text)).toEqual(texts);
  }

  /** Waits until an attribute of the first is so. */
  async has(what: Selector, attribute: string, value: string): Promise<void> {
    await this.see(what, { attributes: { [attribute]: value } });
  }

  /** Moves the pointer to the middle of the first, once it is drawn, stands still, and nothing lies over it. */
  async point(what: Selector): Promise<Found> {
    await this.drawn();
    let before = "";
    const reach = async () => {
      const [first] = await this.tab.evaluate(find, what.steps, true);
      const place = `${first?.x},${first?.y}`;
      const moves = place !== before;
      before = place;
      if (!first || first.disabled || first.covered || moves) return first?.covered || "absent, disabled or moving";
      await this.tab.mouse.move(first.x, first.y);
      return "";
    };
    await this.poll(what, reach).toBe("");
    return this.see(what);
  }

  /**
   * Waits until what the page has now is on the screen. The driver finds elements before that, and WebKit here may take seconds
   * for its first frames: what the page moves before it is seen (a title gets the focus and is scrolled to) would move away
   * under the pointer, which no person could have put there.
   */
  private async drawn(): Promise<void> {
    await this.tab.evaluate(() => {
      const page = globalThis as { drawn?: boolean };
      page.drawn = false;
      requestAnimationFrame(() => setTimeout(() => (page.drawn = true)));
    });
    const isDrawn = () => this.tab.evaluate(() => (globalThis as { drawn?: boolean }).drawn);
    await expect.poll(isDrawn, { message: "a frame", intervals: [20, 50] }).toBe(true);
  }

  async click(what: Selector): Promise<void> {
    await this.point(what);
    await this.tab.mouse.down();
    await this.tab.mouse.up();
  }

  /** Presses keys as a chord: "Enter", "Control+k". */
  async press(chord: string): Promise<void> {
    const keys = chord.split("+");
    for (const key of keys) await this.tab.keyboard.down(key);
    for (const key of keys.reverse()) await this.tab.keyboard.up(key);
  }

  /** Replaces what a field holds. */
  async fill(what: Selector, text: string): Promise<void> {
    await this.click(what);
    await this.see(what, { focused: true });
    await this.press("Control+a");
    await this.press("Delete");
    await this.tab.keyboard.type(text);
    await this.see(what, { value: text });
  }

  private poll<T>(what: Selector, now: () => Promise<T>) {
    return expect.poll(now, { message: String(what), intervals: [50, 100, 200] });
  }

  async open(): Promise<void> {
    await this.tab.goto(this.url);
    await this.started();
  }

  async reload(): Promise<void> {
    await this.tab.reload();
    await this.started();
  }

  /** Waits until the page runs; from then on what goes wrong in it is noted. */
  private async started(): Promise<void> {
    await this.has(el("html"), "data-state", "ready");
    await this.tab.evaluate(() => {
      const wrong: string[] = [];
      Object.assign(globalThis, { wrong });
      addEventListener("error", (event) => wrong.push(event.message));
      addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason)));
      // Said once in each browser, and here each test has a fresh one: it would take room from what is looked at.
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(".first-left { display: none; }");
      document.adoptedStyleSheets = [sheet];
    });
  }

  /** What went wrong in the page since it started. */
  wrong(): Promise<string[]> {
    return this.tab.evaluate(() => (globalThis as unknown as { wrong?: string[] }).wrong ?? []);
  }

  /** Opens the page and waits until a prompt can be sent. */
  async openReady(): Promise<void> {
    await this.open();
    await this.ready();
  }

  async ready(): Promise<void> {
    await this.see(el("[role=combobox]", "Model"), { value: expect.stringContaining("llama3.2") });
  }

  async ask(prompt: string): Promise<void> {
    await this.fill(composer, prompt);
    await this.press("Enter");
  }

  /** Asks and waits until the answer is complete. */
  async exchange(prompt: string): Promise<void> {
    const before = (await this.all(messages)).length;
    await this.ask(prompt);
    await this.count(messages, before + 2);
    await this.ended("complete");
  }

  /** Waits until the last answer ended so. */
  async ended(state: string): Promise<void> {
    await this.has(answer, "data-state", state);
  }

  /** Does something with a message: by its button, or else from the menu behind it. */
  async act(message: Selector, name: string): Promise<void> {
    await this.point(message);
    const inRow = message.el("button", name);
    if ((await this.all(inRow)).length > 0) return this.click(inRow);
    await this.click(message.el("button", "More"));
    await this.click(message.el("[role^=menuitem]", new RegExp(`^${name}`)));
  }
}
