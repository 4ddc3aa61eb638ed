/** The process of bare.ts: `node bare-server.ts BYTES [SHARED_URL]`, which reports its port. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openWaits } from "./waits.ts";

const [bytes, shared_url] = process.argv.slice(2);
const body = Buffer.alloc(Number(bytes), "x");
const waits = shared_url === undefined ? null : openWaits(shared_url);
const send = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/plain", "content-length": body.length });
  response.end(body);
};
const server = createServer((_request, response) => {
  if (waits === null) send(response);
  else void waits.wait().then(() => send(response));
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));
process.once("disconnect", () => {
  waits?.close();
  process.exit();
});
