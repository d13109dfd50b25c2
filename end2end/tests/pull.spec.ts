// Pulling a model: from nothing, and from the picker.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { says, type StandIn } from "../support/standIn";

const layer = (digit: string, size: number) => ({ digest: digit.repeat(64), size });
const MODELS = [
  // About a second, so that there is something to see.
  { name: "small", layers: [layer("a", 40_000_000), layer("b", 20_000_000)], speed: 60_000_000 },
  { name: "endless", layers: [layer("c", 900_000_000), layer("d", 1_000)], speed: 5_000_000 },
  {
    name: "offline",
    layers: [layer("e", 1_000)],
    speed: 1_000,
    error: 'pull model manifest: Get "https://registry.ollama.ai/v2/library/offline/manifests/latest": dial tcp: lookup registry.ollama.ai: no such host',
  },
  { name: "broken", layers: [layer("e", 400_000_000)], speed: 100_000_000, error: "max retries exceeded: unexpected EOF", error_after: 30_000_000 },
];
const bar = (page: Page, name: string | RegExp) => page.getByRole("progressbar", { name });
const value = (page: Page, name: string | RegExp) => bar(page, name).evaluate((b: HTMLProgressElement) => b.position);

/** Has the page note the bars that it shows, and how full each became: a pull may be over before the test looks. */
const noteBars = (page: Page) =>
  page.addInitScript(() => {
    const bars: Record<string, number> = {};
    Object.assign(globalThis, { bars });
    const look = () => {
      for (const bar of document.querySelectorAll("progress")) {
        const name = bar.labels[0]?.firstElementChild?.textContent ?? "";
        if (bar.checkVisibility()) bars[name] = Math.max(bars[name] ?? 0, bar.position);
      }
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributeFilter: ["value", "max"] });
  });
const notedBars = (page: Page) => page.evaluate(() => Object.entries((globalThis as unknown as { bars: Record<string, number> }).bars));

async function withoutModels(standIn: StandIn) {
  await standIn.models({ set: "none" });
  await standIn.catalogue(MODELS);
}

test("from no model to an answer", async ({ app, standIn, page }) => {
  await withoutModels(standIn);
  await noteBars(page);
  await app.open();
  await expect(app.panel.getByRole("heading", { name: "No model yet" })).toBeVisible();
  await expect(app.send).toBeDisabled();
  await app.panel.getByRole("textbox", { name: "Model name" }).fill("small");
  await app.panel.getByRole("button", { name: "Pull", exact: true }).click();

  await expect(app.panel).toHaveCount(0);
  await app.ready("small");
  const bars = await notedBars(page);
  const full = (name: RegExp) => bars.find(([bar]) => name.test(bar))?.[1];
  expect(full(/^Total/)).toBeGreaterThan(0);
  expect(full(/^Layer bbbbbbbbbbbb/)).toBeGreaterThan(0);
  expect(full(/^Layer aaaaaaaaaaaa/), "a layer that is done is full").toBe(1);
  await standIn.script(says("I am small."));
  await app.exchange("Who are you?");
  expect((await standIn.chats(1))[0].body.model).toBe("small:latest");
});

// Guarded in each run by rooms/models/src/tests/pulls.rs,
// `stopping_a_pull_ends_the_request_and_the_next_start_resumes_it`.
test("Stop pulling cancels it at Ollama, and the next one goes on from there", { tag: "@all" }, async ({ app, standIn, page }) => {
  await withoutModels(standIn);
  await app.open();
  await app.panel.getByRole("textbox", { name: "Model name" }).fill("endless");
  await app.panel.getByRole("textbox", { name: "Model name" }).press("Enter");
  await expect.poll(() => value(page, /^Total/)).toBeGreaterThan(0);
  await expect(page.getByRole("link", { name: /^Pulling endless: \d+%$/ })).toBeVisible();
  await page.getByRole("button", { name: "Stop pulling" }).click();
  await standIn.disconnected(1, "/api/pull");
  await expect(app.panel.getByRole("heading", { name: "No model yet" })).toBeVisible();
  await expect(app.panel.getByRole("button", { name: "Pull", exact: true })).toBeVisible();
});

// Guarded in each run by rooms/models/src/tests/pulls.rs,
// `a_pull_that_fails_says_why_and_keeps_how_far_it_came_until_the_next_one`.
test("a pull that breaks off says why, and can be tried again", { tag: "@all" }, async ({ app, standIn, page }) => {
  await withoutModels(standIn);
  await app.open();
  const name = app.panel.getByRole("textbox", { name: "Model name" });
  await name.fill("broken");
  await name.press("Enter");
  await expect(app.panel).toContainText("the registry broke off the download");
  await name.fill("no-such-model");
  await name.press("Enter");
  await expect(app.panel).toContainText("the registry has no model of this name");
  await expect(app.panel).not.toContainText("max retries");
  await expect(bar(page, /./)).toHaveCount(0);
});

// Guarded in each run by rooms/models/src/server/pull.rs,
// `without_a_network_one_plain_sentence_comes_first_and_the_cause_apart`.
test("a pull without a network is one plain sentence, with Ollama's words folded below", { tag: "@all" }, async ({ app, standIn }) => {
  await withoutModels(standIn);
  await app.open();
  await app.panel.getByRole("textbox", { name: "Model name" }).fill("offline");
  await app.panel.getByRole("textbox", { name: "Model name" }).press("Enter");
  await expect(app.panel.locator(".note-failed")).toHaveText("Ollama could not pull it: Ollama cannot reach the registry. Is its machine online?");
  await expect(app.panel.getByText("dial tcp")).toBeHidden();
  await app.panel.getByText("What Ollama said").click();
  await expect(app.panel.getByText("dial tcp")).toBeVisible();
});

test("another model is pulled from the picker, chosen, and answers", async ({ app, standIn, page }) => {
  await standIn.catalogue([{ ...MODELS[0], speed: 200_000_000 }]);
  await app.openReady();
  await app.openFromPicker("Pull another model…");
  const dialog = page.getByRole("dialog", { name: "Pull a model" });
  await expect(dialog).toBeVisible();
  // Asking for the dialog chooses nothing.
  await app.ready();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  await app.openFromPicker("Pull another model…");
  await dialog.getByRole("textbox", { name: "Model name" }).fill("small");
  await dialog.getByRole("button", { name: "Pull", exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await app.ready("small");
  await standIn.script(says("I am small."));
  await app.exchange("Who are you?");
  expect((await standIn.chats(1))[0].body.model).toBe("small:latest");
});

test("an answer whose model is gone offers to pull it", async ({ app, page, standIn }) => {
  await standIn.script(says("Here."));
  await app.openReady();
  await app.chooseModel("llama3.2:latest");
  await app.exchange("There?");
  await standIn.models({ remove: ["llama3.2"] });
  await standIn.catalogue([{ name: "llama3.2", layers: [{ digest: "d".repeat(64), size: 1_000_000 }], speed: 200_000_000 }]);
  await app.ask("Still there?");
  await app.ended("failed");
  await app.last.getByRole("button", { name: "Pull llama3.2", exact: true }).click();
  await expect(page.getByText("llama3.2 is ready").first()).toBeVisible();
  await expect(page.getByRole("dialog", { name: "Pull a model" })).toHaveCount(0);
  await app.last.getByRole("button", { name: "Ask again" }).first().click();
  await app.ended("complete");
});

// Guarded in each run by tests/native/server/catalogue.rs,
// `a_pull_from_a_host_that_is_not_on_the_list_never_reaches_ollama`.
test("a name with a host that is not on the list is refused, with what to do", { tag: "@all" }, async ({ app, standIn, page }) => {
  await withoutModels(standIn);
  await app.open();
  const name = app.panel.getByRole("textbox", { name: "Model name" });
  await name.fill("evil.example/ns/model");
  await name.press("Enter");
  await expect(page.getByText("--allow-registry evil.example").first()).toBeVisible();
  expect(await standIn.seen("/api/pull")).toEqual([]);
});
