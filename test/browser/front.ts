/** A server in front of a service: what it answers itself, and that the service is gone, is up to a test. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Loopback } from "./loopback.ts";

export class Front extends Loopback {
  /** Not there: connections break. */
  isDown = false;
  /** Texts of the service that are others here, by path. */
  readonly changes = new Map<string, (text: string) => string>();

  protected answer(incoming: IncomingMessage, reply: ServerResponse): void {
    if (this.isDown) {
      reply.destroy();
      return;
    }
    const change = this.changes.get((incoming.url ?? "/").replace(/\?.*$/s, ""));
    if (!change) {
      this.forward(incoming, reply);
      return;
    }
    // A text is changed as it is, and never reported to be the one of before.
    const headers = { "accept-encoding": "identity", "if-none-match": '"none"' };
    this.forward(incoming, reply, {
      headers,
      answer(answer) {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => {
          const body = change(Buffer.concat(parts).toString());
          const { "content-length": _, etag: __, ...others } = answer.headers;
          reply.writeHead(answer.statusCode ?? 502, others);
          reply.end(body);
        });
      },
    });
  }
}
