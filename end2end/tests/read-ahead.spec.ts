// Reading ahead: what a page sends before Enter, where it is seen, and how it is switched off.
import type { Page, Request } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { type Programs } from "../support/house";
import { startOpenAi, startTunnel } from "../support/programs";
import { done, StandIn, text } from "../support/standIn";

const READ = "/api/v1/read";

/** The calls of a page, in order, with their bodies. */
function calls(page: Page): { path: string; body: string }[] {
  const all: { path: string; body: string }[] = [];
  page.on("request", (request: Request) => {
    const path = new URL(request.url()).pathname;
    if (path.startsWith("/api/")) all.push({ path, body: request.postData() ?? "" });
  });
  return all;
}

/** A page in front of a llama-server, which tells what it had in its cache; reading ahead is on. */
async function llama(page: Page, programs: Programs): Promise<{ app: ChatPage; standIn: StandIn }> {
  const server = await programs.keep(startOpenAi("llama-server"));
  const sash = await programs.sash("", "--openai", `llama=${server.url}`, "--read-ahead");
  const standIn = new StandIn(server.url);
  await standIn.settings({ prompt_rate: 20_000 });
  const app = new ChatPage(page, sash.url);
  await app.openReady("tiny-think");
  return { app, standIn };
}

const CHAT = "/v1/chat/completions";
const LONG = "river stone cloud ".repeat(40);

test("a draft is read while it is written, and the receipt says how much was read before it was sent", async ({ page, programs }) => {
  const { app, standIn } = await llama(page, programs);
  for (const n of [1, 2]) {
    await standIn.script([text(`${LONG}${n}.`), done()], { path: CHAT });
    await app.exchange(`Question ${n}`);
  }
  const sent = calls(page);
  await app.composer.fill("Which of them is newer than the");
  await expect.poll(() => sent.filter((call) => call.path === READ).length).toBeGreaterThan(0);
  await app.openRules();
  await expect(app.rules).toContainText(/Read ahead at .*: about ([\d,]+) of \1 tokens/);
  const meter = page.locator(".window-meter .gauge-read");
  await expect.poll(async () => Number.parseInt((await meter.getAttribute("width")) ?? "0", 10)).toBeGreaterThan(0);
  await page.keyboard.press("Escape");
  const [last] = (await standIn.seen(CHAT)).slice(-1);
  expect(last.body.messages.at(-1)?.content).toBe("Which of them is newer than");

  await standIn.script([text("This one."), done()], { path: CHAT });
  await app.composer.fill("Which of them is newer than the other?");
  await app.composer.press("Enter");
  await app.ended("complete");
  await app.act(app.last, "Details and timing");
  const facts = app.last.locator(".receipt");
  await expect(facts).toContainText(/[\d,]+ of [\d,]+ tokens were read before you sent it/);
  const [before, total] = (await facts.innerText()).match(/([\d,]+) of ([\d,]+) tokens were read/)!.slice(1).map((n) => Number(n.replace(",", "")));
  expect(total - before).toBeLessThan(80);
  await app.openFromFoot("Statistics");
  await expect(page.getByRole("dialog", { name: "Statistics" })).toContainText(/Read ahead: about [\d,]+ tokens; [\d,]+ of them were used/);
});

// Guarded in each run by tests/native/server/read_ahead.rs,
// `an_engine_that_may_be_a_gateway_gets_nothing_unless_the_person_lets_it`; before-enter.spec.ts, "no engine gets a
// word before Enter that the guide does not name".
test("an engine on loopback that may be the end of a tunnel is sent no draft", { tag: "@all" }, async ({ page, programs }) => {
  const server = await programs.keep(startTunnel());
  const sash = await programs.sash("", "--openai", `llama=${server.url}`, "--read-ahead");
  const state = await page.request.post(`${sash.url}/api/v1/state`, { data: {} });
  expect((await state.json()).engines[0].reach).toBe("loopback");
  const standIn = new StandIn(server.url);
  const app = new ChatPage(page, sash.url);
  await app.openReady("tiny-think");
  await standIn.script([text(LONG), done()], { path: CHAT });
  await app.exchange("Question");
  await app.composer.fill("Which of them is newer than the other");
  await page.waitForTimeout(1_200);
  expect(JSON.stringify(await standIn.seen(CHAT))).not.toContain("newer");
});

test("never means never, for all chats and after a reload", async ({ page, programs }) => {
  const { app, standIn } = await llama(page, programs);
  await standIn.script([text(LONG), done()], { path: CHAT });
  await app.exchange("Question");
  await app.openMoreRules();
  await app.rules.getByRole("group", { name: "Read ahead, in all chats" }).getByRole("radio", { name: "Never" }).check();
  await page.keyboard.press("Escape");
  await app.reload();
  const sent = calls(page);
  await app.composer.fill("Which of them is newer than the other");
  await page.waitForTimeout(1_200);
  expect(sent.filter((call) => call.path === READ)).toEqual([]);
});

// Guarded in each run by rooms/read-ahead/src/tests/mod.rs, `nothing_is_read_twice_and_nothing_without_a_key`;
// kernel/stores/tests/stores/engine.rs, `ollama_that_is_there_is_looked_at_twice_a_minute`.
test("a page that is left open for an hour sends what it must and no more", { tag: "@all" }, async ({ page, programs }) => {
  await page.clock.install();
  const { app, standIn } = await llama(page, programs);
  await standIn.script([text(LONG), done()], { path: CHAT });
  await app.ask("Question");
  await page.clock.runFor(2_000);
  await app.ended("complete");
  // The rest after the question was typed, in which the window may be read.
  await page.clock.runFor(2_000);
  const sent = calls(page);
  await page.clock.runFor(40_000);
  // Typed into for a while, with rests, then looked at and left alone.
  for (const draft of ["Which ", "Which of them ", "Which of them is ", "Which of them is newer "]) {
    await app.composer.fill(draft);
    await page.clock.runFor(1_500);
  }
  await expect.poll(() => sent.filter((call) => call.path === READ).length).toBeGreaterThan(0);
  await app.openRules();
  await page.keyboard.press("Escape");
  for (let minutes = 0; minutes < 60; minutes += 5) await page.clock.runFor(5 * 60_000);
  const kinds = [...new Set(sent.map((call) => call.path))].sort();
  // Whether the engine answers and which models it has is asked for every half minute; what is read, only while one writes.
  expect(kinds).toEqual(["/api/v1/count", "/api/v1/models", "/api/v1/read", "/api/v1/state"]);
  expect(sent.filter((call) => call.path === "/api/v1/count").length).toBeLessThanOrEqual(4);
  const reads = sent.filter((call) => call.path === READ).map((call) => JSON.parse(call.body).prompt);
  expect(reads.length).toBeLessThanOrEqual(4);
  expect(new Set(reads).size, "nothing twice").toBe(reads.length);
  const polls = sent.filter((call) => call.path === "/api/v1/state").length;
  expect(polls).toBeLessThanOrEqual(130);
});

// Guarded in each run by rooms/read-ahead/src/tests/mod.rs,
// `another_engine_reads_the_window_only_once_it_was_asked_with_it`; before-enter.spec.ts, "no engine gets a word
// before Enter that the guide does not name".
test("a model of another engine that is chosen gets nothing of the chat before Enter", { tag: "@all" }, async ({ page, programs }) => {
  const [here, box] = [await programs.keep(startOpenAi("llama-server")), await programs.keep(startOpenAi("llama-server"))];
  const sash = await programs.sash("", "--openai", `here=${here.url}`, "--openai", `box=${box.url}`, "--read-ahead");
  // Both listen on this machine, so the page is told that one of them is on another.
  await page.route("**/api/v1/state", async (route) => {
    const response = await route.fetch();
    const state = await response.json();
    for (const engine of state.engines) if (engine.name === "box") engine.reach = "remote";
    await route.fulfill({ response, json: state });
  });
  const sent = calls(page);
  const reads = () => sent.filter((call) => call.path === READ && JSON.parse(call.body).engine === "box");
  const app = new ChatPage(page, sash.url);
  await app.openReady("tiny-think");
  await new StandIn(here.url).script([text(LONG), done()], { path: CHAT });
  await app.exchange("Said to the engine here");
  await app.composer.fill("Which of them is newer");
  await app.chooseNamed("tiny-think.gguf · box");
  await app.composer.fill("Which of them is newer than the other");
  await page.waitForTimeout(2_000);
  expect(reads()).toEqual([]);
  expect(await new StandIn(box.url).seen(CHAT)).toEqual([]);

  // Once it was asked with all of that, it may read it again.
  await new StandIn(box.url).script([text(LONG), done()], { path: CHAT });
  await app.exchange("Said to the box");
  await app.composer.fill("And which one of");
  await expect.poll(() => reads().length).toBeGreaterThan(0);
  for (const read of reads()) expect(read.body).not.toContain("And which");
});
