/** A server in front of a service, on a port of its own: what it does not answer itself goes on to the service. */
import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

export abstract class Loopback {
  url = "";
  readonly #behind: string;
  readonly #server = createServer((incoming, reply) => this.answer(incoming, reply));

  /** `behind`: address of the service. */
  constructor(behind: string) {
    this.#behind = behind;
  }

  protected abstract answer(incoming: IncomingMessage, reply: ServerResponse): void;

  /** `take`: receives the answer of the service, which is passed on as it is without it. */
  protected forward(
    incoming: IncomingMessage,
    reply: ServerResponse,
    take?: { headers: IncomingHttpHeaders; answer(answer: IncomingMessage): void },
  ): void {
    const { method, url, headers } = incoming;
    const how = { method, headers: { ...headers, ...take?.headers } };
    const onward = request(`${this.#behind}${url}`, how, (answer) => {
      if (take) {
        take.answer(answer);
        return;
      }
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    onward.on("error", () => reply.destroy());
    incoming.pipe(onward);
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
