// The parameters of a chat: only what was set is sent, identically with every request, and one click leads back.
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

test("only what was set is sent, with every request of the chat", async ({ app, page, standIn }) => {
  for (const words of ["One.", "Two.", "Three."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First?");
  await page.getByRole("button", { name: "Parameters", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Parameters" });
  await dialog.getByLabel("temperature", { exact: true }).fill("0.3");
  await dialog.getByLabel("stop", { exact: true }).fill("END\n\\n\\nUser:");
  await dialog.getByLabel("keep_alive", { exact: true }).fill("10m");
  await dialog.getByLabel("Name of another parameter").fill("typical_p");
  await dialog.getByLabel("Its value").fill("0.5");
  await dialog.getByRole("button", { name: "Set", exact: true }).click();
  await expect(dialog.getByText("typical_p", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).click();
  await app.exchange("Second?");
  await app.reload();
  await app.ready();
  await app.exchange("Third?");
  const [first, second, third] = await standIn.chats(3);
  expect(first.body.options).toBeUndefined();
  expect(second.body.options).toEqual({ temperature: 0.3, stop: ["END", "\n\nUser:"], typical_p: 0.5 });
  expect(second.body.keep_alive).toBe("10m");
  expect(third.body.options).toEqual(second.body.options);
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("temperature");
});

// Guarded in each run by kernel/wire/src/parameters.rs, `what_cannot_be_sent_is_refused_with_a_sentence`.
test("what cannot be sent stays in the field with a sentence and is not stored", { tag: "@all" }, async ({ app, page }) => {
  await app.openReady();
  await page.getByRole("button", { name: "Parameters", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Parameters" });
  const field = dialog.getByLabel("num_predict", { exact: true });
  await field.fill("0");
  await field.blur();
  await expect(dialog.getByText("Not 0")).toBeVisible();
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(dialog.getByRole("button", { name: "Reset all to the defaults" })).toBeDisabled();
  await field.fill("100");
  await field.blur();
  await expect(dialog.getByText("Not 0")).toHaveCount(0);
  await dialog.getByRole("button", { name: "Reset num_predict to the default" }).click();
  await expect(field).toHaveValue("");
});

// Guarded in each run by kernel/stores/tests/stores/steering.rs,
// `a_parameter_is_a_step_of_the_chat_and_can_be_shared_with_its_model`; settings.spec.ts, "the parameters of a model
// can be reset".
test("a chat's parameters can hold for all chats with the model, and be reset", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("One."));
  await app.openReady();
  await page.getByRole("button", { name: "Parameters", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Parameters" });
  await dialog.getByLabel("top_k", { exact: true }).fill("7");
  await dialog.getByLabel("top_k", { exact: true }).blur();
  await dialog.getByRole("button", { name: /^Use in all chats with/ }).click();
  await expect(dialog.getByLabel("top_k", { exact: true })).toHaveAttribute("placeholder", /^7 \(in all chats/);
  await dialog.getByRole("button", { name: "Close" }).click();
  await app.newChat();
  await app.exchange("First?");
  expect((await standIn.chats(1))[0].body.options).toEqual({ top_k: 7 });
  await page.getByRole("button", { name: "Parameters", exact: true }).click();
  await dialog.getByRole("button", { name: "Reset all to the defaults" }).click();
  await expect(dialog.getByLabel("top_k", { exact: true })).toHaveAttribute("placeholder", /^40 by default/);
});
