// Deleting messages: what goes with them, and what must not.
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

test("an answer whose question was deleted is not asked again with its words", async ({ app, standIn, page }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("A secret");
  await app.message(1).hover();
  await app.inMessage(app.message(1), "Delete").click();
  await expect(app.messages).toHaveCount(1);
  await app.last.hover();
  await app.inMessage(app.last, "Ask again").click();
  await expect(page.getByText("Its question has been deleted")).toBeVisible();
  await app.inMessage(app.last, "What if…").click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await standIn.chats(1)).toHaveLength(1);
  // Nor does its receipt show them, or the list of chats.
  await app.inMessage(app.last, "What it read").click();
  await expect(page.getByText("A secret")).toHaveCount(0);
});

test("deleting the last message before a fresh start does not lift it", async ({ app, standIn }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("Before");
  await app.ask("/clear");
  await expect(app.log.getByText("The window starts afresh here")).toBeVisible();
  await app.message(2).hover();
  await app.inMessage(app.message(2), "Delete").click();
  await expect(app.messages).toHaveCount(1);
  await expect(app.log.getByText("The window starts afresh here")).toBeVisible();
  await app.exchange("After");
  expect((await standIn.chats(2))[1].body.messages).toEqual([{ role: "user", content: "After" }]);
});

test("a fresh start is one line, also after the message before it was deleted and brought back", async ({ app, standIn, page }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First");
  await app.exchange("Second");
  await app.ask("/clear");
  const lines = app.log.getByText("The window starts afresh here");
  await expect(lines).toHaveCount(1);
  const below = async () => (await app.log.locator(".message-text, .afresh").allTextContents()).map((words) => words.replace(/Remove$/, ""));
  const all = ["First", "One.", "Second", "Two.", "The window starts afresh here"];
  expect(await below()).toEqual(all);
  await app.message(4).hover();
  await app.inMessage(app.message(4), "Delete").click();
  await expect.poll(below).toEqual(["First", "One.", "Second", "The window starts afresh here"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(below).toEqual(all);
  await app.reload();
  await expect.poll(below).toEqual(all);
  await app.log.getByRole("button", { name: "Remove the fresh start" }).click();
  await expect(lines).toHaveCount(0);
});

test("Ctrl+Z brings a deleted message back to its place", async ({ app, standIn, page }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First");
  await app.exchange("Second");
  await app.message(2).hover();
  await app.inMessage(app.message(2), "Delete").click();
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "Second", "Two."]);
  await app.title.click();
  await page.keyboard.press("Control+z");
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "One.", "Second", "Two."]);
});

test("an answer beside others is deleted alone", async ({ app, standIn }) => {
  for (const words of ["One.", "Another."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First");
  await app.inMessage(app.last, "Ask again").click();
  await expect(app.text(app.last)).toHaveText("Another.");
  await app.ended("complete");
  await app.last.hover();
  await app.inMessage(app.last, "Delete").click();
  await expect(app.text(app.last)).toHaveText("One.");
  await expect(app.last.getByText("2/2")).toHaveCount(0);
});
