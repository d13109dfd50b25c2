// What goes with a prompt, as the page marks it, as the receipt says it, and as Ollama really gets it.
import { watchAnnouncements } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { openWithMessages } from "../support/log";
import { done, says, stall, text, wait } from "../support/standIn";

const MARKDOWN = `# A heading

- one
- two with **bold** and \`code\`

\`\`\`rust
fn main() {}
\`\`\`

| part | shown as |
| --- | --- |
| table | a table |

See [the manual](https://example.com/manual).
`;

test("an answer streams as Markdown", async ({ app, standIn }) => {
  await standIn.script([text(MARKDOWN, 40, 100), done()]);
  await app.openReady();
  await app.ask("Show me everything");
  await app.streaming();
  await app.ended("complete");
  const answer = app.text(app.last);
  await expect(answer.getByRole("heading", { name: "A heading" })).toBeVisible();
  await expect(answer.getByRole("listitem")).toHaveText(["one", "two with bold and code"]);
  await expect(answer.getByRole("group", { name: "Code, rust" })).toContainText("fn main() {}");
  await expect(answer.getByRole("cell", { name: "a table" })).toBeVisible();
  const link = answer.getByRole("link", { name: "the manual" });
  await expect(link).toHaveAttribute("href", "https://example.com/manual");
  await expect(link).toHaveAttribute("rel", /noopener noreferrer/);
  await expect(link).toHaveAttribute("target", "_blank");
});

test("the third prompt takes three messages along, and everybody says the same three", async ({ app, standIn }) => {
  for (const words of ["The first answer.", "The second answer.", "The third answer."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("The first question?");
  await app.exchange("The second question?");

  // Before: what the page promises.
  await expect(app.windowLine).toContainText("3 of 4 messages");
  const places = () => app.messages.evaluateAll((all) => all.map((m) => m.getAttribute("data-window")));
  await expect.poll(places).toEqual(["out", "next", "next", "in"]);

  await app.exchange("The third question?");

  // What Ollama got.
  const third = (await standIn.chats(3))[2];
  expect(third.body.messages).toEqual([
    { role: "assistant", content: "The first answer." },
    { role: "user", content: "The second question?" },
    { role: "assistant", content: "The second answer." },
    { role: "user", content: "The third question?" },
  ]);
  expect(third.body.truncate).toBe(false);

  // What the receipt says.
  await app.act(app.last, "Details and timing");
  await app.expectChecked(app.last, "Details and timing", true);
  await expect(app.last).toContainText("It read 3 messages and the prompt");
  await expect(app.log.locator("[data-read=true] .message-text")).toHaveText([
    "The first answer.",
    "The second question?",
    "The second answer.",
    "The third question?",
  ]);

  // After: the window has slid on, and says so to those who do not see it.
  await expect.poll(places).toEqual(["out", "out", "out", "next", "next", "in"]);
  await expect(app.messages.filter({ hasText: "not sent" })).toHaveCount(3);

  // When each was written, in the browser's own notation: near the pointer, and in the receipt.
  await app.last.hover();
  const time = app.last.locator("time");
  const written = Date.parse((await time.getAttribute("datetime")) ?? "");
  expect(Math.abs(Date.now() - written)).toBeLessThan(60_000);
  const inWords = (options: Intl.DateTimeFormatOptions) =>
    app.page.evaluate(([written, options]) => new Intl.DateTimeFormat(undefined, options).format(written), [written, options] as const);
  await expect(time).toHaveText(await inWords({ timeStyle: "short" }));
  await expect(app.last.locator(".receipt")).toContainText(`Written: ${await inWords({ dateStyle: "medium" })}`);
});

// Guarded in each run by kernel/chat/src/window/select/tests.rs, `the_first_prompt_sends_nothing_with_it`.
test("the first prompt goes alone, and the line below says what will go with the others", { tag: "@all" }, async ({ app, standIn }) => {
  await app.openReady();
  await expect(app.windowLine).toHaveText("Sends the last 3 messages");
  await app.composer.fill("Is");
  await expect(app.windowLine).toHaveText(/^Sends the last 3 messages · about \d tokens$/);
  await standIn.script(says("Hello."));
  await app.exchange("Is anybody there?");
  const [first] = await standIn.chats(1);
  expect(first.body.messages).toEqual([{ role: "user", content: "Is anybody there?" }]);
  // Loaded now: the room is known.
  await expect(app.windowLine).toHaveText(/^2 of 2 messages · (about )?\d+ tokens$/);
});

// Guarded in each run by kernel/chat/src/window/choose.rs,
// `what_fits_grows_until_the_room_is_full_and_is_cut_to_half_of_it`.
test("everything that fits grows until the model is full, is cut at once to half of it, and says so", { tag: "@all" }, async ({ app, standIn }) => {
  await standIn.settings({ num_ctx: 2048 });
  await openWithMessages(app, 30, { policy: "fits" }, ` ${"字".repeat(90)}`);
  // Not loaded: reckoned with 4,096 tokens, and Ollama refuses what does not fit.
  await app.openRules();
  await expect(app.rules).toContainText("4,096 tokens (assumed until the model is loaded)");
  await app.page.keyboard.press("Escape");
  await app.ask("The first question?");
  await app.ended("failed");
  await app.page.getByRole("button", { name: "Close", exact: true }).click();
  await app.inMessage(app.last, "Ask again").first().click();
  await app.ended("complete");
  const counts: number[] = [];
  const firsts = new Set<string>();
  for (let n = 0; n < 8; n++) {
    const before = (await standIn.seen()).length;
    await app.exchange(`And ${n}? ${"字".repeat(90)}`);
    const { status, body } = (await standIn.chats(before + 1))[before];
    expect(status).toBe(200);
    expect(body.messages[0].role).toBe("user");
    counts.push(body.messages.length);
    firsts.add(body.messages[0].content);
  }
  // Each but the one behind a cut begins with the whole former one. What the first counts teach moves the cuts.
  expect(firsts.size, counts.join(" ")).toBeLessThanOrEqual(5);
  expect(Math.max(...counts)).toBeGreaterThan(8);
  await expect(app.windowLine).toHaveText(/^\d+ of 48 messages · (about )?[\d,]+ tokens$/);
  await app.openRules();
  await expect(app.rules).toContainText("that fits the model’s 2,048 tokens with room");
});

// Guarded in each run by kernel/wire/src/prompt.rs, `a_receipt_names_the_model_and_its_digest`.
test("each answer names its model, and its receipt the digest that the engine's list has", { tag: "@all" }, async ({ app, standIn, page }) => {
  const { models } = await (await fetch(`${standIn.url}/api/tags`)).json();
  const digest = (name: string): string => models.find((model: { name: string }) => model.name === name).digest;
  await standIn.script(says("One."));
  await standIn.script(says("Two."));
  await app.openReady();
  await app.exchange("First?");
  await app.chooseModel("qwen3:4b");
  await app.exchange("Second?");
  for (const again of [false, true]) {
    if (again) await app.reload();
    await page.mouse.move(0, 0);
    await expect(app.message(2).getByText("llama3.2", { exact: true })).toBeVisible();
    await expect(app.message(4).getByText("qwen3:4b", { exact: true })).toBeVisible();
    await expect(app.message(1).locator(".answer-model")).toHaveCount(0);
    await app.act(app.message(2), "Details and timing");
    await expect(app.message(2).locator(".receipt")).toContainText(`Model: llama3.2:latest, digest ${digest("llama3.2:latest").slice(0, 12)}`);
    await app.act(app.message(4), "Details and timing");
    await expect(app.message(4).locator(".receipt")).toContainText(`Model: qwen3:4b, digest ${digest("qwen3:4b").slice(0, 12)}`);
  }
  const kept = Object.values(await app.stored()).find((value) => value.includes("Two."));
  expect(kept).toContain(`"digest":"${digest("qwen3:4b")}"`);
});

test("the end of a running answer shows that it runs, in words, and no screen reader is told", async ({ app, standIn, page }) => {
  await page.addInitScript(watchAnnouncements);
  await standIn.models({ set: "tests" });
  await standIn.script([{ do: "thinking", text: "Let me see.", tokens: 2, rate: 0 }, wait(700), text("Some of it.", 2), stall]);
  await app.open();
  await app.chooseModel("tinythink:latest");
  await app.ask("Go");
  await expect(app.last.locator(".message-foot").getByText("Thinking…", { exact: true })).toBeVisible();
  await app.streaming();
  const shown = app.last.getByText("Writing…", { exact: true });
  await expect(shown).toBeVisible();
  const [answer, end] = [(await app.text(app.last).boundingBox())!, (await shown.boundingBox())!];
  expect(end.y).toBeGreaterThanOrEqual(answer.y + answer.height - 1);
  const animation = () => app.last.locator(".pulse").evaluate((dot) => getComputedStyle(dot).animationName);
  expect(await animation()).toBe("none");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await animation()).toBe("pulse");
  await page.emulateMedia({ reducedMotion: "reduce" });
  const height = () => app.last.evaluate((message) => message.querySelector(".message-foot")!.getBoundingClientRect().height);
  const before = await height();
  await app.stop.click();
  await app.ended("stopped");
  await expect(shown).toHaveCount(0);
  expect(await height()).toBe(before);
  expect((await app.announced()).filter((said) => /Writing|Thinking/.test(said))).toEqual([]);
});

test("a long question that was unfolded stays so while its chat is open, also when its row leaves the page", async ({ app }) => {
  const lines = Array.from({ length: 40 }, (_, at) => `\nline ${at + 1}`).join("");
  await openWithMessages(app, 200, {}, (n) => (n === 1 || n === 199 ? lines : ". " + "Some words. ".repeat(40)));
  const [all, less] = ["Show all 41 lines", "Show less"].map((name) => app.log.getByRole("button", { name }));
  const to = (place: "start" | "end") => app.log.evaluate((log, end) => log.scrollTo(0, end ? log.scrollHeight : 0), place === "end");
  const first = app.log.getByText("Question 1", { exact: false }).first();
  await expect(async () => {
    await to("start");
    await expect(all).toBeInViewport({ timeout: 1000 });
  }).toPass();
  await all.click();
  await expect(less).toBeVisible();
  await app.composer.focus();
  await expect(async () => {
    await to("end");
    await expect(less).toHaveCount(0, { timeout: 1000 });
  }).toPass();
  await expect(app.last).toBeInViewport();
  // The other one was not touched.
  await expect(all).toHaveCount(1);
  await expect(async () => {
    await to("start");
    await expect(first).toBeInViewport({ timeout: 1000 });
  }).toPass();
  await expect(less).toHaveCount(1);
  // Another time the chat is opened it is folded.
  await app.newChat();
  await app.chat("A long chat").click();
  await expect(all.first()).toBeVisible();
  await expect(async () => {
    await to("start");
    await expect(first).toBeInViewport({ timeout: 1000 });
  }).toPass();
  await expect(all).toHaveCount(1);
  await expect(less).toHaveCount(0);
});

test("a pasted question of more than 20 lines is folded, and shown whole on demand", async ({ app, standIn }) => {
  for (const words of ["Noted.", "Noted.", "Noted."]) await standIn.script(says(words));
  await app.openReady();
  const lines = (n: number) => Array.from({ length: n }, (_, at) => `line ${at + 1}`).join("\n");
  await app.exchange(lines(20));
  await expect(app.message(1).getByRole("button", { name: /^Show all/ })).toHaveCount(0);
  await app.exchange(lines(57));
  const question = app.message(3);
  const height = async () => (await app.text(question).boundingBox())!.height;
  const all = app.inMessage(question, "Show all 57 lines");
  await expect(all).toHaveAttribute("aria-expanded", "false");
  const folded = await height();
  expect(folded).toBeLessThan(20 * 26);
  await all.click();
  const less = app.inMessage(question, "Show less");
  await expect(less).toHaveAttribute("aria-expanded", "true");
  expect(await height()).toBeGreaterThan(3 * folded);
  await less.click();
  expect(await height()).toBe(folded);
  await expect(app.text(question)).toBeInViewport();
  // One line that is broken into as many.
  await app.exchange("word ".repeat(400));
  await expect(app.message(5).getByRole("button", { name: /^Show all \d+ lines/ })).toBeVisible();
  // All of it is sent, and copied.
  expect((await standIn.chats(3))[1].body.messages.at(-1)?.content).toBe(lines(57));
});
