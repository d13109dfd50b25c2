// An address of this machine in its network, at which a program of loopback answers as if it ran on another machine.
import { createServer, request, type Server } from "node:http";
import { networkInterfaces } from "node:os";

const OWN = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find((address) => address.family === "IPv4" && !address.internal)?.address;

export class OtherMachine {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  /** Passes requests on to the program at `url`, with its own Host, which an Ollama wants. Nothing without a network. */
  static async before(url: string): Promise<OtherMachine | undefined> {
    if (!OWN) return undefined;
    const { hostname, port, host } = new URL(url);
    const server = createServer((asked, answer) => {
      const { method, url: path, headers } = asked;
      const passed = request({ hostname, port, method, path, headers: { ...headers, host } }, (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers);
        answered.on("error", () => answer.destroy());
        answered.pipe(answer);
      });
      passed.on("error", () => answer.destroy());
      // Who goes away is seen to go away.
      answer.on("close", () => passed.destroy());
      asked.pipe(passed);
    });
    await new Promise<void>((done) => server.listen(0, OWN, done));
    const address = server.address();
    return new OtherMachine(`http://${OWN}:${typeof address === "object" && address ? address.port : 0}`, server);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }
}
