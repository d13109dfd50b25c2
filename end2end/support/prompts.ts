// Prompts of one's own.
import { expect, type Page } from "@playwright/test";

/** Keeps a prompt; the settings are open then. */
export async function keepPrompt(page: Page, name: string, text: string): Promise<void> {
  const add = page.getByRole("button", { name: "New prompt…" });
  if (!(await add.isVisible())) await page.keyboard.press("Control+,");
  await add.click();
  const editor = page.locator("dialog.prompt-edit");
  await editor.getByRole("textbox", { name: "Name" }).fill(name);
  await editor.getByRole("textbox", { name: "Text" }).fill(text);
  await editor.getByRole("button", { name: "Save" }).click();
  await expect(editor).toBeHidden();
}
