// Ollama comes and goes, and the demo stands in for it.
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { ModelsPage } from "../support/models";
import { freePort } from "../support/programs";
import { endless, says, stall, StandIn, text } from "../support/standIn";

test("the page notices by itself when Ollama comes, goes, and comes back", async ({ page, programs }) => {
  const port = await freePort();
  const sash = await programs.sash(`http://127.0.0.1:${port}`);
  const app = new ChatPage(page, sash.url);
  await app.open();
  await expect(app.panel.getByRole("heading", { name: "Ollama is not reachable" })).toBeVisible();
  await expect(app.panel).toContainText(`http://127.0.0.1:${port}`);
  await expect(app.panel).toContainText("ollama serve");
  await expect(app.send).toBeDisabled();

  const first = await programs.standIn(port);
  const standIn = new StandIn(first.url);
  await standIn.models({ add: ["llama3.2"] });
  await expect(app.panel, "within a few seconds, without a touch").toHaveCount(0, { timeout: 6_000 });
  await app.ready();
  await standIn.script(says("Good morning."));
  await app.exchange("Awake?");

  await first.stop();
  await app.ask("Still awake?");
  await app.ended("failed");
  await expect(app.last).toContainText("Ollama is not reachable at");
  // Compact now: the chat is what matters.
  await expect(app.panel).toBeVisible();
  await expect(app.panel).toContainText("Start it with ollama serve, or open the Ollama app.");
  await expect(app.panel).not.toContainText("ollama.com/download");
  await expect(app.text(app.message(2))).toHaveText("Good morning.");

  const second = await programs.standIn(port);
  const back = new StandIn(second.url);
  await back.models({ add: ["llama3.2"] });
  await expect(app.panel).toHaveCount(0, { timeout: 8_000 });
  await back.script(says("Good evening."));
  await app.last.getByText("Ask again").click();
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText("Good evening.");
});

// Guarded in each run by tests/native/server/faults.rs, `row_7_a_lost_connection_is_one_plain_sentence`;
// kernel/stores/tests/stores/engine.rs, `whoever_looks_again_is_told_that_it_is_still_away_and_nobody_else`.
test("Ollama gone in mid-answer is said in one plain sentence, and a press looks again", { tag: "@all" }, async ({ page, programs }) => {
  const port = await freePort();
  const first = await programs.standIn(port);
  const standIn = new StandIn(first.url);
  await standIn.models({ add: ["llama3.2"] });
  const sash = await programs.sash(first.url);
  const app = new ChatPage(page, sash.url);
  await app.openReady();
  await standIn.script([text("Some words.", 2), endless(20)]);
  await app.ask("Go");
  await app.streaming();
  await first.stop();
  await app.ended("interrupted");
  await expect(app.panel.getByRole("heading", { name: "Ollama is not reachable" })).toBeVisible();
  await expect(app.panel).toContainText("ollama serve");
  await expect(page.locator("body")).not.toContainText("os error");
  const look = app.panel.getByRole("button", { name: "Check again" });
  const looks = page.waitForRequest((request) => request.url().endsWith("/api/v1/state"), { timeout: 1_000 });
  await look.click();
  await looks;
  await expect(look).toBeVisible();
  const second = await programs.standIn(port);
  await new StandIn(second.url).models({ add: ["llama3.2"] });
  await look.click();
  await expect(app.panel).toHaveCount(0);
});

// Guarded in each run by kernel/stores/tests/stores/engine.rs,
// `ollama_that_is_away_is_looked_for_every_two_seconds_for_a_minute_and_then_every_five`.
test("a page in sight looks every two seconds in the first minute", { tag: "@all" }, async ({ page, programs }) => {
  await page.clock.install();
  let looks = 0;
  page.on("request", (request) => (looks += Number(request.url().endsWith("/api/v1/state"))));
  const sash = await programs.sash(`http://127.0.0.1:${await freePort()}`);
  const app = new ChatPage(page, sash.url);
  await app.open();
  await expect(app.panel).toBeVisible();
  const answered = page.waitForResponse((response) => response.url().endsWith("/api/v1/state"));
  await page.clock.runFor(2_000);
  await answered;
  for (let n = 0; n < 6; n++) {
    const before = looks;
    let passed = 0;
    const next = page.waitForResponse((response) => response.url().endsWith("/api/v1/state"));
    for (; looks === before && passed < 30_000; passed += 100) await page.clock.runFor(100);
    await next;
    expect(passed).toBeLessThanOrEqual(2_500);
  }
});

// Guarded in each run by kernel/stores/tests/stores/answers.rs,
// `what_an_answer_waits_for_is_said_as_far_as_it_is_known`.
test("what an answer waits for is said: the model, another answer, or its prompt", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.settings({ load_ms: 4_000 });
  await app.openReady();
  await standIn.script([text("Some words.", 2), endless(20)]);
  await app.ask("Go");
  await expect(app.last).toContainText("Loading llama3.2…");
  await app.streaming();
  // The model answers one after the other: another chat has to wait for this one.
  await app.newChat();
  await app.ask("And here?");
  await expect(app.last).toContainText("Waiting: “Go” is being answered first…");
  await app.stop.click();
  await app.chat("Go").click();
  await app.stop.click();
  await app.newChat();
  await standIn.script([stall]);
  await app.ask("A long one?");
  await expect(app.last).toContainText("llama3.2 is reading the prompt…");
  await app.stop.click();
});

test("without Ollama the demo answers, and says what it was given", async ({ page, programs }) => {
  const sash = await programs.sash(`http://127.0.0.1:${await freePort()}`);
  const app = new ChatPage(page, sash.url);
  await app.open();
  await app.panel.getByRole("button", { name: "Try the demo" }).click();
  await expect(app.panel).toHaveCount(0);
  await expect(page.getByText("This is the demo")).toBeVisible();
  // Its models come a moment later.
  await app.ready("sash-demo");
  await app.exchange("Hello there");
  await expect(app.text(app.last)).toContainText("not a language model");
  await expect(app.text(app.last)).toContainText("1 message");
  await app.exchange("And again");
  await expect(app.text(app.last)).toContainText("3 messages");
  await expect(app.text(app.last)).toContainText("Hello there");

  // After a reload too, and back.
  await app.reload();
  await expect(page.getByText("This is the demo")).toBeVisible();
  await page.getByRole("button", { name: "Back to Ollama" }).click();
  await expect(app.panel).toContainText("Ollama is not reachable");
  await expect(page.getByText("This is the demo")).toHaveCount(0);
});

// Guarded in each run by tests/native/server/requests.rs, `the_demo_answers_when_asked_for_and_always_with_its_flag`.
test("started as a demo there is no way to an Ollama that is not there", { tag: "@all" }, async ({ page, programs }) => {
  const sash = await programs.sash(`http://127.0.0.1:${await freePort()}`, "--demo");
  const app = new ChatPage(page, sash.url);
  await app.open();
  await expect(page.getByText("This is the demo")).toBeVisible();
  await expect(page.getByRole("button", { name: "Back to Ollama" })).toHaveCount(0);
  // It writes as fast as a model does: not to the end.
  await app.ask("Show me *markdown*");
  await expect(app.text(app.last).getByRole("group", { name: "Code, rust" })).toBeVisible({ timeout: 20_000 });
  await app.stop.click();
  await app.ask("And a formula?");
  await expect(app.text(app.last).locator("math")).toHaveCount(2, { timeout: 20_000 });
});

// Guarded in each run by tests/native/server/manage.rs, `the_demo_keeps_its_model`.
test("the demo's model can be loaded and not deleted", { tag: "@all" }, async ({ page, programs }) => {
  const sash = await programs.sash(`http://127.0.0.1:${await freePort()}`, "--demo");
  const app = new ChatPage(page, sash.url);
  await app.open();
  await app.ready("sash-demo");
  const models = new ModelsPage(app);
  // The picker leads there with a real Ollama alone.
  await page.goto(new URL("/models", sash.url).href);
  await models.open();
  await expect(models.row("sash-demo")).toBeVisible();
  await expect(models.button(/^(Load|Unload) sash-demo$/)).toBeVisible();
  await expect(models.button(/^Delete/)).toHaveCount(0);
});
