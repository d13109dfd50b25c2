// One long walk of the page, and every byte that each engine gets in it. Nothing may go anywhere before Enter that the
// guide's "Before you press Enter" does not name. The log is attached to the test, and printed where it fails.
import { test as base, expect } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { EngineLog, marks } from "../support/engineLog";
import { OtherMachine } from "../support/otherMachine";
import { startStandIn, startOpenAi } from "../support/programs";
import { done, hold, says, StandIn, text } from "../support/standIn";
import { Wire } from "../support/wire";

const MODEL = "llama3.2:latest";
const CLOUD = "gpt-oss:cloud";
const OPENAI = "/v1/chat/completions";
/** The timers of the page run so many times as fast: the walk waits at every step for the pauses of typing. */
const FASTER = 5;
/** Longer than the pauses of typing after which the page counts, looks up and reads ahead: 700 ms, and what it takes to send. */
const REST = 700 / FASTER + 400; // ms

interface Walk {
  app: ChatPage;
  log: EngineLog;
  standIns: Record<"here" | "box" | "tunnel" | "gateway", StandIn>;
}

const test = base.extend<{ walk: Walk }>({
  /** A page in front of an Ollama here, one on another machine, one behind a tunnel, and a gateway of the OpenAI API. */
  walk: async ({ page, programs }, use, info) => {
    const programOf = {
      here: await programs.keep(startStandIn()),
      box: await programs.standIn(),
      tunnel: await programs.standIn(),
      gateway: await programs.keep(startOpenAi("vllm")),
    };
    const lan = await OtherMachine.before(programOf.box.url);
    test.skip(!lan, "this machine has no network");
    const tunnel = await Wire.open();
    tunnel.leadTo(programOf.tunnel.url);
    const sash = await programs.sash(
      `here=${programOf.here.url}`,
      ...["--ollama", `box=${lan?.url}`, "--ollama", `tunnel=${tunnel.url}`, "--openai", `gateway=${programOf.gateway.url}/v1`],
      ...["--read-ahead", "--linger", "2"],
    );
    const of = (name: keyof typeof programOf) => new StandIn(programOf[name].url);
    const standIns = { here: of("here"), box: of("box"), tunnel: of("tunnel"), gateway: of("gateway") };
    await standIns.here.models({ add: ["llama3.2", "tinyembed", CLOUD] });
    await standIns.box.models({ add: ["llama3.2", "tinyembed"] });
    await standIns.tunnel.models({ add: ["llama3.2"] });
    // In memory, as another program may have them: only such a model reads ahead.
    for (const { url } of [standIns.here, standIns.box, standIns.tunnel]) {
      await fetch(`${url}/api/generate`, { method: "POST", body: JSON.stringify({ model: MODEL, keep_alive: "1h" }) });
    }
    const log = new EngineLog({
      here: { standIn: standIns.here, scope: "draft" },
      box: { standIn: standIns.box, scope: "had" },
      // Nobody has said that what listens there is on this machine.
      tunnel: { standIn: standIns.tunnel, scope: "had" },
      gateway: { standIn: standIns.gateway, scope: "nothing" },
    });
    await use({ app: new ChatPage(page, sash.url), log, standIns });
    await log.judge();
    await info.attach("engines.txt", { body: log.table() });
    await info.attach("engines.json", { body: log.json() });
    if (info.errors.length > 0 || process.env.SASH_LOG) console.log(log.table());
    await page.close();
    await Promise.all([tunnel.close(), lan?.close()]);
  },
});

test("no engine gets a word before Enter that the guide does not name", async ({ page, watch, walk: { app, log, standIns } }) => {
  watch.allow(/^a dialog: beforeunload/);
  test.setTimeout(120_000);
  page.setDefaultTimeout(8_000);
  await page.addInitScript((faster) => {
    const later = window.setTimeout;
    window.setTimeout = ((run: TimerHandler, wait = 0, ...given: unknown[]) => later(run, wait / faster, ...given)) as typeof setTimeout;
  }, FASTER);
  const { here, box, gateway } = standIns;
  const rest = () => page.waitForTimeout(REST);

  /** A part of the walk. It says what broke the rule; what could not be done does not end the walk. */
  const leg = (name: string, go: () => Promise<void>) =>
    test.step(name, async () => {
      let broke = "";
      await go().catch((error: Error) => (broke = error.message.split("\n").slice(0, 6).join("\n")));
      await page.waitForTimeout(200);
      expect.soft(await log.judge(), name).toEqual([]);
      expect.soft(broke, `${name}: the way through the page`).toBe("");
      if (broke) await app.open();
    });
  /** A page that has asked nothing of late: while another chat may go on, nothing is read. */
  const fresh = async (chat: string, engine: string) => {
    await app.open();
    log.open(chat);
    await app.newChat();
    await app.chooseNamed(`llama3.2 · ${engine}`);
  };
  const draft = async (words: string) => {
    log.write(words);
    await app.composer.fill(words);
    await rest();
  };
  /** Sends what is in the field; the engine says `answer`. */
  const enter = async (name: string, to: string, words: string, answer: string, more: { shown?: string[]; must?: string[] } = {}) => {
    const standIn = to === "gateway" ? gateway : to === "box" ? box : here;
    await standIn.script(says(answer), to === "gateway" ? { path: OPENAI } : {});
    const before = await app.messages.count();
    log.press(name, to, words, { ...more, answer });
    await app.composer.press("Enter");
    await expect(app.messages).toHaveCount(before + 2);
    await app.ended("complete");
  };
  /** The marked texts that the page shows in a place. */
  const shown = async (place: string) => marks((await page.locator(place).allTextContents()).join(" "));
  const recalled = () => shown(".recalls");
  /** Opens an entry of the chat's menu. */
  const fromMenu = async (entry: string) => {
    await page.locator("#chat-menu").click();
    await page.getByRole("menuitem", { name: entry }).click();
  };
  const recallFromAll = async () => {
    await app.openMoreRules();
    await app.rules.getByRole("radio", { name: "Automatically", exact: true }).check();
    await app.rules.getByRole("checkbox", { name: "From all chats, not only this one" }).check();
    await app.rules.getByRole("button", { name: "Close" }).click();
  };
  const embedWith = async (model: string) => {
    await app.chats.getByRole("button", { name: "Settings" }).click();
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByLabel("Embedding model").selectOption({ label: model });
    return { dialog, region: dialog.getByRole("region", { name: "Recall" }) };
  };
  /** Opens a chat of the list by a word of its title. */
  const back = async (chat: string, word: string) => {
    await app.open();
    log.open(chat);
    await app.rows.filter({ hasText: word }).getByRole("button").first().click();
    await expect(app.title).toContainText(word);
  };

  await leg("a draft for an engine on another machine, a version by hand there", async () => {
    await fresh("box", "box");
    await draft("boxDraftQx asks for the tides of the north.");
    await enter("Enter at box", "box", "boxDraftQx asks for the tides of the north.", "boxAnswerQx says at noon.");
    await draft("boxLaterQx is written and not sent.");
    await app.act(app.last, "Edit this answer");
    await page.getByRole("textbox", { name: "Edit answer" }).fill(log.write("byHandQx was written by the person."));
    await page.getByRole("button", { name: "Save as my version" }).click();
    await draft("boxNextQx is written and not sent either.");
    await enter("Enter at box, after a version by hand", "box", "boxNextQx is written and not sent either.", "boxSecondQx says so.", { must: ["byHandQx"] });
  });

  await leg("a draft for the engine on this machine", async () => {
    await fresh("first", "here");
    await draft("firstQuestionQx asks how the road map of a town is stored.");
    await enter("Enter here", "here", "firstQuestionQx asks how the road map of a town is stored.", "firstAnswerQx says as an adjacency list of crossings.");
    await app.composer.fill("secondQuestionQx asks what to cook tonight.");
    await enter("Enter here again", "here", "secondQuestionQx asks what to cook tonight.", "secondAnswerQx says lentil soup with lemon.");
  });

  await leg("a change of models in mid-draft", async () => {
    await draft("midDraftQx of something that is not sent yet.");
    await app.chooseNamed("llama3.2 · box");
    await rest();
    await app.chooseNamed("llama3.2 · tunnel");
    await draft("midDraftQx of something that is not sent through a tunnel.");
    await app.chooseModel(CLOUD);
    await draft("midDraftQx of something that is not sent to a cloud.");
    await app.chooseNamed("org/Tiny-Instruct · gateway");
    await draft("midDraftQx of something for the gateway.");
    await enter("Enter at the gateway", "gateway", "midDraftQx of something for the gateway.", "gatewayAnswerQx says yes.");
    await draft("afterGatewayQx is not sent.");
    await app.chooseNamed("llama3.2 · here");
  });

  await leg("recall from other chats, by words", async () => {
    await fresh("recalls", "here");
    await recallFromAll();
    const words = "recallDraftQx asks how large the adjacency list of crossings is.";
    await draft(words);
    expect.soft(await recalled(), "something of another chat is shown").toContain("firstAnswerQx");
    await enter("Enter with what is recalled", "here", words, "recallAnswerQx says small.", { shown: await recalled() });
  });

  await leg("a model for recall by meaning, on another machine and here", async () => {
    const far = await embedWith("tinyembed · box");
    await rest();
    // What would be read is said first; only the person has it read.
    expect.soft(await far.region.textContent(), "it is said which engine would read how many messages").toMatch(/\d+ messages.*box|box.*\d+ messages/s);
    await page.keyboard.press("Escape");
    const near = await embedWith("tinyembed · here");
    log.embed("here");
    // It may ask here too.
    const agree = near.region.getByRole("button");
    if (await agree.count()) await agree.first().click();
    await expect(near.dialog).toContainText("Nothing to read now.");
    await page.keyboard.press("Escape");
    await rest();
    expect.soft((await here.seen("/api/embed")).length, "messages are read here").toBeGreaterThan(0);
  });

  await leg("a prompt that an address brings", async () => {
    log.open("address");
    await page.goto(`${app.url}/?q=${encodeURIComponent(log.bring("broughtQx came with the address of a page."))}`);
    await app.started();
    await app.ready("llama3.2.* here");
    await rest();
    await app.reload();
    await app.ready("llama3.2.* here");
    await expect(app.composer).toHaveValue(/^broughtQx/);
    // Another setting of the chat touches no word of the prompt.
    await recallFromAll();
    await rest();
    await enter("Enter of what the address brought", "here", "broughtQx", "addressAnswerQx says so.", { shown: await recalled() });
  });

  await leg("a queued prompt", async () => {
    await fresh("queue", "here");
    await recallFromAll();
    await here.script([text("queueAnswerQx", 1), hold, done()]);
    const running = "queueFirstQx asks for a long poem.";
    await draft(running);
    log.press("Enter before the queue", "here", running, { shown: await recalled(), answer: "queueAnswerQx" });
    await app.composer.press("Enter");
    await app.streaming();
    const queued = "queuedQx asks what lentil soup with lemon needs.";
    await draft(queued);
    await app.composer.press("Enter");
    const row = page.getByRole("list", { name: "Queue" }).locator("> li");
    await expect(row).toHaveCount(1);
    await rest();
    for (const fold of await row.locator("summary").all()) await fold.click();
    await here.script(says("queuedAnswerQx says lemon."));
    log.press("Enter of the queue", "here", queued, { shown: marks((await row.textContent()) ?? ""), answer: "queuedAnswerQx" });
    await here.release();
    await expect(app.messages).toHaveCount(4);
    await app.ended("complete");
  });

  await leg("side by side, and all of them on", async () => {
    await fresh("sides", "here");
    await recallFromAll();
    const question = "sidesQuestionQx asks which it is.";
    await draft(question);
    await app.openFromPicker("Ask several models…");
    const choice = page.getByRole("dialog", { name: "Ask several models" });
    await choice.locator(`[data-model="box\t${MODEL}"]`).click();
    const answers = { here: "sideHereQx says one.", box: "sideBoxQx says two." };
    for (const engine of ["here", "box"] as const) {
      await standIns[engine].script(says(answers[engine]));
      log.press(`Ask 2 models: ${engine}`, engine, question, { shown: await recalled(), answer: answers[engine] });
    }
    await choice.getByRole("button", { name: "Ask 2 models" }).click();
    const sides = page.getByRole("dialog", { name: "Side by side" });
    await expect(sides).toContainText("sideBoxQx says two.");
    await expect(sides.getByRole("button", { name: "Stop" })).toHaveCount(0);

    const next = "sidesNextQx asks how large the adjacency list of crossings is.";
    log.write(next);
    await sides.getByLabel("Next question, for all of them").fill(next);
    await rest();
    const going = [...new Set([...(await recalled()), ...(await sides.locator("[class*=recall]").allTextContents()).flatMap(marks)])];
    expect.soft(going, "something of another chat is shown").toContain("firstAnswerQx");
    for (const engine of ["here", "box"] as const) {
      await standIns[engine].script(says(`${engine}NextQx says as large as it is.`));
      log.press(`Ask all of them: ${engine}`, engine, next, { shown: going, must: going, answer: `${engine}NextQx` });
    }
    await sides.getByRole("button", { name: "Ask all of them" }).click();
    await expect(sides).toContainText("hereNextQx says");
    await expect(sides).toContainText("boxNextQx says");
    await page.keyboard.press("Escape");
    expect.soft(await recalled(), "what went is not there for the next question").toEqual([]);
    const last = "sidesLastQx asks nothing of the kind.";
    await draft(last);
    // What went with the question before is a part of it, and it is in the window.
    const shownNow = [...(await recalled()), ...going];
    await enter("Enter after side by side", "here", last, "sidesLastAnswerQx says so.", { shown: shownNow });
  });

  await leg("a title and a summary by the model", async () => {
    await back("first", "firstQuestionQx");
    await app.ready("llama3.2.* here");
    await app.act(app.message(1), "Mute: never sent");
    log.mute("firstQuestionQx");
    await here.script(says("titleQx of the chat"));
    await fromMenu("Suggest a title…");
    const dialog = page.getByRole("dialog", { name: "Suggest a title" });
    log.press("Suggest a title", "here", "", { answer: "titleQx" });
    await dialog.getByRole("button", { name: "Suggest a title" }).click();
    await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue("titleQx of the chat");
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await here.script(says("summaryQx of what was said."));
    await app.openMoreRules();
    log.press("Summarise now", "here", "", { must: ["firstAnswerQx"], answer: "summaryQx" });
    await app.rules.getByRole("button", { name: "Summarise now" }).click();
    await expect(app.log.getByRole("region", { name: /^Summary of/ })).toContainText("summaryQx of what was said.");
    await back("first", "firstQuestionQx");
    // The summary is news to another engine.
    await app.chooseNamed("llama3.2 · box");
    await draft("afterSummaryQx is not sent to another engine.");
  });

  await leg("a temporary chat, and nothing of it after its end", async () => {
    await app.open();
    log.open("temporary");
    await page.keyboard.press("Alt+Shift+n");
    await expect(app.title).toHaveText("Temporary chat");
    await app.chooseNamed("llama3.2 · here");
    await draft("temporaryQx asks where the marbles of the bishop are.");
    await enter("Enter in a temporary chat", "here", "temporaryQx asks where the marbles of the bishop are.", "temporaryAnswerQx says in the drawer.");
    await draft("temporaryDraftQx is not sent.");
    await app.chooseNamed("llama3.2 · box");
    await draft("temporaryDraftQx is not sent there either.");
    await app.chooseNamed("llama3.2 · here");
    // What the model that was chosen last reads begins, and arrives, before the chat ends.
    await rest();
    await log.judge();
    log.end();
    await fresh("last", "here");
    await recallFromAll();
    await draft("lastQx asks in which drawer the marbles of the bishop are.");
    await enter("Enter in the last chat", "here", "lastQx asks in which drawer the marbles of the bishop are.", "lastAnswerQx says nowhere.", { shown: await recalled() });
  });

  await test.step("what was pressed reached its engine, and a draft was read ahead on this machine", async () => {
    await rest();
    expect.soft(await log.judge(), "after the walk").toEqual([]);
    expect.soft(log.unheard()).toEqual([]);
    expect.soft(log.gotBefore("here", "firstQuestionQx")).toBe(true);
  });
});
