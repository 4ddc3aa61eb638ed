/** A server in front of a service: what it answers itself, and that the service is gone, is up to a test. */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export class Front {
  url = "";
  /** Not there: connections break. */
  isDown = false;
  /** Texts of the service that are others here, by path. */
  readonly changes = new Map<string, (text: string) => string>();
  readonly #server = createServer((incoming, reply) => {
    if (this.isDown) {
      reply.destroy();
      return;
    }
    const { method, url = "/", headers } = incoming;
    const change = this.changes.get(url.replace(/\?.*$/s, ""));
    // A text is changed as it is, and never said to be the one of before.
    const own_headers = change
      ? { ...headers, "accept-encoding": "identity", "if-none-match": '"none"' }
      : headers;
    const onward = request(`${this.#behind}${url}`, { method, headers: own_headers }, (answer) => {
      if (!change) {
        reply.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(reply);
        return;
      }
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const body = change(Buffer.concat(parts).toString());
        const { "content-length": _, etag: __, ...kept } = answer.headers;
        reply.writeHead(answer.statusCode ?? 502, kept);
        reply.end(body);
      });
    });
    onward.on("error", () => reply.destroy());
    incoming.pipe(onward);
  });
  readonly #behind: string;

  constructor(behind: string) {
    this.#behind = behind;
  }

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
