// Answers in JSON: asked for in the parameters, shown with a line for each field, held to a schema by the engine.
import { expect, test } from "../support/fixtures";
import type { ChatPage } from "../support/chatPage";
import { done, says, text } from "../support/standIn";

const SCHEMA = { type: "object", properties: { zeta: { type: "string" }, age: { type: "integer", minimum: 0 } }, required: ["zeta", "age"] };

async function parameters(app: ChatPage) {
  await app.page.getByRole("button", { name: "Parameters", exact: true }).click();
  const dialog = app.page.getByRole("dialog", { name: "Parameters" });
  await expect(dialog).toBeVisible();
  return dialog;
}

async function askFor(app: ChatPage, schema: object): Promise<void> {
  const dialog = await parameters(app);
  await dialog.getByLabel("Answer", { exact: true }).selectOption({ label: "JSON that fits a schema" });
  await dialog.getByLabel("JSON schema").fill(JSON.stringify(schema));
  await app.page.keyboard.press("Tab");
  // What holds is shown with a line for each field.
  await expect(dialog.getByLabel("JSON schema")).toHaveValue(JSON.stringify(schema, null, 2));
  await dialog.getByRole("button", { name: "Close" }).click();
}

test("JSON is asked for, and the answer is shown with a line for each field, in its order", async ({ app, page, standIn }) => {
  await standIn.script(says('{"zeta":1.10,"alpha":[true,null],"big":12345678901234567890123}'));
  await app.openReady();
  const dialog = await parameters(app);
  await dialog.getByLabel("Answer", { exact: true }).selectOption("JSON");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("button", { name: "JSON: answers must be JSON" })).toBeVisible();
  await app.exchange("Which?");
  expect((await standIn.chats(1))[0].body.format).toBe("json");
  const code = app.text(app.last).locator("figure.code code");
  const shown = '{\n  "zeta": 1.10,\n  "alpha": [\n    true,\n    null\n  ],\n  "big": 12345678901234567890123\n}';
  await expect.poll(async () => (await code.textContent())?.trim()).toBe(shown);
  // The next request carries it as it came.
  await app.reload();
  await expect.poll(async () => (await code.textContent())?.trim()).toBe(shown);
  await app.ready();
  await app.exchange("And?");
  const context = (await standIn.chats(2))[1].body.messages;
  expect(context[1].content).toBe('{"zeta":1.10,"alpha":[true,null],"big":12345678901234567890123}');
  // A new chat answers in text.
  await app.newChat();
  await standIn.script(says("As text."));
  await app.exchange("Here?");
  expect((await standIn.chats(3))[2].body).not.toHaveProperty("format");
  await expect(app.text(app.last)).toHaveText("As text.");
  await expect(page.locator(".note-failed")).toHaveCount(0);
});

// Guarded in each run by kernel/server/src/ollama/body.rs,
// `a_schema_keeps_the_order_in_which_the_model_is_to_answer`; kernel/stores/tests/stores/steering.rs,
// `the_form_of_an_answer_is_a_step_that_goes_with_the_request_and_into_the_receipt`.
test("a schema goes with the request in the person's order, and the receipt names it", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says('{"zeta":"z","age":4}'));
  await app.openReady();
  await askFor(app, SCHEMA);
  await app.exchange("First?");
  const body = (await standIn.chats(1))[0].body;
  expect(JSON.stringify(body.format)).toBe(JSON.stringify(SCHEMA));
  await expect(app.last.locator(".note-failed")).toHaveCount(0);
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("Answer format: JSON that fits a schema");
  await page.keyboard.press("Escape");
});

test("what is no schema is refused in the editor and asked of no model", async ({ app, page, standIn }) => {
  await standIn.script(says("Text."));
  await app.openReady();
  const dialog = await parameters(app);
  await dialog.getByLabel("Answer", { exact: true }).selectOption({ label: "JSON that fits a schema" });
  const field = dialog.getByLabel("JSON schema");
  for (const [written, why] of [
    ["not json", "This is not a JSON object"],
    ["[1]", "This is not a JSON object"],
  ] as const) {
    await field.fill(written);
    await page.keyboard.press("Tab");
    await expect(dialog.getByRole("alert").filter({ hasText: why })).toBeVisible();
    await expect(field).toHaveAttribute("aria-invalid", "true");
  }
  await dialog.getByRole("button", { name: "Close" }).click();
  await app.exchange("Hello?");
  expect((await standIn.chats(1))[0].body).not.toHaveProperty("format");
});

// Guarded in each run by kernel/chat/src/answer_format.rs, `half_an_answer_is_said_to_be_incomplete`.
test("half an answer in JSON is shown as it came", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script([text('{"zeta":"z","a'), done("length")]);
  await app.openReady();
  await askFor(app, SCHEMA);
  await app.ask("Which?");
  await app.ended("cut-off");
  await expect(app.text(app.last)).toContainText('{"zeta":"z","a');
  const note = app.last.locator(".note-failed").filter({ hasText: "The answer does not match what was asked for:" });
  await expect(note).toContainText("It is not complete JSON");
  await app.reload();
  await expect(note).toContainText("It is not complete JSON");
});

/** Milliseconds of the page's own time that no answer takes, unless all of it is looked at again with each piece. */
const FAULT = 10_000;

// Guarded in each run by kernel/stores/src/pretty_json.rs, `hostile_json_gets_no_longer_than_the_bound`.
test("a long answer in JSON streams at a cost that grows with what comes, and hostile JSON holds nothing up", { tag: "@all" }, async ({ app, page, standIn }) => {
  test.setTimeout(60_000);
  await app.openReady();
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const worked = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")!.value * 1000;
  const rows = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ id: n, name: `row ${n} of a long table` })));
  const deep = `${"[".repeat(120)}${"1,".repeat(50_000)}1${"]".repeat(120)}`;
  for (const [name, answer, begins] of [
    ["1 MB in one line", rows, '[\n  {\n    "id": 0,\n    "name": "row 0 of a long table"\n  },'],
    // Each number would get a line of its own with 240 spaces before it: what gets too long stays as it came.
    ["deep and wide", deep, "[[[["],
    ["deeper than is read", "[".repeat(100_000), "[[[["],
    ["one string", JSON.stringify({ text: "word ".repeat(20_000) }), '{\n  "text": "word word'],
  ]) {
    await app.newChat();
    const dialog = await parameters(app);
    await dialog.getByLabel("Answer", { exact: true }).selectOption("JSON");
    await dialog.getByRole("button", { name: "Close" }).click();
    await standIn.script([text(answer, Math.ceil(answer.length / 1_000), 500), done()]);
    const before = await worked();
    await app.ask(name);
    await expect(app.last, name).toHaveAttribute("data-state", "complete", { timeout: 20_000 });
    const shown = () => app.last.locator("figure.code code").first().evaluate((code, length) => code.textContent!.slice(0, length), begins.length);
    await expect.poll(shown, { message: name, timeout: 10_000 }).toBe(begins);
    const took = (await worked()) - before;
    console.log(`${name}, ${answer.length} characters: ${took.toFixed(0)} ms of the page's own time`);
    expect(took, name).toBeLessThan(FAULT);
  }
});
