// Measurements in a real browser, for `cargo xtask bench log answer`. They are no tests: nothing here fails because it is slow.
import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

export default defineConfig({
  ...tests,
  testDir: "bench",
  projects: undefined,
  grepInvert: undefined,
  // One at a time: they take times.
  workers: 1,
  retries: 0,
  timeout: 300_000,
  use: { ...tests.use, trace: "off" },
});
