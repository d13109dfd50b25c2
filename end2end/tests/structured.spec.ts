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
  await dialog.getByRole("button", { name: "Done" }).click();
}

test("JSON is asked for, and the answer is shown with a line for each field, in its order", async ({ app, page, standIn }) => {
  await standIn.script(says('{"zeta":1.10,"alpha":[true,null],"big":12345678901234567890123}'));
  await app.openReady();
  const dialog = await parameters(app);
  await dialog.getByLabel("Answer", { exact: true }).selectOption("JSON");
  await dialog.getByRole("button", { name: "Done" }).click();
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

test("a schema goes with the request in the person's order, and the receipt names it", async ({ app, page, standIn }) => {
  await standIn.script(says('{"zeta":"z","age":4}'));
  await app.openReady();
  await askFor(app, SCHEMA);
  await app.exchange("First?");
  const body = (await standIn.chats(1))[0].body;
  expect(JSON.stringify(body.format)).toBe(JSON.stringify(SCHEMA));
  await expect(app.last.locator(".note-failed")).toHaveCount(0);
  await app.act(app.last, "What it read");
  await expect(app.last.locator(".receipt")).toContainText("Answer asked for: JSON that fits a schema");
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
  await dialog.getByRole("button", { name: "Done" }).click();
  await app.exchange("Hello?");
  expect((await standIn.chats(1))[0].body).not.toHaveProperty("format");
});

test("half an answer in JSON is shown as it came", async ({ app, standIn }) => {
  await standIn.script([text('{"zeta":"z","a'), done("length")]);
  await app.openReady();
  await askFor(app, SCHEMA);
  await app.ask("Which?");
  await app.ended("cut-off");
  await expect(app.text(app.last)).toContainText('{"zeta":"z","a');
  const note = app.last.locator(".note-failed").filter({ hasText: "The answer is not what was asked for:" });
  await expect(note).toContainText("It is not complete JSON");
  await app.reload();
  await expect(note).toContainText("It is not complete JSON");
});
