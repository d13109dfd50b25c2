// What a screen reader hears while an answer comes: little, and nothing half-finished.
import { expect, test } from "../support/fixtures";
import { watchAnnouncements } from "../support/chatPage";
import { done, endless, says, status, text } from "../support/standIn";

test.beforeEach(({ page }) => page.addInitScript(watchAnnouncements));

const heard = (all: string[]) => all.filter(Boolean);

test("an ordinary answer is at most three announcements, none of them its text", async ({ app, standIn }) => {
  const words = Array.from({ length: 120 }, (_, n) => `word${n}`).join(" ");
  await standIn.script([text(words, 120, 80), done()]);
  await app.openReady();
  await app.exchange("Tell me something");
  await expect.poll(app.announced.bind(app)).toContain("Answer complete, 120 words");
  const said = heard(await app.announced());
  expect(said).toEqual(["llama3.2:latest is answering", "Answer complete, 120 words"]);
  // Cleared, so that the same can be said again.
  await expect.poll(async () => (await app.announced()).at(-1)).toBe("");
  await standIn.script([text(words, 4), done()]);
  await app.exchange("And again");
  // With the fourth message the first one leaves the window, which is said too, once in each browser.
  const ofAnswers = (all: string[]) => heard(all).filter((said) => !said.startsWith("The model no longer sees the start of this chat"));
  await expect.poll(async () => ofAnswers(await app.announced()).length).toBe(4);
});

test("the list at the field is said when it comes up, and not at each letter", async ({ app, page }) => {
  await app.openReady();
  const ofList = async () => heard(await app.announced()).filter((said) => said.includes("Enter chooses"));
  await app.composer.focus();
  await page.keyboard.type("/");
  await expect.poll(async () => (await ofList()).length).toBe(1);
  const options = page.getByRole("listbox", { name: "Prompts and commands" }).getByRole("option");
  for (const letter of "prompt") {
    await page.keyboard.type(letter);
    await expect(options.filter({ hasText: "New prompt" })).toBeVisible();
  }
  expect((await ofList()).length).toBe(1);
});

test("stopping is said", async ({ app, standIn }) => {
  await standIn.script([text("Half", 1), endless()]);
  await app.openReady();
  await app.ask("Go");
  await app.streaming();
  await app.stop.click();
  await expect.poll(async () => heard(await app.announced())).toEqual(["llama3.2:latest is answering", "Answer stopped"]);
});

test("an error is said once, at once", async ({ app, standIn, page }) => {
  await standIn.script([status(503, "application/json", '{"error":"server busy"}')]);
  await app.openReady();
  await app.ask("Go");
  await app.ended("failed");
  await expect.poll(async () => heard(await app.announced())).toEqual([
    "llama3.2:latest is answering",
    "Ollama’s queue is full. Try again in a moment.",
  ]);
  await expect(page.getByRole("alert")).toHaveCount(1);
});

test("a new chat by its key is said: focus stays in the prompt field", async ({ app, page }) => {
  await app.openReady();
  await app.composer.focus();
  await page.keyboard.press("Alt+n");
  await expect.poll(async () => heard(await app.announced())).toContain("New chat");
  await expect(app.composer).toBeFocused();
});

test("a deletion says that it can be undone, and by which key", async ({ app, page, standIn }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.exchange("Where is it?");
  await app.inList("Where is it?", "Delete");
  await expect(page.locator(".toast")).toContainText("Can be undone with Ctrl+Z.");
  await expect.poll(async () => (await app.announced()).some((said) => said.includes("Can be undone with Ctrl+Z."))).toBe(true);
});

test("the regions are always there, and the conversation is not one of them", async ({ app, standIn, page }) => {
  await app.openReady();
  await expect(app.log).toHaveAttribute("aria-live", "off");
  const same = await page.getByRole("alert").elementHandle();
  await standIn.script(says("Hello."));
  await app.exchange("Hello?");
  expect(await page.getByRole("alert").evaluate((now, before) => now === before, same)).toBe(true);
});
