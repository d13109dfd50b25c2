// Models whose own chat template refuses some conversations: what begins with an answer, and system prompts. The
// window is kept to the message until a model refuses it; then the question before goes along, shown wherever the
// window is shown.
import { expect, test } from "../support/fixtures";
import { Panel } from "../support/panel";
import { says } from "../support/standIn";

const REFUSED = "This model needs a question first, and this request began with an answer.";

for (const model of ["tinyquestion", "tinyalternate"]) {
  // Guarded in each run by the other model, and tests/native/server/refusals.rs,
  // `a_template_that_refuses_is_named_for_what_it_minds`.
  const tag = model === "tinyalternate" ? "@all" : [];
  test(`${model}: the third question is refused, asked again with the question before, and so are all after it`, { tag }, async ({ app, page, standIn }) => {
    await standIn.models({ set: "none", add: [model] });
    await app.openReady(model);
    for (const n of ["One", "Two"]) {
      await standIn.script(says(`${n} is answered.`));
      await app.exchange(`${n}?`);
    }
    await app.ask("Three?");
    await app.ended("failed");
    await expect(app.last.locator(".note")).toContainText(REFUSED);
    await expect(app.last.locator(".note")).not.toContainText("raise_exception");
    await expect(app.last.locator(".note")).toHaveCount(1);

    await standIn.script(says("Three is answered."));
    await app.inMessage(app.last, "Include the question before").click();
    await app.ended("complete");
    await expect(app.text(app.last)).toHaveText("Three is answered.");
    const asked = await standIn.chats(4);
    expect(asked[2].body.messages.map((m) => m.content)).toEqual(["One is answered.", "Two?", "Two is answered.", "Three?"]);
    expect(asked[3].body.messages.map((m) => m.content)).toEqual(["One?", "One is answered.", "Two?", "Two is answered.", "Three?"]);

    // It is kept for this model, and shown before the next question goes.
    await app.reload();
    await app.ready(model);
    await expect(app.windowLine).toContainText("4 of 6 messages");
    await expect(app.page.locator("#window-parts")).toContainText("the question before");
    const panel = new Panel(page);
    await panel.open();
    await expect(panel.turns.first()).toContainText("the question before");
    await expect(panel.place).toContainText("This model needs a question first.");
    await app.composer.fill("Four?");
    const shown = await panel.messages();
    expect(shown.map((m) => m.content)).toEqual(["Two?", "Two is answered.", "Three?", "Three is answered.", "Four?"]);
    await standIn.script(says("Four is answered."));
    await app.composer.press("Enter");
    await app.ended("complete");
    expect((await standIn.chats(5))[4].body.messages).toEqual(shown);

    await panel.toggle.click();
    await app.act(app.last, "Details and timing");
    const receipt = app.last.locator(".receipt");
    await expect(receipt).toContainText("It read 3 messages, the question before and the prompt");
    await expect(receipt.getByRole("list", { name: "Messages it read" }).getByRole("listitem").first()).toContainText("the question before");

    // Taken back, the rule is kept to the message again.
    await panel.open();
    await panel.place.getByRole("button", { name: "Leave it out again" }).click();
    await expect(app.page.locator("#window-parts")).not.toContainText("the question before");
    await expect(panel.place).not.toContainText("This model needs a question first.");
  });
}

test("another model of the same chat gets exactly three messages", async ({ app, standIn }) => {
  await standIn.models({ set: "none", add: ["llama3.2", "tinyalternate"] });
  await app.openReady("tinyalternate");
  for (const n of ["One", "Two"]) {
    await standIn.script(says(`${n} is answered.`));
    await app.exchange(`${n}?`);
  }
  await app.ask("Three?");
  await app.ended("failed");
  // It is known by its code, which is kept with it; the words may change.
  const refused = Object.values(await app.stored()).find((record) => record.includes("This model needs a question first"));
  expect(JSON.parse(refused!.split("|").slice(2).join("|")).outcome).toMatchObject({ code: "question_first" });
  await app.reload();
  await app.ready("tinyalternate");
  await standIn.script(says("Three is answered."));
  await app.inMessage(app.last, "Include the question before").click();
  await app.ended("complete");
  await app.chooseModel("llama3.2:latest");
  await expect(app.page.locator("#window-parts")).not.toContainText("the question before");
  await standIn.script(says("Four is answered."));
  await app.exchange("Four?");
  expect((await standIn.chats(5))[4].body.messages).toHaveLength(4);
});

// Guarded in each run by tests/native/server/refusals.rs, `a_template_that_refuses_is_named_for_what_it_minds`.
test("a model without a system prompt says so in words", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.models({ set: "none", add: ["tinynosystem"] });
  await app.openReady("tinynosystem");
  const panel = new Panel(page);
  await panel.open();
  const { dialog, field } = await panel.editSystem();
  await field.fill("Be brief.");
  await field.press("Control+Enter");
  await app.ask("One?");
  await app.ended("failed");
  await expect(app.last.locator(".note")).toContainText("This model does not support system prompts.");
  await expect(app.inMessage(app.last, "Include the question before")).toHaveCount(0);
  await panel.editSystem();
  await field.fill("");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await standIn.script(says("One is answered."));
  await app.inMessage(app.last, "Ask again").first().click();
  await app.ended("complete");
});

// Guarded in each run by faults.spec.ts, "an answer that an error broke off is continued with what came of it".
test("a runner that dies in mid-answer leaves text that can be continued", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script([{ do: "text", text: "This much came.", tokens: 1 }, { do: "error", text: "an error was encountered while running the model: unexpected EOF" }]);
  await app.openReady();
  await app.ask("Go");
  await app.ended("failed");
  await expect(app.last.locator(".note")).toContainText("The model failed: its process ended in the middle of the answer");
  await expect(app.inMessage(app.last, "Ask again").last()).toBeVisible();
  await app.reload();
  await app.ready();
  await standIn.script(says(" And the rest."));
  await app.inMessage(app.last, "Continue").click();
  await app.ended("complete");
  const second = (await standIn.chats(2))[1];
  expect(second.body.messages.map((m) => m.content)).toEqual(["Go", "This much came."]);
  await expect(app.text(app.last)).toHaveText("This much came. And the rest.");
});
