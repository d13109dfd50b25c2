// Forms in which engines send an answer, as the page shows them: no word is lost in silence, and an answer that broke off
// says why. The decoder's own tests are in tests/native and kernel/server; here is what a person reads.
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { delta, event, RawEngine, type RawReply, STOP } from "../support/rawEngine";

/** What the page shows of an answer. */
interface Shown {
  state: "complete" | "failed";
  /** The answer's text. */
  text?: string;
  /** What is said somewhere in its row. */
  says?: string[];
  /** What is nowhere in its row. */
  not?: string[];
}

const half = delta({ content: "Half an answer" });
const list = (...parts: unknown[]) => delta({ content: parts });
const whole = (content: unknown) => ({ object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }] });

const CASES: [string, RawReply, Shown][] = [
  ["a list of parts, then strings", { body: [list({ type: "text", text: "Rain, " }), delta({ content: "then sun." }), STOP] }, { state: "complete", text: "Rain, then sun." }],
  [
    "a thought as a part",
    { body: [list({ type: "thinking", thinking: [{ type: "text", text: "Let me look." }] }), list({ type: "text", text: "Tuesday." }), STOP] },
    { state: "complete", text: "Tuesday.", says: ["Let me look."] },
  ],
  ["a message in place of a delta", { body: [event({ choices: [{ index: 0, message: { content: "All at once." }, finish_reason: "stop" }] }), event("[DONE]")] }, { state: "complete", text: "All at once." }],
  ["a whole completion instead of a stream", { type: "application/json", body: [JSON.stringify(whole("No stream here."))] }, { state: "complete", text: "No stream here." }],
  ["a whole completion as one event", { body: [event(whole("One event.")), event("[DONE]")] }, { state: "complete", text: "One event." }],
  ["events that carry nothing", { body: ["data:\n\n", "data: \n\n", half, "data: \"\"\n\n", "data: null\n\n", ": ping\n\n", "data: keep-alive\n\n", delta({ content: ", whole." }), STOP] }, { state: "complete", text: "Half an answer, whole." }],
  ["an emoji in two halves", { body: ['data: {"choices":[{"index":0,"delta":{"content":"Hot \\ud83c"}}]}\n\n', 'data: {"choices":[{"index":0,"delta":{"content":"\\udf36 soup"}}]}\n\n', STOP] }, { state: "complete", text: "Hot 🌶 soup" }],
  ["nothing but the end", { body: [event("[DONE]")] }, { state: "complete", says: ["no text"] }],
  ["an error as an event with words", { body: [half, "event: error\ndata: out of memory on card 1\n\n"] }, { state: "failed", text: "Half an answer", says: ["out of memory on card 1"] }],
  ["an error as an event with a text", { body: [half, 'event: error\ndata: {"text":"the worker was restarted"}\n\n'] }, { state: "failed", text: "Half an answer", says: ["the worker was restarted"] }],
  ["a detail in mid-stream", { body: [half, event({ detail: "deadline of the gateway" })] }, { state: "failed", text: "Half an answer", says: ["deadline of the gateway"] }],
  [
    "a list of fields that are wrong",
    { status: 422, type: "application/json", body: [JSON.stringify({ detail: [{ loc: ["body", "top_k"], msg: "Input should be a valid integer", type: "int_type" }] })] },
    { state: "failed", says: ["top_k: Input should be a valid integer"], not: ["int_type", "loc"] },
  ],
  ["a thought in marks of its own", { body: [delta({ content: "[THI" }), delta({ content: "NK]Secret plan.[/THINK]" }), delta({ content: "In public." }), STOP] }, { state: "complete", text: "In public.", says: ["Secret plan."], not: ["[THINK]"] }],
];

test.describe("an engine of the OpenAI API", () => {
  let engine: RawEngine;

  test.beforeEach(async () => {
    engine = await RawEngine.start();
  });
  test.afterEach(async () => engine.stop());

  for (const [name, reply, shown] of CASES) {
    // Two in each run; the others are guarded by tests/native/server/stream_forms.rs,
    // `each_form_is_read_the_same_in_pieces_of_any_length`, whose forms are in tests/data/stream_forms.rs;
    // kernel/server/src/openai/events/tests.rs, `an_error_in_the_middle_ends_the_answer_in_each_form`; and
    // kernel/server/src/engine/error_words.rs, `a_list_of_fields_names_each_and_what_is_wrong`.
    const tag = ["a thought as a part", "an error as an event with words"].includes(name) ? [] : "@all";
    test(name, { tag }, async ({ page, programs }) => {
      const sash = await programs.sash("", "--openai", `raw=${engine.url}`);
      const app = new ChatPage(page, sash.url);
      await app.openReady("raw");
      engine.replies = [reply];
      await app.ask("A question");
      await expect(app.messages).toHaveCount(2);
      await app.ended(shown.state);
      if (shown.text !== undefined) await expect(app.text(app.last)).toHaveText(shown.text);
      for (const words of shown.says ?? []) await expect(app.last).toContainText(words);
      for (const words of shown.not ?? []) await expect(app.last).not.toContainText(words);
      if (shown.state !== "complete" || shown.text === undefined) return;
      // What is shown is what is sent with the next prompt: thoughts are not.
      engine.replies = [{ body: [delta({ content: "Next." }), STOP] }];
      await app.exchange("Another question");
      expect(engine.asked.at(-1)?.messages.map((message) => message.content)).toEqual(["A question", shown.text, "Another question"]);
    });
  }
});
