// What the tests need of a browser. Puppeteer's objects are such; WebKit's do the same in ./webkit.

export interface Browser {
  /** A profile without cookies, storage and cache. */
  createBrowserContext(): Promise<Profile>;
  close(): Promise<void>;
}

export interface Profile {
  /** Opens an empty tab and brings it to the front. */
  newPage(): Promise<Tab>;
  close(): Promise<void>;
}

export interface Tab {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  /** Runs a function in the page. It sees nothing of this program, returns JSON, and must not be asynchronous. */
  evaluate<T, A extends unknown[]>(work: (...given: A) => T, ...given: A): Promise<T>;
  /** Places are CSS pixels from the viewport's upper left corner. */
  mouse: { move(x: number, y: number): Promise<void>; down(): Promise<void>; up(): Promise<void> };
  /** Keys have their names in the DOM. */
  keyboard: { down(key: string): Promise<void>; up(key: string): Promise<void>; type(text: string): Promise<void> };
  bringToFront(): Promise<void>;
  screenshot(): Promise<Uint8Array>;
}

/** The size of a window: the page gets about 1280 by 800 pixels of it. */
export const WINDOW = { width: 1280, height: 885 };
