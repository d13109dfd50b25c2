// "What the model sees": what the panel shows before sending is what Ollama then gets.
import { execFile } from "node:child_process";
import { expect, test } from "../support/fixtures";
import { forgetJournal, openWithMessages } from "../support/log";
import { Panel } from "../support/panel";
import { says, status } from "../support/standIn";
import { frames } from "../support/waiting";

// Guarded in each run by tests/native/prompt/sessions.rs,
// `marks_preview_bytes_and_receipt_are_one_in_random_sessions`; system.spec.ts, "it goes first, not counted, as it
// was written".
test("what the panel shows is what the stand-in then receives, turn by turn", { tag: "@all" }, async ({ app, page, standIn }) => {
  const long = `It's "long" – ${"word ".repeat(300)}\n\n\tend.`;
  for (const words of ["The first answer.", long]) await standIn.script(says(words));
  await app.openReady();
  const panel = new Panel(page);
  await panel.open();
  await app.exchange("The first question?");
  await app.exchange(" The second question,\nin two lines? ");
  await app.composer.fill("  The third, with blanks \n around ");

  await expect(panel.turns).toHaveCount(4);
  await expect(panel.turns.first()).toContainText("question not sent");
  await expect(panel.turns.last()).toContainText("your prompt");
  const shown = await panel.messages();
  await app.composer.press("Enter");
  const third = (await standIn.chats(3))[2];
  expect(shown).toEqual(third.body.messages);
  expect(shown.map((m) => m.role)).toEqual(["assistant", "user", "assistant", "user"]);
});

// Guarded in each run by kernel/wire/src/prompt.rs,
// `a_question_without_an_answer_is_joined_to_the_prompt_and_named_in_the_receipt`.
test("questions without an answer are joined with the draft, and the panel says so", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script([status(502, "text/html", "away")]);
  await app.openReady();
  const panel = new Panel(page);
  await panel.open();
  await app.ask("Never answered");
  await app.ended("failed");
  await app.composer.fill("Once more");
  await expect(panel.turns).toHaveCount(1);
  await expect(panel.turns.first()).toContainText("joined with your prompt");
  const shown = await panel.messages();
  expect(shown).toEqual([{ role: "user", content: "Never answered\n\nOnce more" }]);
  await standIn.script(says("Yes."));
  await app.composer.press("Enter");
  expect((await standIn.chats(2))[1].body.messages).toEqual(shown);
});

test("typing changes the last message alone, and within a frame", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  const panel = new Panel(page);
  await panel.open();
  await app.exchange("A question?");
  await panel.turns.first().evaluate((turn) => turn.setAttribute("data-same", "yes"));
  const late = await app.composer.evaluate(async (field: HTMLTextAreaElement) => {
    field.value = "typed";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((next) => requestAnimationFrame(next));
    return document.querySelector(".turn-draft .turn-text")?.textContent;
  });
  expect(late).toBe("typed");
  await expect(panel.turns.first()).toHaveAttribute("data-same", "yes");
  const before = await panel.turns.last().locator(".turn-tokens").textContent();
  await app.composer.fill("typed ".repeat(200));
  await expect(panel.turns.last().locator(".turn-tokens")).not.toHaveText(before ?? "");
  // Long: folded, and the draft is there whole when asked for.
  await expect(panel.turns.last().getByRole("button", { name: "Show all" })).toHaveAttribute("aria-expanded", "false");
});

// Guarded in each run by kernel/server/src/api/body.rs, `the_body_is_the_request_itself`.
test("the JSON is the body that is sent", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says('An answer with "quotes", \\ and\nlines – äöü 🙂'));
  await app.openReady();
  const panel = new Panel(page);
  await panel.open();
  await app.exchange("A question?");
  await app.composer.fill("Another: {\"a\": [1, \"b\"]}");
  const shown = JSON.parse(await panel.literal("JSON")) as unknown;
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/v1/response"));
  await app.composer.press("Enter");
  // A random id for each answer, by which the page finds it again; no model sees it.
  const { answer_id, ...body } = (await sent).postDataJSON() as Record<string, unknown>;
  expect(shown).toEqual(body);
  expect(answer_id).toMatch(/^[0-9a-f]{32}$/);
});

// Guarded in each run by kernel/server/src/api/body.rs, `a_shell_reads_back_what_was_quoted`.
test("the curl command sends the same messages", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.script(says("It's `an` answer with $HOME and \"quotes\"."));
  await app.openReady();
  const panel = new Panel(page);
  await panel.open();
  await app.exchange("Isn't it?");
  await app.composer.fill("So it's 'quoted' \\ & | ; \n $(date) ok?");
  const command = await panel.literal("curl");
  expect(command).toContain(`'${new URL(app.url).origin}/api/v1/response'`);
  const shown = await panel.messages();
  await standIn.script(says("To curl."));
  const said = await new Promise<string>((done, fail) => {
    execFile("sh", ["-c", command], (error, stdout) => (error ? fail(error) : done(stdout)));
  });
  const frames = said.trim().split("\n").map((line) => JSON.parse(line) as { type: string; text?: string });
  expect(frames.map((frame) => frame.text ?? "").join("")).toBe("To curl.");
  expect((await standIn.chats(2))[1].body.messages).toEqual(shown);
});

test("the text after the template is asked for on a click alone", async ({ app, page, standIn }) => {
  await app.openReady();
  const panel = new Panel(page);
  let asked = 0;
  page.on("request", (request) => void (asked += Number(request.url().endsWith("/api/v1/render"))));
  await panel.open();
  const show = panel.place.getByRole("button", { name: "Show the prompt with the template applied" });
  await expect(show).toBeDisabled();
  await expect(show, "says why").toHaveAccessibleDescription("Write a question first: the template is filled with it.");
  await app.composer.fill("A question with words of its own?");
  await expect(show).toBeEnabled();
  await expect(show).toHaveAccessibleDescription(/^The exact text the model would read/);
  expect(asked).toBe(0);
  await show.click();
  const text = panel.place.getByRole("region", { name: "Prompt with the template applied" });
  await expect(text).toContainText("A question with words of its own?");
  await expect(text).toContainText("<|im_start|>");
  expect(asked).toBe(1);
  // Nothing was answered by it.
  await expect(app.messages).toHaveCount(0);
  void standIn;
});

// Holds `RenderedPrompt`: it is shown only while its chat is open.
test("a text after the template that comes once another chat is open is not shown there", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question?");
  const panel = new Panel(page);
  await panel.open();
  await app.composer.fill("And another one?");
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/api/v1/render", async (route) => {
    await released;
    await route.continue();
  });
  await panel.place.getByRole("button", { name: "Show the prompt with the template applied" }).click();
  await app.newChat();
  const answered = page.waitForEvent("requestfinished", (request) => request.url().endsWith("/api/v1/render"));
  release();
  await answered;
  await frames(page);
  const text = panel.place.getByRole("region", { name: "Prompt with the template applied" });
  await expect(text).toHaveCount(0);
  await app.chat("A question?").click();
  await expect(text).toContainText("And another one?");
});

test("it opens and closes by keyboard, gives focus back, and is there after a reload", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  const panel = new Panel(page);
  await expect(panel.toggle).toHaveAttribute("aria-expanded", "false");
  await panel.toggle.focus();
  await page.keyboard.press("Enter");
  await expect(panel.toggle).toHaveAttribute("aria-expanded", "true");
  await expect(panel.place.getByRole("heading", { name: "What the model sees" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel.place).toBeHidden();
  await expect(panel.toggle).toBeFocused();
  await panel.open();
  await app.exchange("A question?");
  await app.reload();
  await expect(panel.turns).toHaveCount(3);
  await panel.place.getByRole("button", { name: "Close the panel" }).click();
  await app.reload();
  await expect(app.messages).toHaveCount(2);
  await expect(panel.place).toBeHidden();
});

test("on a narrow page it covers the rest, which cannot have focus then", async ({ app, page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await app.openReady();
  const panel = new Panel(page);
  await panel.open();
  await expect(app.composer).toBeHidden();
  await expect(panel.turns.last()).toContainText("Nothing written yet.");
  await page.keyboard.press("Escape");
  await expect(panel.toggle).toBeFocused();
  await expect(app.composer).toBeVisible();
});

// Guarded in each run by kernel/chat/src/window/fit.rs, `it_turns_before_it_overflows`.
test("the gauge says that the room is not known, and turns before it is full", { tag: "@all" }, async ({ app, page, standIn }) => {
  await standIn.settings({ num_ctx: 512 });
  await app.openReady();
  const panel = new Panel(page);
  await panel.open();
  await expect(panel.place).toContainText("How much fits is not known until the model is loaded");
  await standIn.script(says("An answer."));
  await app.exchange("A question?");
  const meter = panel.place.getByRole("meter", { name: "Context" });
  await expect(meter).toHaveAttribute("aria-valuemax", "512");
  await expect(app.windowLine).toHaveAttribute("data-fit", "fits");
  const fits: (string | null)[] = [];
  for (let words = 4; fits.at(-1) !== "over" && words < 600; words += 12) {
    await app.composer.fill("word ".repeat(words));
    const fit = await app.windowLine.getAttribute("data-fit");
    if (fit !== fits.at(-1)) {
      fits.push(fit);
      const says = { near: "little room for an answer", over: "more than the model has room for" }[fit ?? ""];
      if (says) {
        await expect(app.windowLine).toContainText(says);
        await expect(panel.place).toContainText(says);
      }
    }
  }
  expect(fits).toEqual(["fits", "near", "over"]);
});

test("a receipt says all that was read, and leads to it; also after a reload", async ({ app, page, standIn }) => {
  for (const words of ["The first answer.", "The second answer."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("The first question?\nWith a second line.");
  // The page has learnt that the model is loaded.
  await expect(app.page.locator("#window-parts")).toContainText("of 4,096 tokens");
  await app.exchange("The second question?");
  for (const again of [false, true]) {
    if (again) await app.reload();
    await app.act(app.last, "Details and timing");
    const receipt = app.last.locator(".receipt");
    await expect(receipt.getByRole("list", { name: "Messages it read" }).getByRole("listitem")).toHaveText([
      "You: The first question? With a second line.",
      "Answer: The first answer.",
      "You: The second question?",
    ]);
    await expect(receipt).toContainText("It read 2 messages and the prompt");
    await expect(receipt).toContainText("Rule: the last 3 messages before it");
    await expect(receipt).toContainText(/Read: \d+ tokens, counted by Ollama \(estimated \d+\), with room for 4,096/);
    await expect(receipt).toContainText(/Wrote: \d+ tokens?/);
    await expect(receipt).toContainText(/Time: .*writing/);
    await expect(app.log.locator("[data-read=true]")).toHaveCount(3);
    await receipt.getByRole("button", { name: "You: The first question? With a second line." }).click();
    await expect(app.message(1)).toBeFocused();
    await expect(app.message(1)).toBeInViewport();
    await app.act(app.last, "Details and timing");
    await expect(receipt).toHaveCount(0);
  }
  void page;
});

test("a receipt says which of its messages is gone", async ({ app, page, standIn }) => {
  await standIn.script(says("The first answer."));
  await app.openReady();
  await app.exchange("The first question?");
  await app.exchange("The second question?");
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((key) => key.startsWith("sash:m:") && localStorage[key].includes("The first answer."));
    localStorage.removeItem(key ?? "");
  });
  await forgetJournal(page);
  await app.reload();
  await app.act(app.last, "Details and timing");
  await expect(app.last.locator(".receipt").getByRole("listitem").nth(1)).toHaveText("A deleted message");
});

test("nearing the most messages that the server takes is said before", async ({ page, standIn, programs, app }) => {
  const sash = await programs.sash(standIn.url, "--max-messages", "4");
  await page.goto(sash.url);
  await app.ready();
  await app.exchange("The first question?");
  await expect(app.windowLine).not.toContainText("a large request");
  await app.exchange("The second question?");
  await expect(app.windowLine).toContainText("a large request");
  await app.windowLine.hover();
  await expect(page.getByRole("tooltip")).toContainText("4 messages in one request; Sash allows 4.");
});

test("a large request is said to be one", async ({ app, page }) => {
  await app.openReady();
  const panel = new Panel(page);
  await panel.open();
  await expect(panel.place).not.toContainText("A large request");
  await app.composer.fill("word ".repeat(20_100));
  await expect(panel.place).toContainText("A large request: about 100 kB");
});

// What was left out off the screen (`content-visibility`) was missing for a screen reader too.
test("a screen reader has every message that is shown, also off the screen", async ({ app, page }) => {
  await openWithMessages(app, 80, { policy: "everything" });
  const panel = new Panel(page);
  await panel.open();
  await expect(panel.turns).toHaveCount(81);
  const session = await page.context().newCDPSession(page);
  const texts = async () => {
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const names = nodes.filter((node) => node.role?.value === "StaticText").map((node) => String(node.name?.value));
    return new Set(names.filter((name) => /^Question \d+$/.test(name))).size;
  };
  // All are in the panel; of the transcript's rows those near the screen.
  await expect.poll(texts).toBe(40);
});

// The marks were shown although the same answer is rendered beside it.
test("an answer with Markdown and formulas is rendered in its card, and a question stays as it was written", async ({ app, page, standIn }) => {
  await standIn.script(says("The **moon** pulls: $F = m a$, see `tides`."));
  await app.openReady();
  const panel = new Panel(page);
  await panel.open();
  await app.exchange("Is **2*3** bold?");
  await expect(panel.turns).toHaveCount(3);
  await expect(panel.turns.nth(0).locator(".turn-text")).toHaveText("Is **2*3** bold?");
  const answer = panel.turns.nth(1);
  await expect(answer.locator("strong", { hasText: "moon" })).toBeVisible();
  await expect(answer.locator("math")).toBeVisible();
  await expect(answer).not.toContainText("**", { useInnerText: true });
  // To the letter it is below.
  const json = await panel.unfold("JSON");
  await expect(json.locator("pre")).toContainText("The **moon** pulls: $F = m a$");
});
