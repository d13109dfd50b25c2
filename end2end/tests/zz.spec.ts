import { expect, test } from "../support/fixtures";
import { says } from "../support/standIn";
test("zz not found", async ({ app, page }) => {
  await app.openReady();
  const answer = await page.goto(new URL("/nonsense", page.url()).href);
  expect(answer!.status()).toBe(404);
  await expect(page.getByRole("heading")).toHaveText("Nothing is at this address");
  await page.screenshot({ path: "/tmp/h_nf.png" });
  await page.getByRole("link").click();
  await expect(app.composer).toBeVisible();
});
test("zz settings", async ({ app, page }) => {
  await app.openReady();
  for (const [w, s] of [[1280, "light"], [390, "dark"]] as const) {
    await page.setViewportSize({ width: w, height: 900 });
    await page.emulateMedia({ colorScheme: s });
    await page.goto(new URL("/settings", page.url()).href);
    await page.getByLabel("System prompt").scrollIntoViewIfNeeded();
    await page.screenshot({ path: `/tmp/h_set_${w}.png` });
  }
});
