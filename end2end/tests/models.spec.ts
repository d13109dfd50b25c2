// The page of models: what is installed and loaded, details, deletion.
import { expect, test } from "../support/fixtures";
import { ModelsPage } from "../support/models";
import { status, wait, type StandIn } from "../support/standIn";

const refusal = (code: number, error: string) => status(code, "application/json; charset=utf-8", JSON.stringify({ error }));

/** What `/api/ps` says from now on. */
function ps(standIn: StandIn, ...models: object[]): Promise<void> {
  const steps = [status(200, "application/json; charset=utf-8", JSON.stringify({ models }))];
  return standIn.script(steps, { path: "/api/ps", times: null });
}

test("all installed models are listed, sorted by any column and searched", async ({ app, standIn }) => {
  await standIn.models({ set: "none", add: ["qwen3:4b", "tinyembed", "tinyctx", "llama3.2"] });
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  // Asking for the page chooses nothing.
  await app.ready();
  await expect(models.rows).toHaveCount(4);
  await expect(models.dialog.getByText(/^4 models, 6\.\d MB$/)).toBeVisible();
  const row = models.row("tinyembed");
  await expect(row).toContainText("embedding");
  await expect(row.getByRole("button", { name: /^Load/ })).toHaveCount(0);
  await expect(models.row("llama3.2")).toContainText("412K");

  const header = (name: string) => models.dialog.getByRole("columnheader", { name });
  await models.button("Name").click();
  await expect(header("Name")).toHaveAttribute("aria-sort", "ascending");
  expect(await models.names()).toEqual(["llama3.2", "qwen3:4b", "tinyctx", "tinyembed"]);
  await models.button(/^Name/).click();
  await expect(header("Name")).toHaveAttribute("aria-sort", "descending");
  expect(await models.names()).toEqual(["tinyembed", "tinyctx", "qwen3:4b", "llama3.2"]);
  await models.button("Context").click();
  expect((await models.names()).at(-1)).toBe("tinyctx");

  await models.search.fill("embedding");
  expect(await models.names()).toEqual(["tinyembed"]);
  await expect(models.dialog.getByText("1 of 4 models")).toBeVisible();
  await models.search.fill("nothing like that");
  await expect(models.rows).toHaveCount(0);
  await models.close();
  expect(await app.models()).toEqual(expect.not.arrayContaining(["tinyembed:latest"]));
});

test("a model is loaded and unloaded, and its time is counted down", async ({ app, standIn }) => {
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await expect(models.loaded).toContainText("No model is loaded");
  await models.row("llama3.2").getByRole("button", { name: "Load llama3.2" }).click();
  await expect(models.loaded).toContainText("llama3.2 9.9 MB · CPU · context 4,096 · ");
  await expect(models.loaded).toContainText(/4:5\d min left/);
  const first = await models.loaded.textContent();
  await expect(models.loaded).not.toHaveText(first ?? "");
  await models.loaded.getByRole("button", { name: "Unload llama3.2" }).click();
  await expect(models.loaded).toContainText("No model is loaded");
  await expect(models.row("llama3.2").getByRole("button", { name: "Load llama3.2" })).toBeVisible();
  expect(await standIn.seen()).toEqual([]);
});

// Guarded in each run by rooms/models/src/models/memory.rs, `the_share_of_the_gpu_is_that_of_the_bytes`.
test("where a model is loaded is said in shares", { tag: "@all" }, async ({ app, standIn }) => {
  const model = (name: string, size_vram: number, expires_at: string) => ({ name, model: name, size: 10_000_000_000, size_vram, expires_at, context_length: 8192 });
  const soon = new Date(Date.now() + 3_000_000).toISOString();
  await ps(standIn, model("llama3.2:latest", 10_000_000_000, "2319-03-04T05:06:07Z"), model("qwen3:4b", 4_800_000_000, soon));
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await expect(models.loaded).toContainText("llama3.2 10.0 GB · GPU · context 8,192 · stays loaded");
  await expect(models.loaded).toContainText(/qwen3:4b 10\.0 GB · 48% GPU, 52% CPU · context 8,192 · (49|50):\d\d min left/);
});

// Guarded in each run by rooms/models/src/tests/models.rs, `what_fails_is_said_and_leaves_the_list_as_it_is` and
// `a_load_that_is_cancelled_ends_its_request`.
test("a load that fails for lack of memory says so, and a load can be cancelled", { tag: "@all" }, async ({ app, standIn }) => {
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await standIn.script([refusal(500, "model requires more system memory (12.0 GiB) than is available (7.6 GiB)")]);
  const row = models.row("llama3.2");
  await row.getByRole("button", { name: "Load llama3.2" }).click();
  const problem = models.dialog.locator(".note-failed");
  await expect(problem).toContainText("llama3.2: There is not enough memory to load the model.");
  await expect(problem).toContainText("than is available (7.6 GiB)");
  await models.button("Dismiss").click();
  await expect(problem).toHaveCount(0);

  await standIn.settings({ load_ms: 60_000 });
  await row.getByRole("button", { name: "Load llama3.2" }).click();
  await row.getByRole("button", { name: "Cancel loading llama3.2" }).click();
  await expect(row.getByRole("button", { name: "Load llama3.2" })).toBeVisible();
  await expect.poll(async () => (await standIn.counters()).cancelled, { message: "Ollama's load is given up" }).toBeGreaterThan(0);
});

test("the details of a model are shown, read-only", async ({ app, page }) => {
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await models.button("llama3.2").click();
  await expect(models.dialog.getByRole("heading", { name: "llama3.2:latest" })).toBeFocused();
  // They have an address: a reload stays, back leads to the list.
  await expect(app.page).toHaveURL(/\/models\/llama3\.2:latest$/);
  await app.page.reload();
  await expect(models.dialog.getByRole("heading", { name: "llama3.2:latest" })).toBeVisible();
  await expect(models.dialog.locator("dl")).toContainText("1.6 MB");
  await app.page.goBack();
  await expect(app.page).toHaveURL(/\/models$/);
  await app.page.goForward();
  await expect(models.dialog.getByText("{{- range .Messages }}").first()).toBeHidden();
  await models.dialog.getByText("Template", { exact: true }).click();
  await expect(models.dialog.getByRole("group", { name: "Template" })).toContainText("{{- range .Messages }}<|im_start|>");
  await models.dialog.getByText("Modelfile", { exact: true }).click();
  await expect(models.dialog.getByRole("group", { name: "Modelfile" })).toContainText("FROM /models/blobs/");
  await expect(models.dialog.getByText("Licence: none")).toBeVisible();
  await models.button("All models").click();
  await expect(models.button("llama3.2")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(models.dialog).toHaveCount(0);
});

test("a model is deleted after a plain warning, and only then", async ({ app, standIn, page }) => {
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await models.button("Delete qwen3:4b").click();
  const question = models.dialog.getByRole("group", { name: "Delete this model?" });
  await expect(question).toContainText("Delete qwen3:4b (1.6 MB) from Ollama? This cannot be undone");
  await expect(question.getByRole("button", { name: "Keep it" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(models.button("Delete qwen3:4b")).toBeFocused();
  // Escape closes the question and not the page around it.
  await models.button("Delete qwen3:4b").click();
  await expect(question.getByRole("button", { name: "Keep it" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
  await expect(models.dialog).toBeVisible();
  expect(await standIn.seen("/api/delete")).toEqual([]);

  await standIn.script([refusal(500, "remove manifest: permission denied")], { path: "/api/delete" });
  await models.button("Delete qwen3:4b").click();
  await models.button("Delete for good").click();
  await expect(models.dialog.locator(".note-failed")).toContainText("it is still there: remove manifest: permission denied");
  await expect(models.row("qwen3:4b")).toBeVisible();

  await models.button("Delete qwen3:4b").click();
  await models.button("Delete for good").click();
  await expect(models.row("qwen3:4b")).toHaveCount(0);
  await expect(models.dialog.locator(".note-failed")).toHaveCount(0);
  const seen = await standIn.seen("/api/delete");
  expect(seen.map((one) => [one.method, one.body])).toEqual([["DELETE", { model: "qwen3:4b" }], ["DELETE", { model: "qwen3:4b" }]]);
  await models.close();
  expect(await app.models()).toEqual(expect.not.arrayContaining(["qwen3:4b"]));
});

test("a model that is gone meanwhile is said, and the list follows", async ({ app, standIn }) => {
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await expect(models.rows).toHaveCount(2);
  await standIn.models({ remove: ["qwen3:4b"] });
  await models.row("qwen3:4b").getByRole("button", { name: "Load qwen3:4b" }).click();
  await expect(models.dialog.locator(".note-failed")).toContainText("Ollama has no model named “qwen3:4b”");
  await expect(models.rows).toHaveCount(1);
});

// Guarded in each run by rooms/models/src/tests/models.rs, `a_list_that_cannot_be_had_keeps_the_former_one`.
test("an Ollama that goes away leaves the list there", { tag: "@all" }, async ({ app, page, programs }) => {
  const ollama = await programs.standIn(undefined, "tests");
  const sash = await programs.sash(ollama.url);
  await page.goto(sash.url);
  await app.started();
  const models = new ModelsPage(app);
  await expect(app.model).toBeEnabled();
  await models.open();
  await expect(models.row("tiny")).toBeVisible();
  const count = await models.rows.count();
  await ollama.stop();
  await models.row("tiny").getByRole("button", { name: "Load tiny" }).click();
  await expect(models.dialog.locator(".note-failed").first()).toContainText("Ollama is not reachable at");
  await expect(models.rows).toHaveCount(count);
  await expect(models.button("Check again")).toBeVisible();
});

test("chat goes on while a model is loaded from the page", async ({ app, standIn }) => {
  await standIn.script([wait(300), { do: "text", text: "Still here.", tokens: 2, rate: 0 }, { do: "done" }]);
  await app.openReady();
  const models = new ModelsPage(app);
  await models.open();
  await models.row("qwen3:4b").getByRole("button", { name: "Load qwen3:4b" }).click();
  await models.close();
  await app.ask("Are you there?");
  await app.ended("complete");
});
