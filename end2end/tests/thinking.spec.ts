// Thinking: chosen beside the composer, sent as shown, and told apart from the answer.
import { expect, test } from "../support/fixtures";
import { Panel } from "../support/panel";
import { done, text } from "../support/standIn";

const LEVELS = ["Model’s default", "On", "Off", "Low", "Medium", "High"];

test("the choice goes with the request, and preview, curl and receipt say the same", async ({ app, page, standIn }) => {
  await standIn.models({ add: ["tinythink"] });
  await app.open();
  await app.chooseModel("tinythink:latest");
  const choice = page.getByRole("combobox", { name: "Thinking" });
  await expect(choice.locator("option")).toHaveText(LEVELS.slice(0, 3));
  const panel = new Panel(page);
  await panel.open();
  await app.composer.fill("Why?");
  expect(JSON.parse(await panel.literal("JSON"))).not.toHaveProperty("think");
  await choice.selectOption("Off");
  await expect(panel.place).toContainText("Thinking: off.");
  expect(JSON.parse(await panel.literal("JSON")).think).toBe(false);
  expect(await panel.literal("curl")).toContain('"think":false');
  await app.composer.press("Enter");
  await app.ended("complete");
  expect((await standIn.chats(1))[0].body.think).toBe(false);
  await expect(app.last.locator(".thinking")).toHaveCount(0);
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("Thinking: off");
  // It belongs to the chat.
  await app.reload();
  await expect(choice.locator("option:checked")).toHaveText("Off");
  await app.newChat();
  await expect(choice.locator("option:checked")).toHaveText("Model’s default");
  await app.exchange("And here?");
  expect((await standIn.chats(2))[1].body).not.toHaveProperty("think");
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).not.toContainText("Thinking:");
});

// Guarded in each run by tests/native/server/catalogue.rs,
// `a_model_offers_the_values_of_think_that_have_an_effect_on_it`; kernel/stores/tests/stores/steering.rs,
// `nothing_is_said_of_thinking_to_a_model_that_does_not_offer_the_choice`.
test("levels are offered where the template reads them, and nothing to a model that cannot think", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.models({ add: ["tinythink", "tinylevels"] });
  await app.open();
  const choice = page.getByRole("combobox", { name: "Thinking" });
  await app.chooseModel("tinylevels:latest");
  await expect(choice.locator("option")).toHaveText(LEVELS);
  await choice.selectOption("High");
  await app.exchange("With a level");
  await app.chooseModel("tinythink:latest");
  await expect(choice.locator("option")).toHaveText(LEVELS.slice(0, 3));
  await expect(choice.locator("option:checked")).toHaveText("Model’s default");
  await app.exchange("Without");
  await app.chooseModel("llama3.2:latest");
  await expect(choice).toHaveCount(0);
  await app.exchange("Nothing");
  await app.chooseModel("tinylevels:latest");
  await expect(choice.locator("option:checked")).toHaveText("High");
  const sent = (await standIn.chats(3)).map((seen) => seen.body.think);
  expect(sent).toEqual(["high", undefined, undefined]);
});

test("Ctrl+Z takes the choice back, step by step", async ({ app, page, standIn }) => {
  await standIn.models({ add: ["tinythink"] });
  await app.open();
  await app.chooseModel("tinythink:latest");
  const choice = page.getByRole("combobox", { name: "Thinking" });
  await choice.selectOption("Off");
  await choice.selectOption("On");
  // A person's focus stays in the choice, which has no undo of its own.
  await choice.focus();
  await page.keyboard.press("Control+z");
  await expect(choice.locator("option:checked")).toHaveText("Off");
  await page.keyboard.press("Control+z");
  await expect(choice.locator("option:checked")).toHaveText("Model’s default");
});

// Guarded in each run by kernel/server/src/answer.rs,
// `a_closing_tag_alone_ends_the_thinking_that_the_template_opened`.
test("an answer with the closing tag alone is thinking and answer where the template opened the tag", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.models({ add: ["tinyopen"] });
  await app.open();
  await app.chooseModel("tinyopen:latest");
  await standIn.script([text("A secret plan.\n</th", 3), text("ink>\n\nThe answer.", 3), done()]);
  await app.exchange("Think");
  await expect(app.text(app.last)).toHaveText("The answer.");
  await app.last.getByText("Thought").click();
  await expect(app.last.locator(".thinking-text")).toHaveText("A secret plan.");
});
