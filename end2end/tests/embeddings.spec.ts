// Embeddings: where the person chose a model for them, messages are found that share no word with the prompt.
import type { Page } from "@playwright/test";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { lookedUp } from "../support/roadMap";
import { says, type StandIn } from "../support/standIn";
import { watchTimers } from "../support/waiting";

// The stand-in's vectors are near where words share letters; recall by words needs the same stem.
const EXCHANGES = [
  ["How is a brain measured?", "Electroencephalography."],
  ["What should we cook tonight?", "Lentil soup with lemon."],
  ["And tomorrow?", "Pancakes, perhaps."],
  ["Is there wine?", "A bottle of red."],
];
const DRAFT = "Magnetoencephalography?";

const lines = (page: Page) => page.getByRole("region", { name: "Recalled for this prompt" });

/** The texts that vectors were asked for, a request each. */
const asked = async (standIn: StandIn) => (await standIn.seen("/api/embed")).map((seen) => seen.body.input as string[]);

async function conversation(app: ChatPage, standIn: StandIn): Promise<void> {
  for (const [, answer] of EXCHANGES) await standIn.script(says(answer));
  await watchTimers(app.page);
  await app.openReady();
  await app.recallByItself();
  for (const [question] of EXCHANGES) await app.exchange(question);
}

async function openSettings(app: ChatPage) {
  await app.chats.getByRole("button", { name: "Settings" }).click();
  const dialog = app.page.getByRole("dialog", { name: "Settings" });
  await expect(dialog).toBeVisible();
  return dialog;
}

test("an embedding model finds what shares no word, its vectors outlive a reload, and switched off all is as before", async ({ app, page, standIn }) => {
  await standIn.models({ add: ["tinyembed"] });
  await conversation(app, standIn);
  await app.composer.fill(DRAFT);
  await lookedUp(page);
  await expect(lines(page)).toHaveCount(0);
  expect(await asked(standIn)).toEqual([]);

  let dialog = await openSettings(app);
  await dialog.getByLabel("Embedding model").selectOption({ label: "tinyembed" });
  await expect(dialog).toContainText(/will read the messages of all chats, up to \d+ messages? now/);
  await dialog.getByRole("button", { name: "Let it read them" }).click();
  await expect(dialog).toContainText("Nothing to read now.");
  await page.keyboard.press("Escape");
  await expect(lines(page)).toContainText("Electroencephalography.");
  const texts = (await asked(standIn)).flat();
  // A message is read behind the one before it.
  const answer = EXCHANGES[0].join("\n");
  expect(texts).toContain(answer);
  expect(texts).toContain(DRAFT);

  // The draft is kept over a reload; the messages are not read again.
  await app.reload();
  await app.ready();
  await expect(app.composer).toHaveValue(DRAFT);
  await expect(lines(page)).toContainText("Electroencephalography.");
  expect((await asked(standIn)).flat().filter((text) => text === answer)).toHaveLength(1);

  dialog = await openSettings(app);
  await dialog.getByLabel("Embedding model").selectOption({ label: "None: by words only" });
  await page.keyboard.press("Escape");
  await expect(lines(page)).toHaveCount(0);
});

test("without an installed embedding model the settings do not speak of it", async ({ app }) => {
  await app.openReady();
  const dialog = await openSettings(app);
  await expect(dialog.getByRole("heading", { name: "Writing" })).toBeVisible();
  await expect(dialog.getByLabel("Embedding model")).toHaveCount(0);
});
