// A screen that nobody sees, for what a browser shows outside of its pages: the dialog of the system that chooses a folder,
// and the browser's own questions. They are answered by keys, as by a person without a mouse.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect, type Socket } from "node:net";
import type { Readable } from "node:stream";

const XVFB = "/usr/bin/Xvfb";

/** Keys without a character: https://www.x.org/releases/X11R7.7/doc/xproto/x11protocol.html#keysym_encoding */
const KEYS: Record<string, number> = { Tab: 0xff09, Enter: 0xff0d, Escape: 0xff1b, Space: 0x20 };
const SHIFT = 0xffe1;

interface Window {
  id: number;
  title: string;
}

/** An Xvfb, and a connection to it that presses keys (the extension XTEST). */
export class Screen {
  /** Whether this machine has what it needs. */
  static readonly exists = existsSync(XVFB);

  private keycodes = new Map<number, { code: number; shifted: boolean }>();
  private root = 0;
  private xtest = 0;
  private received = Buffer.alloc(0);
  private wanted?: { of: (data: Buffer) => number | undefined; done: (data: Buffer) => void };

  private constructor(
    readonly display: string,
    private readonly child: ChildProcess,
    private readonly socket: Socket,
  ) {
    socket.on("data", (data) => {
      this.received = Buffer.concat([this.received, data]);
      this.deliver();
    });
  }

  static async start(): Promise<Screen> {
    const child = spawn(XVFB, ["-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
    const number = await new Promise<string>((done, fail) => {
      child.once("error", fail);
      child.once("exit", (code) => fail(new Error(`Xvfb ended with ${code}`)));
      (child.stdio[3] as Readable).once("data", (data: Buffer) => done(data.toString().trim()));
    });
    const socket = connect(`/tmp/.X11-unix/X${number}`);
    await new Promise<void>((done, fail) => socket.once("connect", done).once("error", fail));
    const screen = new Screen(`:${number}`, child, socket);
    await screen.open();
    return screen;
  }

  async close(): Promise<void> {
    this.socket.destroy();
    const ended = new Promise((done) => this.child.once("exit", done));
    this.child.kill();
    await ended;
  }

  /** The windows that are shown, the one in front last. */
  async windows(): Promise<Window[]> {
    const tree = await this.ask(15, 0, words(this.root));
    const ids = Array.from({ length: tree.readUInt16LE(16) }, (_, n) => tree.readUInt32LE(32 + 4 * n));
    const shown: Window[] = [];
    for (const id of ids) {
      const attributes = await this.ask(3, 0, words(id)).catch(() => undefined);
      if (attributes?.[26] === 2) shown.push({ id, title: await this.title(id) });
    }
    return shown;
  }

  /** Lets a window have what is pressed. */
  focus(window: Window): void {
    this.send(42, 1, words(window.id, 0));
  }

  /** Presses a key. */
  press(name: string): void {
    this.stroke(KEYS[name] ?? name.codePointAt(0)!);
  }

  /** Types a text of ASCII. */
  type(text: string): void {
    for (const letter of text) this.stroke(letter.codePointAt(0)!);
  }

  private stroke(keysym: number): void {
    const key = this.keycodes.get(keysym);
    if (!key) throw new Error(`no key for ${keysym.toString(16)}`);
    const shift = this.keycodes.get(SHIFT)!.code;
    if (key.shifted) this.fake(2, shift);
    this.fake(2, key.code);
    this.fake(3, key.code);
    if (key.shifted) this.fake(3, shift);
  }

  /** Clicks what is at a place of the screen. */
  click(x: number, y: number): void {
    const event = Buffer.alloc(32);
    event[0] = 6;
    event.writeUInt32LE(this.root, 8);
    event.writeInt16LE(x, 20);
    event.writeInt16LE(y, 22);
    this.send(this.xtest, 2, event);
    this.fake(4, 1);
    this.fake(5, 1);
  }

  /** Where a window is: its left, upper, right and lower edge. */
  async edges(window: Window): Promise<[number, number, number, number]> {
    const found = await this.ask(14, 0, words(window.id));
    const [x, y] = [found.readInt16LE(12), found.readInt16LE(14)];
    return [x, y, x + found.readUInt16LE(16), y + found.readUInt16LE(18)];
  }

  /** The colour at a place of the screen. */
  async colour(x: number, y: number): Promise<number> {
    const place = Buffer.alloc(8);
    [x, y, 1, 1].forEach((value, n) => place.writeUInt16LE(value, 2 * n));
    const image = await this.ask(73, 2, Buffer.concat([words(this.root), place, words(0xffffffff)]));
    return image.readUInt32LE(32) & 0xffffff;
  }

  private fake(type: number, code: number): void {
    const event = Buffer.alloc(32);
    event[0] = type;
    event[1] = code;
    this.send(this.xtest, 2, event);
  }

  private async title(window: number): Promise<string> {
    // WM_NAME, whatever its type is.
    const found = await this.ask(20, 0, words(window, 39, 0, 0, 256)).catch(() => undefined);
    return found?.subarray(32, 32 + found.readUInt32LE(16)).toString() ?? "";
  }

  private async open(): Promise<void> {
    const hello = Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    this.socket.write(hello);
    const setup = await this.next((data) => (data.length >= 8 ? 8 + 4 * data.readUInt16LE(6) : undefined));
    if (setup[0] !== 1) throw new Error("Xvfb lets nobody in");
    const padded = (length: number) => (length + 3) & ~3;
    const screens = 40 + padded(setup.readUInt16LE(24)) + 8 * setup[29];
    this.root = setup.readUInt32LE(screens);
    const [first, last] = [setup[34], setup[35]];
    const name = Buffer.from("XTEST\0\0\0");
    this.xtest = (await this.ask(98, 0, Buffer.concat([Buffer.from([5, 0, 0, 0]), name])))[9];
    const mapping = await this.ask(101, 0, Buffer.from([first, last - first + 1, 0, 0]));
    const each = mapping[1];
    for (let code = last; code >= first; code--) {
      for (const column of [1, 0]) {
        const keysym = mapping.readUInt32LE(32 + 4 * ((code - first) * each + column));
        if (keysym) this.keycodes.set(keysym, { code, shifted: column === 1 });
      }
    }
  }

  private send(opcode: number, detail: number, body: Buffer): void {
    const head = Buffer.from([opcode, detail, 0, 0]);
    head.writeUInt16LE((head.length + body.length) / 4, 2);
    this.socket.write(Buffer.concat([head, body]));
  }

  /** Sends a request, and gives its reply: one at a time. */
  private async ask(opcode: number, detail: number, body: Buffer): Promise<Buffer> {
    this.send(opcode, detail, body);
    for (;;) {
      const data = await this.next((data) => (data.length >= 32 ? 32 + (data[0] === 1 ? 4 * data.readUInt32LE(4) : 0) : undefined));
      // A window may be gone by now. Events are of no interest.
      if (data[0] === 0) throw new Error(`X refuses ${opcode}: ${data[1]}`);
      if (data[0] === 1) return data;
    }
  }

  private next(of: (data: Buffer) => number | undefined): Promise<Buffer> {
    return new Promise((done) => {
      this.wanted = { of, done };
      this.deliver();
    });
  }

  private deliver(): void {
    const length = this.wanted?.of(this.received);
    if (!this.wanted || length === undefined || this.received.length < length) return;
    const data = this.received.subarray(0, length);
    this.received = this.received.subarray(length);
    const { done } = this.wanted;
    this.wanted = undefined;
    done(data);
  }
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, n) => bytes.writeUInt32LE(value, 4 * n));
  return bytes;
}
