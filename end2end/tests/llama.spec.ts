// What only a `llama-server` can do: it says how far it is, ends its thinking, and as a router has models to load, pull
// and delete.
import { expect, test } from "../support/fixtures";
import { ChatPage, watchAnnouncements } from "../support/chatPage";
import { ModelsPage } from "../support/models";
import { startOpenAi } from "../support/programs";
import { done, StandIn, text } from "../support/standIn";

const CHAT = "/v1/chat/completions";

test("the wait is said in words as far as the engine tells it, and a model that thinks answers now", async ({ page, programs }) => {
  await page.addInitScript(watchAnnouncements);
  const llama = await programs.keep(startOpenAi("llama-server"));
  const standIn = new StandIn(llama.url);
  const sash = await programs.sash("", "--openai", `llama=${llama.url}`);
  const app = new ChatPage(page, sash.url);
  await app.openReady("tiny-think.gguf");
  await standIn.settings({ prompt_rate: 350 });
  const steps = [{ do: "thinking", text: "hm ".repeat(5_000), rate: 100 }, text("Yes."), done()];
  await standIn.script(steps, { path: CHAT });
  await app.ask("long ".repeat(300));
  await expect(app.last).toContainText(/tiny-think\.gguf is reading (512|1,024) of 1,5\d\d tokens, about \d s left…/);
  await expect(app.stop).toBeVisible();
  await expect(app.last).toContainText("Thinking…");
  const said = (await app.announced()).filter((words) => words.includes("reading"));
  expect(said, "the kind of wait, once, and no counter").toEqual(["tiny-think.gguf is reading the prompt…"]);
  await app.last.getByRole("button", { name: "Answer now" }).click();
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText("Yes.");
  await expect(app.last.getByRole("button", { name: "Answer now" })).toHaveCount(0);
});

// Guarded in each run by tests/native/server/llama_router.rs,
// `models_have_states_and_none_is_loaded_by_being_looked_at` and `a_model_is_deleted_from_the_cache_and_nowhere_else`
// and `a_model_is_downloaded_file_by_file_and_is_there`.
test("a router's models are loaded, unloaded, pulled and deleted on the page of models", { tag: "@all" }, async ({ page, programs }) => {
  const router = await programs.keep(startOpenAi("llama-router"));
  const standIn = new StandIn(router.url);
  await standIn.settings({ load_ms: 3_000 });
  const sash = await programs.sash("", "--openai", `llama=${router.url}`);
  const app = new ChatPage(page, sash.url);
  await app.openReady("tiny-think.gguf");
  const models = new ModelsPage(app);
  await models.open();
  const row = models.row("org/Tiny-Instruct");
  await row.getByRole("button", { name: "Load org/Tiny-Instruct" }).click();
  await expect(row).toContainText(/\d+% loaded/);
  await expect(models.loaded).toContainText("org/Tiny-Instruct in memory · context 4,096");
  expect((await standIn.seen("/props")).length, "the other model was not looked at").toBeGreaterThan(0);
  await models.loaded.getByRole("button", { name: "Unload org/Tiny-Instruct" }).click();
  await expect(models.loaded).toContainText("No model is loaded");

  await models.pull("pullme");
  await expect(models.row("pullme")).toBeVisible();
  await expect(models.row("tiny-think.gguf").getByRole("button", { name: /^Delete/ }), "not in the router's cache").toHaveCount(0);
  await row.getByRole("button", { name: "Delete org/Tiny-Instruct" }).click();
  await expect(models.dialog).toContainText("Delete org/Tiny-Instruct from llama?");
  await models.button("Delete for good").click();
  await expect(row).toHaveCount(0);
});
