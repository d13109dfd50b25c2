// The page as a person uses it, in any browser.
import { expect } from "@playwright/test";
import { type Query } from "./find";
import { Person } from "./person";
import type { Tab } from "./tab";
import * as words from "./words";

export class SashPage extends Person {
  constructor(
    tab: Tab,
    readonly url: string,
  ) {
    super(tab);
  }

  async open(url = this.url): Promise<void> {
    await this.tab.open(url);
    await this.started();
  }

  async reload(): Promise<void> {
    await this.tab.reload();
    await this.started();
  }

  /** Waits until the page runs; from then on what goes wrong in it is noted. */
  async started(): Promise<void> {
    await this.has(words.html, "data-state", "ready");
    await this.tab.run(() => {
      const wrong: string[] = [];
      Object.assign(globalThis, { wrong });
      addEventListener("error", (event) => wrong.push(event.message));
      addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason)));
    });
  }

  /** What went wrong in the page since it started. */
  wrong(): Promise<string[]> {
    return this.tab.run(() => (globalThis as unknown as { wrong?: string[] }).wrong ?? []);
  }

  /** Opens the page and waits until a prompt can be sent. */
  async openReady(): Promise<void> {
    await this.open();
    await this.ready();
  }

  async ready(): Promise<void> {
    await expect.poll(async () => (await this.all(words.model))[0]?.value, { message: "the model" }).toContain("llama3.2");
  }

  async ask(prompt: string): Promise<void> {
    await this.fill(words.composer, prompt);
    await this.tab.press("Enter");
  }

  /** Asks and waits until the answer is complete. */
  async exchange(prompt: string): Promise<void> {
    const before = (await this.all(words.messages)).length;
    await this.ask(prompt);
    await this.count(words.messages, before + 2);
    await this.ended("complete");
  }

  /** Waits until the last answer ended so. */
  async ended(state: string): Promise<void> {
    await this.has(words.answer, "data-state", state);
  }

  /** Presses a button of a message; what is not in its row is in the menu behind it. */
  async press(message: Query, name: string): Promise<void> {
    await this.point(message);
    const button = message.role("button", name);
    if ((await this.all(button)).length === 0) {
      await this.click(words.more(message));
      await this.click(words.entry(message, name));
    } else {
      await this.click(button);
    }
  }
}
