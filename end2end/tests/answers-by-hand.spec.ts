// Answers by the person's own hand and by another model, forks of a chat: all beside what was there.
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

test("an answer is edited in its place, marked, undone, and is what the model reads next", async ({ app, page, standIn }) => {
  await standIn.script(says("Lyon is the *capital*."));
  await app.openReady();
  await app.exchange("Capital of France?");
  await app.act(app.last, "Edit this answer");
  const field = page.getByRole("textbox", { name: "Edit answer" });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("Lyon is the *capital*.");
  const save = page.getByRole("button", { name: "Save as my version" });
  await expect(save).toBeDisabled();
  await field.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(app.inMessage(app.last, "More")).toBeFocused();

  await app.act(app.last, "Edit this answer");
  await field.fill("Paris is the *capital*.");
  await field.press("Control+Enter");
  await expect(app.text(app.last)).toHaveText("Paris is the capital.");
  await expect(app.last).toContainText("edited by you");
  await expect(app.last.getByRole("heading", { name: /edited by you/ })).toHaveCount(1);
  await expect(app.last.getByRole("group", { name: "Versions" })).toContainText("2/2");
  await expect(app.inMessage(app.last, "More")).toBeFocused();
  expect(await standIn.chats(1)).toHaveLength(1);

  // Undone by the toast, and written again.
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(app.text(app.last)).toHaveText("Lyon is the capital.");
  await app.act(app.last, "Edit this answer");
  await field.fill("Paris it is.");
  await save.click();
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("Edited by you");
  await app.last.getByRole("button", { name: "Show the original answer" }).click();
  await expect(app.text(app.last)).toHaveText("Lyon is the capital.");
  await app.inMessage(app.last, "Next version").click();

  await standIn.script(says("Yes."));
  await app.exchange("Sure?");
  expect((await standIn.chats(2))[1].body.messages.map((m) => m.content)).toEqual(["Capital of France?", "Paris it is.", "Sure?"]);
  await app.reload();
  await expect(app.message(2)).toContainText("edited by you");
});

test("another model answers the same question in one step, and the chat keeps its own", async ({ app, page, standIn }) => {
  await standIn.models({ add: ["tinytool"] });
  await standIn.script(says("One."));
  await standIn.script(says("Two."));
  await app.open();
  await app.chooseModel("llama3.2:latest");
  await app.exchange("Which?");
  await app.act(app.last, "Ask again with…");
  const dialog = page.getByRole("dialog", { name: "Ask again with…" });
  await dialog.locator('[data-model="tinytool:latest"]').click();
  await expect(dialog).toHaveCount(0);
  await expect(app.text(app.last)).toHaveText("Two.");
  await expect(app.last).toContainText("tinytool");
  await expect(app.last.getByRole("group", { name: "Versions" })).toContainText("2/2");
  await app.ended("complete");
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("Model: tinytool");
  await expect(app.model).toHaveValue(/^llama3.2/);
  expect((await standIn.chats(2)).map((chat) => chat.body.model)).toEqual(["llama3.2:latest", "tinytool:latest"]);
});

test("a branch goes on in a chat of its own; undo takes that back", async ({ app, page, standIn }) => {
  for (const words of ["First.", "Second.", "Third."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("One?");
  await app.exchange("Two?");
  const texts = app.messages.locator(".message-text");
  await app.act(app.message(2), "Fork from here");
  await expect(app.title).toHaveText("One? (fork)");
  await expect(texts).toHaveText(["One?", "First."]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(app.title).toHaveText("One?");
  await expect(texts).toHaveCount(4);

  await app.act(app.message(2), "Fork from here");
  await expect(app.title).toHaveText("One? (fork)");
  await app.exchange("Three?");
  await app.reload();
  await expect(texts).toHaveText(["One?", "First.", "Three?", "Third."]);
  await app.act(app.message(2), "Details and timing");
  await expect(app.message(2).locator(".receipt")).toContainText("You: One?");
  await page.goBack();
  await expect(texts).toHaveText(["One?", "First.", "Two?", "Second."]);
});
