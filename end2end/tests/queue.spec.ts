// Prompts that are written while an answer runs wait above the field.
import { expect, test } from "../support/fixtures";
import { conversation, DRAFT } from "../support/roadMap";
import { endless, says, status, text } from "../support/standIn";

test("prompts wait in order, are moved, edited, taken out and sent, by keyboard alone", async ({ app, page, standIn }) => {
  const list = page.getByRole("list", { name: "Queue" });
  const rows = list.getByRole("listitem");
  const order = async (words: string[]) => expect(rows.locator(".queue-words")).toHaveText(words);
  const press = async (name: string) => {
    await page.getByRole("button", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  await standIn.script([text("Some words", 1), endless()]);
  await app.openReady();
  await app.ask("Go");
  await app.streaming();
  await expect(page.getByRole("button", { name: "Queue" })).toHaveCount(0);
  for (const prompt of ["One", "Two", "Three"]) await app.ask(prompt);
  await app.composer.fill("Four");
  await page.getByRole("button", { name: "Queue", exact: true }).click();
  await expect(app.composer).toBeFocused();
  await expect(app.composer).toHaveValue("");
  await order(["One", "Two", "Three", "Four"]);
  await expect(page.locator("[aria-live=polite]").filter({ hasText: "Sent one by one" })).toBeVisible();

  await press("Move up: Three");
  await expect(page.getByRole("button", { name: "Move up: Three" })).toBeFocused();
  await page.keyboard.press("Enter");
  await order(["Three", "One", "Two", "Four"]);
  // It is the first now.
  await expect(page.getByRole("button", { name: "Move up: Three" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Move down: Three" })).toBeFocused();

  await press("Remove: Two");
  await order(["Three", "One", "Four"]);
  await page.keyboard.press("Control+z");
  await order(["Three", "One", "Two", "Four"]);

  await app.composer.fill("Mine");
  await press("Edit: One");
  await expect(page.getByText("Send or clear what is in the field first")).toBeVisible();
  await app.composer.fill("");
  await press("Edit: One");
  await expect(app.composer).toBeFocused();
  await expect(app.composer).toHaveValue("One");
  await order(["Three", "Two", "Four"]);
  await app.composer.fill("Being written");

  await standIn.script(says("To two."));
  await standIn.script([status(500, "application/json", '{"error":"boom"}')]);
  await press("Stop and send: Two");
  await expect(page.locator(".queue-state").filter({ hasText: "the last answer failed" })).toBeVisible();
  await order(["Four"]);
  await standIn.script(says("To four."));
  await press("Resume the queue");
  await expect(app.messages).toHaveCount(8);
  await expect(page.locator("[aria-live=polite]").filter({ hasText: "Sent one by one" })).toHaveCount(0);
  await expect(app.composer).toHaveValue("Being written");
  // A question without an answer goes along with the next one.
  const sent = (await standIn.chats(4)).map((chat) => chat.body.messages.at(-1)?.content.split("\n").at(-1));
  expect(sent).toEqual(["Go", "Two", "Three", "Four"]);
  await expect(list).toHaveCount(0);
});

// Guarded in each run by rooms/queue/src/tests/queue.rs,
// `after_a_reload_the_queue_is_there_and_paused_and_comes_back_with_its_chat` and
// `a_prompt_that_does_not_fit_goes_back_to_its_place_and_pauses_the_queue`.
test("a queue is paused after a reload and in a second tab, by a stop and where it does not fit, and goes on when told", { tag: "@all" }, async ({ app, page, standIn, context }) => {
  const state = (words: string) => page.locator(".queue-state").filter({ hasText: words });
  await standIn.script([text("Some.", 1), endless()]);
  await app.openReady();
  await app.ask("Go");
  await app.streaming();
  await app.ask("One");
  await app.ask("word ".repeat(30_000));
  await app.ask("Three");
  const second = await context.newPage();
  await second.goto(page.url());
  await expect(second.getByText("Another tab is answering in this chat. These prompts wait.")).toBeVisible();
  await expect(second.getByRole("list", { name: "Queue" }).getByRole("listitem")).toHaveCount(3);
  await second.close();
  await app.stop.click();
  await expect(state("the last answer was stopped")).toBeVisible();
  await app.reload();
  await expect(state("before this page was loaded")).toBeVisible();
  await standIn.chats(1);

  await standIn.settings({ num_ctx: 4096 });
  await standIn.script(says("First."));
  await page.getByRole("button", { name: "Resume the queue" }).click();
  await expect(state("does not fit the context")).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "tokens" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Queue" }).getByRole("listitem")).toHaveCount(2);
  await page.getByRole("button", { name: /^Remove: word/ }).click();
  await standIn.script(says("Third."));
  await page.getByRole("button", { name: "Resume the queue" }).click();
  await expect(app.messages).toHaveCount(6);
  await app.ended("complete");
  await expect(page.getByRole("list", { name: "Queue" })).toHaveCount(0);
});

// Guarded in each run by rooms/queue/src/tests/queue.rs,
// `what_is_found_when_a_prompt_is_queued_is_at_its_row_and_is_what_goes`.
test("what is recalled for a queued prompt is at its row and is what goes, and is left out there", { tag: "@all" }, async ({ app, page, standIn }) => {
  await conversation(app, standIn, () => app.recallByItself());
  await standIn.script([text("Some words", 1), endless()]);
  await app.ask("Go");
  await app.streaming();
  await app.ask(DRAFT);
  await app.ask(`${DRAFT} Say it again.`);
  const rows = page.getByRole("list", { name: "Queue" }).locator("> li");
  await expect(rows).toHaveCount(2);
  for (const at of [0, 1]) await expect(rows.nth(at)).toContainText("As an adjacency list: each crossing");
  const quote = rows.nth(1).getByRole("listitem").filter({ hasText: "As an adjacency list: each crossing" });
  await quote.getByRole("button", { name: "Not this one" }).click();
  await expect(quote).toHaveCount(0);
  await standIn.script(says("Small."));
  await standIn.script(says("Small again."));
  await page.getByRole("button", { name: /^Stop and send: / }).first().click();
  const sent = (await standIn.chats(7)).map((chat) => chat.body.messages.at(-1)!.content);
  expect(sent[5]).toContain("As an **adjacency list**");
  expect(sent[6]).not.toContain("As an **adjacency list**");
});
