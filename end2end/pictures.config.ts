// Makes the pictures of the README and of docs/gallery: `npx playwright test --config pictures.config.ts`. They are no tests, so no other
// run makes them.
import { defineConfig } from "@playwright/test";
import tests from "./playwright.config";

export default defineConfig({ ...tests, testDir: "pictures", projects: undefined });
