/** What the shipped balancer keeps from the service: false addresses, and clients that hold too much. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { startBalancer, WITHOUT } from "./balancer.ts";
import { eventually } from "./support.ts";
import { HANG_MS } from "../../support/size.ts";

const BIG = Buffer.alloc(64 * 1024 * 1024);
const PER_ADDRESS = 256;

/** Answers what it is asked of addresses; `begun`: requests that arrived. */
async function startBackend(t: TestContext) {
  const seen = { begun: 0, open: 0 };
  const server = createServer((request, response) => {
    if (request.url === "/readyz") return void response.end();
    seen.begun++;
    if (request.url === "/big") return void response.end(BIG);
    if (request.url === "/slow") return void setTimeout(() => response.end(), 2_500);
    request.resume();
    response.end(JSON.stringify(request.headersDistinct["x-forwarded-for"]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { seen, behind: { port, admin_port: port } };
}

async function start(t: TestContext, changes: Record<string, string> = {}) {
  const { seen, behind } = await startBackend(t);
  const replicas = ["vicinity-a", "vicinity-b"].map((name) => ({ name, ...behind }));
  const { url } = await startBalancer(t, replicas, changes);
  const port = Number(new URL(url).port);
  const isUp = async (): Promise<true | null> =>
    (await ask(port, "/").catch(() => null))?.status === 200 ? true : null;
  await eventually(isUp, { within_ms: HANG_MS, what: "the balancer" });
  return { port, seen };
}

function ask(
  port: number,
  path: string,
  { from = "127.0.0.1", headers = {} }: { from?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { port, path, headers, host: "127.0.0.1", localAddress: from, agent: false };
    get(options, (reply) => {
      let text = "";
      reply.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text }));
      reply.on("error", reject);
    }).on("error", reject);
  });
}

function open(t: TestContext, port: number, from: string): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from }).on("error", () => {});
  t.after(() => socket.destroy());
  return socket;
}

test(
  "the service receives the address of the client, and nothing that the client claims",
  { skip: WITHOUT },
  async (t) => {
    const { port } = await start(t);
    const claims = { "X-Forwarded-For": "192.0.2.7, 172.30.77.1" };
    const { text } = await ask(port, "/", { from: "127.4.0.1", headers: claims });
    assert.deepEqual(JSON.parse(text), ["127.4.0.1"]);
  },
);

test(
  "an address has a bounded number of connections at once, and others have their own",
  { skip: WITHOUT },
  async (t) => {
    const { port } = await start(t);
    let closed = 0;
    for (let each = 0; each < PER_ADDRESS + 44; each++)
      open(t, port, "127.4.0.1")
        .resume()
        .once("close", () => closed++);
    const refused = (): Promise<true | null> => Promise.resolve(closed === 44 ? true : null);
    await eventually(refused, { within_ms: HANG_MS, what: "44 refusals" });
    await assert.rejects(ask(port, "/", { from: "127.4.0.1" }));
    assert.equal((await ask(port, "/", { from: "127.4.0.2" })).status, 200);
  },
);

test(
  "a client that does not read, or does not send its body, is let go; one that waits is not",
  { skip: WITHOUT },
  async (t) => {
    const { port, seen } = await start(t, {
      "timeout client 20s": "timeout client 1s",
      "timeout http-request 10s": "timeout http-request 1s",
    });
    const waiting = ask(port, "/slow");
    const stalled = open(t, port, "127.4.0.1");
    stalled.write("GET /big HTTP/1.1\r\nHost: x\r\n\r\n");
    // Fills the buffer of the socket once.
    await once(stalled, "readable");
    const half = open(t, port, "127.4.0.1");
    half.write("POST /half HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{");
    const [first] = (await once(half, "data")) as [Buffer];
    assert.match(String(first), /^HTTP\/1\.1 408 /);
    assert.equal((await waiting).status, 200);
    // By now it has been waited for twice as long, and what is left to read is what was on its way.
    let read = 0;
    stalled.on("data", (chunk: Buffer) => (read += chunk.length));
    await once(stalled, "close");
    assert.ok(read < BIG.length, `${read} bytes`);
    assert.equal(seen.begun, 3, "the health question, the slow one and the big one");
  },
);
