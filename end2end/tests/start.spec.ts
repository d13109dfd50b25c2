// The first seconds: the frame before the program, the program, and what is said when it does not come.
import { expect, test } from "../support/fixtures";
import { ChatPage } from "../support/chatPage";

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
  // The page, boot.js, glue, program, styles, icon, manifest are the page; state and models are Ollama's.
  const files = requests.filter((path) => !path.startsWith("/api/"));
  expect(files.length, files.join(" ")).toBeLessThanOrEqual(8);
  expect(requests.filter((path) => WASM.test(path)), "the program comes once").toHaveLength(1);
  expect(await page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations)).toEqual([]);
  // `watch` checks the console.
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

for (const [what, answer, says] of [
  ["is gone", { status: 404, contentType: "text/plain", body: "no" }, /answered 404/],
  ["has the wrong type", { status: 200, contentType: "text/html", body: "<p>hello" }, /as text\/html, not as application\/wasm/],
  ["is no program", { status: 200, contentType: "application/wasm", body: "junk" }, /WebAssembly/],
] as const) {
  test(`a program that ${what} is said in words, with Retry`, async ({ app, page, watch }) => {
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
  await expect(page.locator("noscript p")).toBeVisible();
  await expect(page.locator("noscript p")).toContainText("please allow JavaScript");
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
