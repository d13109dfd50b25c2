// Deleting messages: what goes with them, and what must not.
import type { Locator } from "@playwright/test";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Library } from "../support/library";
import { openWithMessages } from "../support/log";
import { says } from "../support/standIn";

// Guarded in each run by kernel/stores/tests/stores/chats.rs,
// `an_answer_whose_question_was_deleted_cannot_be_asked_for_again`.
test("an answer whose question was deleted is not asked again with its words", { tag: "@all" }, async ({ app, standIn, page }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await app.exchange("A secret");
  await app.message(1).hover();
  await app.act(app.message(1), "Delete");
  await expect(app.messages).toHaveCount(1);
  await app.last.hover();
  await app.inMessage(app.last, "Ask again").click();
  await expect(page.getByText("Its question was deleted")).toBeVisible();
  await app.act(app.last, "What if");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect(await standIn.chats(1)).toHaveLength(1);
  // Nor does its receipt show them, or the list of chats.
  await app.act(app.last, "Details and timing");
  await expect(page.getByText("A secret")).toHaveCount(0);
});

// Guarded in each run by kernel/chat/src/chat/tests.rs,
// `a_fresh_start_after_a_deleted_message_stands_before_it_until_the_message_is_back`.
test("deleting the last message before a fresh start does not lift it", { tag: "@all" }, async ({ app, standIn }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("Before");
  await app.ask("/clear");
  await expect(app.log.getByText("Context cleared here")).toBeVisible();
  await app.message(2).hover();
  await app.act(app.message(2), "Delete");
  await expect(app.messages).toHaveCount(1);
  await expect(app.log.getByText("Context cleared here")).toBeVisible();
  await app.exchange("After");
  expect((await standIn.chats(2))[1].body.messages).toEqual([{ role: "user", content: "After" }]);
});

// Guarded in each run by kernel/chat/src/chat/tests.rs,
// `a_fresh_start_after_a_deleted_message_stands_before_it_until_the_message_is_back`.
test("a fresh start is one line, also after the message before it was deleted and brought back", { tag: "@all" }, async ({ app, standIn, page }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First");
  await app.exchange("Second");
  await app.ask("/clear");
  const lines = app.log.getByText("Context cleared here");
  await expect(lines).toHaveCount(1);
  const below = async () => (await app.log.locator(".message-text, .afresh").allTextContents()).map((words) => words.replace(/Remove$/, ""));
  const all = ["First", "One.", "Second", "Two.", "Context cleared here"];
  expect(await below()).toEqual(all);
  await app.message(4).hover();
  await app.act(app.message(4), "Delete");
  await expect.poll(below).toEqual(["First", "One.", "Second", "Context cleared here"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(below).toEqual(all);
  await app.reload();
  await expect.poll(below).toEqual(all);
  await app.log.getByRole("button", { name: "Remove “Context cleared here”" }).click();
  await expect(lines).toHaveCount(0);
});

// Guarded in each run by kernel/stores/tests/stores/chats.rs,
// `a_deleted_message_leaves_what_followed_it_and_comes_back_to_its_place`.
test("Ctrl+Z brings a deleted message back to its place", { tag: "@all" }, async ({ app, standIn, page }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First");
  await app.exchange("Second");
  await app.message(2).hover();
  await app.act(app.message(2), "Delete");
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "Second", "Two."]);
  await app.title.click();
  await page.keyboard.press("Control+z");
  await expect(app.messages.locator(".message-text")).toHaveText(["First", "One.", "Second", "Two."]);
});

// Guarded in each run by kernel/chat/src/chat/tests.rs, `without_the_newest_answer_the_one_before_it_is_read`.
test("an answer beside others is deleted alone", { tag: "@all" }, async ({ app, standIn }) => {
  for (const words of ["One.", "Another."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First");
  await app.inMessage(app.last, "Ask again").click();
  await expect(app.text(app.last)).toHaveText("Another.");
  await app.ended("complete");
  await app.last.hover();
  await app.act(app.last, "Delete");
  await expect(app.text(app.last)).toHaveText("One.");
  await expect(app.last.getByText("2/2")).toHaveCount(0);
});

test("the offer to undo goes after ten seconds, not while it is used, and Ctrl+Z undoes all the same", async ({ app, page }) => {
  await page.clock.install();
  await openWithMessages(app, 8);
  const line = page.getByText("Deleted a message");
  const undo = page.getByRole("button", { name: "Undo" });
  await app.act(app.message(3), "Delete");
  await expect(line).toBeVisible();
  await page.mouse.move(5, 5);
  await page.clock.fastForward(5_000);
  await expect(line).toBeVisible();
  await line.hover();
  await page.clock.fastForward(60_000);
  await expect(line).toBeVisible();
  await undo.focus();
  await page.mouse.move(5, 5);
  await page.clock.fastForward(60_000);
  await expect(line).toBeVisible();
  await app.log.focus();
  await page.clock.fastForward(5_000);
  await expect(line).toBeVisible();
  await page.clock.fastForward(6_000);
  await expect(line).toHaveCount(0);
  await page.keyboard.press("Control+z");
  await expect(app.messages).toHaveCount(8);
});

// Guarded in each run by kernel/stores/tests/stores/steering.rs, `steering_is_taken_back_step_by_step`;
// steer.spec.ts, "the undo at the foot is of the chat it tells of, and Ctrl+Z brings a deleted chat back".
test("Ctrl+Z takes back deletions and steps in the order in which they were done", { tag: "@all" }, async ({ app, page }) => {
  await openWithMessages(app, 8);
  await app.act(app.message(8), "Mute");
  await app.act(app.message(1), "Delete");
  await app.act(app.message(2), "Pin");
  await app.act(app.message(1), "Delete");
  await app.log.focus();
  const [texts, set] = [app.messages.locator(".message-text"), app.log.locator("[data-set]")];
  await expect(texts.first()).toHaveText("Question 2");
  await page.keyboard.press("Control+z");
  await expect(texts.first()).toHaveText("Answer 1");
  await expect(set).toHaveCount(2);
  await page.keyboard.press("Control+z");
  await expect(set).toHaveCount(1);
  await expect(app.messages).toHaveCount(7);
  await page.keyboard.press("Control+z");
  await expect(app.messages).toHaveCount(8);
  await page.keyboard.press("Control+z");
  await expect(set).toHaveCount(0);
});

test("the offer to undo goes when what it tells of was restored elsewhere", async ({ app, page, context }) => {
  await openWithMessages(app, 8);
  const library = new Library(page);
  const line = page.getByText(/^Deleted /);
  await app.act(app.message(3), "Delete");
  await expect(line).toBeVisible();
  await app.openFromFoot("Trash");
  await library.button(/^Restore/).click();
  await expect(line).toHaveCount(0);
  await library.close();
  await expect(app.messages).toHaveCount(8);

  await app.chat("A long chat").hover();
  await app.inList("A long chat", "Delete");
  await expect(line).toBeVisible();
  const other = await context.newPage();
  await other.goto(app.url);
  await new ChatPage(other, app.url).openFromFoot("Trash");
  await new Library(other).button("Restore A long chat").click();
  await expect(app.chat("A long chat")).toBeVisible();
  await expect(line).toHaveCount(0);
});

test("the offer to undo stands in the middle of its column and leaves Jump to latest free", async ({ app, page }) => {
  await openWithMessages(app, 40);
  await app.act(app.last, "Delete");
  const line = page.locator(".toast");
  for (const size of [{ width: 1280, height: 800 }, { width: 900, height: 600 }, { width: 390, height: 800 }]) {
    await page.setViewportSize(size);
    await app.log.evaluate((log) => log.scrollTo(0, 200));
    const jump = page.getByRole("button", { name: "Jump to latest" });
    await expect(jump).toBeVisible();
    const boxOf = async (what: typeof line) => (await what.boundingBox())!;
    const [toast, button, composer] = [await boxOf(line), await boxOf(jump), await boxOf(page.locator(".composer-box"))];
    const middle = (box: typeof toast) => box.x + box.width / 2;
    expect(Math.abs(middle(toast) - middle(composer)), `${size.width} px`).toBeLessThanOrEqual(1);
    expect(button.y + button.height, `${size.width} px`).toBeLessThanOrEqual(toast.y);
    expect(toast.y + toast.height).toBeLessThanOrEqual(composer.y);
    await jump.click({ trial: true });
  }
});

for (const [way, undo] of [
  ["Ctrl+Z", async ({ app }) => app.page.keyboard.press("Control+z")],
  ["the button", async ({ button }) => {
    await button.focus();
    await button.press("Enter");
  }],
] satisfies [string, (by: { app: ChatPage; button: Locator }) => Promise<void>][]) {
  // Guarded in each run by the other of them, and kernel/stores/tests/stores/chats.rs,
  // `a_deleted_message_leaves_what_followed_it_and_comes_back_to_its_place`.
  test(`after Undo by ${way} focus is on the message that came back`, { tag: way === "Ctrl+Z" ? "@all" : [] }, async ({ app, page }) => {
    await openWithMessages(app, 8);
    await app.act(app.message(3), "Delete");
    await expect(app.messages).toHaveCount(7);
    await undo({ app, button: page.getByRole("button", { name: "Undo" }) });
    await expect(app.messages).toHaveCount(8);
    await expect(app.message(3)).toBeFocused();
    await expect(app.text(app.message(3))).toHaveText("Question 2");
    // Tab goes on from there.
    await page.keyboard.press("Tab");
    await expect(app.message(3).locator(":focus")).toHaveCount(1);
  });
}

test("Undo is pressed without leaving the field in which one writes", async ({ app, page }) => {
  // A field that is left may do something that replaces the line before the click arrives.
  await openWithMessages(app, 8);
  await app.act(app.message(3), "Delete");
  await expect(app.messages).toHaveCount(7);
  await app.composer.fill("Half a question");
  await app.composer.evaluate((field) => field.addEventListener("blur", () => field.setAttribute("data-test-left", "")));
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(app.messages).toHaveCount(8);
  await expect(app.composer).toBeFocused();
  await expect(app.composer).not.toHaveAttribute("data-test-left");
});
