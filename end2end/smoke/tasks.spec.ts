// What people do most, in browsers other than Chromium: that it works at all there. The details are in ../tests.
import { freePort } from "../support/programs";
import { done, endless, says, text, wait } from "../support/standIn";
import { expect, test } from "./fixtures";
import { SashPage } from "./sashPage";
import * as words from "./words";

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

test("the page starts, and a prompt can be written", async ({ app }) => {
  await app.openReady();
  await app.reads(words.title, "New chat");
  await app.see(words.newChat);
  await app.fill(words.composer, "Hello, you");
  expect((await app.see(words.send)).disabled).toBe(false);
});

test("a question gets its answer", async ({ app, standIn }) => {
  await standIn.script(says("Forty-two."));
  await app.openReady();
  await app.exchange("What is six times seven?");
  await app.texts(words.textOf(words.messages), ["What is six times seven?", "Forty-two."]);
  await app.reads(words.title, "What is six times seven?");
  const [chat] = await standIn.chats(1);
  expect(chat.body.messages).toEqual([{ role: "user", content: "What is six times seven?" }]);
});

test("an answer grows while it comes", async ({ app, standIn }) => {
  await standIn.script([{ do: "tokens", count: 90, rate: 30, word: " pear" }, done()]);
  await app.openReady();
  await app.ask("Pears?");
  const lengths = new Set<number>();
  const grown = async () => {
    const [answer] = await app.all(words.textOf(words.answer));
    const [{ attributes }] = await app.all(words.answer);
    if (attributes["data-state"] === "running") lengths.add(answer?.text.length ?? 0);
    return lengths.size;
  };
  await expect.poll(grown, { message: "lengths that were seen", intervals: [100], timeout: 10_000 }).toBeGreaterThan(5);
  await app.ended("complete");
  await app.reads(words.textOf(words.answer), Array(90).fill("pear").join(" "));
});

test("Stop ends the answer at Ollama, and what came stays", async ({ app, standIn }) => {
  await standIn.script([text("It begins so.", 1), endless()]);
  await app.openReady();
  await app.ask("Go on for ever");
  await app.reads(words.textOf(words.answer), /^It begins so\. ?word/);
  await app.click(words.stop);
  await app.ended("stopped");
  await standIn.disconnected(1);
  await app.reads(words.textOf(words.answer), /^It begins so\./);
  await app.see(words.send);
});

test("a reload keeps the chat", async ({ app, standIn }) => {
  await standIn.script(says("An answer to keep."));
  await app.openReady();
  await app.exchange("Keep this");
  await app.reload();
  await app.reads(words.title, "Keep this");
  await app.texts(words.textOf(words.messages), ["Keep this", "An answer to keep."]);
});

test("Markdown: headings, lists, tables, code and links with their hosts", async ({ app, standIn }) => {
  await standIn.script([text(MARKDOWN, 40, 200), done()]);
  await app.openReady();
  await app.exchange("Show me everything");
  const answer = words.textOf(words.answer);
  await app.see(answer.role("heading", "Parts"));
  await app.texts(answer.role("listitem"), ["one", "two with bold and code"]);
  await app.texts(answer.css("li strong"), ["bold"]);
  await app.texts(answer.css("li code"), ["code"]);
  await app.texts(answer.role("table").role("columnheader"), ["part", "shown as"]);
  await app.texts(answer.role("table").role("cell"), ["table", "a table"]);
  const link = answer.role("link", /^the manual/);
  await app.has(link, "href", "https://example.com/manual");
  await app.has(link, "rel", /noopener noreferrer/);
  await app.reads(answer.css("p").last, /the manual.*example\.com/);
});

test("a formula is MathML, laid out as one", async ({ app, standIn }) => {
  await standIn.script(says("So:\n\n$$\nx = \\frac{-b}{2a}\n$$\n\nand $y^2$ too."));
  await app.openReady();
  await app.exchange("Maths, please");
  const answer = words.textOf(words.answer);
  await app.count(answer.css("math"), 2);
  const [above] = await app.all(answer.css("mfrac > :first-child"));
  const [below] = await app.all(answer.css("mfrac > :last-child"));
  expect(above.top + above.height).toBeLessThanOrEqual(below.top + 1);
});

test("a fraction within a line is smaller than one on a line of its own", async ({ app, standIn }) => {
  await standIn.script(says("So $\\frac{a}{b}$, or:\n\n$$\n\\frac{a}{b}\n$$\n"));
  await app.openReady();
  await app.exchange("Maths, please");
  await app.count(words.textOf(words.answer).css("math"), 2);
  const sizes = await app.tab.run(() =>
    [...document.querySelectorAll("mfrac > :first-child")].map((above) => {
      const text = parseFloat(getComputedStyle(above.closest("math")!).fontSize);
      return parseFloat(getComputedStyle(above).fontSize) / text;
    }),
  );
  expect(sizes[0]).toBeLessThan(0.85);
  expect(sizes[1]).toBeCloseTo(1, 2);
});

test("a block of code has its colours", async ({ app, standIn }) => {
  await standIn.script(says(CODE));
  await app.openReady();
  await app.exchange("Show me");
  const code = words.textOf(words.answer).css("figure code");
  await app.see(code.css(".tok-k").having("fn"));
  const colours = await app.tab.run(() => {
    const colour = (what: string) => getComputedStyle(document.querySelector(what)!).color;
    return [colour("figure code"), colour("figure code .tok-k")];
  });
  expect(colours[0]).not.toBe(colours[1]);
});

test("the button of a block copies the code", async ({ app, standIn }) => {
  await standIn.script(says(CODE));
  await app.openReady();
  await app.exchange("Show me");
  await app.click(words.answer.role("button", "Copy code"));
  await app.reads(words.answer.css(".code-status"), "Copied");
  await app.click(words.composer);
  await app.tab.press("Control+v");
  await expect.poll(async () => (await app.all(words.composer))[0].value.trimEnd()).toBe(RUST.trimEnd());
});

test("an edited question is another version, and both can be read", async ({ app, standIn }) => {
  for (const words of ["About cats.", "About dogs."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("Cats?");
  const question = words.messages.nth(0);
  await app.press(question, "Edit");
  await app.fill(words.editField, "Dogs?");
  await app.click(words.sendVersion);
  await app.texts(words.textOf(words.messages), ["Dogs?", "About dogs."]);
  await app.ended("complete");
  await app.press(question, "Previous version");
  await app.texts(words.textOf(words.messages), ["Cats?", "About cats."]);
  await app.press(question, "Next version");
  await app.texts(words.textOf(words.messages), ["Dogs?", "About dogs."]);
});

test("asking again gives another answer beside the first", async ({ app, standIn }) => {
  for (const words of ["Answer one.", "Answer two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("Which?");
  await app.press(words.answer, "Ask again");
  await app.reads(words.textOf(words.answer), "Answer two.");
  await app.ended("complete");
  await app.press(words.answer, "Previous version");
  await app.reads(words.textOf(words.answer), "Answer one.");
});

test("chats are begun, renamed, deleted and brought back", async ({ app, standIn }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("First");
  await app.click(words.newChat);
  await app.count(words.messages, 0);
  await app.exchange("Second");
  await app.point(words.chat("First"));
  await app.click(words.rename("First"));
  await app.fill(words.chatName, "The very first");
  await app.tab.press("Enter");
  await app.see(words.chat("The very first"));
  await app.point(words.chat("Second"));
  await app.click(words.remove("Second"));
  await app.see(words.deleted("Second"));
  await app.gone(words.chat("Second"));
  await app.reads(words.title, "The very first");
  await app.click(words.undo);
  await app.reads(words.title, "Second");
  await app.reads(words.textOf(words.answer), "Two.");
});

/** A chat of four messages, of which three go with the next prompt. */
async function twoExchanges(app: SashPage, standIn: import("../support/standIn").StandIn): Promise<void> {
  for (const words of ["The first answer.", "The second answer."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("The first question?");
  await app.exchange("The second question?");
}

test("the bracket marks the three messages that go along, and they do", async ({ app, standIn }) => {
  await twoExchanges(app, standIn);
  const three = ["The first answer.", "The second question?", "The second answer."];
  await app.texts(words.textOf(words.sentMessages), three);
  await app.reads(words.windowLine, words.windowWords(3, 4));
  await standIn.script(says("The third answer."));
  await app.exchange("The third question?");
  const third = (await standIn.chats(3))[2];
  expect(third.body.messages.map((message) => message.content)).toEqual([...three, "The third question?"]);
});

test("the handle is moved by keys", async ({ app, standIn }) => {
  await twoExchanges(app, standIn);
  await app.tab.run(() => document.querySelector<HTMLElement>("[role=slider]")!.focus());
  await app.tab.press("ArrowDown");
  await app.has(words.handle, "aria-valuenow", "2");
  await app.reads(words.windowLine, words.windowWords(2, 4));
  await app.texts(words.textOf(words.sentMessages), ["The second question?", "The second answer."]);
  await app.tab.press("Home");
  await app.count(words.sentMessages, 4);
});

test("the handle is dragged, and nothing is selected by that", async ({ app, standIn }) => {
  await twoExchanges(app, standIn);
  const from = await app.point(words.handle);
  const [first] = await app.all(words.messages);
  await app.tab.down();
  for (const part of [0.3, 0.6, 1]) await app.tab.move(from.x + 60 * part, from.y + (first.top - from.y) * part);
  await app.tab.up();
  await app.count(words.sentMessages, 4);
  expect(await app.tab.run(() => String(getSelection()))).toBe("");
});

test("a rule is chosen from the menu", async ({ app, standIn }) => {
  await twoExchanges(app, standIn);
  await app.click(words.windowLine);
  await app.see(words.rules);
  await app.click(words.everything);
  await app.count(words.sentMessages, 4);
  await app.tab.press("Escape");
  await app.gone(words.rules);
  await app.reads(words.windowLine, words.windowWords(4, 4));
});

test("what is pinned always goes along, what is muted never", async ({ app, standIn }) => {
  await twoExchanges(app, standIn);
  await app.press(words.messages.nth(0), "Pin");
  await app.press(words.messages.nth(3), "Mute");
  await app.has(words.messages.nth(0), "data-set", "pinned");
  await app.has(words.messages.nth(3), "data-set", "muted");
  await standIn.script(says("Understood."));
  const going = (await app.all(words.textOf(words.sentMessages))).map((message) => message.text);
  expect(going).toContain("The first question?");
  expect(going).not.toContain("The second answer.");
  await app.exchange("And now?");
  // Neighbours of one role are sent as one.
  const third = (await standIn.chats(3))[2];
  expect(third.body.messages.map((message) => message.content).join("\n\n")).toBe([...going, "And now?"].join("\n\n"));
});

test("a comparison is as high as its answers", async ({ app, standIn }) => {
  await twoExchanges(app, standIn);
  await standIn.script(says("With nothing before it."));
  await app.press(words.answer, "What if");
  await app.click(words.whatIf.role("button", words.nothingBefore));
  await app.see(words.sides.having(/With nothing before it\./));
  const [whole] = await app.all(words.whatIf);
  expect(whole.height).toBeLessThan(500);
  const tops = (await app.all(words.sides.css(".markdown"))).map((answer) => Math.round(answer.top));
  expect(new Set(tops).size, `tops of the answers: ${tops}`).toBe(1);
});

test("after a click into the transcript one goes on writing, and nothing is framed", async ({ app, standIn }) => {
  await twoExchanges(app, standIn);
  await app.click(words.textOf(words.answer));
  await app.tab.press("ArrowDown");
  const framed = () => app.tab.run(() => getComputedStyle(document.querySelector("[role=log]")!).outlineStyle !== "none");
  expect(await framed()).toBe(false);
  await app.tab.type("Hello");
  await app.holds(words.composer, "Hello");
  expect(await framed()).toBe(false);
});

test("the panel shows the request before it is sent", async ({ app, standIn }) => {
  await standIn.script(says("The first answer."));
  await app.openReady();
  await app.exchange("The first question?");
  await app.click(words.panelToggle);
  await app.see(words.panel);
  await app.fill(words.composer, "The second question?");
  await app.count(words.turns, 3);
  for (const [n, said] of [/The first question\?/, /The first answer\./, /The second question\?/].entries()) {
    await app.reads(words.turns.nth(n), said);
  }
  await app.click(words.panelToggle);
  await app.gone(words.panel);
});

test("the system prompt goes first", async ({ app, standIn }) => {
  await standIn.script(says("Yes."));
  await app.openReady();
  await app.click(words.panelToggle);
  await app.click(words.systemEdit);
  await app.fill(words.systemField, "Be brief.");
  await app.click(words.systemDone);
  await app.gone(words.systemDialog);
  await app.exchange("Hello?");
  const [chat] = await standIn.chats(1);
  expect(chat.body.messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hello?" },
  ]);
});

test("Ctrl+K finds a message in another chat, and leads to it", async ({ app, standIn }) => {
  for (const words of ["Use a composite index.", "Something else."]) await standIn.script(says(words));
  await app.openReady();
  await app.exchange("Which index is best?");
  await app.click(words.newChat);
  await app.exchange("And the house?");
  await app.tab.press("Control+k");
  await app.focused(words.searchField);
  await app.tab.type("composite ind");
  await app.count(words.results, 1);
  await app.reads(words.results, /Which index is best\?/);
  await app.tab.press("Enter");
  await app.gone(words.library);
  await app.reads(words.title, "Which index is best?");
});

test("export and import are offered", async ({ app }) => {
  await app.openReady();
  await app.click(words.exportLink);
  await app.see(words.library);
  await app.see(words.exportButton);
  await app.reads(words.library, words.importWords);
  await app.tab.press("Escape");
  await app.gone(words.library);
});

test("another tab shows what is written here", async ({ app, another, standIn }) => {
  for (const words of ["One.", "Two."]) await standIn.script(says(words));
  await app.openReady();
  const other = await another();
  await other.openReady();
  await app.tab.show();
  await app.exchange("From the first tab");
  await other.tab.show();
  await other.click(words.chat("From the first tab"));
  await other.texts(words.textOf(words.messages), ["From the first tab", "One."]);
  await other.exchange("And from the second");
  await app.tab.show();
  await app.texts(words.textOf(words.messages), ["From the first tab", "One.", "And from the second", "Two."]);
});

test("the theme is switched, and kept", async ({ app }) => {
  await app.openReady();
  const paper = () => app.tab.run(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await app.has(words.theme, "aria-label", "Theme: system");
  await app.click(words.theme);
  await app.has(words.html, "data-theme", "light");
  await app.click(words.theme);
  await app.has(words.html, "data-theme", "dark");
  expect(await paper()).not.toBe(light);
  await app.reload();
  await app.has(words.html, "data-theme", "dark");
});

test("an Ollama that is gone is said in words, and found again", async ({ profile, programs }) => {
  const port = await freePort();
  const sash = await programs.sash(`http://127.0.0.1:${port}`);
  const app = new SashPage(await profile.tab(), sash.url);
  await app.open();
  await app.reads(words.ollamaNotice, words.ollamaGone);
  await programs.standIn(port, "tests");
  await app.gone(words.ollamaNotice);
  await app.exchange("Hello");
});

test("a wrong token is refused, the right one opens", async ({ profile, programs, standIn }) => {
  const token = "a-token-for-the-tests-0123456789";
  const sash = await programs.sash(standIn.url, "--listen", `0.0.0.0:${await freePort()}`, "--token", token);
  const url = `http://127.0.0.1:${new URL(sash.url).port}`;
  const app = new SashPage(await profile.tab(), url);
  await app.open();
  await app.see(words.tokenForm);
  await app.fill(words.tokenField, "not-the-right-token-at-all");
  await app.click(words.tokenOpen);
  await app.see(words.tokenForm);
  expect((await app.all(words.messages)).length).toBe(0);
  await app.fill(words.tokenField, token);
  await app.tab.press("Enter");
  await app.gone(words.tokenForm);
  await app.ready();
  await standIn.script(says("In."));
  await app.exchange("May I?");
});

test("an answer that is interrupted says so, keeps what came, and can be asked again", async ({ app, standIn }) => {
  await standIn.script([text("This much came.", 1), wait(200), { do: "close" }]);
  await app.openReady();
  await app.ask("Go");
  await app.ended("interrupted");
  await app.reads(words.textOf(words.answer), "This much came.");
  await standIn.script(says("All of it, now."));
  await app.press(words.answer, "Ask again");
  await app.reads(words.textOf(words.answer), "All of it, now.");
});
