// The model picker: searched by typing, by keyboard and pointer.
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

test("typing anywhere in a model's name or abilities finds it, and Enter chooses it", async ({ app, page, standIn }) => {
  await app.openReady();
  await app.model.focus();
  await page.keyboard.type("qwe");
  await expect(app.model).toHaveValue("qwe");
  const options = page.locator(".model-option[data-model]");
  await expect(options).toHaveCount(1);
  await expect(options).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await app.ready("qwen3:4b");
  // One goes on writing.
  await expect(app.composer).toBeFocused();
  await standIn.script(says("Me."));
  await app.exchange("Who?");
  expect((await standIn.chats(1))[0].body.model).toBe("qwen3:4b");
});

test("an option says the size of the model and what it can do", async ({ app, page, standIn }) => {
  await standIn.models({ add: ["tinythink"] });
  await app.openReady("tinythink");
  await app.model.click();
  await expect(page.locator('.model-option[data-model="tinythink:latest"]')).toContainText("thinking");
  await expect(page.locator('.model-option[data-model="llama3.2:latest"]')).toContainText(/\d(\.\d)? (kB|MB|GB)/);
});

test("the arrow keys walk through the models, Escape closes the list and changes nothing", async ({ app, page }) => {
  await app.openReady();
  await app.model.focus();
  await page.keyboard.press("ArrowDown");
  await expect(app.model).toHaveAttribute("aria-expanded", "true");
  const active = page.locator('.model-option[aria-selected="true"]');
  // The chosen model is where the keyboard begins.
  await expect(active).toHaveAttribute("data-model", "llama3.2:latest");
  await page.keyboard.press("ArrowDown");
  await expect(active).not.toHaveAttribute("data-model", "llama3.2:latest");
  const id = await active.getAttribute("id");
  await expect(app.model).toHaveAttribute("aria-activedescendant", id!);
  await page.keyboard.press("Escape");
  await expect(app.model).toHaveAttribute("aria-expanded", "false");
  await app.ready("llama3.2");
  await expect(app.model).toBeFocused();
});

test("a press elsewhere closes the list", async ({ app, page }) => {
  await app.openReady();
  await app.model.click();
  await expect(page.getByRole("listbox", { name: "Models" })).toBeVisible();
  await app.composer.click();
  await expect(page.getByRole("listbox", { name: "Models" })).toHaveCount(0);
  await app.ready("llama3.2");
});

// Guarded in each run by kernel/stores/tests/stores/settings.rs,
// `the_model_that_was_used_last_is_the_first_to_choose_from`.
test("the model used last is the first, after a reload too", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.models({ add: ["tinythink"] });
  await app.openReady("tinythink");
  await app.chooseModel("qwen3:4b");
  await app.chooseModel("tinythink:latest");
  await app.reload();
  await app.ready("tinythink");
  expect((await app.models()).slice(0, 2)).toEqual(["tinythink:latest", "qwen3:4b"]);
});

test("a name that is not installed can be pulled from where it was typed", async ({ app, page, standIn }) => {
  await standIn.catalogue([{ name: "newcomer", layers: [{ digest: "c".repeat(64), size: 1_000_000 }], speed: 200_000_000 }]);
  await app.openReady();
  await app.model.click();
  await app.model.fill("newcomer");
  await page.getByRole("option", { name: "Pull newcomer", exact: true }).click();
  await app.ready("newcomer");
  // Nonsense is no name: nothing can be pulled by it.
  await app.model.click();
  await app.model.fill("no such name!");
  await expect(page.getByRole("option", { name: /^Pull no/ })).toHaveCount(0);
  await expect(page.getByRole("option", { name: "Pull another model…", exact: true })).toBeVisible();
});
