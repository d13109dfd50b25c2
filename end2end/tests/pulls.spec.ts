// Several pulls at once, from the page of models: beside a chat, stopped, resumed, and over a reload.
import type { Locator } from "@playwright/test";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { ModelsPage } from "../support/models";
import { says, type StandIn } from "../support/standIn";

const layer = (digit: string, size: number) => ({ digest: digit.repeat(64), size });
const slow = (name: string, digit: string) => ({ name, layers: [layer(digit, 900_000_000), layer("d", 1_000)], speed: 5_000_000 });
const registry = (standIn: StandIn) =>
  standIn.catalogue([
    slow("one", "a"),
    slow("two", "b"),
    slow("three", "c"),
    slow("four", "e"),
    { name: "quick", layers: [layer("f", 60_000_000)], speed: 60_000_000 },
    { name: "broken", layers: [layer("9", 400_000_000)], speed: 100_000_000, error: "max retries exceeded: unexpected EOF", error_after: 30_000_000 },
  ]);
const position = (bar: Locator) => bar.evaluate((bar: HTMLProgressElement) => bar.position);

test("several models are pulled at once, each with its bars, speed and time left", async ({ app, standIn }) => {
  await registry(standIn);
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  for (const name of ["one", "two", "three", "four"]) await models.pull(name);
  const pull = (name: string) => models.pulls.getByRole("listitem").filter({ has: app.page.getByText(name, { exact: true }) });
  for (const [name, digit] of [["one", "a"], ["two", "b"], ["three", "c"]]) {
    const bar = pull(name).getByRole("progressbar", { name: `Layer ${digit.repeat(12)}` });
    await expect.poll(() => position(bar), { message: name }).toBeGreaterThan(0);
    await expect.poll(() => position(pull(name).getByRole("progressbar", { name: /^Total/ }))).toBeGreaterThan(0);
  }
  await expect(pull("one")).toContainText(/\d\.\d MB a second · \d:\d\d min left/);
  await expect(pull("four")).toContainText("waiting for its turn");
  expect((await standIn.seen("/api/pull")).map((seen) => seen.body.model)).toEqual(["one", "two", "three"]);

  // What ends makes room for the next.
  await models.button("Stop two").click();
  await expect(pull("two")).toContainText("stopped; the downloaded part is kept");
  await expect.poll(async () => (await standIn.seen("/api/pull")).map((seen) => seen.body.model)).toEqual(["one", "two", "three", "four"]);
  await standIn.disconnected(2, "/api/pull");
  await models.button("Remove two").click();
  await expect(pull("two")).toHaveCount(0);
});

// Guarded in each run by rooms/models/src/tests/pulls.rs,
// `stopping_a_pull_ends_the_request_and_the_next_start_resumes_it`.
test("a pull that was stopped goes on from where it was", { tag: "@all" }, async ({ app, standIn }) => {
  await registry(standIn);
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await models.pull("one");
  const bar = models.bar(/^Layer aaaa/);
  await expect.poll(() => position(bar)).toBeGreaterThan(0.002);
  await models.button("Stop one").click();
  const kept = await position(bar);
  await models.button("Resume one").click();
  await expect.poll(() => position(bar)).toBeGreaterThan(kept);
  expect((await standIn.seen("/api/pull")).length).toBe(2);
});

// Guarded in each run by rooms/models/src/tests/pulls.rs, `a_model_that_was_pulled_beside_the_chat_is_not_chosen`.
test("a pull goes on while one chats, and what is ready is said and not chosen", { tag: "@all" }, async ({ app, page, standIn }) => {
  await registry(standIn);
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await models.pull("quick");
  await models.close();
  await standIn.script(says("An answer meanwhile."));
  await app.exchange("A question meanwhile?");
  await expect(page.getByText("quick is ready").first()).toBeVisible({ timeout: 15_000 });
  await app.ready("llama3.2");
  expect(await app.models()).toContain("quick:latest");
  await models.open();
  await expect(models.row("quick")).toBeVisible();
});

// Guarded in each run by rooms/models/src/tests/pulls.rs, `a_reload_takes_up_what_ran_and_lists_what_was_stopped`.
test("a reload takes up the pulls that ran, and lists the stopped ones", { tag: "@all" }, async ({ app, page, standIn }) => {
  await registry(standIn);
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await models.pull("one");
  await models.pull("two");
  await expect.poll(async () => (await standIn.seen("/api/pull")).length).toBe(2);
  await models.button("Stop two").click();
  await app.reload();
  await expect.poll(async () => (await standIn.seen("/api/pull")).map((seen) => seen.body.model)).toEqual(["one", "two", "one"]);
  await models.open();
  await expect.poll(() => position(models.bar(/^Layer aaaa/))).toBeGreaterThan(0);
  await expect(models.button("Resume two")).toBeVisible();
  await models.button("Stop one").click();
  await models.button("Remove one").click();
  await models.button("Remove two").click();
  await app.reload();
  await app.ready();
  expect(await page.evaluate(() => sessionStorage.getItem("sash:pulls"))).toBeNull();
  expect((await standIn.seen("/api/pull")).length).toBe(3);
});

test("a pull that fails says why and can be resumed, and a name that is none is not sent", async ({ app, standIn }) => {
  await registry(standIn);
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await models.pull("http://evil.example/a/b");
  await expect(models.pulls.getByText("“http://evil.example/a/b” is not a model name.")).toBeVisible();
  await expect(models.name).toHaveValue("http://evil.example/a/b");
  expect(await standIn.seen("/api/pull")).toEqual([]);
  await models.pull("broken");
  await expect(models.pulls).toContainText("Ollama could not pull it: the registry broke off the download");
  await standIn.catalogue([{ name: "broken", layers: [layer("9", 40_000_000)], speed: 200_000_000 }]);
  await models.button("Resume broken").click();
  await expect(models.row("broken")).toBeVisible();
  await models.pull("no-such-model");
  await expect(models.pulls).toContainText("the registry has no model of this name");
  await expect(models.button("Resume no-such-model")).toHaveCount(0);
  await models.pull("evil.example/a/b");
  await expect(models.pulls).toContainText("--allow-registry evil.example");
  await expect(models.row("broken")).toBeVisible();
});

test("a pull of 2 GB at 1 GB a second leaves the page usable and takes no memory on either side", async ({ page, programs, standIn }) => {
  await standIn.catalogue([{ name: "huge", layers: [layer("7", 2_000_000_000)], speed: 1_000_000_000 }]);
  const sash = await programs.sash(standIn.url);
  const here = new ChatPage(page, sash.url);
  await here.openReady();
  const browser = await page.context().newCDPSession(page);
  const heap = async () => {
    await browser.send("HeapProfiler.collectGarbage");
    return (await browser.send("Runtime.getHeapUsage")).usedSize / 1e6;
  };
  const models = new ModelsPage(here);
  await models.open();
  const before = { heap: await heap(), server: sash.megabytes() };
  await models.pull("huge");
  await expect.poll(() => position(models.bar(/^Layer/))).toBeGreaterThan(0.2);
  // One goes on using the page.
  await models.search.pressSequentially("qwen");
  await expect(models.rows).toHaveCount(1);
  await models.search.fill("");
  await expect(page.getByText("huge is ready").first()).toBeAttached({ timeout: 30_000 });
  expect(await heap() - before.heap, "megabytes in the page").toBeLessThan(5);
  expect(sash.megabytes() - before.server, "megabytes in the server").toBeLessThan(10);
});
