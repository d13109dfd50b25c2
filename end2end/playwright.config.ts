// The real server, a real browser, the stand-in Ollama. `cargo xtask test e2e` builds what is needed and runs this.
import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const executablePath = process.env.SASH_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);

const launchOptions = {
  executablePath,
  args: [
    "--no-sandbox",
    // Nothing but what a test asks for.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
    "--no-proxy-server",
  ],
};

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  // Each worker has a Sash and a stand-in of its own, so files and tests may run side by side.
  fullyParallel: true,
  workers: 2,
  // A test that passes only when tried again is named in the report as flaky.
  retries: process.env.CI ? 2 : 0,
  forbidOnly: !!process.env.CI,
  // Generous: other work on the machine must not fail a test. Waits end as soon as they can.
  timeout: 45_000,
  expect: { timeout: 8_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    colorScheme: "light",
    // Motion is no part of what is tested, and axe must not scan in the middle of it.
    contextOptions: { reducedMotion: "reduce" },
    trace: "retain-on-failure",
    launchOptions,
  },
  projects: [
    { name: "chromium" },
    {
      // Classic scrollbars take room; Playwright hides them. What depends on where things stand runs with them too.
      name: "scrollbars",
      testMatch: /\/(layout|reading|steer)\.spec\.ts$/,
      use: { launchOptions: { ...launchOptions, ignoreDefaultArgs: ["--hide-scrollbars"] } },
    },
  ],
});
