// Names from outside in a sentence: nothing in them turns round what stands beside them.
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

/** Turns the direction of what follows it. */
const OVERRIDE = "\u202e";
const ESCAPE = "\u001b";

test("a folder's name with characters that are not seen is shown with them, and one in Hebrew is isolated", async ({ app, page, standIn }) => {
  await standIn.script(says("1"));
  await app.openReady();
  await app.exchange("Alpha");
  const dialog = page.getByRole("dialog", { name: "Move to a folder" });
  const toast = page.locator(".toast");
  for (const [name, shown] of [
    [`annex${OVERRIDE}gpj${ESCAPE}`, "annex\\u{202e}gpj␛"],
    ["עבודה 1", "\u2068עבודה 1\u2069"],
    ["Work 1", "Work 1"],
  ]) {
    await app.inList("Alpha", "Move to folder…");
    await dialog.getByRole("textbox", { name: "A new folder" }).fill(name);
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden();
    await expect(toast).toContainText(`to “${shown}”`);
  }
  // The title of the tab is a name alone, and its characters are seen.
  await app.inList("Alpha", "Rename");
  await page.getByRole("textbox", { name: "Chat name" }).fill(`one${OVERRIDE}two`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveTitle("one\\u{202e}two · Sash");
});
