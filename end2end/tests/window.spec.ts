// What goes with a prompt, as the page marks it, as the receipt says it, and as Ollama really gets it.
import { expect, test } from "../support/fixtures";
import { done, says, text } from "../support/standIn";

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
  const receipt = app.inMessage(app.last, "What it read");
  await receipt.click();
  await expect(receipt).toHaveAttribute("aria-expanded", "true");
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
});

test("the first prompt goes alone, and the line below counts from nought", async ({ app, standIn }) => {
  await app.openReady();
  await expect(app.windowLine).toHaveText(/^0 of 0 messages · about \d tokens$/);
  await standIn.script(says("Hello."));
  await app.exchange("Is anybody there?");
  const [first] = await standIn.chats(1);
  expect(first.body.messages).toEqual([{ role: "user", content: "Is anybody there?" }]);
  // Loaded now: the room is known.
  await expect(app.windowLine).toHaveText(/^2 of 2 messages · about \d+ of 4,096 tokens$/);
});
