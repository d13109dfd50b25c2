// Two tabs: one answers in a chat at a time, and neither loses what the other wrote.
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { freePort } from "../support/programs";
import { done, hold, says, text, wait } from "../support/standIn";

/** An answer in three pieces; each of the last two is released. */
const SLOW = [text("Slowly ", 1), hold, text("it comes ", 1), hold, text("to its end.", 1), done()];

test("a chat that is answered in another tab waits for it, and shows the answer", async ({ app, standIn }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("First");
  const other = await app.anotherTab();
  await standIn.script(SLOW);
  await app.ask("Second");
  const line = other.page.getByText("This chat is in use in another tab");
  await expect(line).toBeVisible();
  await expect(other.last).toContainText("Being written in another tab");
  await other.composer.fill("I want to ask too");
  await expect(other.send).toBeDisabled();
  // Its text follows, piece by piece.
  await standIn.release();
  await expect(other.text(other.last)).toContainText("Slowly it comes");
  await standIn.release();
  await app.ended("complete");
  await expect(line).toHaveCount(0);
  await expect(other.text(other.last)).toHaveText("Slowly it comes to its end.");
  await expect(other.send).toBeEnabled();
});

// Guarded in each run by kernel/stores/tests/stores/remote_answers.rs,
// `a_tab_that_is_opened_while_another_answers_knows_it`.
test("a tab that is opened in mid-answer knows that the answer runs", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script(SLOW);
  await app.openReady();
  await app.ask("First");
  await app.streaming();
  const other = await app.anotherTab();
  await expect(other.last).toContainText("Being written in another tab");
  for (let piece = 0; piece < 2; piece++) await standIn.release();
  await app.ended("complete");
  await expect(other.last).toHaveAttribute("data-state", "complete");
});

test("taking over stops the answer there and keeps what has come", async ({ app, standIn }) => {
  await standIn.script([text("So far so good.", 1), wait(60_000), done()]);
  await app.openReady();
  await app.ask("First");
  await app.streaming();
  await expect.poll(async () => Object.keys(await app.stored()).filter((key) => key.startsWith("sash:t:")).length).toBeGreaterThan(1);
  const other = await app.anotherTab();
  await other.page.getByRole("button", { name: "Take over" }).click();
  await app.ended("stopped");
  await other.ended("stopped");
  await expect(other.text(other.last)).toHaveText("So far so good.");
  await standIn.script(says("Here I am."));
  await other.exchange("Second");
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "So far so good.", "Second", "Here I am."]);
});

// Guarded in each run by kernel/stores/tests/stores/settings.rs,
// `another_server_chosen_in_another_tab_is_looked_for_here`.
test("another server that is chosen in one tab is followed in the other at once", { tag: "@all" }, async ({ app, context, programs }) => {
  const sash = await programs.sash(`http://127.0.0.1:${await freePort()}`);
  const [here, there] = [new ChatPage(app.page, sash.url), new ChatPage(await context.newPage(), sash.url)];
  await here.open();
  await there.open();
  await expect(there.panel.getByRole("button", { name: "Try the demo" })).toBeVisible();
  await here.panel.getByRole("button", { name: "Try the demo" }).click();
  const demo = there.page.getByText("This is the demo");
  await expect(demo).toBeVisible();
  await expect(there.panel).toHaveCount(0);
  await expect(there.model).toBeEnabled();
  const models = await there.model.locator("option").allTextContents();
  expect(models).toEqual(await here.model.locator("option").allTextContents());
  // Where all is well a page looks by itself after half a minute only.
  await here.page.getByRole("button", { name: "Back to Ollama" }).click();
  await expect(demo).toHaveCount(0);
  await expect(there.panel).toBeVisible();
});

// Guarded in each run by kernel/stores/tests/stores/tabs.rs,
// `two_tabs_that_answer_at_the_same_time_without_locks_make_two_branches`.
test("without locks both tabs may answer, and both answers are kept", { tag: "@all" }, async ({ app, standIn, context }) => {
  // As on a plain address of the network.
  await context.addInitScript(() => Object.defineProperty(navigator, "locks", { value: undefined }));
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("First");
  const other = await app.anotherTab();
  for (const words of ["To one tab.", "To the other."]) await standIn.script([wait(700), text(words), done()]);
  // Neither has heard of the other when it asks.
  await app.composer.fill("From one tab");
  await other.composer.fill("From the other");
  await Promise.all([app.composer.press("Enter"), other.composer.press("Enter")]);
  // Either may show the other's answer when both have ended: what was written last leads.
  const messages = async () => Object.entries(await app.stored()).filter(([key]) => key.startsWith("sash:m:"));
  await expect.poll(async () => (await messages()).length).toBe(6);
  const kept = await messages();
  for (const words of ["From one tab", "From the other", "To one tab.", "To the other."]) {
    expect(kept.filter(([, value]) => value.includes(words))).toHaveLength(1);
  }
  // Two branches, unless one had heard of the other just before it asked.
  const parents = kept.filter(([, value]) => value.includes("From ")).map(([, value]) => /"parent":"(\w+)"/.exec(value)?.[1]);
  if (parents[0] === parents[1]) await expect(app.log.getByRole("button", { name: /version/i }).first()).toBeVisible();
});

// Guarded in each run by kernel/stores/tests/stores/tabs.rs,
// `a_message_that_another_tab_deleted_goes_and_comes_back`.
test("a message deleted in one tab goes in the other, and comes back with undo", { tag: "@all" }, async ({ app, standIn, page }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First");
  await app.exchange("Second");
  const other = await app.anotherTab();
  await app.message(2).hover();
  await app.act(app.message(2), "Delete");
  const left = ["First", "Second", "Two."];
  await expect(app.messages.locator(".message-text")).toHaveText(left);
  await expect(other.messages.locator(".message-text")).toHaveText(left);
  await app.reload();
  await expect(app.messages.locator(".message-text")).toHaveText(left);
  await app.message(3).hover();
  await app.act(app.message(3), "Delete");
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "Second"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(app.messages.locator(".message-text")).toHaveText(left);
  await expect(other.messages.locator(".message-text")).toHaveText(left);
  // What was deleted is not sent.
  await standIn.script(says("Three."));
  await app.ready();
  await app.exchange("Third");
  expect((await standIn.chats(3))[2].body.messages.map((m) => m.content)).toEqual(["First\n\nSecond", "Two.", "Third"]);
});
