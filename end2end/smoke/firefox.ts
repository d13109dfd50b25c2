// Firefox, driven by WebDriver BiDi.
import { existsSync } from "node:fs";
import puppeteer, { type Browser, type BrowserContext, type KeyInput, type Page } from "puppeteer-core";
import { type Engine, type Profile, SIZE, type Tab } from "./tab";

const PROGRAM = process.env.SASH_FIREFOX ?? ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find(existsSync);

/** Starts Firefox without a window. */
export async function firefox(): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: PROGRAM,
    headless: true,
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
  return new Firefox(browser);
}

class Firefox implements Engine {
  constructor(private readonly browser: Browser) {}

  async profile(): Promise<Profile> {
    return new Container(await this.browser.createBrowserContext());
  }

  stop(): Promise<void> {
    return this.browser.close();
  }
}

class Container implements Profile {
  constructor(private readonly context: BrowserContext) {}

  async tab(): Promise<Tab> {
    const page = await this.context.newPage();
    await page.setViewport(SIZE).catch((error: Error) => {
      // Puppeteer also sends the screen's orientation, a command that Firefox 140 does not know.
      if (!error.message.includes("unknown command")) throw error;
    });
    return new FirefoxTab(page);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

class FirefoxTab implements Tab {
  constructor(private readonly page: Page) {}

  async open(url: string): Promise<void> {
    await this.page.goto(url);
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  run<T, A extends unknown[]>(work: (...given: A) => T, ...given: A): Promise<T> {
    return this.page.evaluate(work as (...given: unknown[]) => T, ...given) as Promise<T>;
  }

  move(x: number, y: number): Promise<void> {
    return this.page.mouse.move(x, y);
  }

  down(): Promise<void> {
    return this.page.mouse.down();
  }

  up(): Promise<void> {
    return this.page.mouse.up();
  }

  async press(chord: string): Promise<void> {
    const keys = chord.split("+") as KeyInput[];
    for (const key of keys) await this.page.keyboard.down(key);
    for (const key of keys.reverse()) await this.page.keyboard.up(key);
  }

  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  show(): Promise<void> {
    return this.page.bringToFront();
  }

  async picture(): Promise<Buffer> {
    return Buffer.from(await this.page.screenshot());
  }
}
