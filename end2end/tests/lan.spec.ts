// LAN mode: through the machine's own address where there is one, on plain http, where a browser offers less.
import { mkdtemp, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { backedUp } from "../support/backup";
import { expect, test } from "../support/fixtures";
import { ChatPage, watchAnnouncements } from "../support/chatPage";
import { Library } from "../support/library";
import { freePort, type Program } from "../support/programs";
import { endless, says, type StandIn } from "../support/standIn";

const TOKEN = "a-token-for-the-tests-0123456789";
const own = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find((address) => address.family === "IPv4" && !address.internal)?.address;

// Chromium's remark on a header that only counts on https and on this machine.
test.beforeEach(({ watch }) => watch.allow(/Cross-Origin-Opener-Policy header has been ignored/));

async function lan(programs: { sash(ollama: string, ...more: string[]): Promise<Program> }, standIn: StandIn): Promise<string> {
  const port = await freePort();
  await programs.sash(standIn.url, "--listen", `0.0.0.0:${port}`, "--token", TOKEN);
  return `http://${own ?? "127.0.0.1"}:${port}`;
}

test("the token leaves the address at once and goes with every call", async ({ page, programs, standIn }) => {
  const url = await lan(programs, standIn);
  const app = new ChatPage(page, url);
  const calls: (string | undefined)[] = [];
  page.on("request", (request) => {
    expect(request.url()).not.toContain(TOKEN);
    if (request.url().includes("/api/")) calls.push(request.headers().authorization);
  });
  await page.goto(`${url}/#t=${TOKEN}`);
  await app.started();
  await app.ready();
  expect(page.url()).toBe(`${url}/`);
  await standIn.script(says("Hello, network."));
  await app.exchange("Hello?");
  expect(calls.length).toBeGreaterThan(2);
  expect(new Set(calls)).toEqual(new Set([`Bearer ${TOKEN}`]));
  // Ollama has no business with it.
  expect(JSON.stringify(await standIn.seen())).not.toContain(TOKEN);

  // The tab remembers it.
  await app.reload();
  await app.ready();
  await expect(app.text(app.last)).toHaveText("Hello, network.");
});

test("without the token the page asks for it, and it may be pasted", async ({ page, programs, standIn }) => {
  const url = await lan(programs, standIn);
  const app = new ChatPage(page, url);
  await app.open();
  const form = page.getByRole("form", { name: "Token" });
  await expect(form).toBeVisible();
  await expect(form).toContainText("This Sash needs its token");
  const field = form.getByRole("textbox", { name: "Token" });
  // What is pasted must not become a draft.
  await expect(field).toBeFocused();
  await field.fill("not-the-right-token-at-all");
  await form.getByRole("button", { name: "Open" }).click();
  await expect(form.getByRole("alert")).toHaveText("This token is wrong.");
  await expect(field).toBeFocused();
  // The whole address, as it was printed.
  await field.fill(`${url}/#t=${TOKEN}`);
  await field.press("Enter");
  await expect(form).toHaveCount(0);
  await app.ready();
  await standIn.script(says("In."));
  await app.exchange("May I?");
});

// Guarded in each run by "without the token the page asks for it, and it may be pasted".
test("a wrong token in the address shows the form too", { tag: "@all" }, async ({ page, programs, standIn }) => {
  const url = await lan(programs, standIn);
  await page.goto(`${url}/#t=wrong-wrong-wrong-wrong`);
  await expect(page.getByRole("form", { name: "Token" })).toBeVisible();
  expect(page.url()).toBe(`${url}/`);
});

test("from another machine the page says what a phone needs and what is missing, and nothing breaks on the way", async ({ page, programs, standIn }) => {
  test.skip(!own, "this machine has no address but the loopback, which browsers trust");
  const url = await lan(programs, standIn);
  const app = new ChatPage(page, url);
  await page.goto(`${url}/#t=${TOKEN}`);
  await app.ready();
  await standIn.script(says("Hello."));
  await app.exchange("From afar");

  await app.openFromFoot("This page on my phone…");
  const dialog = page.getByRole("dialog", { name: "This page on my phone" });
  await expect(dialog.getByRole("img", { name: `QR code of ${url}` })).toBeVisible();
  await expect(dialog).toContainText("Point the phone’s camera at the code");
  await expect(dialog).not.toContainText(TOKEN);
  const code = () => dialog.locator(".qr-code path").getAttribute("d");
  const without = await code();
  await dialog.getByRole("checkbox", { name: "Include the token in the code" }).check();
  await expect(dialog.locator(".copy-line").first()).toHaveText(`${url}/#t=${TOKEN}`);
  expect(await code()).not.toBe(without);
  await dialog.locator("summary").click();
  await expect(dialog.locator(".plain-http li")).toHaveText([
    "no notifications, and no screen that stays on",
    "no installing as an app",
    "no promise to keep the chats when the disk gets full",
    "tabs don’t know of each other, so closing a page ends its answer",
    "nothing is encrypted: anyone on the network can read it",
  ]);
  await expect(dialog).toContainText("Over HTTPS nothing is missing.");
  // That is what this browser leaves out here, and no more: the page asks it, too.
  const missing = await page.evaluate(() => ({
    isSecureContext,
    notices: "serviceWorker" in navigator,
    screen: "wakeLock" in navigator,
    promise: "storage" in navigator,
    locks: "locks" in navigator,
    journal: "indexedDB" in window,
  }));
  expect(missing).toEqual({ isSecureContext: false, notices: false, screen: false, promise: false, locks: false, journal: true });
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  // Who has no token is told nothing.
  const stranger = await page.request.post(`${url}/api/v1/addresses`, { data: {}, headers: { "Content-Type": "application/json" } });
  expect([stranger.status(), await stranger.text()]).toEqual([401, expect.not.stringContaining("origins")]);

  // What needs a secure page is off and says why; all else goes its way.
  await app.chats.getByRole("button", { name: "Settings" }).click();
  for (const [name, works] of [[/^Notify me/, false], [/^Keep the screen on/, false], [/^Also play a short sound/, true]] as const)
    await expect(page.getByRole("checkbox", { name })).toBeEnabled({ enabled: works });
  await expect(page.getByText("Notifications and keeping the screen on need HTTPS, unless this page is opened on the machine that runs Sash.")).toBeVisible();
  await page.keyboard.press("Escape");
  const library = new Library(page);
  await app.openFromFoot("Storage");
  await expect(library.dialog).toContainText("At most the last second of an answer can be lost");
  // A promise that the browser has no words for is not asked for.
  await expect(library.dialog.getByRole("heading", { name: "When the disk gets full" })).toHaveCount(0);
  await expect(library.button("Ask it to keep them")).toHaveCount(0);
  await library.tab("Export & import").click();
  await expect(library.dialog.getByRole("heading", { name: "Backup" })).toBeVisible();
  await expect(library.button("Choose a folder…"), "browsers give a folder to secure pages alone").toHaveCount(0);
  const saved = page.waitForEvent("download");
  await library.dialog.getByRole("tabpanel").getByRole("button", { name: "Export", exact: true }).click();
  await saved;
});

// Guarded in each run by linger.spec.ts, "a page that has no locks says that an answer ends with it";
// kernel/stores/tests/stores/linger.rs, `without_locks_an_answer_has_no_id_and_ends_with_its_page`.
test("without locks an answer ends with its page, as it is said", { tag: "@all" }, async ({ page, programs, standIn }) => {
  test.skip(!own, "this machine has no address but the loopback, which browsers trust");
  const url = await lan(programs, standIn);
  const app = new ChatPage(page, url);
  await page.goto(`${url}/#t=${TOKEN}`);
  await app.ready();
  await standIn.script([endless()]);
  await app.ask("A story without end, please.");
  await app.streaming();
  await page.goto("about:blank");
  await standIn.disconnected(1);
});

// Guarded in each run by one-time-code.spec.ts, "an address opens one browser, and neither its code nor what it gives
// stays in it".
test("a backup is kept for a page from another machine too", { tag: "@all" }, async ({ page, programs, standIn }) => {
  test.skip(!own, "this machine has no address but the loopback, which browsers trust");
  const folder = await mkdtemp(join(tmpdir(), "sash-lan-"));
  try {
    const port = await freePort();
    const backup = join(folder, "backup");
    const sash = await programs.sash(standIn.url, "--listen", `0.0.0.0:${port}`, "--token", "auto", "--backup", backup);
    // The address has a code for both secrets, and loses it at once.
    expect(sash.url).toMatch(/\/#c=[0-9a-f]{32}$/);
    const app = new ChatPage(page, `http://${own}:${port}`);
    await page.goto(`${app.url}/#${sash.url.split("/#")[1]}`);
    await app.started();
    await app.ready();
    expect(page.url()).toBe(`${app.url}/`);
    await standIn.script(says("It was in Lyon."));
    await app.exchange("Where was the conference?");
    await expect.poll(() => backedUp(backup), { timeout: 15_000 }).toContain("It was in Lyon.");
    await app.openFromFoot("Export");
    await expect(new Library(page).dialog.getByRole("status").filter({ hasText: "Last written" })).toBeVisible();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("copying and new chats work without the secure context's extras", async ({ page, programs, standIn }) => {
  test.skip(!own, "this machine has no address but the loopback, which browsers trust");
  const url = await lan(programs, standIn);
  const app = new ChatPage(page, url);
  // What is said stands for a second or two, and may be gone when this test looks.
  await page.addInitScript(watchAnnouncements);
  const copied = (times: number) => expect.poll(async () => (await app.announced()).filter((said) => said === "Copied").length).toBe(times);
  await page.goto(`${url}/#t=${TOKEN}`);
  await app.ready();
  expect(await page.evaluate(() => [isSecureContext, "clipboard" in navigator, "randomUUID" in crypto])).toEqual([false, false, false]);
  await standIn.script(says("Copy **this**.\n\n```sh\necho hello\n```"));
  await app.exchange("Something to copy");
  await app.inMessage(app.last, "Copy").click();
  await copied(1);
  await app.composer.focus();
  await page.keyboard.press("Control+V");
  await expect(app.composer).toHaveValue("Copy **this**.\n\n```sh\necho hello\n```");
  await app.composer.fill("");
  // Said again, it is heard only once the first has gone.
  await expect.poll(async () => (await app.announced()).at(-1)).toBe("");
  await app.last.getByRole("button", { name: "Copy code" }).click();
  await copied(2);
  await app.composer.focus();
  await page.keyboard.press("Control+V");
  await expect(app.composer).toHaveValue(/^echo hello\n?$/);
  await app.newChat();
  await standIn.script(says("Second."));
  await app.composer.fill("");
  await app.exchange("Another chat");
  expect(Object.keys(await app.stored()).filter((key) => key.startsWith("sash:c:"))).toHaveLength(2);
});
