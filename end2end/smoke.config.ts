// A smoke test in the browsers that Playwright does not drive: Firefox and WebKit as they are packaged. `cargo xtask test smoke` runs it.
import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

export default defineConfig<object, { engineName: "firefox" | "webkit" }>({
  ...tests,
  testDir: "smoke",
  outputDir: "test-results/smoke",
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {},
  projects: [
    { name: "firefox", use: { engineName: "firefox" } },
    { name: "webkit", use: { engineName: "webkit" } },
  ],
});
