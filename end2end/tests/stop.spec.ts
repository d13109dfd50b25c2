// Stop, also after a reload, and what closing the page in mid-answer does. Ollama must stop, and no word be lost.
import { expect, test } from "../support/fixtures";
import { done, endless, says, stall, text } from "../support/standIn";

for (const [how, act] of [
  ["the button", (app) => app.stop.click()],
  ["Escape", (app) => app.page.keyboard.press("Escape")],
] as [string, (app: import("../support/chatPage").ChatPage) => Promise<void>][]) {
  // The button is guarded in each run by Escape, and kernel/stores/tests/stores/answers.rs, `stopping_keeps_what_came`.
  test(`${how} stops the answer at Ollama, and what came is kept`, { tag: how === "Escape" ? [] : "@all" }, async ({ app, standIn }) => {
    await standIn.script([text("It begins so.", 1), endless()]);
    await app.openReady();
    await app.ask("Go on for ever");
    await app.streaming();
    const before = Date.now();
    await act(app);
    await app.ended("stopped");
    const seen = await standIn.disconnected(1);
    expect(seen.disconnected! - before, "milliseconds from Stop to the end at Ollama").toBeLessThan(1000);
    expect((await standIn.counters()).generating).toBe(0);

    await expect(app.last.getByText("Stopped", { exact: true })).toBeVisible();
    await expect(app.text(app.last)).toContainText("It begins so.");
    await expect(app.composer).toBeFocused();
    await expect(app.send).toBeVisible();
    const kept = await app.text(app.last).innerText();

    await app.reload();
    await app.ended("stopped");
    expect(await app.text(app.last).innerText()).toBe(kept);
  });
}

// Guarded in each run by tests/native/server/cancel.rs, `leaving_before_the_headers_ends_the_generation`;
// kernel/chat/src/chat/tests.rs, `half_an_answer_is_sent_whatever_ended_it_and_an_empty_one_never`.
test("stopping works while nothing has come yet", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script([stall]);
  await app.openReady();
  await app.ask("Think hard");
  await expect(app.last).toContainText(/(Loading llama3\.2|llama3\.2 is reading the prompt)…/);
  await expect(app.last).toContainText(/… \d s/);
  await standIn.chats(1);
  await app.stop.click();
  await app.ended("stopped");
  await standIn.disconnected(1);
  await expect(app.last).not.toContainText("…");
  // An answer without a word is not sent along, and two questions in a row are joined.
  await standIn.script(says("Now."));
  await app.exchange("And now?");
  expect((await standIn.chats(2))[1].body.messages).toEqual([{ role: "user", content: "Think hard\n\nAnd now?" }]);
});

// Guarded in each run by kernel/stores/tests/stores/chats.rs,
// `an_answer_asked_for_again_stands_beside_the_first_one`; kernel/stores/tests/stores/answers.rs,
// `stopping_keeps_what_came`.
test("a stopped answer goes along with the next prompt, and can be asked again", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script([text("Half a thought", 1), stall]);
  await app.openReady();
  await app.ask("Tell me");
  await app.streaming();
  await app.stop.click();
  await app.ended("stopped");
  await standIn.script(says("A whole thought."));
  await app.last.getByText("Ask again").click();
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText("A whole thought.");
  await expect(app.messages).toHaveCount(2);
});

test("after a reload in mid-answer Stop reaches Ollama, and what came is kept", async ({ app, standIn }) => {
  await standIn.script([text("Kept before the reload.", 1), endless(200)]);
  await app.openReady();
  await app.ask("A long one, please");
  await app.streaming();
  await expect(app.text(app.last)).toContainText("word word word");
  await app.reload();
  await app.streaming();
  await expect(app.text(app.last)).toContainText("Kept before the reload. word");
  expect((await standIn.counters()).generating).toBe(1);
  await app.stop.click();
  await app.ended("stopped");
  await standIn.disconnected(1);
  await expect(app.text(app.last)).toContainText("Kept before the reload. word");

  await app.ready();
  await standIn.script(says("The whole of it."));
  await app.last.getByText("Ask again").click();
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText("The whole of it.");
  await expect(app.last.getByRole("group", { name: "Versions" })).toContainText("2/2");
});

// Guarded in each run by tests/native/server/linger.rs, `when_nobody_returns_in_time_the_engine_is_stopped`;
// kernel/stores/tests/stores/linger.rs, `an_answer_that_was_stopped_while_nobody_read_it_says_why`.
test("a page that does not return stops Ollama, and the answer so far is there when it opens again", { tag: "@all" }, async ({ app, standIn, context }) => {
  await standIn.script([text("Before the tab was closed.", 1), endless()]);
  await app.openReady();
  await app.ask("A long one");
  await app.streaming();
  await app.page.close();
  const seen = await standIn.disconnected(1);
  expect(seen.disconnected).not.toBeNull();

  const page = await context.newPage();
  await page.goto(app.url);
  const last = page.getByRole("article").last();
  await expect(last).toHaveAttribute("data-state", "failed");
  await expect(last).toContainText("Before the tab was closed.");
  await expect(last).toContainText("No page was reading this answer");
  await expect(last.getByRole("button", { name: "Continue", exact: true })).toBeVisible();
});

// Guarded in each run by progress.spec.ts, "an answer that a length limit cut off says so and goes on, or says that
// the thinking used it up".
test("an answer cut off by a length limit says so", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script([text("As far as it goes", 3), done("length")]);
  await app.openReady();
  await app.ask("Everything");
  await app.ended("cut-off");
  await expect(app.last).toContainText("Cut off by a length limit");
});
