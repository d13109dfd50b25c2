// The real server, a real browser, the stand-in Ollama. `cargo xtask test e2e` builds what is needed and runs this.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig } from "@playwright/test";

/** Whether tests run in full: `cargo xtask test --all`. */
const all = process.env.SASH_TESTS === "all";

const chromium = process.env.SASH_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
/** The same browser without windows, of which each takes more time than most tests; used where it is installed beside it. */
const shell = chromium && join(dirname(chromium), "chromium-headless-shell");
const executablePath = !all && shell && existsSync(shell) ? shell : chromium;

const launchOptions = {
  executablePath,
  args: [
    "--no-sandbox",
    // The zygote takes a tenth of a run's time to wait for the ends of its children.
    "--no-zygote",
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
  // What is exhaustive, or waits for real time to pass, has the tag @all.
  grepInvert: all ? undefined : /@all/,
  // A test that passes only when it is tried again is a fault, of it or of the page: at home it fails. In CI it is
  // tried once more, and the report names it.
  retries: process.env.CI ? 1 : 0,
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
    // A trace is recorded of tests that pass, too, and takes a quarter of their time: SASH_TRACE=1 asks for it.
    trace: process.env.SASH_TRACE ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
    launchOptions,
  },
  projects: [
    { name: "chromium" },
    {
      // Classic scrollbars take room; Playwright hides them. What depends on where things stand runs with them too,
      // by default a test of each of its files.
      name: "scrollbars",
      testMatch: /\/(first-words|layout|reading|steer)\.spec\.ts$/,
      grep: all ? undefined : /@scrollbars/,
      use: { launchOptions: { ...launchOptions, ignoreDefaultArgs: ["--hide-scrollbars"] } },
    },
  ],
});
