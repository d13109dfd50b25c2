// Which Sash runs, what is new in it, and a page that is older than the program.
import type { Page } from "@playwright/test";
import { expect, test } from "../support/fixtures";
import { endless } from "../support/standIn";

/** Lets a test replace the program that serves the page, as far as the page hears of it: by that version, or again by the real one. */
async function withUpgrades(page: Page): Promise<(version?: string) => Promise<void>> {
  let version: string | undefined;
  await page.route("**/api/v1/state", async (route) => {
    const response = await route.fetch();
    const state = (await response.json()) as { program: object };
    const program = version ? { version, page: `/sash-${version}_bg.wasm` } : state.program;
    await route.fulfill({ response, json: { ...state, program } });
  });
  return async (next) => {
    version = next;
    const told = page.waitForResponse("**/api/v1/state");
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await told;
  };
}

test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

for (const width of [1280, 390]) {
  test.describe(`at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } });

    test("the settings say which Sash runs and show what is new in it, and nothing is asked of the network", async ({ app, page }) => {
      await app.openReady();
      await page.goto(`${app.url}/settings`);
      const about = page.getByRole("dialog", { name: "Settings" }).getByRole("region", { name: "About Sash" });
      await expect(about).toContainText(/sash \d+\.\d+\.\d+/);
      await expect(about.getByRole("button", { name: "Copy the version" })).toBeVisible();
      await expect(about).toContainText("Sash never looks for updates.");
      await expect(about.getByRole("button", { name: "Reload" })).toHaveCount(0);
      const link = about.getByRole("link", { name: "See all versions on the web" });
      await expect(link).toHaveAttribute("href", /^https:\/\/.+\/releases$/);
      await expect(link).toHaveAttribute("rel", "noopener noreferrer");

      await expect(about.getByRole("heading", { name: "Added" })).toHaveCount(0);
      await about.getByText("What’s new").click();
      await expect(about.getByRole("heading", { name: /^(Unreleased|\d+\.\d+\.\d+)/ }).first()).toBeVisible();
      await expect(about.getByRole("heading", { name: "Added" }).first()).toBeVisible();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    });

    test("a page that stayed open over an upgrade says so when a reload loses nothing, and the draft is there after it", async ({ app, page, standIn }) => {
      const upgrade = await withUpgrades(page);
      await app.openReady();
      await standIn.script([endless()]);
      await app.ask("A long story");
      await app.streaming();
      await app.composer.fill("And then?");
      await upgrade("9.9.9");
      const line = page.getByText("Sash has been updated.");
      const reload = page.getByRole("button", { name: "Reload", exact: true });
      await expect(line).toHaveCount(0);
      await app.stop.click();
      await expect(line).toBeVisible();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await Promise.all([page.waitForEvent("load"), reload.click()]);
      await app.started();
      await expect(app.composer).toHaveValue("And then?");
      await expect(app.messages).toHaveCount(2);
      await upgrade();
      await expect(line).toHaveCount(0);
    });
  });
}

test("the line is closed for this upgrade and the settings still offer the reload", async ({ app, page }) => {
  const upgrade = await withUpgrades(page);
  await app.openReady();
  await upgrade("9.9.9");
  const line = page.getByText("Sash has been updated. Reload");
  await expect(line).toBeVisible();
  await page.locator(".banner").getByRole("button", { name: "Close", exact: true }).click();
  await expect(line).toHaveCount(0);
  await app.chats.getByRole("button", { name: "Settings" }).click();
  const about = page.getByRole("dialog", { name: "Settings" }).getByRole("region", { name: "About Sash" });
  await expect(about).toContainText("sash 9.9.9");
  await expect(about).toContainText("This page is still the old one.");
  await expect(about.getByRole("button", { name: "Reload" })).toBeVisible();
  await page.keyboard.press("Escape");
  // The next one is announced again.
  await upgrade("9.9.10");
  await expect(line).toBeVisible();
});

test("a changelog that could not be read is read at a second try", async ({ app, page }) => {
  await app.openReady();
  await page.goto(`${app.url}/settings`);
  const about = page.getByRole("dialog", { name: "Settings" }).getByRole("region", { name: "About Sash" });
  await page.route("**/api/v1/changelog", (route) => route.fulfill({ status: 502, body: "" }));
  await about.getByText("What’s new").click();
  await expect(about.getByRole("alert")).toBeVisible();
  await page.unroute("**/api/v1/changelog");
  await about.getByRole("button", { name: "Try again" }).click();
  await expect(about.getByRole("heading", { name: "Added" }).first()).toBeVisible();
  await expect(about.getByRole("alert")).toHaveCount(0);
});
