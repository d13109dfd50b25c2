// The library: search, trash, storage, export and import, as a person uses them.
import { expect, type Locator, type Page } from "@playwright/test";

export class Library {
  readonly dialog: Locator;
  readonly field: Locator;
  readonly results: Locator;
  readonly note: Locator;

  constructor(readonly page: Page) {
    this.dialog = page.getByRole("dialog", { name: "All chats" });
    this.field = this.dialog.getByRole("combobox", { name: "Search all chats" });
    this.results = this.dialog.getByRole("option");
    this.note = this.dialog.locator(".library-note").first();
  }

  async search(words: string): Promise<void> {
    await this.page.keyboard.press("Control+k");
    await expect(this.field).toBeFocused();
    await this.field.fill(words);
  }

  tab(name: string): Locator {
    return this.dialog.getByRole("tab", { name, exact: true });
  }

  button(name: string | RegExp): Locator {
    return this.dialog.getByRole("button", { name, exact: typeof name === "string" });
  }

  async close(): Promise<void> {
    await this.button("Close").click();
    await expect(this.dialog).toBeHidden();
  }
}
