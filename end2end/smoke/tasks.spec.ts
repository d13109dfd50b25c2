// What people do most, in browsers other than Chromium: that it works at all there. The details are in ../tests.
import { freePort } from "../support/programs";
import { done, endless, says, type StandIn, text, wait } from "../support/standIn";
import { expect, test } from "./fixtures";
import { answer, button, composer, el, messages, SashPage, textOf } from "./sashPage";

const MARKDOWN = `## Parts

- one
- two with **bold** and \`code\`

| part | shown as |
| --- | --- |
| table | a table |

See [the manual](https://example.com/manual).
`;

const RUST = 'fn main() {\n    // Says it.\n    println!("hello {}", 1 + 2);\n}\n';
const CODE = `Look:\n\n\`\`\`rs\n${RUST}\`\`\`\n\nThat is all.\n`;

const title = el("h1");
const sent = el('[role=log] article:not([data-window="out"])');
const handle = el("[role=slider]", "Messages in the window");
const windowLine = el(".window-line");
const panel = el("aside", "What the model sees");
const chat = (name: string) => el(".chat-list button", name);

/** Opens the page and asks questions, each of which gets its answer. */
async function exchanges(app: SashPage, standIn: StandIn, chat: Record<string, string>): Promise<void> {
  await app.openReady();
  for (const [question, words] of Object.entries(chat)) {
    await standIn.script(says(words));
    await app.exchange(question);
  }
}

/** A chat of four messages, of which three go with the next prompt. */
const FOUR = { "The first question?": "The first answer.", "The second question?": "The second answer." };

/** The messages of the last request, each with its role before it. */
async function request(standIn: StandIn, n: number): Promise<string[]> {
  const { body } = (await standIn.chats(n))[n - 1];
  return body.messages.map(({ role, content }) => `${role}: ${content}`);
}

test("the page starts, and a prompt can be written", async ({ app }) => {
  await app.openReady();
  await app.texts(title, "New chat");
  await app.see(button("New chat"));
  await app.fill(composer, "Hello, you");
  await app.see(button("Send"), { disabled: false });
});

test("a question gets its answer", async ({ app, standIn }) => {
  await exchanges(app, standIn, { "What is six times seven?": "Forty-two." });
  await app.texts(textOf(messages), "What is six times seven?", "Forty-two.");
  await app.texts(title, "What is six times seven?");
  expect(await request(standIn, 1)).toEqual(["user: What is six times seven?"]);
});

test("an answer grows while it comes", async ({ app, standIn }) => {
  await standIn.script([{ do: "tokens", count: 90, rate: 30, word: " pear" }, done()]);
  await app.openReady();
  await app.ask("Pears?");
  const lengths = new Set<number>();
  const grown = async () => {
    const [{ text }] = await app.all(textOf(answer));
    if ((await app.all(answer))[0].attributes["data-state"] === "running") lengths.add(text.length);
    return lengths.size;
  };
  await expect.poll(grown, { message: "lengths that were seen", intervals: [100] }).toBeGreaterThan(5);
  await app.ended("complete");
  await app.texts(textOf(answer), Array(90).fill("pear").join(" "));
});

test("Stop ends the answer at Ollama, and what came stays", async ({ app, standIn }) => {
  await standIn.script([text("It begins so.", 1), endless()]);
  await app.openReady();
  await app.ask("Go on for ever");
  await app.reads(textOf(answer), /^It begins so\. ?word/);
  await app.click(button("Stop"));
  await app.ended("stopped");
  await standIn.disconnected(1);
  await app.reads(textOf(answer), /^It begins so\./);
  await app.see(button("Send"));
});

test("an answer that is interrupted says so, keeps what came, and can be asked again", async ({ app, standIn }) => {
  await standIn.script([text("This much came.", 1), wait(200), { do: "close" }]);
  await app.openReady();
  await app.ask("Go");
  await app.ended("interrupted");
  await app.texts(textOf(answer), "This much came.");
  await standIn.script(says("All of it, now."));
  await app.act(answer, "Ask again");
  await app.texts(textOf(answer), "All of it, now.");
});

test("a reload keeps the chat", async ({ app, standIn }) => {
  await exchanges(app, standIn, { "Keep this": "An answer to keep." });
  await app.reload();
  await app.texts(title, "Keep this");
  await app.texts(textOf(messages), "Keep this", "An answer to keep.");
});

test("Markdown: headings, lists, tables, code and links with their hosts", async ({ app, standIn }) => {
  await standIn.script([text(MARKDOWN, 40, 200), done()]);
  await app.openReady();
  await app.exchange("Show me everything");
  const shown = (css: string) => textOf(answer).el(css);
  await app.texts(shown("h1, h2, h3, h4"), "Parts");
  await app.texts(shown("li"), "one", "two with bold and code");
  await app.texts(shown("li strong"), "bold");
  await app.texts(shown("li code"), "code");
  await app.texts(shown("th"), "part", "shown as");
  await app.texts(shown("td"), "table", "a table");
  const link = textOf(answer).el("a", /^the manual/);
  await app.has(link, "href", "https://example.com/manual");
  await app.has(link, "rel", expect.stringContaining("noopener noreferrer"));
  await app.reads(shown("p").nth(-1), /the manual.*example\.com/);
});

test("a formula is MathML, laid out as one, and smaller within a line", async ({ app, standIn }) => {
  await exchanges(app, standIn, { "Maths, please": "So $\\frac{a}{b}$, or:\n\n$$\nx = \\frac{-b}{2a}\n$$\n" });
  await app.count(textOf(answer).el("math"), 2);
  const above = await app.all(textOf(answer).el("mfrac > :first-child"));
  const below = await app.all(textOf(answer).el("mfrac > :last-child"));
  for (const n of [0, 1]) expect(above[n].top + above[n].height).toBeLessThanOrEqual(below[n].top + 1);
  const sizes = await app.tab.evaluate(() =>
    [...document.querySelectorAll("mfrac > :first-child")].map((above) => {
      const text = parseFloat(getComputedStyle(above.closest("math")!).fontSize);
      return parseFloat(getComputedStyle(above).fontSize) / text;
    }),
  );
  expect(sizes[0]).toBeLessThan(0.85);
  expect(sizes[1]).toBeCloseTo(1, 2);
});

test("a block of code has its colours, and a button that copies it", async ({ app, standIn }) => {
  await exchanges(app, standIn, { "Show me": CODE });
  await app.see(textOf(answer).el("figure code .tok-k", "fn"));
  const colours = await app.tab.evaluate(() => {
    const colour = (what: string) => getComputedStyle(document.querySelector(what)!).color;
    return [colour("figure code"), colour("figure code .tok-k")];
  });
  expect(colours[0]).not.toBe(colours[1]);
  await app.click(answer.el("button", "Copy code"));
  await app.texts(answer.el(".code-status"), "Copied");
  await app.click(composer);
  await app.press("Control+v");
  await expect.poll(async () => (await app.all(composer))[0].value.trimEnd()).toBe(RUST.trimEnd());
});

test("an edited question is another version, and both can be read", async ({ app, standIn }) => {
  await exchanges(app, standIn, { "Cats?": "About cats." });
  await standIn.script(says("About dogs."));
  const question = messages.nth(0);
  await app.act(question, "Edit");
  await app.fill(el("textarea", "Edit message"), "Dogs?");
  await app.click(button("Send as a new version"));
  await app.texts(textOf(messages), "Dogs?", "About dogs.");
  await app.ended("complete");
  await app.act(question, "Previous version");
  await app.texts(textOf(messages), "Cats?", "About cats.");
  await app.act(question, "Next version");
  await app.texts(textOf(messages), "Dogs?", "About dogs.");
});

test("asking again gives another answer beside the first", async ({ app, standIn }) => {
  await exchanges(app, standIn, { "Which?": "Answer one." });
  await standIn.script(says("Answer two."));
  await app.act(answer, "Ask again");
  await app.texts(textOf(answer), "Answer two.");
  await app.ended("complete");
  await app.act(answer, "Previous version");
  await app.texts(textOf(answer), "Answer one.");
});

test("chats are begun, renamed, deleted and brought back", async ({ app, standIn }) => {
  await exchanges(app, standIn, { First: "One." });
  await app.click(button("New chat"));
  await app.gone(messages);
  await standIn.script(says("Two."));
  await app.exchange("Second");
  await app.point(chat("First"));
  await app.click(button("More: First"));
  await app.click(el("nav [role=menuitem]", "Rename"));
  await app.fill(el("input", "Chat name"), "The very first");
  await app.press("Enter");
  await app.see(chat("The very first"));
  await app.point(chat("Second"));
  await app.click(button("More: Second"));
  await app.click(el("nav [role=menuitem]", "Delete"));
  await app.see(el(".toast", /Deleted “Second”/));
  await app.gone(chat("Second"));
  await app.texts(title, "The very first");
  await app.click(button("Undo"));
  await app.texts(title, "Second");
  await app.texts(textOf(answer), "Two.");
});

test("the bracket marks the three messages that go along, and they do", async ({ app, standIn }) => {
  await exchanges(app, standIn, FOUR);
  await app.texts(textOf(sent), "The first answer.", "The second question?", "The second answer.");
  await app.reads(windowLine, /^3 of 4 messages/);
  await app.exchange("The third question?");
  expect(await request(standIn, 3)).toEqual([
    "assistant: The first answer.",
    "user: The second question?",
    "assistant: The second answer.",
    "user: The third question?",
  ]);
});

test("the handle is moved by keys", async ({ app, standIn }) => {
  await exchanges(app, standIn, FOUR);
  await app.tab.evaluate(() => document.querySelector<HTMLElement>("[role=slider]")!.focus());
  await app.press("ArrowDown");
  await app.has(handle, "aria-valuenow", "2");
  await app.reads(windowLine, /^2 of 4 messages/);
  await app.texts(textOf(sent), "The second question?", "The second answer.");
  await app.press("Home");
  await app.count(sent, 4);
});

test("the handle is dragged, and nothing is selected by that", async ({ app, standIn }) => {
  await exchanges(app, standIn, FOUR);
  const from = await app.point(handle);
  const [first] = await app.all(messages);
  await app.tab.mouse.down();
  for (const part of [0.3, 0.6, 1]) await app.tab.mouse.move(from.x + 60 * part, from.y + (first.top - from.y) * part);
  await app.tab.mouse.up();
  await app.count(sent, 4);
  expect(await app.tab.evaluate(() => String(getSelection()))).toBe("");
});

test("a rule is chosen from the menu", async ({ app, standIn }) => {
  await exchanges(app, standIn, FOUR);
  await app.click(windowLine);
  const rules = el("[role=dialog]", "What is sent with each question");
  await app.click(rules.el(".more-rules > summary"));
  await app.click(rules.el("label", "Everything"));
  await app.count(sent, 4);
  await app.press("Escape");
  await app.gone(rules);
  await app.reads(windowLine, /^4 of 4 messages/);
});

test("what is pinned always goes along, what is muted never", async ({ app, standIn }) => {
  await exchanges(app, standIn, FOUR);
  await app.act(messages.nth(0), "Pin");
  await app.act(messages.nth(3), "Mute");
  await app.has(messages.nth(0), "data-set", "pinned");
  await app.has(messages.nth(3), "data-set", "muted");
  const going = (await app.all(textOf(sent))).map((message) => message.text);
  expect(going).toContain("The first question?");
  expect(going).not.toContain("The second answer.");
  await app.exchange("And now?");
  // Neighbours of one role are sent as one.
  const { body } = (await standIn.chats(3))[2];
  expect(body.messages.map((message) => message.content).join("\n\n")).toBe([...going, "And now?"].join("\n\n"));
});

test("a comparison is as high as its answers", async ({ app, standIn }) => {
  await exchanges(app, standIn, FOUR);
  await standIn.script(says("With nothing before it."));
  await app.act(answer, "What if");
  const whatIf = el("dialog", "What if…");
  await app.click(whatIf.el("button", /^none of the messages before it/));
  await app.see(whatIf.el(".side .markdown", /With nothing before it\./));
  expect((await app.see(whatIf)).height).toBeLessThan(500);
  const tops = (await app.all(whatIf.el(".side .markdown"))).map((answer) => Math.round(answer.top));
  expect(new Set(tops).size, `tops of the answers: ${tops}`).toBe(1);
});

test("after a click into the transcript one goes on writing, and nothing is framed", async ({ app, standIn }) => {
  await exchanges(app, standIn, FOUR);
  await app.click(textOf(answer));
  await app.press("ArrowDown");
  const framed = () => app.tab.evaluate(() => getComputedStyle(document.querySelector("[role=log]")!).outlineStyle !== "none");
  expect(await framed()).toBe(false);
  await app.tab.keyboard.type("Hello");
  await app.see(composer, { value: "Hello" });
  expect(await framed()).toBe(false);
});

test("the panel shows the request before it is sent", async ({ app, standIn }) => {
  await exchanges(app, standIn, { "The first question?": "The first answer." });
  await app.click(button("What the model sees"));
  await app.fill(composer, "The second question?");
  const turns = panel.el("ol", "Messages in the order they are sent").el("li");
  await app.count(turns, 3);
  for (const [n, words] of [/The first question\?/, /The first answer\./, /The second question\?/].entries()) {
    await app.reads(turns.nth(n), words);
  }
  await app.click(button("What the model sees"));
  await app.gone(panel);
});

test("the system prompt goes first", async ({ app, standIn }) => {
  await app.openReady();
  await app.click(button("What the model sees"));
  await app.click(panel.el("button", "Edit the system prompt"));
  const dialog = el("dialog", "System prompt");
  await app.fill(dialog.el("textarea", "System prompt"), "Be brief.");
  await app.click(dialog.el("button", "Save"));
  await app.gone(dialog);
  await app.exchange("Hello?");
  expect(await request(standIn, 1)).toEqual(["system: Be brief.", "user: Hello?"]);
});

test("Ctrl+K finds a message in another chat, and leads to it", async ({ app, standIn }) => {
  await exchanges(app, standIn, { "Which index is best?": "Use a composite index." });
  await app.click(button("New chat"));
  await app.exchange("And the house?");
  await app.press("Control+k");
  const library = el("dialog", "All chats");
  await app.see(library.el("[role=combobox]", "Search all chats"), { focused: true });
  await app.tab.keyboard.type("composite ind");
  await app.count(library.el("[role=option]"), 1);
  await app.reads(library.el("[role=option]"), /Which index is best\?/);
  await app.press("Enter");
  await app.gone(library);
  await app.texts(title, "Which index is best?");
});

test("export and import are offered", async ({ app }) => {
  await app.openReady();
  await app.click(el("nav button", "More"));
  await app.click(el("nav [role=menuitem]", "Export"));
  const library = el("dialog", "All chats");
  await app.see(library.el("button", "Export"));
  await app.reads(library, /import/i);
  await app.press("Escape");
  await app.gone(library);
});

test("another tab shows what is written here", async ({ app, another, standIn }) => {
  await app.openReady();
  const other = await another();
  await other.openReady();
  await app.tab.bringToFront();
  await standIn.script(says("One."));
  await app.exchange("Lyon?");
  await other.tab.bringToFront();
  // Its button says too that an answer ended elsewhere, where the first tab has no focus of the system.
  await other.click(el(".chat-list .chat-title", "Lyon?"));
  await other.texts(textOf(messages), "Lyon?", "One.");
  await standIn.script(says("Two."));
  await other.exchange("And from the second");
  await app.tab.bringToFront();
  await app.texts(textOf(messages), "Lyon?", "One.", "And from the second", "Two.");
});

test("the theme is switched, and kept", async ({ app }) => {
  await app.openReady();
  const paper = () => app.tab.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await app.click(button("Theme: system"));
  await app.has(el("html"), "data-theme", "light");
  await app.click(button("Theme: light"));
  await app.has(el("html"), "data-theme", "dark");
  expect(await paper()).not.toBe(light);
  await app.reload();
  await app.has(el("html"), "data-theme", "dark");
});

test("the keys of commands arrive, from the prompt field too", async ({ app, standIn }) => {
  await exchanges(app, standIn, { "A question?": "An answer." });
  const commands = el("[role=combobox]", "Commands");
  await app.fill(composer, "A draft");
  await app.press("Alt+k");
  await app.see(commands, { focused: true });
  await app.tab.keyboard.type("rename");
  await app.press("Enter");
  await app.see(el("input", "Chat name"), { focused: true });
  await app.press("Escape");
  await app.press("Control+/");
  await app.see(el("dialog", "Keyboard shortcuts"));
  await app.press("Escape");
  await app.press("Alt+n");
  await app.texts(title, "New chat");
});

test("an Ollama that is gone is said in words, and found again", async ({ profile, programs }) => {
  const port = await freePort();
  const sash = await programs.sash(`http://127.0.0.1:${port}`);
  const app = new SashPage(await profile.newPage(), sash.url);
  await app.open();
  const notice = el("section", "Ollama");
  await app.reads(notice, /Ollama is not reachable/);
  await programs.standIn(port, "tests");
  await app.gone(notice);
  await app.exchange("Hello");
});

test("a wrong token is refused, the right one opens", async ({ profile, programs, standIn }) => {
  const token = "a-token-for-the-tests-0123456789";
  const sash = await programs.sash(standIn.url, "--listen", `0.0.0.0:${await freePort()}`, "--token", token);
  const app = new SashPage(await profile.newPage(), `http://127.0.0.1:${new URL(sash.url).port}`);
  await app.open();
  const form = el("form", "Token");
  await app.fill(form.el("input", "Token"), "not-the-right-token-at-all");
  await app.click(form.el("button", "Open"));
  await app.see(form);
  await app.gone(messages);
  await app.fill(form.el("input", "Token"), token);
  await app.press("Enter");
  await app.gone(form);
  await app.ready();
  await app.exchange("May I?");
});
