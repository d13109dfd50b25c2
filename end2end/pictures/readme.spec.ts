// The pictures of the README, made from a real conversation and written to docs/.
import { join } from "node:path";
import { test } from "../support/fixtures";
import { frames } from "../support/waiting";
import { converse, listModels, openWithList } from "./content";

const docs = join(__dirname, "../../docs");

// The phone first: there the panel lies over the button that closes it.
const PICTURES = {
  "screenshot-phone.png": { colorScheme: "light", hasPanel: false, width: 390, height: 844 },
  "screenshot.png": { colorScheme: "light", hasPanel: true, width: 1440, height: 900 },
  "screenshot-dark.png": { colorScheme: "dark", hasPanel: true, width: 1440, height: 900 },
} as const;

test("pictures of a conversation", async ({ app, standIn, page }) => {
  await listModels(standIn);
  await openWithList(app);
  await app.newChat();
  await converse(app, standIn);
  await app.composer.fill("And what would a test for it look like?");
  const panel = page.getByRole("button", { name: "What the model sees", exact: true });
  for (const [name, { colorScheme, hasPanel, ...size }] of Object.entries(PICTURES)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    if (((await panel.getAttribute("aria-expanded")) === "true") !== hasPanel) await panel.click();
    await app.composer.focus();
    await page.mouse.move(0, 0);
    // To the end, as after an answer.
    await app.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
    await frames(page);
    await page.screenshot({ path: join(docs, name), animations: "disabled", caret: "hide" });
  }
});
