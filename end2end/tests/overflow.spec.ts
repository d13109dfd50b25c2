// A request that does not fit: said before it is sent where the room is known, or by Ollama's refusal; with
// both numbers, and a way out each time. Nothing is ever cut.
import type { Page } from "@playwright/test";
import type { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { Panel } from "../support/panel";
import { says, type StandIn } from "../support/standIn";

// The stand-in counts a letter as a token. So do real models with these, so that its counts can be believed.
const LONG = "字".repeat(1_300);
const GUESSED = /^This needs about [\d,]+ tokens, and the model has room for 1,024\. Nothing was sent\.$/;
const COUNTED = /^Ollama counted [\d,]+ tokens and refused the request: the model has room for 1,024\. Nothing was cut\.$/;

const line = (page: Page) => page.getByRole("form", { name: "Composer" }).getByRole("alert");
const offer = (page: Page, name: RegExp) => page.getByRole("form", { name: "Composer" }).getByRole("button", { name });

/** A loaded model with room for 1,024 tokens, and one exchange with a long question. */
async function loaded(app: ChatPage, standIn: StandIn): Promise<void> {
  await standIn.settings({ num_ctx: 1024 });
  await standIn.script(says("Noted."));
  await app.openReady();
  await app.exchange(LONG.slice(0, 600));
  await expect(app.page.locator("#window-parts")).toContainText("of 1,024 tokens");
}

/** Writes what fits alone but not with the window, and tries to send it. */
async function tooMuch(app: ChatPage, page: Page): Promise<string> {
  const draft = LONG.slice(0, 600);
  await app.composer.fill(draft);
  await expect(app.windowLine).toHaveAttribute("data-fit", "over");
  await app.composer.press("Enter");
  await expect(line(page)).toHaveText(GUESSED);
  return draft;
}

// Guarded in each run by kernel/stores/tests/stores/answers.rs,
// `what_does_not_fit_is_not_sent_and_nothing_is_written`.
test("what is guessed not to fit is not sent, and the draft stays", { tag: "@all" }, async ({ app, page, standIn }) => {
  await loaded(app, standIn);
  const draft = await tooMuch(app, page);
  await expect(app.composer).toHaveValue(draft);
  await expect(app.messages).toHaveCount(2);
  expect(await standIn.seen()).toHaveLength(1);
  // Made shorter, the advice goes by itself.
  await app.composer.fill("Short");
  await expect(line(page)).toHaveCount(0);
  await expect(offer(page, /Send anyway/)).toHaveCount(0);
});

test("shrinking the window lets it go, and can be undone", async ({ app, page, standIn }) => {
  await loaded(app, standIn);
  const draft = await tooMuch(app, page);
  await offer(page, /^Send fewer messages$/).click();
  await expect(line(page)).toHaveCount(0);
  await expect(app.composer).toBeFocused();
  await expect(app.composer).toHaveValue(draft);
  await app.composer.press("Enter");
  await app.ended("complete");
  const second = (await standIn.chats(2))[1];
  expect(second.status).toBe(200);
  expect(second.body.messages.at(-1)?.content).toBe(draft);
  expect(second.body.messages.length).toBeLessThan(3);
});

test("muting the largest message lets it go", async ({ app, page, standIn }) => {
  await loaded(app, standIn);
  await tooMuch(app, page);
  await offer(page, /^Mute the largest message \(about [\d,]+ tokens\)$/).click();
  await app.composer.press("Enter");
  const second = (await standIn.chats(2))[1];
  expect(second.body.messages.map((m) => m.role)).toEqual(["assistant", "user"]);
});

test("raising the context lets it go whole", async ({ app, page, standIn }) => {
  await loaded(app, standIn);
  await tooMuch(app, page);
  await offer(page, /^Raise the context to [\d,]+ \(reloads the model\)$/).click();
  await expect(app.windowLine).toHaveAttribute("data-fit", "fits");
  await app.composer.press("Enter");
  const second = (await standIn.chats(2))[1];
  expect(second.body.messages).toHaveLength(3);
  expect((second.body.options as { num_ctx: number }).num_ctx).toBeGreaterThanOrEqual(2048);
  await app.ended("complete");
  // Equal in every request from then on, until it is taken back in the panel.
  const panel = new Panel(page);
  await panel.open();
  await expect(panel.place).toContainText("You set this model’s context to");
  await panel.place.getByRole("button", { name: "Let Ollama decide again" }).click();
  await expect(panel.place).not.toContainText("You set this model’s context");
  await app.exchange("Short");
  expect((await standIn.chats(3))[2].body.options).toBeUndefined();
});

test("sent anyway, Ollama counts; the question stays, and does not spoil what follows", async ({ app, page, standIn }) => {
  await loaded(app, standIn);
  await tooMuch(app, page);
  await offer(page, /^Send anyway$/).click();
  await standIn.chats(2);
  await app.ended("failed");
  await expect(line(page)).toHaveText(COUNTED);
  await expect(app.messages).toHaveCount(4);
  await expect(app.composer).toHaveValue("");
  // Left out, the next prompt goes as if it had not been asked.
  await offer(page, /^Mute this question from now on$/).click();
  await expect(line(page)).toHaveCount(0);
  await expect(app.composer).toBeFocused();
  const panel = new Panel(page);
  await panel.open();
  await expect(panel.turns).toHaveCount(3);
  await standIn.script(says("Fine."));
  await app.exchange("Short");
  const third = (await standIn.chats(3))[2];
  expect(third.status).toBe(200);
  expect(third.body.messages).toHaveLength(3);
});

test("after a refusal each way out asks again by itself, and so does Ask again", async ({ app, page, standIn }) => {
  await standIn.settings({ num_ctx: 1024 });
  await app.openReady();
  // Not loaded: nothing to guess with, so Ollama counts.
  await app.ask(LONG);
  await app.ended("failed");
  await expect(line(page)).toHaveText(COUNTED);
  const counted = Number(/counted ([\d,]+)/.exec((await line(page).textContent()) ?? "")?.[1].replace(",", ""));
  expect(counted).toBeGreaterThan(1024);
  // What would not help is not offered.
  await expect(offer(page, /^(Send fewer|Mute the)/)).toHaveCount(0);
  await offer(page, /^Close$/).click();
  // The count has taught the estimate.
  await app.inMessage(app.last, "Ask again").first().click();
  await expect(line(page)).toHaveText(GUESSED);
  expect(await standIn.seen()).toHaveLength(1);
  await offer(page, /^Raise the context to [\d,]+ and ask again \(reloads the model\)$/).click();
  await app.ended("complete");
  expect((await standIn.chats(2))[1].status).toBe(200);
});

test("the choice stays when the model is found unloaded, and what changed is said", async ({ app, page, standIn }) => {
  await loaded(app, standIn);
  const draft = await tooMuch(app, page);
  const told = await line(page).textContent();
  await standIn.models({ remove: ["llama3.2"] });
  await standIn.models({ add: ["llama3.2"] });
  // Somebody comes back to the page: it looks.
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expect(app.page.locator("#window-parts")).not.toContainText("of 1,024 tokens");
  await expect(page.getByText("The model was unloaded since.")).toBeVisible();
  await expect(line(page)).toHaveText(told ?? "");
  await expect(app.composer).toHaveValue(draft);
  await expect(offer(page, /^Send fewer messages$/)).toBeVisible();
  await app.composer.fill("Short");
  await expect(line(page)).toHaveCount(0);
  await app.composer.fill(draft);
  await app.composer.press("Enter");
  await app.ended("failed");
  await expect(line(page), "sent, and refused").toHaveText(COUNTED);
  await expect(app.last).not.toContainText("nothing was sent");
  expect(await standIn.seen()).toHaveLength(2);
});

// Guarded in each run by kernel/stores/tests/stores/answers.rs,
// `what_does_not_fit_is_not_sent_and_nothing_is_written`.
test("another version that does not fit stays in its field", { tag: "@all" }, async ({ app, page, standIn }) => {
  await loaded(app, standIn);
  await app.message(1).hover();
  await app.inMessage(app.message(1), "Edit").click();
  const field = page.getByRole("textbox", { name: "Edit message" });
  await field.fill(LONG);
  await page.getByRole("button", { name: "Send as a new version" }).click();
  await expect(line(page)).toHaveText(GUESSED);
  await expect(field).toHaveValue(LONG);
  expect(await standIn.seen()).toHaveLength(1);
});

test("another text is told anew, and what was offered for a model goes with it", async ({ app, page, standIn }) => {
  await loaded(app, standIn);
  await tooMuch(app, page);
  const told = await line(page).textContent();
  // A second Enter sent a far longer text, because the first one had been told.
  await app.composer.fill(LONG);
  await app.composer.press("Enter");
  await expect(line(page)).toHaveText(GUESSED);
  await expect(line(page)).not.toHaveText(told ?? "");
  expect(await standIn.seen()).toHaveLength(1);
  await app.chooseModel("qwen3:4b");
  await expect(line(page)).toHaveCount(0);
});
