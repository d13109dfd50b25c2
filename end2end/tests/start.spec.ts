// The first seconds: the frame before the program, the program, and what is said when it does not come.
import { createHash } from "node:crypto";
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";
import { says } from "../support/standIn";

const WASM = /\.wasm$/;

test("the first visit is a few requests and no complaint", async ({ app, page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await page.addInitScript(() => {
    const seen: string[] = [];
    (globalThis as unknown as { violations: string[] }).violations = seen;
    document.addEventListener("securitypolicyviolation", (e) => seen.push(`${e.violatedDirective} ${e.blockedURI}`));
  });
  await app.openReady();
  await expect(page).toHaveTitle("New chat · Sash");
  await expect(page.getByText("What would you like to ask?")).toBeVisible();
  // The page, boot.js, glue, program, styles, manifest are the page; state and models are Ollama's.
  const files = requests.filter((path) => !path.startsWith("/api/"));
  expect(files.length, files.join(" ")).toBeLessThanOrEqual(6);
  expect(requests.filter((path) => WASM.test(path)), "the program comes once").toHaveLength(1);
  expect(await page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations)).toEqual([]);
  // `watch` checks the console.
});

test("a file with a hash in its name is named after what is in it", async ({ app, request }) => {
  const page = await (await request.get(app.url)).text();
  const names = page.match(/[\w-]*[0-9a-f]{16}[\w.]*/g) ?? [];
  expect(names.length, "glue, program, styles").toBeGreaterThanOrEqual(3);
  for (const name of names) {
    const file = await request.get(new URL(`/${name}`, app.url).href);
    const hash = createHash("sha256").update(await file.body()).digest("hex");
    expect(name).toContain(hash.slice(0, 16));
    expect(file.headers()["cache-control"]).toContain("immutable");
  }
});

test("the frame is painted before the program, and a slow one shows its progress", async ({ app, page }) => {
  let arrive = () => {};
  const held = new Promise<void>((done) => (arrive = done));
  await page.route(WASM, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(app.url);
  await expect(page.locator("#shell")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-state", "loading");
  await expect(page.getByRole("progressbar", { name: "Loading Sash" })).toBeVisible();
  arrive();
  await app.started();
  await expect(page.locator("#shell")).toHaveCount(0);
  await expect(app.composer).toBeVisible();
});

test("a bar whose time comes before it is parsed, as on a busy machine, is shown all the same", async ({ app, page }) => {
  await page.addInitScript(() => {
    const set = window.setTimeout;
    window.setTimeout = ((run: () => void, wait = 0, ...more: unknown[]) => {
      if (wait !== 150) return set(run, wait, ...more);
      run();
      return 0;
    }) as typeof setTimeout;
  });
  await page.route(WASM, () => {
    // Held.
  });
  await page.goto(app.url);
  await expect(page.getByRole("progressbar", { name: "Loading Sash" })).toBeVisible();
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

for (const [what, answer, says] of [
  ["is gone", { status: 404, contentType: "text/plain", body: "no" }, /answered 404/],
  ["has the wrong type", { status: 200, contentType: "text/html", body: "<p>hello" }, /as text\/html, not as application\/wasm/],
  ["is no program", { status: 200, contentType: "application/wasm", body: "junk" }, /WebAssembly/],
] as const) {
  // Guarded in each run by the first of them: the same alert with another reason.
  test(`a program that ${what} is said in words, with Retry`, { tag: what === "is gone" ? [] : "@all" }, async ({ app, page, watch }) => {
    watch.allow(/Sash could not start/);
    await page.route(WASM, (route) => route.fulfill(answer));
    await page.goto(app.url);
    const failure = page.getByRole("alert");
    await expect(failure.getByRole("heading", { name: "Sash could not start" })).toBeVisible();
    await expect(failure).toContainText(says);
    await expect(failure).toContainText("Your chats are safe in this browser");
    await page.unroute(WASM);
    await failure.getByRole("button", { name: "Retry" }).click();
    await app.started();
    await expect(app.composer).toBeVisible();
  });
}

test("a program that never arrives is given up after half a minute", async ({ app, page, watch }) => {
  watch.allow(/Sash could not start/);
  await page.clock.install();
  await page.route(WASM, () => {
    // Neither answered nor refused.
  });
  await page.goto(app.url);
  await expect(page.getByRole("progressbar", { name: "Loading Sash" })).toBeAttached();
  await page.clock.fastForward(31_000);
  await expect(page.getByRole("alert")).toContainText("Nothing has arrived for 30 seconds");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("button", { name: "Retry" }).click();
  await app.started();
});

test("without JavaScript the page says what it needs", async ({ browser, house }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(new ChatPage(page, house.sash.url).url);
  // In each language: nothing says which one is wanted.
  await expect(page.locator("noscript p")).toHaveCount(3);
  await expect(page.locator("noscript p").first()).toContainText("please allow JavaScript");
  await context.close();
});

test("a chosen theme is there before the program, and stays", async ({ app, page }) => {
  await app.open();
  const theme = page.getByRole("button", { name: /^Theme/ });
  await expect(theme).toHaveAccessibleName("Theme: system");
  await theme.click();
  await theme.click();
  await expect(theme).toHaveAccessibleName("Theme: dark");
  await page.route(WASM, () => {
    // Held, so that only boot.js has run.
  });
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.unrouteAll({ behavior: "ignoreErrors" });
});

test("at the start the composer has focus, and what is typed anywhere goes to it, the first letter too", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer with some words."));
  await app.openReady();
  await expect(app.composer).toBeFocused();
  await page.keyboard.type("A question?");
  await page.keyboard.press("Enter");
  await app.ended("complete");
  for (const place of [app.text(app.last), app.title]) {
    await place.click();
    await page.keyboard.type("more");
    await expect(app.composer).toHaveValue("more");
    await app.composer.fill("");
  }
  // A command is none, a space presses the button, a field keeps its own.
  await app.log.focus();
  await page.keyboard.press("Control+b");
  await page.keyboard.press("PageUp");
  await expect(app.log).toBeFocused();
  const theme = page.getByRole("button", { name: /^Theme/ });
  await theme.focus();
  await page.keyboard.press("Space");
  await expect(theme).toHaveAccessibleName("Theme: light");
  await expect(theme).toBeFocused();
  await app.chatList.getByRole("button", { name: /^A question/ }).focus();
  await page.keyboard.press("F2");
  const name = page.getByRole("textbox", { name: "Chat name" });
  await expect(name).toBeFocused();
  await page.keyboard.type("A name");
  await expect(name).toHaveValue("A name");
  await expect(app.composer).toHaveValue("");
});

test("on a device without a fine pointer no field has focus at the start: it would bring a keyboard", async ({ browser, house, standIn }) => {
  void standIn;
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
  const app = new ChatPage(await context.newPage(), house.sash.url);
  await app.openReady();
  await app.page.evaluate(() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))));
  await expect(app.composer).not.toBeFocused();
  await context.close();
});

test("a click into the transcript and a key draw no frame around it, Tab does", async ({ app, page, standIn }) => {
  await standIn.script(says("An answer."));
  await app.openReady();
  await app.exchange("A question?");
  const frame = () => app.log.evaluate((log) => (log.matches(":focus-visible") ? getComputedStyle(log).outlineStyle : "none"));
  const box = (await app.log.boundingBox())!;
  await page.mouse.click(box.x + box.width - 40, box.y + box.height / 2);
  await expect(app.log).toBeFocused();
  await page.keyboard.press("ArrowDown");
  expect(await frame()).toBe("none");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(app.log).toBeFocused();
  expect(await frame()).toBe("solid");
});

test("the first screen offers how much goes with each question, for this chat and new ones", async ({ app, page, standIn }) => {
  await app.openReady();
  const choice = (name: string) => app.log.getByRole("radio", { name: new RegExp(`^${name}`) });
  await expect(app.log.getByRole("radio")).toHaveCount(0);
  const unfold = () => app.log.getByRole("button", { name: /^Remembers/, expanded: false }).click();
  await expect(app.log.getByRole("button", { name: "Remembers the last 3 messages", exact: true })).toBeVisible();
  await unfold();
  await expect(app.log.getByRole("radio")).toHaveCount(4);
  await expect(choice("Last 3 messages")).toBeChecked();
  for (const [name, line] of [
    ["Last 10 messages", "Sends the last 10 messages"],
    ["Grow, then trim", "Sends up to 12 messages"],
    ["As much as fits", "Sends everything that fits"],
  ]) {
    await choice(name).check();
    await expect(app.windowLine).toHaveText(line);
  }
  await standIn.script(says("An answer."));
  await app.exchange("A question?");
  await app.reload();
  await app.openRules();
  await expect(app.rule("As much as fits")).toBeChecked();
  await page.keyboard.press("Escape");
  await app.newChat();
  await unfold();
  await expect(choice("As much as fits")).toBeChecked();
  await expect(app.windowLine).toHaveText("Sends everything that fits");
});

test("all that fits is one click away on the first screen", async ({ app }) => {
  await app.openReady();
  await app.log.getByRole("button", { name: "Keep all that fits", exact: true }).click();
  const rule = app.log.getByRole("button", { name: "Remembers everything that fits", exact: true });
  await expect(rule).toBeFocused();
  await expect(app.windowLine).toHaveText("Sends everything that fits");
  await expect(app.log.getByRole("button", { name: "Keep all that fits", exact: true })).toHaveCount(0);
});

test("a question of the first screen is written into the field, is not sent, and replaces nothing of one's own", async ({ app, standIn }) => {
  await app.openReady();
  const examples = app.log.getByRole("list", { name: "Questions to start with" }).getByRole("button");
  await expect(examples).toHaveCount(3);
  for (const n of [0, 1]) {
    await examples.nth(n).click();
    await expect(app.composer).toHaveValue((await examples.nth(n).textContent())!);
    await expect(app.composer).toBeFocused();
  }
  await app.composer.fill("My own question");
  await expect(examples.nth(0)).toBeDisabled();
  expect(await standIn.seen()).toEqual([]);
});
