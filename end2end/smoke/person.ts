// Somebody at a tab: looks until it is there, and clicks where it can be clicked.
import { expect } from "@playwright/test";
import { type Found, look, type Query, type Words } from "./find";
import type { Tab } from "./tab";

const TIMEOUT = 10_000;

export class Person {
  constructor(readonly tab: Tab) {}

  /** All that is there now. */
  all(what: Query): Promise<Found[]> {
    return this.tab.run(look, what.steps, false);
  }

  /** Waits until something is there, and gives the first of it. */
  async see(what: Query): Promise<Found> {
    return this.until(what, "is there", (found) => found.length > 0).then(([first]) => first);
  }

  /** Waits until there is none. */
  async gone(what: Query): Promise<void> {
    await this.until(what, "is gone", (found) => found.length === 0);
  }

  /** Waits until there are so many. */
  async count(what: Query, n: number): Promise<void> {
    await expect.poll(async () => (await this.all(what)).length, { message: `how many: ${what}`, timeout: TIMEOUT }).toBe(n);
  }

  /** Waits until the text of the first is so. */
  async reads(what: Query, words: Words): Promise<void> {
    const poll = expect.poll(async () => (await this.all(what))[0]?.text, { message: `text: ${what}`, timeout: TIMEOUT });
    await (typeof words === "string" ? poll.toBe(words) : poll.toMatch(words));
  }

  /** Waits until the texts of all are these. */
  async texts(what: Query, texts: string[]): Promise<void> {
    const now = async () => (await this.all(what)).map((found) => found.text);
    await expect.poll(now, { message: `texts: ${what}`, timeout: TIMEOUT }).toEqual(texts);
  }

  /** Waits until a field holds this. */
  async holds(what: Query, value: string): Promise<void> {
    await expect.poll(async () => (await this.all(what))[0]?.value, { message: `value: ${what}`, timeout: TIMEOUT }).toBe(value);
  }

  /** Waits until an attribute of the first is so. */
  async has(what: Query, attribute: string, value: Words): Promise<void> {
    const now = async () => (await this.all(what))[0]?.attributes[attribute];
    const poll = expect.poll(now, { message: `${attribute}: ${what}`, timeout: TIMEOUT });
    await (typeof value === "string" ? poll.toBe(value) : poll.toMatch(value));
  }

  /** Waits until it has the focus. */
  async focused(what: Query): Promise<void> {
    await this.until(what, "has the focus", ([first]) => first?.focused === true);
  }

  /** Moves the pointer to the middle of the first, once it stands still and nothing lies over it. */
  async point(what: Query): Promise<Found> {
    let before = "";
    const still = async () => {
      const [first] = await this.tab.run(look, what.steps, true);
      if (!first) return "none is there";
      if (first.disabled) return "it is disabled";
      if (first.covered) return `it is covered by ${first.covered}`;
      const place = `${first.x},${first.y}`;
      if (place !== before) {
        before = place;
        return "it moves";
      }
      await this.tab.move(first.x, first.y);
      return "";
    };
    await expect.poll(still, { message: `can be clicked: ${what}`, timeout: TIMEOUT, intervals: [20, 50, 100] }).toBe("");
    return (await this.all(what))[0];
  }

  async click(what: Query): Promise<void> {
    await this.point(what);
    await this.tab.down();
    await this.tab.up();
  }

  /** Replaces what a field holds. */
  async fill(what: Query, text: string): Promise<void> {
    await this.click(what);
    await this.focused(what);
    await this.tab.press("Control+a");
    await this.tab.press("Delete");
    await this.tab.type(text);
    await this.holds(what, text);
  }

  private async until(what: Query, told: string, so: (found: Found[]) => boolean): Promise<Found[]> {
    let last: Found[] = [];
    const look = async () => so((last = await this.all(what)));
    await expect.poll(look, { message: `${what}: ${told}`, timeout: TIMEOUT, intervals: [50, 100, 200] }).toBe(true);
    return last;
  }
}
