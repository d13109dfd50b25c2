// Firefox, driven by WebDriver BiDi.
import { existsSync } from "node:fs";
import puppeteer from "puppeteer-core";
import { type Browser, WINDOW } from "./browser";

const PROGRAM = process.env.SASH_FIREFOX ?? ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync);

/** Starts Firefox without a window. */
export async function firefox(): Promise<Browser> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: PROGRAM,
    headless: true,
    // Puppeteer sets a viewport by a command that not every Firefox knows.
    defaultViewport: null,
    args: [`--width=${WINDOW.width}`, `--height=${WINDOW.height}`],
    extraPrefsFirefox: {
      // Motion is no part of what is tested.
      "ui.prefersReducedMotion": 1,
      // A mouse: fine, and able to hover.
      "ui.primaryPointerCapabilities": 6,
      "ui.allPointerCapabilities": 6,
      "intl.accept_languages": "en-GB",
      // The pages are on this machine.
      "network.proxy.type": 0,
    },
  });
  return browser as unknown as Browser;
}
