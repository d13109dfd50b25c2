// Reading while it is written: the page follows only those who want it, and what streamed is what stays.
import { expect, test } from "../support/fixtures";
import { openWithMessages } from "../support/log";
import { done, says, text, wait } from "../support/standIn";
import { frames } from "../support/waiting";

const EVERYTHING = `# One

Some *italics* and **bold**, a [link](https://example.com/a), \`code\`, ~~gone~~.

## Two

1. first
   - nested
   - again
2. second

- [x] done
- [ ] to do

> quoted
> twice

\`\`\`js
const a = "b";

if (a) { c(); }
\`\`\`

| a | b |
| :- | -: |
| 1 | 2 |

Setext
---

Line one  
line two <b>no element</b> &amp; &copy;

***

The end.
`;

// Guarded in each run by crates/markdown-view/src/tests.rs, `streamed_and_whole_are_the_same_page`.
test("what was streamed letter by letter is what a reload shows", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.script([text(EVERYTHING, EVERYTHING.length, 600), done()]);
  await app.openReady();
  await app.exchange("Everything, please");
  // Colours of code come a moment later.
  const coloured = app.text(app.last).locator("figure.code code span").first();
  await expect(coloured).toBeVisible();
  const streamed = await app.text(app.last).innerHTML();
  await app.reload();
  await expect(app.last).toHaveAttribute("data-state", "complete");
  await expect(coloured).toBeVisible();
  expect(await app.text(app.last).innerHTML()).toBe(streamed);
});

test("a growing answer is followed, but not against the reader's will", { tag: "@scrollbars" }, async ({ app, standIn, page }) => {
  // It grows until it is stopped: how long the steps below take is the machine's affair.
  await standIn.script([{ do: "tokens", count: 0, rate: 40, word: "A line of it.\n\n" }]);
  await app.openReady();
  await app.ask("A long one");
  const place = () => app.log.evaluate((e) => ({ top: e.scrollTop, below: e.scrollHeight - e.scrollTop - e.clientHeight }));
  await expect.poll(async () => (await place()).top, "the end is followed").toBeGreaterThan(200);
  await expect.poll(async () => (await place()).below).toBeLessThan(60);

  await app.log.hover();
  // Once is not always enough: the browser scrolls beside the page, and text that comes in the same frame moves its goal.
  await expect(async () => {
    await page.mouse.wheel(0, -5000);
    await expect.poll(async () => (await place()).top, { timeout: 1000 }).toBe(0);
  }).toPass();
  const jump = page.getByRole("button", { name: "Jump to latest" });
  await expect(jump).toBeVisible();
  const { below } = await place();
  await expect.poll(async () => (await place()).below, "it goes on growing").toBeGreaterThan(below + 100);
  expect((await place()).top, "and the reader stays").toBe(0);

  await jump.click();
  await expect.poll(async () => (await place()).below).toBeLessThan(60);
  await app.stop.click();
  await app.ended("stopped");
  await expect.poll(async () => (await place()).below, "to the end").toBeLessThan(60);
  await expect(jump).toHaveCount(0);

  // And of one that comes to its own end.
  await standIn.script([text(Array.from({ length: 60 }, (_, n) => `Line ${n} of it.\n\n`).join(""), 60, 60), done()]);
  const { top } = await place();
  await app.ask("And a shorter one");
  await expect.poll(async () => (await place()).top, "the end is followed").toBeGreaterThan(top + 200);
  await app.ended("complete");
  await expect.poll(async () => (await place()).below, "to the end").toBeLessThan(60);
  await expect(jump).toHaveCount(0);
});

test("a reader at the end stays there while the composer takes room, and elsewhere is not moved", async ({ app }) => {
  await openWithMessages(app, 30);
  const below = () => app.log.evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
  await expect.poll(below).toBeLessThanOrEqual(1);
  const room = await app.log.evaluate((log) => log.clientHeight);
  await app.composer.fill("A line of a long draft\n".repeat(8));
  await expect.poll(() => app.log.evaluate((log) => log.clientHeight)).toBeLessThan(room - 80);
  await expect.poll(below).toBeLessThanOrEqual(1);
  await app.composer.fill("");
  await app.log.hover();
  await app.page.mouse.wheel(0, -600);
  await expect.poll(below).toBeGreaterThan(300);
  const top = await app.log.evaluate((log) => log.scrollTop);
  await app.composer.fill("A line of a long draft\n".repeat(8));
  await expect.poll(() => app.log.evaluate((log) => log.clientHeight)).toBeLessThan(room - 80);
  await frames(app.page);
  expect(await app.log.evaluate((log) => log.scrollTop)).toBe(top);
});

// Guarded in each run by replies.spec.ts, "a thought as a part".
test("thinking is shown, folded, and never sent again", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.models({ set: "tests" });
  await app.open();
  await app.chooseModel("tinythink:latest");
  await standIn.script([{ do: "thinking", text: "Hmm, a secret plan.", tokens: 3 }, text("The answer."), done()]);
  await app.exchange("Think");
  await expect(app.text(app.last)).toHaveText("The answer.");
  await app.last.getByText("Thought").click();
  await expect(app.last.getByText("Hmm, a secret plan.")).toBeVisible();
  await expect(app.last.locator("summary")).toHaveText("Thought for a moment");
  await standIn.script(says("More."));
  await app.exchange("And?");
  const second = (await standIn.chats(2))[1];
  expect(second.body.messages.map((m) => m.content)).toEqual(["Think", "The answer.", "And?"]);
  expect(JSON.stringify(second.body)).not.toContain("secret plan");
});

test("thinking says how long it took, keeps what is selected in it, and folds when the answer begins", async ({ app, page, standIn }) => {
  await standIn.script([
    text("<think>\nFirst this. ", 1),
    wait(500),
    text("Then that, and some more of it, slowly, word by word.", 12, 8),
    text("</think>\n\nThe answer, slowly, too.", 6, 4),
    done(),
  ]);
  await app.openReady();
  const asked = Date.now();
  await app.ask("Think in the text");
  const thoughts = app.last.locator(".thinking-text");
  await expect(thoughts).toContainText("First this.");
  await expect(app.last.locator("summary")).toHaveText("Thoughts so far");
  await expect(app.last.getByText("Thinking…")).toHaveCount(1);
  await thoughts.evaluate((element) => getSelection()?.setBaseAndExtent(element.firstChild!, 0, element.firstChild!, 5));
  await expect(thoughts).toContainText("and some");
  expect(await page.evaluate(() => String(getSelection()))).toBe("First");
  await expect(app.last.locator("summary")).toHaveText(/^Thought for \d+ seconds?$/);
  const thought = (await app.last.locator("summary").textContent())!;
  // As long as it took, on however slow a machine.
  expect(parseInt(thought.slice("Thought for ".length))).toBeGreaterThanOrEqual(1);
  expect(parseInt(thought.slice("Thought for ".length))).toBeLessThanOrEqual(Math.ceil((Date.now() - asked) / 1000));
  await expect(thoughts).toBeHidden();
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText("The answer, slowly, too.");
  await app.reload();
  await app.ready();
  await expect(app.last.locator("summary")).toHaveText(thought);
  await expect(app.text(app.last)).toHaveText("The answer, slowly, too.");
});

test("changing the model in mid-answer changes the next one only", async ({ app, standIn }) => {
  await standIn.script([text("Slow and steady, all of it.", 10, 10), done()]);
  await app.openReady();
  await app.ask("First");
  await app.streaming();
  await app.chooseModel("qwen3:4b");
  await app.ended("complete");
  await expect(app.text(app.last)).toHaveText("Slow and steady, all of it.");
  await standIn.script(says("Another voice."));
  await app.exchange("Second");
  expect((await standIn.chats(2)).map((chat) => chat.body.model)).toEqual(["llama3.2:latest", "qwen3:4b"]);
  await app.reload();
  await app.ready("qwen3:4b");
});
