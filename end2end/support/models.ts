// The page of models, as a person uses it.
import { expect, type Locator, type Page } from "@playwright/test";
import type { ChatPage } from "./chatPage";

export class ModelsPage {
  readonly page: Page;
  readonly dialog: Locator;
  readonly search: Locator;
  readonly rows: Locator;
  readonly loaded: Locator;
  readonly pulls: Locator;
  readonly name: Locator;

  constructor(readonly app: ChatPage) {
    this.page = app.page;
    this.dialog = this.page.getByRole("dialog", { name: "Models" });
    this.search = this.dialog.getByRole("searchbox", { name: "Search the models" });
    this.rows = this.dialog.locator(".model-row");
    this.loaded = this.dialog.getByRole("region", { name: "Loaded" });
    this.pulls = this.dialog.getByRole("region", { name: "Pull" });
    this.name = this.dialog.getByRole("textbox", { name: "Name of a model to pull" });
  }

  async open(): Promise<void> {
    // A reload stays on the page of models.
    if (!this.page.url().endsWith("/models")) await this.app.openFromPicker("Manage models…");
    await expect(this.dialog).toBeVisible();
  }

  async close(): Promise<void> {
    await this.button("Close").click();
    await expect(this.dialog).toHaveCount(0);
  }

  /** A button of the page, by its accessible name. */
  button(name: string | RegExp): Locator {
    return this.dialog.getByRole("button", { name, exact: typeof name === "string" });
  }

  row(name: string): Locator {
    return this.rows.filter({ has: this.page.getByRole("button", { name, exact: true }) });
  }

  /** The names of the rows, in their order. */
  names(): Promise<string[]> {
    return this.rows.locator("th button").allTextContents();
  }

  async pull(name: string): Promise<void> {
    await this.name.fill(name);
    await this.name.press("Enter");
  }

  bar(name: string | RegExp): Locator {
    return this.dialog.getByRole("progressbar", { name });
  }
}
