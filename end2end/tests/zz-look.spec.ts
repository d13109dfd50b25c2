import { expect, showNotices, test } from "../support/fixtures";
import { openWithMessages } from "../support/log";
import { says } from "../support/standIn";
for (const [w, h] of [[1280, 800], [390, 844], [320, 640]] as const)
  for (const scheme of ["light", "dark"] as const)
    test(`look ${w} ${scheme}`, async ({ app, page, standIn }) => {
      await page.setViewportSize({ width: w, height: h });
      await page.emulateMedia({ colorScheme: scheme });
      const shot = (n: string) => page.screenshot({ path: `/tmp/b/${w}-${scheme}-${n}.png` });
      await openWithMessages(app, 24, { format: "json", recall: { mode: "by_itself", tokens: 512 } }, (n) => ` about the number ${n} of the ${["graph", "lantern", "river", "piano"][n % 4]} and a bit more text to fill the line of it`);
      await standIn.script(says("Fine."));
      await app.exchange("Hello there");
      await showNotices(page);
      await page.waitForTimeout(200);
      await shot("notice");
      await app.edge.focus();
      await page.keyboard.press("ArrowUp");
      await shot("handle");
      await app.composer.fill("What about the lantern and the piano?");
      await page.waitForTimeout(1500);
      await app.windowLine.hover();
      await shot("line");
      await app.windowLine.click();
      await shot("menu");
      const b = (await page.locator(".composer-foot").boundingBox())!;
      console.log(w, scheme, "foot", b.height, "overflow", await page.locator(".composer-foot").evaluate((f) => [f.scrollWidth, f.clientWidth, [...f.children].map((c) => c.className + ":" + Math.round(c.getBoundingClientRect().width)).join(" ")]));
    });
