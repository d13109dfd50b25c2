// Several engines: the models of all in one list, a chat keeps to the engine of its model, and what an engine cannot do
// is not offered.
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { freePort, startOpenAi } from "../support/programs";
import { bytes, says, StandIn } from "../support/standIn";

const CHAT = "/v1/chat/completions";

/** The names in the picker. */
async function listed(app: ChatPage): Promise<string[]> {
  await app.model.click();
  const names = await app.page.locator(".model-option-name").allTextContents();
  await app.model.press("Escape");
  return names;
}

test("the models of all engines stand in one list, and each is asked at its own engine", async ({ page, programs }) => {
  const [here, box] = [await programs.standIn(), await programs.standIn()];
  const vllm = await programs.keep(startOpenAi("vllm"));
  for (const ollama of [here, box]) await new StandIn(ollama.url).models({ add: ["llama3.2"] });
  const sash = await programs.sash(`here=${here.url}`, "--ollama", `box=${box.url}`, "--openai", `vllm=${vllm.url}/v1`);
  const app = new ChatPage(page, sash.url);
  await app.openReady();
  await expect.poll(() => listed(app)).toEqual([
    "llama3.2 · here",
    "llama3.2 · box",
    "org/Tiny-Instruct · vllm",
    "tiny-think.gguf · vllm",
    "Ask several models…",
    "Pull another model…",
    "Manage models…",
  ]);

  await new StandIn(box.url).script(says("From the box."));
  await app.chooseNamed("llama3.2 · box");
  await app.exchange("Who is there?");
  await expect(app.text(app.last)).toHaveText("From the box.");
  expect(await new StandIn(here.url).seen()).toHaveLength(0);
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText("Model: llama3.2:latest, engine box");

  await app.chooseNamed("tiny-think.gguf · vllm");
  await app.exchange("And now?");
  await expect(app.text(app.last)).toHaveText("The answer is <b>42</b> — é🌍");
  const [asked] = await new StandIn(vllm.url).seen(CHAT);
  expect(asked.body.messages.map((message) => message.content)).toEqual(["Who is there?", "From the box.", "And now?"]);
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText(/Read: \d+ tokens, counted by vllm/);

  // A chat remembers its engine, after a reload too; a new chat begins with the last choice.
  await app.reload();
  await app.ready("tiny-think.gguf · vllm");
  await app.newChat();
  await app.ready("tiny-think.gguf · vllm");
  await app.chooseNamed("llama3.2 · here");
  await new StandIn(here.url).script(says("From here."));
  await app.exchange("Hello");
  await expect(app.text(app.last)).toHaveText("From here.");
  await app.chat("Who is there?").click();
  await app.ready("tiny-think.gguf · vllm");
});

const event = (json: object) => bytes(`data: ${JSON.stringify(json)}\n\n`);
const piece = (content: unknown, finish: string | null = null) =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: finish }] });
const DONE = bytes("data: [DONE]\n\n");

// Guarded in each run by tests/native/server/stream_forms.rs, `each_form_is_read_the_same_in_pieces_of_any_length`;
// kernel/server/src/openai/events/tests.rs, `numbers_and_parts_are_text_and_what_is_none_is_said`.
test("what an engine sends in another form is in the answer, and what is no text is said", { tag: "@all" }, async ({ page, programs }) => {
  const vllm = await programs.keep(startOpenAi("vllm"));
  const sash = await programs.sash("", "--openai", `vllm=${vllm.url}/v1`);
  const app = new ChatPage(page, sash.url);
  await app.openReady("org/Tiny-Instruct");
  const script = (steps: Parameters<StandIn["script"]>[0]) => new StandIn(vllm.url).script(steps, { path: CHAT });

  await script([
    piece([{ type: "thinking", thinking: [{ type: "text", text: "Let me see." }] }]),
    bytes("data:\n\nevent: ping\n\n"),
    piece([{ type: "text", text: "Yes, " }]),
    piece("it does.", "stop"),
    DONE,
  ]);
  await app.exchange("Does it?");
  await expect(app.text(app.last)).toHaveText("Yes, it does.");

  await script([piece("A picture: "), piece([{ type: "image_url", image_url: { url: "x" } }], "stop"), DONE]);
  await app.ask("Draw one");
  await app.ended("failed");
  await expect(app.text(app.last)).toHaveText("A picture:");
  await expect(app.last.locator(".note")).toContainText("Not shown: image_url");

  await script([piece("Half an "), bytes('event: error\ndata: {"text":"The upstream is gone."}\n\n')]);
  await app.ask("And then?");
  await app.ended("failed");
  await expect(app.text(app.last)).toHaveText("Half an");
  await expect(app.last.locator(".note")).toContainText("The upstream is gone.");
});

// Guarded in each run by kernel/stores/tests/stores/engines.rs,
// `the_models_of_all_engines_are_listed_and_one_that_is_away_costs_only_its_own`.
test("an engine that is away costs its own models only, and comes back by itself", { tag: "@all" }, async ({ page, programs }) => {
  const here = await programs.standIn();
  await new StandIn(here.url).models({ add: ["llama3.2"] });
  const port = await freePort();
  const sash = await programs.sash(here.url, "--openai", `vllm=http://127.0.0.1:${port}`);
  const app = new ChatPage(page, sash.url);
  await app.openReady();
  await expect(app.panel, "one engine answers").toHaveCount(0);
  await expect.poll(() => listed(app)).toEqual(["llama3.2 · ollama", "vllm", "Pull another model…", "Manage models…"]);
  const vllm = await programs.keep(startOpenAi("vllm", port));
  await expect.poll(() => listed(app), { timeout: 8_000 }).toContain("org/Tiny-Instruct · vllm");
  await app.chooseNamed("org/Tiny-Instruct · vllm");
  await app.exchange("Hello");
  await vllm.stop();
  await app.ask("Still there?");
  await app.ended("failed");
  await expect(app.last).toContainText("The engine “vllm” is not reachable");
  await app.ready("org/Tiny-Instruct · vllm");
  await expect(app.last.locator(".answer-model")).toHaveText("org/Tiny-Instruct · vllm");
  // It stays in the list, said as away; the chat keeps it until another one is chosen.
  await app.model.click();
  const away = page.getByRole("option", { name: /org\/Tiny-Instruct · vllm/ });
  await expect(away).toContainText("not reachable");
  await expect(away).toHaveAttribute("data-chosen", "true");
  await app.model.press("Escape");
  await app.chooseNamed("llama3.2 · ollama");
  await new StandIn(here.url).script(says("I am."));
  await app.exchange("And you?");
});

test("an engine of the OpenAI API alone: what it cannot do is not offered", async ({ page, programs }) => {
  const llama = await programs.keep(startOpenAi("llama-server"));
  const sash = await programs.sash("", "--openai", `llama=${llama.url}`);
  const app = new ChatPage(page, sash.url);
  await app.openReady("tiny-think.gguf");
  expect(await listed(app), "one engine needs no name, and nothing can be pulled").toEqual(["tiny-think.gguf"]);

  await page.getByRole("button", { name: "Parameters" }).click();
  const dialog = page.getByRole("dialog", { name: "Parameters" });
  await expect(dialog.getByLabel("temperature", { exact: true })).toBeVisible();
  for (const absent of ["num_ctx", "keep_alive", "repeat_last_n"]) {
    await expect(dialog.getByLabel(absent, { exact: true })).toHaveCount(0);
  }
  await dialog.getByLabel("num_predict", { exact: true }).fill("500");
  await page.keyboard.press("Escape");

  // The model's template reads whether to think.
  await page.getByRole("combobox", { name: "Thinking" }).selectOption("off");
  await app.exchange("Quickly?");
  const [asked] = await new StandIn(llama.url).seen(CHAT);
  expect(asked.body).toMatchObject({
    model: "tiny-think.gguf",
    max_tokens: 500,
    stream_options: { include_usage: true },
    chat_template_kwargs: { enable_thinking: false },
  });

  // A `llama-server` shows the prompt after the template; it cannot make vectors, pull or delete.
  await page.getByRole("button", { name: "What the model sees" }).click();
  await app.composer.fill("And after the template?");
  await page.getByRole("button", { name: "Show the prompt with the template applied" }).click();
  await expect(page.locator(".template")).toContainText("And after the template?");

  // A prompt that is too long is said before it is sent: the context is known.
  await app.composer.fill("long ".repeat(5_000));
  await app.send.click();
  await expect(page.locator(".overflow")).toContainText("the model has room for 4,096. Nothing was sent.");
  expect(await new StandIn(llama.url).seen(CHAT)).toHaveLength(1);
});

test("the tokens of the next request are exact where the engine counts them", async ({ page, programs }) => {
  const llama = await programs.keep(startOpenAi("llama-server"));
  const sash = await programs.sash("", "--openai", `llama=${llama.url}`);
  const app = new ChatPage(page, sash.url);
  await app.open();
  await app.ready("tiny-think.gguf");
  await app.composer.fill("And now?");
  await app.windowLine.hover();
  const parts = page.locator(".window-parts");
  await expect(parts).toContainText("(exact)");
  const counted = (await parts.innerText()).match(/(\d+) of 4,096 tokens \(exact\)/)?.[1];
  await app.exchange("And now?");
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt")).toContainText(`Read: ${counted} tokens, counted by llama`);
  expect(await new StandIn(llama.url).seen(CHAT)).toHaveLength(1);
});
