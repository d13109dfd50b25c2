// What if: the same question with another window, both answers side by side, neither chosen until it is chosen.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import type { ChatPage } from "../support/chatPage";
import { done, endless, says, text, type StandIn } from "../support/standIn";

const dialog = (page: Page) => page.getByRole("dialog", { name: "What if…" });
const side = (page: Page, name: string) => dialog(page).getByRole("group", { name: new RegExp(`^${name}`) });

async function conversation(app: ChatPage, standIn: StandIn, n = 3): Promise<void> {
  await app.openReady();
  for (let i = 1; i <= n; i++) {
    await standIn.script(says(`Answer ${i}.`));
    await app.exchange(`Question ${i}?`);
  }
}

async function whatIf(app: ChatPage, message = app.last): Promise<void> {
  await app.act(message, "What if");
}

const texts = (app: ChatPage) => app.messages.locator(".message-text");
const branch = ["Question 1?", "Answer 1.", "Question 2?", "Answer 2.", "Question 3?", "Answer 3."];

test("another rule: both answers with their receipts, the first stays until the second is chosen", async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await standIn.script(says(`Another **answer**.\n\n\`\`\`\n${"long ".repeat(80)}\n\`\`\``));
  await whatIf(app);
  // Neither what it read, nor twice what comes to the same.
  await expect(dialog(page).locator(".choice")).toHaveText([
    "none of the messages before it",
    "the whole conversation 4 messages",
    "the last message before it 1 message",
    "“Answer 1.”",
    "“Question 2?”",
    "“Answer 2.”",
  ]);
  await dialog(page).getByRole("button", { name: "the whole conversation 4 messages" }).click();

  const second = side(page, "The other answer");
  await expect(second).toContainText("Another answer.");
  await expect(second.locator(".markdown strong")).toHaveText("answer");
  await expect(second).toContainText("Read 4 messages and the question");
  await expect(second).toContainText(/Rule: the whole conversation · Read: \d+ tokens, counted by Ollama/);
  await expect(second).toContainText("Read only by this one: “Question 1?”");
  await expect(side(page, "The answer so far")).toContainText("Answer 3.");
  await expect(side(page, "The answer so far")).toContainText("Read 3 messages and the question");
  await expect(side(page, "The answer so far")).toContainText("Without: “Question 1?”");
  // Side by side.
  const boxes = await Promise.all(["The answer so far", "The other answer"].map((name) => side(page, name).boundingBox()));
  expect(boxes[0]!.y).toBe(boxes[1]!.y);
  expect(boxes[1]!.x).toBeGreaterThan(boxes[0]!.x + boxes[0]!.width);

  // A long line of code does not push them out of the dialog.
  expect(await dialog(page).evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);

  // What Ollama got, twice.
  const chats = await standIn.chats(4);
  expect(chats[2].body.messages.map((m) => m.content)).toEqual(["Answer 1.", "Question 2?", "Answer 2.", "Question 3?"]);
  expect(chats[3].body.messages.map((m) => m.content)).toEqual(["Question 1?", "Answer 1.", "Question 2?", "Answer 2.", "Question 3?"]);

  // Nothing was chosen, and the chat's own rule is what it was.
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toHaveCount(0);
  await expect(app.inMessage(app.last, "More")).toBeFocused();
  await expect(texts(app)).toHaveText(branch);
  await expect(app.windowLine).toContainText("3 of 6 messages");
  await expect(app.last.getByRole("group", { name: "Versions" })).toContainText("1/2");

  // Both are there after a reload, the first still in the branch.
  await app.reload();
  await app.ready();
  await expect(texts(app)).toHaveText(branch);
  await app.inMessage(app.last, "Next version").click();
  await expect(texts(app).last()).toContainText("Another answer.");
  await expect(app.last.getByRole("group", { name: "Versions" })).toContainText("2/2");
  await app.act(app.last, "Details and timing");
  await expect(app.last).toContainText("It read 4 messages and the prompt");
});

test("without one message: all else that was read goes again, and the second is kept", async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await standIn.script(says("Without it."));
  await whatIf(app);
  await dialog(page).getByRole("button", { name: "“Question 2?”" }).click();
  const second = side(page, "The other answer");
  await expect(second).toContainText("Without it.");
  await expect(second).toContainText("Without: “Question 2?”");
  await expect(second).toContainText("Read 2 messages and the question");
  // Not one more message slid in for it.
  expect((await standIn.chats(4))[3].body.messages.map((m) => m.content)).toEqual(["Answer 1.\n\nAnswer 2.", "Question 3?"]);

  await second.getByRole("button", { name: "Keep this one" }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(texts(app)).toHaveText([...branch.slice(0, 5), "Without it."]);
  await expect(app.last.getByRole("group", { name: "Versions" })).toContainText("2/2");
  await app.reload();
  await expect(texts(app)).toHaveText([...branch.slice(0, 5), "Without it."]);
});

// Guarded in each run by rooms/compare/src/tests/what_if.rs,
// `both_answers_are_there_and_the_branch_stays_where_it_was`.
test("an answer in the middle: the branch and what follows stay where they are", { tag: "@all" }, async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await standIn.script(says("Alone."));
  await whatIf(app, app.message(4));
  await dialog(page).getByRole("button", { name: "none of the messages before it" }).click();
  await expect(side(page, "The other answer")).toContainText("Read the question alone");
  await expect(side(page, "The other answer")).toContainText("Alone.");
  await expect(texts(app)).toHaveText(branch);
  expect((await standIn.chats(4))[3].body.messages.map((m) => m.content)).toEqual(["Question 2?"]);
  await side(page, "The answer so far").getByRole("button", { name: "Keep this one" }).click();
  await expect(texts(app)).toHaveText(branch);
  await app.reload();
  await app.ready();
  await expect(texts(app)).toHaveText(branch);
  await expect(app.message(4).getByRole("group", { name: "Versions" })).toContainText("1/2");

  // The next prompt follows the branch that is read.
  await standIn.script(says("Answer 4."));
  await app.exchange("Question 4?");
  await expect(texts(app)).toHaveText([...branch, "Question 4?", "Answer 4."]);
});

test("the other answer streams, can be stopped, and goes on when the dialog is closed", async ({ app, standIn, page }) => {
  await conversation(app, standIn, 3);
  await standIn.script([text("Some words.", 2), endless()]);
  await whatIf(app);
  await dialog(page).getByRole("button", { name: "the whole conversation" }).click();
  const second = side(page, "The other answer");
  await expect(second).toContainText("Some words.");
  await second.getByRole("button", { name: "Stop" }).click();
  await standIn.disconnected(4);
  await expect(second).toContainText("Stopped");
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await expect(texts(app)).toHaveText(branch);

  await standIn.script([text("The beginning,", 2), { do: "wait", ms: 1500 }, text(" the end.", 2), done()]);
  await whatIf(app);
  await dialog(page).getByRole("button", { name: "the last message before it" }).click();
  await expect(second).toContainText("The beginning,");
  await page.keyboard.press("Escape");
  await expect(texts(app)).toHaveText(branch);
  await expect(app.stop).toBeVisible();
  await expect(app.send).toBeVisible();
  await expect(app.last.getByRole("group", { name: "Versions" })).toContainText("1/3");
  await app.inMessage(app.last, "Next version").click();
  await app.inMessage(app.last, "Next version").click();
  await expect(texts(app).last()).toHaveText("The beginning, the end.");
});

// Guarded in each run by tests/pairs/comparing.rs, `what_cannot_be_as_it_was_is_said` and
// `the_window_is_the_only_difference`.
test("the other answer is of the first one's model, and what cannot be as it was is said", { tag: "@all" }, async ({ app, standIn, page }) => {
  await conversation(app, standIn);
  await app.chooseModel("qwen3:4b");
  const said = dialog(page).getByRole("note");
  await standIn.script(says("Alone."));
  await whatIf(app);
  await expect(said).toHaveCount(0);
  await dialog(page).getByRole("button", { name: "none of the messages before it" }).click();
  await expect(side(page, "The other answer")).toContainText("Alone.");
  const [first, second] = (await standIn.chats(4)).slice(2).map((seen) => seen.body);
  expect({ ...second, messages: [] }).toEqual({ ...first, messages: [] });
  await page.keyboard.press("Escape");
  await standIn.models({ remove: ["llama3.2"] });
  await app.reload();
  await app.ready("qwen3");
  await standIn.script(says("By another."));
  await whatIf(app);
  await expect(said).toContainText(/llama3\.2(:latest)? is no longer installed\. qwen3:4b answers instead\./);
  await dialog(page).getByRole("button", { name: "none of the messages before it" }).click();
  await expect(side(page, "The other answer")).toContainText("By another.");
  await expect(said).toContainText("Other differences:");
  expect((await standIn.chats(5))[4].body.model).toBe("qwen3:4b");
});

test("the first question of a chat has no other window, and that is said", async ({ app, standIn, page }) => {
  await conversation(app, standIn, 1);
  await whatIf(app);
  await expect(dialog(page)).toContainText("No message before this question can be sent with it.");
  await expect(dialog(page).getByRole("button")).toHaveCount(1);
});

/** Having been told of one window once let every other go. */
test("what may not fit is told in the dialog, for each window anew", async ({ app, standIn, page }) => {
  await standIn.settings({ num_ctx: 1024 });
  await app.openReady();
  // A token a letter, as the stand-in counts.
  const long = "字".repeat(190);
  for (const n of [1, 2, 3, 4]) {
    await standIn.script(says(`${n} ${long}`));
    await app.exchange(`${n} ${long}`);
  }
  await standIn.script(says("Noted."));
  await app.exchange("And?");
  await whatIf(app);
  const told = dialog(page).getByRole("alert");
  const press = (name: string) => dialog(page).getByRole("button", { name }).click();
  await press("the whole conversation 8 messages");
  await expect(told).toHaveText(/^This may not fit: about 1,[\d]+ tokens, with room for 1,024\./);
  const first = await told.textContent();
  await press("the last 6 messages before it");
  await expect(told).not.toHaveText(first!);
  expect(await standIn.seen()).toHaveLength(5);

  // Asked all the same, Ollama refuses; it is said beside the first answer, and no advice is left behind.
  await press("the last 6 messages before it");
  await expect(side(page, "The other answer")).toContainText(/does not fit|too (large|long)|room for/i);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("form", { name: "Composer" }).getByRole("alert")).toHaveCount(0);
  await expect(texts(app).last()).toHaveText("Noted.");
});
