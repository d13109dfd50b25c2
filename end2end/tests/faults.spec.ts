// What Ollama can do to an answer. Common rule: the text that came stays, one message says what happened,
// there is a way on, and the composer is usable at once.
import { expect, test } from "../support/fixtures";
import type { ChatPage } from "../support/chatPage";
import { bytes, done, says, status, type Step, text } from "../support/standIn";

const CAME = "This much came.";
const came = text(CAME, 1);

async function usableAndAskedAgain(app: ChatPage, standIn: import("../support/standIn").StandIn) {
  await expect(app.send).toBeVisible();
  await standIn.script(says("All of it, now."));
  await app.last.getByText("Ask again").click();
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText("All of it, now.");
}

const INTERRUPTED: [string, Step[], RegExp][] = [
  ["ends without done", [came, { do: "end" }], /Interrupted\. The answer ended without finishing/],
  ["closes the connection in mid-stream", [came, { do: "close" }], /Interrupted\. The connection to Ollama was lost/],
  ["resets the connection", [came, { do: "reset" }], /Interrupted\. The connection to Ollama was lost/],
  [
    "sends a malformed line",
    [came, bytes('{"message":{"content":"oops\n')],
    /Interrupted\. The answer broke off\. Sash could not read this part of it: \{"message.*oops/,
  ],
];

for (const [what, steps, says] of INTERRUPTED) {
  // Guarded in each run by one of them, and tests/native/server/faults.rs,
  // `row_7_a_lost_connection_is_one_plain_sentence`, `row_8_a_clean_end_without_done_is_no_success` and
  // `row_13_a_malformed_line_ends_the_answer`.
  const tag = what === "closes the connection in mid-stream" ? [] : "@all";
  test(`Ollama ${what}: interrupted, the text stays`, { tag }, async ({ app, standIn }) => {
    await standIn.script(steps);
    await app.openReady();
    await app.ask("Go");
    await app.ended("interrupted");
    await expect(app.text(app.last)).toHaveText(CAME);
    await expect(app.last.locator(".note")).toHaveText(says);
    await expect(app.last.locator(".note")).toHaveCount(1);
    await app.reload();
    await expect(app.text(app.last)).toHaveText(CAME);
    await app.ended("interrupted");
    await app.ready();
    await expect(app.last.getByRole("button", { name: "Continue", exact: true })).toBeVisible();
    await usableAndAskedAgain(app, standIn);
  });
}

// There was nothing below the question but icons.
const NO_TEXT = "This answer has no text. If that happens again, choose another model.";
const ONLY_THINKING = "This answer has no text, only thinking. If that happens again, let the model think less, or choose another one.";
const WITHOUT_TEXT: [string, Step[], string][] = [
  ["is done at once", [done()], NO_TEXT],
  ["sends white space alone", [text(" \n"), done()], NO_TEXT],
  ["thinks alone", [{ do: "thinking", text: "Hm.", tokens: 1 }, done()], ONLY_THINKING],
  ["thinks in its text alone", [text("[THINK]Hm.[/THINK]"), done()], ONLY_THINKING],
];

for (const [what, steps, words] of WITHOUT_TEXT) {
  // Guarded in each run by one of them; kernel/stores/tests/stores/answers.rs, `an_answer_without_text_says_so`; and
  // kernel/server/src/answer.rs, `the_thinking_marks_of_each_kind_of_models_are_no_part_of_the_answer`.
  const tag = what === "thinks alone" ? [] : "@all";
  test(`Ollama ${what}: the answer says that it has no text`, { tag }, async ({ app, standIn }) => {
    await standIn.script(steps);
    await app.openReady();
    await app.ask("Go");
    await app.ended("complete");
    await expect(app.last.locator(".note > span")).toHaveText(words);
    await app.reload();
    await app.ready();
    await expect(app.last.locator(".note > span")).toHaveText(words);
    await usableAndAskedAgain(app, standIn);
    await expect(app.last.locator(".note")).toHaveCount(0);
  });
}

test("an answer that an error broke off is continued with what came of it", async ({ app, standIn }) => {
  await standIn.script([came, { do: "error", text: "llama runner process has terminated" }]);
  await app.openReady();
  await app.ask("Go");
  await app.ended("failed");
  await expect(app.last.locator(".note").getByRole("button")).toHaveText(["Ask again", "Continue", "Choose another model…"]);
  await standIn.script(says("And the rest."));
  await app.inMessage(app.last, "Continue").click();
  await app.ended("complete");
  expect((await standIn.chats(2))[1].body.messages.map((m) => m.content)).toEqual(["Go", CAME]);
  await expect(app.text(app.message(2))).toHaveText(`${CAME}And the rest.`);
});

const NESTED = JSON.stringify({
  error: {
    code: 400,
    message: "request (758 tokens) exceeds the available context size (256 tokens), try increasing it",
    type: "exceed_context_size_error",
    n_prompt_tokens: 758,
    n_ctx: 256,
  },
});

const FAILED: [string, Step[], RegExp, string][] = [
  ["says an error in mid-stream", [came, { do: "error", text: "an error was encountered while running the model: CUDA error" }], /The model failed: .*CUDA error/, CAME],
  ["fails to load the model", [{ do: "error", text: "llama runner process has terminated: exit status 2", status: 500 }], /The model could not be loaded\. .* Ollama says: llama runner process has terminated/, ""],
  ["is busy", [status(503, "application/json", '{"error":"server busy, please try again.  maximum pending requests exceeded"}')], /Ollama’s queue is full/, ""],
  ["answers with a page of HTML", [status(502, "text/html", "<html><title>Bad gateway</title><body><h1>Bad <script>alert(1)</script>gateway</h1></body></html>")], /^A proxy in front of Ollama answered in its place: unexpected reply \(text\/html, 502\): Bad gateway(Ask again)?$/, ""],
  ["answers 200 with a page of HTML", [status(200, "text/html", "<html><body>Log in</body></html>")], /unexpected reply \(text\/html, 200\)(Ask again)?$/, ""],
  ["has too little room", [status(400, "application/json", JSON.stringify({ error: NESTED }))], /758 tokens .* room for 256\. Nothing was cut/, ""],
];

for (const [what, steps, says, kept] of FAILED) {
  // Guarded in each run by one of them; tests/native/server/refusals.rs, `row_19_a_load_that_fails`,
  // `row_20_a_busy_ollama_says_when_to_try_again_and_is_asked_once`,
  // `the_error_page_of_a_proxy_is_one_sentence_without_markup` and `row_15_what_is_no_ollama`; and
  // tests/native/prompt/context.rs, `an_overflow_is_one_fault_with_both_numbers`.
  const tag = what === "says an error in mid-stream" ? [] : "@all";
  test(`Ollama ${what}: said in words, asked again`, { tag }, async ({ app, standIn }) => {
    await standIn.script(steps);
    await app.openReady();
    await app.ask("Go");
    await app.ended("failed");
    await expect(app.last.locator(".note")).toHaveText(says);
    await expect(app.last.locator(".note")).toHaveCount(1);
    await expect(app.text(app.last)).toHaveText(kept);
    await expect(app.last.locator("h1, h2, script")).toHaveCount(0);
    await usableAndAskedAgain(app, standIn);
  });
}

// Guarded in each run by tests/native/prompt/context.rs, `an_overflow_is_one_fault_with_both_numbers`.
test("a prompt that is really too long names both numbers", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.settings({ num_ctx: 256 });
  await app.openReady();
  await app.ask("long ".repeat(400));
  await app.ended("failed");
  const note = await app.last.locator(".note").innerText();
  const [, needs, room] = /has (\d+) tokens and was refused: the model has room for (\d+)/.exec(note) ?? [];
  expect(Number(room)).toBe(256);
  expect(Number(needs)).toBeGreaterThan(256);
  // Shortened, it goes.
  await app.message(1).hover();
  await app.inMessage(app.message(1), "Edit").click();
  await app.page.getByRole("textbox", { name: "Edit message" }).fill("Short");
  await app.page.getByRole("button", { name: "Send as a new version" }).click();
  await app.ended("complete");
});

// Guarded in each run by tests/native/server/faults.rs, `row_10_and_12_any_cut_gives_the_same_text`.
test("a character cut at every byte is the same character", { tag: "@all" }, async ({ app, standIn }) => {
  const words = "Grüße, 日本語, 🌍👩‍👩‍👧, e\u0301, \u{1F3F4}\u{E0067}\u{E007F} done.";
  await standIn.script([{ do: "split", bytes: 1, wait_us: 50 }, text(words, 6), done()]);
  await app.openReady();
  await app.exchange("Say hello");
  const stored = Object.entries(await app.stored()).find(([key, value]) => key.startsWith("sash:m:") && value.includes("Grüße"));
  expect(stored?.[1]).toContain(words);
  await expect(app.text(app.last)).toContainText("Grüße, 日本語, 🌍");
  await expect(app.text(app.last)).not.toContainText("\uFFFD");
});

// Guarded in each run by tests/native/server/faults.rs, `row_9_nothing_after_done_is_passed_on`.
test("what a real end brings after done is ignored", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script([text("The end."), done(), bytes('{"message":{"content":"and more"},"done":false}\n')]);
  await app.openReady();
  await app.exchange("Go");
  await expect(app.text(app.last)).toHaveText("The end.");
});

test("a model that was removed stays the chat's, marked missing, and another can be chosen", async ({ app, standIn }) => {
  await standIn.script(says("Here."));
  await app.openReady();
  await app.chooseModel("llama3.2:latest");
  await app.exchange("There?");
  await standIn.models({ remove: ["llama3.2"] });
  await app.ask("Still there?");
  await app.ended("failed");
  await expect(app.last.locator(".note")).toContainText("Ollama has no model named “llama3.2:latest”");
  await expect(app.model).toHaveValue("llama3.2:latest (missing)");
  await app.reload();
  await expect(app.model).toHaveValue("llama3.2:latest (missing)");
  await app.chooseModel("qwen3:4b");
  await standIn.script(says("I am another."));
  await app.exchange("And you?");
  expect((await standIn.seen()).at(-1)?.body.model).toBe("qwen3:4b");
});

test("a server that stops answers no more, and the page goes on when it is back", async ({ app, standIn, programs, page, watch }) => {
  watch.allow(/network error/, /net::ERR_CONNECTION_REFUSED/, /ERR_INCOMPLETE_CHUNKED_ENCODING/, /ERR_CONNECTION_RESET/, /ERR_EMPTY_RESPONSE/, /ERR_SOCKET_NOT_CONNECTED/);
  const { freePort } = await import("../support/programs");
  const port = await freePort();
  const listen = ["--listen", `127.0.0.1:${port}`];
  const sash = await programs.sash(standIn.url, ...listen);
  const { ChatPage } = await import("../support/chatPage");
  const here = new ChatPage(page, sash.url);
  await here.openReady();
  await standIn.script([text("Before the stop.", 1), { do: "stall" }]);
  await here.ask("Go");
  await here.streaming();
  await sash.stop();
  await here.ended("reconnecting");
  await expect(here.last).toContainText("Connection lost. The answer continues where Sash runs");
  await expect(here.text(here.last)).toHaveText("Before the stop.");
  await expect(page.getByText("Sash itself does not respond")).toBeVisible();
  await programs.sash(standIn.url, ...listen);
  await expect(page.getByText("Sash itself does not respond")).toHaveCount(0, { timeout: 15_000 });
  // Another Sash does not have the answer.
  await here.ended("interrupted");
  await expect(here.text(here.last)).toHaveText("Before the stop.");
  await here.ready();
  await standIn.script(says("Back again."));
  await here.exchange("Are you back?");
  void app;
});

test("where the memory is not enough, each remedy that the sentence names has its button", async ({ app, page, standIn }) => {
  await standIn.models({ add: ["tinytool"] });
  await app.open();
  await app.chooseModel("tinytool:latest");
  await standIn.script([text("Hello."), done()]);
  await app.exchange("Hi");
  await app.chooseModel("llama3.2:latest");
  await standIn.script([status(500, "application/json", JSON.stringify({ error: "model requires more system memory (12.0 GiB) than is available (7.6 GiB)" }))]);
  await app.ask("Go");
  await app.ended("failed");
  const note = app.last.locator(".note-failed");
  await expect(note).toContainText("There is not enough memory to load the model.");
  await note.getByRole("button", { name: "Unload tinytool" }).click();
  await expect(note.getByRole("button", { name: "Unload tinytool" })).toHaveCount(0);
  await note.getByRole("button", { name: "Choose a smaller model…" }).click();
  await expect(page.getByRole("dialog", { name: "Ask again with…" })).toBeVisible();
  await page.keyboard.press("Escape");
  await standIn.script([text("There."), done()]);
  await note.getByRole("button", { name: "Less context (2,048)" }).click();
  await app.ended("complete");
  const asked = (await standIn.chats(3)).at(-1)!;
  expect(asked.body.options).toMatchObject({ num_ctx: 2048 });
});
