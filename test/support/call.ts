/** One request over a real socket to a server that listens only for it. */
import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Listener } from "#http/listener.ts";

export type Call = {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  payload?: string;
};

export type Called = {
  statusCode: number;
  headers: IncomingHttpHeaders;
  rawPayload: Buffer;
  payload: string;
  json(): unknown;
};

export async function call(app: Listener, query: Call): Promise<Called> {
  if (!app.server.listening) await app.listen({ host: "127.0.0.1", port: 0 });
  // A test ends with its last line, whether or not it closes its server.
  app.server.unref();
  const { port } = app.server.address() as AddressInfo;
  const { url, method = "GET", headers = {}, payload } = query;
  const sent = request({ host: "127.0.0.1", port, path: url, method, headers, agent: false });
  sent.end(payload);
  const [reply] = (await once(sent, "response")) as [IncomingMessage];
  const rawPayload = await buffer(reply);
  return {
    statusCode: reply.statusCode!,
    headers: reply.headers,
    rawPayload,
    payload: rawPayload.toString(),
    json: () => JSON.parse(rawPayload.toString()) as unknown,
  };
}
