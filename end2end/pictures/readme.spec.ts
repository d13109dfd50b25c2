// The pictures of the README, made from a real conversation and written to docs/.
import { join } from "node:path";
import { test } from "../support/fixtures";
import type { ChatPage } from "../support/chatPage";
import { says, type StandIn } from "../support/standIn";
import { frames } from "../support/waiting";
import { converse, listModels } from "./content";

const docs = join(__dirname, "../../docs");

async function conversation(app: ChatPage, standIn: StandIn): Promise<void> {
  for (const title of ["A name for a boat", "Packing list for three days in Lisbon"]) {
    await standIn.script(says("With pleasure."));
    if ((await app.messages.count()) > 0) await app.newChat();
    await app.exchange(title);
  }
  await app.newChat();
  await converse(app, standIn);
  await app.composer.fill("And what would a test for it look like?");
  await app.page.mouse.move(0, 0);
}

const PICTURES = {
  "screenshot.png": { colorScheme: "light", width: 1280, height: 800 },
  "screenshot-dark.png": { colorScheme: "dark", width: 1280, height: 800 },
  "screenshot-phone.png": { colorScheme: "light", width: 390, height: 844 },
} as const;

test("pictures of a conversation", async ({ app, standIn, page }) => {
  await listModels(standIn);
  await app.openReady();
  await conversation(app, standIn);
  for (const [name, { colorScheme, ...size }] of Object.entries(PICTURES)) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(size);
    // To the end, as after an answer.
    await app.log.evaluate((log) => log.scrollTo(0, log.scrollHeight));
    await frames(page);
    await page.screenshot({ path: join(docs, name), animations: "disabled", caret: "hide" });
  }
});
