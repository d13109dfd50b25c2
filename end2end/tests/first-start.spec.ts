// The first start of somebody who has just got Sash: an Ollama without a model, one that is too old, a model that comes by
// another way.
import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";

const SMALL = { name: "llama3.2", layers: [{ digest: "a".repeat(64), size: 40_000_000 }], speed: 200_000_000 };

test("without a model the page has one at hand: a press pulls it, and it answers", async ({ app, page, standIn }) => {
  await standIn.models({ set: "none" });
  await standIn.catalogue([SMALL]);
  await app.open();
  await expect(app.panel.getByRole("heading", { name: "No model yet" })).toBeVisible();
  await expect(app.panel).toContainText("2 GB");
  await expect(app.panel.getByRole("link", { name: "ollama.com/library" })).toHaveAttribute("href", "https://ollama.com/library");
  await expect(app.panel.getByRole("textbox", { name: "Model name" })).toHaveValue("llama3.2");
  await app.panel.getByRole("button", { name: "Pull", exact: true }).click();
  await app.ready("llama3.2");
  await expect(app.panel).toHaveCount(0);
  expect((await standIn.seen("/api/pull")).map((pull) => pull.body.model)).toEqual(["llama3.2"]);
  await standIn.script(says("I am small."));
  await app.exchange("Who are you?");
  // In the dialog the person names another one.
  await app.openFromPicker("Pull another model…");
  await expect(page.getByRole("dialog", { name: "Pull a model" }).getByRole("textbox", { name: "Model name" })).toHaveValue("");
});

// Guarded in each run by kernel/stores/tests/stores/engine.rs, `an_ollama_without_a_model_is_looked_at_as_one_that_is_away`.
test("a model that was pulled by Ollama's command is there without a touch", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.models({ set: "none" });
  await app.open();
  await expect(app.panel.getByRole("heading", { name: "No model yet" })).toBeVisible();
  await standIn.models({ add: ["llama3.2"] });
  await app.ready("llama3.2");
  await expect(app.panel).toHaveCount(0);
});

test("an Ollama that cuts in silence is named above the chat until it is updated", async ({ app, page, standIn }) => {
  await standIn.settings({ version: "0.12.5" });
  await app.openReady();
  const banner = page.locator(".banner", { hasText: "Please update Ollama" });
  await expect(banner).toHaveText(/Ollama.* is version .*0\.12\.5.*\. Sash needs .*0\.12\.6.* or later/);
  // It answers all the same.
  await standIn.script(says("Still here."));
  await app.exchange("There?");
  await standIn.settings({ version: "0.12.6" });
  await app.reload();
  await app.ready();
  await expect(banner).toHaveCount(0);
});

test.describe(() => {
  test.use({ locale: "de", viewport: { width: 390, height: 844 } });

  test("on a phone the button that pulls the first model is whole, in German too", async ({ app, page, standIn }) => {
    await standIn.models({ set: "none" });
    await app.open();
    const button = page.getByRole("button", { name: "Herunterladen", exact: true });
    await expect(button).toBeVisible();
    const right = (selector: string) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().right);
    expect(await button.evaluate((element) => element.getBoundingClientRect().right)).toBeLessThan(await right(".panel"));
  });
});

test.describe(() => {
  test.use({ locale: "de" });

  // They were cut off at the right.
  test("beside tools and the choice of thinking, what goes with the question is read whole, in German too", async ({ app, page, standIn }) => {
    await standIn.models({ add: ["tinytool"] });
    await app.open();
    await app.chooseModel("tinytool:latest");
    await standIn.script(says("Eine Antwort mit einigen Worten. ".repeat(20)));
    await page.locator("#prompt").fill("Eine Frage?");
    await page.locator("#prompt").press("Enter");
    await expect(page.getByRole("log").getByRole("article").last()).toHaveAttribute("data-state", "complete");
    await page.getByRole("button", { name: /^Werkzeuge/ }).click();
    await page.getByRole("dialog").getByRole("checkbox").first().check();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Werkzeuge: 1" })).toBeVisible();
    const hidden = () => page.locator(".window-count").evaluate((count) => count.scrollWidth - count.clientWidth);
    for (const width of [1280, 1000, 700]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(hidden, { message: `at ${width} px` }).toBeLessThanOrEqual(0);
    }
    // Where there is room the tokens are among them.
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page.locator(".window-tokens")).toBeVisible();
    expect(await page.locator(".window-tokens").evaluate((tokens) => tokens.getBoundingClientRect().width)).toBeGreaterThan(20);
  });
});
