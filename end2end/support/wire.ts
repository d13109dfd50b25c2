// A wire between the page and a Sash that can be cut: what is on it breaks off, and nothing new comes through.
import { createServer, type Server, Socket } from "node:net";

export class Wire {
  private readonly ends = new Set<Socket>();
  private isCut = false;
  private to?: URL;

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** A wire that leads nowhere yet. */
  static async open(): Promise<Wire> {
    const server = createServer();
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const own = typeof address === "object" && address ? address.port : 0;
    const wire = new Wire(`http://127.0.0.1:${own}`, server);
    server.on("connection", (near) => {
      if (wire.isCut || !wire.to) return void near.destroy();
      const far = new Socket().connect(Number(wire.to.port), wire.to.hostname);
      for (const [end, other] of [
        [near, far],
        [far, near],
      ]) {
        wire.ends.add(end);
        end.on("error", () => end.destroy());
        end.on("close", () => {
          wire.ends.delete(end);
          other.destroy();
        });
        end.pipe(other);
      }
    });
    return wire;
  }

  /** Connects it to the program at this address. */
  leadTo(url: string): void {
    this.to = new URL(url);
  }

  cut(): void {
    this.isCut = true;
    for (const end of this.ends) end.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((done) => this.server.close(done));
  }
}
