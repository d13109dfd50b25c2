// The browser is killed a hundred times while it hands chats over: what was once in the backup is there, and no file is torn.
// A Sash that is killed: tests/native/server/backup_directory.rs.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { backedUp, filesOf, tornCopies } from "../support/backup";
import { Profile } from "../support/browser";
import { ChatPage } from "../support/chatPage";
import { expect, test } from "../support/fixtures";
import { agreeingAgain, chooseFolder } from "../support/folderDialog";
import { Library } from "../support/library";
import { id, record } from "../support/log";
import { freePort } from "../support/programs";
import { Screen } from "../support/screen";

const ROUNDS = 50; // of each kind
const CHATS = 20;
/** How long after the start of the page at most. */
const LATEST_MS = 1500;

let place: string;
test.beforeEach(async () => void (place = await mkdtemp(join(tmpdir(), "sash-kill-"))));
test.afterEach(() => rm(place, { recursive: true, force: true }));

/** The words of a message, which are nowhere else. */
const words = (round: number, chat: number) => `word ${round}-${chat};`;

/** Puts one more message into each chat, as the page itself would have written it, and opens the page. */
async function openWithMore(page: Page, url: string, round: number): Promise<ChatPage> {
  const log: Record<string, string> = {};
  for (let n = 0; n < CHATS; n++) {
    const [chat, own] = [id(0xd000 + n), id(0xe0000 + round * CHATS + n)];
    const content = words(round, n) + " and more".repeat(200);
    const head = { id: chat, title: `Chat ${n}`, created: 1e12, policy: { messages: 3 }, rev: 1 };
    log[`sash:c:${chat}`] = record(head);
    // A question without one before it: what the last kill took leaves no gap.
    log[`sash:m:${chat}:${round.toString(36).padStart(6, "0")}-${own}`] = record({ id: own, seq: round, role: "user", content, created: 1e12 + round });
  }
  await page.goto(`${url}/icon.svg`);
  await page.evaluate((log) => {
    for (const [key, value] of Object.entries(log)) if (!key.startsWith("sash:c:") || !localStorage.getItem(key)) localStorage.setItem(key, value);
  }, log);
  const app = new ChatPage(page, url);
  await app.open();
  return app;
}

/** Kills a browser again and again, some time after it began to hand chats over. `acknowledged` adds what the page was told, if anything tells it. */
async function killAgainAndAgain(profile: Profile, url: string, folder: string, acknowledge: (page: Page, known: Set<string>) => void) {
  const known = new Set<string>();
  const [chats, unwritten] = [join(folder, "chats"), (text: string) => [...known].filter((words) => !text.includes(words))];
  let inBetween = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const page = await profile.start();
    acknowledge(page, known);
    await openWithMore(page, url, round);
    const until = Date.now() + Math.random() * LATEST_MS;
    do {
      // Who reads the folder meanwhile finds no half of a file either.
      expect(await tornCopies(chats), `round ${round}, while it is written`).toEqual([]);
      for (const [found] of (await backedUp(folder)).matchAll(/word \d+-\d+;/g)) known.add(found);
    } while (Date.now() < until);
    await profile.kill();
    expect(await tornCopies(chats), `round ${round}`).toEqual([]);
    const text = await backedUp(folder);
    expect(unwritten(text), `round ${round}`).toEqual([]);
    const written = Array.from({ length: CHATS }, (_, n) => words(round, n)).filter((words) => text.includes(words)).length;
    inBetween += Number(written > 0 && written < CHATS);
  }
  console.log(`${ROUNDS} kills, ${inBetween} of them between two chats; ${known.size} messages`);
  // A start that nobody kills brings everything.
  const page = await profile.start();
  await openWithMore(page, url, ROUNDS + 1);
  const all = Array.from({ length: CHATS }, (_, n) => words(ROUNDS + 1, n));
  await expect.poll(async () => all.filter(((text) => (words) => !text.includes(words))(await backedUp(folder))), { timeout: 20_000 }).toEqual([]);
  expect(unwritten(await backedUp(folder))).toEqual([]);
  expect(await tornCopies(folder)).toEqual([]);
}

test("killed while it writes into the folder of a Sash", { tag: "@all" }, async ({ profile, programs, standIn }) => {
  test.setTimeout(ROUNDS * 12_000);
  const folder = join(place, "backup");
  const sash = await programs.sash(standIn.url, "--backup", folder);
  const app = new ChatPage(await profile.start(), sash.url.split("/#")[0]);
  await app.page.goto(sash.url);
  await app.started();
  // Closed in order it has the key on the disk.
  await expect.poll(() => filesOf(folder).then((files) => Object.keys(files).some((path) => path.startsWith("shelf"))), { timeout: 20_000 }).toBe(true);
  await profile.close();
  await killAgainAndAgain(profile, app.url, folder, (page, known) => {
    page.on("response", (response) => {
      if (!response.url().endsWith("/api/v1/backup_put") || response.status() !== 200) return;
      for (const [found] of (response.request().postData() ?? "").matchAll(/word \d+-\d+;/g)) known.add(found);
    });
  });
});

test("killed while it writes into a folder of the disk", { tag: "@all" }, async ({ launchOptions, programs, standIn }) => {
  test.skip(!Screen.exists, "needs Xvfb");
  test.setTimeout(ROUNDS * 12_000);
  const folder = join(place, "My chats");
  await mkdir(folder);
  const sash = await programs.sash(standIn.url, "--listen", `127.0.0.1:${await freePort()}`);
  const screen = await Screen.start();
  const profile = new Profile(launchOptions.executablePath ?? "chromium", screen.display);
  try {
    let app = new ChatPage(await profile.start(), sash.url);
    await app.open();
    const library = new Library(app.page);
    await app.openFromFoot("Export");
    await chooseFolder(screen, folder, () => library.button("Choose a folder…").click());
    await expect(library.dialog).toContainText("In the folder “My chats” of this device.");
    await profile.close();
    app = new ChatPage(await profile.start(), sash.url);
    await app.open();
    await agreeingAgain(screen, () => app.page.getByRole("button", { name: "Allow it" }).click());
    await expect(app.page.getByRole("button", { name: "Allow it" })).toHaveCount(0);
    await profile.close();
    await killAgainAndAgain(profile, sash.url, folder, () => {});
  } finally {
    await profile.remove();
    await screen.close();
  }
});
