const { chromium } = require("@playwright/test");
(async () => {
  const b = await chromium.launch({ executablePath: process.env.C, args: ["--no-sandbox"] });
  for (const [n, o, lang, theme] of [["wide", { viewport: { width: 1280, height: 800 } }, "en", "light"], ["phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, "he", "dark"], ["320", { viewport: { width: 320, height: 568 } }, "de", "light"]]) {
    const c = await b.newContext(o); const p = await c.newPage();
    p.on("console", m => console.log(n, m.text())); p.on("pageerror", e => console.log(n, e.message));
    await p.addInitScript(([l, t]) => { localStorage.setItem("sash:language", l); localStorage.setItem("sash:theme", t); }, [lang, theme]);
    await p.goto("http://127.0.0.1:7999/", { waitUntil: "commit" });
    await p.waitForTimeout(600);
    console.log(n, await p.evaluate(() => [document.activeElement.id, performance.getEntriesByName("first-contentful-paint")[0]?.startTime]));
    if (n === "wide") { await p.keyboard.type("A question"); await p.keyboard.press("Enter"); await p.screenshot({ path: "/tmp/o/E-frame/wish.png" }); await p.keyboard.type("more"); console.log(JSON.stringify(await p.inputValue("#shell-prompt")), await p.textContent("#shell-wish")); }
    await p.screenshot({ path: `/tmp/o/E-frame/${n}.png` });
    await c.close();
  }
  await b.close();
})();
