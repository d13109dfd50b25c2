// Recall by itself: what goes with a prompt is shown while it is typed, sent with it, kept with it, and taken out again.
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { Panel } from "../support/panel";
import { conversation, DRAFT, lookedUp } from "../support/roadMap";
import { says } from "../support/standIn";

const lines = (page: Page) => page.getByRole("region", { name: "Recalled for this prompt" });

test("what fits the draft is shown, sent as shown, and frozen into the question", async ({ app, page, standIn }) => {
  const panel = new Panel(page);
  await conversation(app, standIn, () => app.recallByItself());
  await app.composer.pressSequentially(DRAFT, { delay: 5 });
  await expect(lines(page)).toContainText("As an adjacency list: each crossing");
  await expect(app.composer).toBeFocused();
  await panel.open();
  const shown = (await panel.messages()).at(-1)!.content;
  expect(shown).toContain("the assistant]\n```\nAs an **adjacency list**: each crossing with its streets.\n```");
  expect(shown.endsWith(`\n\n${DRAFT}`)).toBe(true);

  await standIn.script(says("Small."));
  await app.composer.press("Enter");
  await app.ended("complete");
  const sent = (await standIn.chats(5))[4].body.messages.at(-1)!.content;
  expect(sent).toBe(shown);
  await expect(lines(page)).toHaveCount(0);

  // The transcript shows the question as it was written, and with it what was recalled.
  const question = app.message(9);
  await expect(app.text(question)).toHaveText(DRAFT);
  const note = question.locator(".recalled");
  await expect(note).toContainText(/With \d older messages?, about \d+ tokens/);
  await note.locator("summary").click();
  await expect(note).toContainText("quoted word for word");

  // Byte for byte again, also after a reload and from another rule.
  await app.reload();
  await app.ready();
  await standIn.script(says("Yes."));
  await app.exchange("Thanks");
  expect((await standIn.chats(6))[5].body.messages.map((m) => m.content)).toContain(sent);
  await app.act(app.message(10), "Details and timing");
  await expect(app.message(10)).toContainText("with the older messages recalled for it");

  await question.getByRole("button", { name: "Remove them" }).click();
  await expect(note).toContainText("removed");
  await standIn.script(says("Good."));
  await app.exchange("And now?");
  const after = (await standIn.chats(7))[6].body.messages.map((m) => m.content);
  expect(after.join()).not.toContain("quoted word for word");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Put them back" }).click();
  await expect(note).not.toContainText("removed");
});

test("one that is left out does not go, and an export has what went", async ({ app, page, standIn }) => {
  await conversation(app, standIn, () => app.recallByItself());
  await app.composer.fill(DRAFT);
  await expect(lines(page)).toBeVisible();
  const quotes = lines(page).getByRole("listitem");
  const first = (await quotes.count()) > 0 ? await quotes.first().innerText() : "";
  await quotes.first().getByRole("button", { name: "Not this one" }).click();
  await expect(app.composer).toBeFocused();
  await expect(lines(page).filter({ hasText: first })).toHaveCount(0);
  await app.composer.fill("");
  await app.composer.fill(`${DRAFT} `);
  await expect(lines(page)).toContainText(first.split("\n")[0]);
  await standIn.script(says("Small."));
  await app.composer.press("Enter");
  await app.ended("complete");

  const library = new Library(page);
  await app.openFromFoot("Export");
  await library.dialog.getByRole("radio", { name: /^Markdown/ }).check();
  const [file] = await Promise.all([page.waitForEvent("download"), library.button("Export").click()]);
  const markdown = await readFile((await file.path())!, "utf8");
  expect(markdown).toContain("> *Recalled for this question*");
  expect(markdown).toContain("one with recalled messages");
});

// Guarded in each run by rooms/recall/src/tests/recalls.rs, `nothing_is_added_when_nothing_fits_or_when_it_is_off`.
test("nothing is added when nothing fits, and the choice belongs to the chat", { tag: "@all" }, async ({ app, page, standIn }) => {
  await conversation(app, standIn, () => app.recallByItself());
  await app.composer.fill("Write a poem about mountains");
  await lookedUp(page);
  await expect(lines(page)).toHaveCount(0);
  await app.newChat();
  await app.openMoreRules();
  await expect(app.rules.getByRole("radio", { name: "Suggest one" })).toBeChecked();
});
