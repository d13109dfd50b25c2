// Tools: switched on for a chat, called by the model, answered by Sash or by hand; call and result stay together.
import { expect, test } from "../support/fixtures";
import type { ChatPage } from "../support/chatPage";
import { openWithCalls } from "../support/log";
import { Panel } from "../support/panel";
import { done, says, type Step } from "../support/standIn";

const call = (name: string, args: object, id = "call_1") => ({ id, function: { name, arguments: args } });
/** An answer that calls tools. */
const calls = (...all: object[]): Step[] => [{ do: "tool_calls", calls: all }, done()];

async function ready(app: ChatPage): Promise<void> {
  await app.open();
  await app.chooseModel("tinytool:latest");
}

async function tools(app: ChatPage) {
  await app.page.getByRole("button", { name: /^Tools/ }).click();
  const dialog = app.page.getByRole("dialog", { name: "Tools of this chat" });
  await expect(dialog).toBeVisible();
  return dialog;
}

async function switchOn(app: ChatPage, ...names: string[]): Promise<void> {
  const dialog = await tools(app);
  for (const name of names) await dialog.getByRole("checkbox", { name }).check();
  await dialog.getByRole("button", { name: "Close" }).click();
}

test.beforeEach(async ({ standIn }) => standIn.models({ add: ["tinytool"] }));

test("the model calls, Sash answers, the model goes on; transcript, panel and receipt show it", async ({ app, page, standIn }) => {
  await ready(app);
  await switchOn(app, "Date and time", "Calculator");
  await expect(page.getByRole("button", { name: "Tools: 2" })).toBeVisible();
  const panel = new Panel(page);
  await panel.open();
  await expect(panel.turns.first()).toContainText("Tools");
  await expect(panel.turns.first()).toContainText("current_time");
  await page.keyboard.press("Escape");
  await standIn.script(calls(call("calculate", { expression: "1234 * 5678" }, "call_a"), call("current_time", {}, "call_b")));
  await standIn.script(says("It is 7,006,652."));
  await app.ask("How much is it, and when?");
  await expect(app.messages).toHaveCount(5);
  await expect(app.text(app.last)).toHaveText("It is 7,006,652.");
  await expect(app.message(2).getByText("Asked for 2 tools.")).toBeVisible();
  // One line each, which unfolds to what was called and returned.
  const line = app.message(3).getByText("Used Calculator: 7,006,652");
  await expect(line).toBeVisible();
  await expect(app.message(3).getByText('"expression": "1234 * 5678"')).toBeHidden();
  await line.click();
  await expect(app.message(3).getByText('"expression": "1234 * 5678"')).toBeVisible();
  await expect(app.message(4)).toContainText("UTC");
  // The second request is the first one and what came since.
  const [first, second] = (await standIn.chats(2)).map((seen) => seen.body);
  expect(first.tools).toHaveLength(2);
  expect(second.tools).toEqual(first.tools);
  expect(second.messages.slice(0, 1)).toEqual(first.messages);
  expect(second.messages.slice(2)).toMatchObject([
    { role: "tool", tool_name: "calculate", tool_call_id: "call00001", content: "7006652" },
    { role: "tool", tool_name: "current_time", tool_call_id: "call00002" },
  ]);
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("Tools: current_time, calculate");
  await page.keyboard.press("Escape");
  // All of it is there after a reload, and goes with its question: the window is the last two messages and what belongs to them.
  await app.reload();
  await expect(app.messages).toHaveCount(5);
  await expect(app.message(3)).toContainText("7006652");
  await standIn.script(says("Bye."));
  await app.exchange("Thanks");
  const last = (await standIn.chats(3))[2].body.messages.map((message) => message.role);
  expect(last).toEqual(["user", "assistant", "tool", "tool", "assistant", "user"]);
});

test("a call of a tool of one's own waits until it is answered by hand", async ({ app, page, standIn }) => {
  await ready(app);
  const dialog = await tools(app);
  await dialog.getByText("Add your own tool").click();
  const add = dialog.getByRole("button", { name: "Add", exact: true });
  for (const [name, schema, why] of [
    ["two words", "", "A name has 1 to 64 characters"],
    ["calculate", "", "A tool named calculate already exists."],
    ["stock", "{", "This is not a JSON object"],
    ["stock", '["part"]', "This is not a JSON object"],
  ]) {
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Arguments").fill(schema);
    await add.click();
    await expect(dialog.getByRole("alert")).toContainText(why);
  }
  await dialog.getByLabel("Description for the model").fill("Pieces in stock");
  await dialog.getByLabel("Arguments").fill('{"type":"object","properties":{"part":{"type":"string"}}}');
  await add.click();
  await expect(dialog.getByText("answered by you")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await standIn.script(calls(call("stock", { part: "A7" })));
  await app.exchange("How many?");
  expect((await standIn.chats(1))[0].body.tools).toEqual([
    { type: "function", function: { name: "stock", description: "Pieces in stock", parameters: { type: "object", properties: { part: { type: "string" } } } } },
  ]);
  await app.reload();
  await app.ready("tinytool");
  await expect(app.last).toContainText('"part": "A7"');
  // What is written is a draft: it is there again after another chat and after a reload.
  const result = page.getByLabel("Result of stock");
  await result.fill("7 pieces");
  await app.newChat();
  await expect(result).toHaveCount(0);
  await page.goBack();
  await expect(result).toHaveValue("7 pieces");
  await app.reload();
  await app.ready("tinytool");
  await expect(result).toHaveValue("7 pieces");
  await standIn.script(says("Seven."));
  await app.last.getByRole("button", { name: "Send the result" }).click();
  await expect(app.messages).toHaveCount(4);
  await expect(app.text(app.last)).toHaveText("Seven.");
  expect((await standIn.chats(2))[1].body.messages[2]).toMatchObject({ role: "tool", content: "7 pieces", tool_name: "stock" });
  await expect(page.getByLabel("Result of stock")).toHaveCount(0);
});

// Guarded in each run by rooms/tools/src/tests/tools.rs, `the_rounds_end_at_the_limit`.
test("calls without end stop at the limit, and go on only when asked", { tag: "@all" }, async ({ app, page, standIn }) => {
  await ready(app);
  await switchOn(app, "Date and time");
  for (let n = 0; n < 9; n++) await standIn.script(calls(call("current_time", {})));
  await app.ask("When?");
  const form = page.getByText("The model has called tools in 8 rounds or more. Let it continue?");
  await expect(form).toBeVisible();
  await standIn.chats(8);
  await page.getByRole("button", { name: "Run and continue" }).click();
  await standIn.chats(9);
  await expect(form).toBeVisible();
  // Something else may be asked instead.
  await app.ask("Never mind");
  await app.ended("complete");
  await expect(form).toHaveCount(0);
});

// Guarded in each run by rooms/tools/src/read_file.rs, `lines_are_read_with_their_numbers`;
// rooms/tools/src/tests/tools.rs, `the_next_request_has_the_question_its_file_and_what_was_called_for_it`.
test("a file that left the window is read again by the model", { tag: "@all" }, async ({ app, page, standIn }) => {
  await ready(app);
  await switchOn(app, "Attached files");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Add files" }).click()]);
  await chooser.setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("alpha\nbeta\ngamma\n") });
  await page.getByRole("button", { name: "Add to the prompt" }).click();
  await standIn.script(says("Read."));
  await app.composer.press("End");
  await app.composer.press("Enter");
  await app.ended("complete");
  for (const prompt of ["One", "Two"]) {
    await standIn.script(says("Yes."));
    await app.exchange(prompt);
  }
  await standIn.script(calls(call("read_file", { name: "notes.txt", first_line: 2, lines: 1 })));
  await standIn.script(says("Beta."));
  await app.ask("What is in line 2?");
  await expect(app.text(app.last)).toHaveText("Beta.");
  const sent = (await standIn.seen()).at(-1)!.body.messages;
  expect(sent.at(-1)).toMatchObject({ role: "tool", content: "notes.txt, lines 2 to 2 of 3\n2: beta\n" });
  expect(sent.some((message) => message.content.includes("alpha"))).toBe(false);
});

// Guarded in each run by rooms/tools/src/tests/tools.rs, `tools_are_not_sent_to_a_model_that_calls_none`.
test("tools are not sent to a model that calls none, and the page says so", { tag: "@all" }, async ({ app, page, standIn }) => {
  await ready(app);
  await switchOn(app, "Calculator");
  await app.chooseModel("llama3.2:latest");
  const dialog = await tools(app);
  await expect(dialog).toContainText("llama3.2:latest does not support tools");
  await dialog.getByRole("button", { name: "Close" }).click();
  await app.exchange("Hi");
  expect((await standIn.chats(1))[0].body).not.toHaveProperty("tools");
  // A chat without tools and a model without tools show nothing of them.
  await app.newChat();
  await expect(page.getByRole("button", { name: /^Tools/ })).toHaveCount(0);
});

test("what a model calls is shown as text, however hostile", async ({ app, page, standIn }) => {
  await ready(app);
  await switchOn(app, "Date and time");
  const evil = `<img src=x onerror="document.title='owned'">\u202e`;
  await standIn.script(calls(call(evil, { [evil]: evil })));
  await app.exchange("Go");
  await expect(app.last).toContainText("<img src=x");
  expect(await page.locator(".message img").count()).toBe(0);
  await expect(page).not.toHaveTitle("owned");
  // Its tool is none that is on, so it waits, and its name hides nothing.
  await expect(app.last.locator("summary code").last()).toContainText("\\u{202e}");
  await expect(app.last).toContainText("not one of its tools");
  await expect(app.last.getByRole("button", { name: "Send the result" })).toBeVisible();
});

test("a model that calls tools without number is asked about, and what is left out is said", async ({ app, page, standIn }) => {
  await ready(app);
  await switchOn(app, "Date and time");
  await standIn.script(calls(...Array.from({ length: 2_000 }, () => call("current_time", {}))));
  await app.exchange("When?");
  await expect(app.last).toContainText("The model made 2,000 tool calls in this answer. Sash keeps the first 32; the other 1,968 are left out.");
  await expect(app.last.locator(".tool-call")).toHaveCount(32);
  await expect(app.messages).toHaveCount(2);
  await standIn.script(says("Now."));
  await page.getByRole("button", { name: "Run and continue" }).click();
  await expect(app.text(app.last)).toHaveText("Now.");
});

// Guarded in each run by crates/virtual-list/src/tests.rs, `a_row_stays_in_which_the_person_opened_or_closed_a_fold`
// and `of_a_long_list_only_the_rows_near_the_screen_are_on_the_page`.
test("of a chat with 300 calls the rows near the screen are on the page, and one whose fold the person opened", { tag: "@all" }, async ({ app, page }) => {
  await openWithCalls(app, 300, "tinytool");
  const articles = page.locator(".messages > article");
  await expect(app.last).toContainText("301");
  // A result is a line that the person unfolds.
  await expect(app.last.locator("details")).not.toHaveAttribute("open");
  await app.last.locator("summary").click();
  const open = app.last.locator("details[open]");
  await expect(open).toHaveCount(1);
  // A row with focus stays as well.
  await app.composer.focus();
  let most = 0;
  for (let top = Infinity, step = 0; top > 0 && step < 60; step++) {
    top = await page.locator("#conversation").evaluate(async (log) => {
      log.scrollTop -= 3 * log.clientHeight;
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      return log.scrollTop;
    });
    most = Math.max(most, await articles.count());
  }
  await expect(articles.first()).toContainText("Calculate");
  expect(most).toBeLessThan(200);
  await expect(open).toHaveCount(1);
  await expect(app.last).toContainText("Used");
});
