// "What the model sees", as a person uses it.
import { expect, type Locator, type Page } from "@playwright/test";
import type { Message } from "./standIn";

const SPEAKERS: Record<string, string> = { System: "system", You: "user", Answer: "assistant", Tool: "tool" };

export class Panel {
  readonly toggle: Locator;
  readonly place: Locator;
  readonly turns: Locator;

  constructor(readonly page: Page) {
    this.toggle = page.getByRole("button", { name: "What the model sees", exact: true });
    this.place = page.getByRole("complementary", { name: "What the model sees" });
    this.turns = this.place.getByRole("list", { name: "Messages in the order they are sent" }).getByRole("listitem");
  }

  async open(): Promise<void> {
    await this.toggle.click();
    await expect(this.place).toBeVisible();
  }

  /** The messages as the panel shows them; long ones are unfolded first. */
  async messages(): Promise<Message[]> {
    for (const more of await this.turns.getByRole("button", { name: "Show all" }).all()) await more.click();
    return this.turns.evaluateAll(
      (all, speakers) =>
        all.map((turn) => ({
          role: speakers[turn.querySelector("strong")?.textContent ?? ""],
          content: turn.querySelector(".turn-text")?.textContent ?? "",
        })),
      SPEAKERS,
    );
  }

  /** Opens the dialog with the system prompt from the panel. */
  async editSystem(): Promise<{ dialog: Locator; field: Locator }> {
    const dialog = this.page.getByRole("dialog", { name: "System prompt" });
    if (!(await dialog.isVisible())) await this.place.getByRole("button", { name: "Edit the system prompt" }).click();
    return { dialog, field: dialog.getByRole("textbox", { name: "System prompt" }) };
  }

  /** Opens a fold of the panel. */
  async unfold(name: string): Promise<Locator> {
    const fold = this.place.locator("details", { has: this.page.locator("summary", { hasText: new RegExp(`^${name}`) }) });
    if (!(await fold.evaluate((details: HTMLDetailsElement) => details.open))) await fold.locator("summary").click();
    return fold;
  }

  /** The text of "JSON" or "curl". */
  async literal(name: string): Promise<string> {
    await this.unfold(name);
    return (await this.place.getByRole("region", { name, exact: true }).textContent()) ?? "";
  }
}
