/**
 * Two connections and 130 kB shut the API for all callers. Each asked for a large asset, did not
 * read it, and had sent two thousand further requests behind it. All of them counted as in flight
 * until the client read, there was no bound on any of it, and every other caller was refused as
 * overload.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { type Exposition, readExposition, sumOf } from "../support/exposition.ts";
import type { Service } from "../../src/main/service.ts";
import {
  type Client,
  createClient,
  createFolder,
  removeFolder,
  start,
} from "../integration/service/support.ts";

const READ_BYTES = 65_536;
const NEARBY = "/v1/nearby?lat=48.8566&lon=2.3522&limit=5";

test("two connections that pipeline and never read leave others their answers", async (t) => {
  const { service, client, stored } = await startEnforced(t);
  const port = Number(new URL(service.url).port);
  const asset = await findAsset(client, service.url);
  for (let each = 0; each < 2; each++) stored.push(await holdPipeline(port, asset));
  await assertServed(client, service);
  assert.equal(sumOf(await scrape(client, service.admin_url), "svc_http_inflight"), 0);
});

test("bodies that never come leave others their answers", async (t) => {
  const { service, client, stored } = await startEnforced(t);
  const port = Number(new URL(service.url).port);
  // More than may be in flight, and few of each address, so that no bound on addresses is met.
  for (let each = 0; each < 1_200; each++)
    stored.push(holdBody(port, `127.${20 + (each % 20)}.0.${each % 10}`));
  await Promise.all(stored.map((socket) => once(socket, "connect")));
  await untilJudged(client, service.admin_url, stored.length);
  await assertServed(client, service);
});

/** A machine that is busy with other things may refuse some for its delay, and none for the held. */
async function assertServed(
  client: Client,
  { url, admin_url }: Pick<Service, "url" | "admin_url">,
): Promise<void> {
  let served = 0;
  for (let turn = 0; turn < 40 && served < 5; turn++) {
    const { status } = await client.call(`${url}${NEARBY}`);
    if (status === 200) served++;
    else await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const seen = await scrape(client, admin_url);
  assert.equal(sumOf(seen, "svc_shed_total", { reason: "inflight" }), 0);
  assert.equal(served, 5);
}

async function startEnforced(t: TestContext) {
  const data_dir = await createFolder();
  const client = createClient();
  t.after(client.close);
  const { service } = await start({ data_dir, variables: { VICINITY_ENFORCE_LIMITS: "1" } });
  const stored: Socket[] = [];
  t.after(async () => {
    for (const socket of stored) socket.destroy();
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  });
  return { service, client, stored };
}

async function findAsset(client: Client, url: string): Promise<string> {
  const { text } = await client.call(`${url}/`);
  const [folder] = /\/assets\/[0-9a-f]+/.exec(text) ?? assert.fail(text);
  return `${folder}/world/50m.json`;
}

/** As much as the server reads at once; resolves when the answer to the first begins to arrive. */
async function holdPipeline(port: number, asset: string): Promise<Socket> {
  const first = `GET ${asset} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const next = "GET /status HTTP/1.1\r\nHost: x\r\n\r\n";
  const count = Math.floor((READ_BYTES - first.length) / next.length);
  const socket = hold(port, "127.9.0.1");
  socket.write(first + next.repeat(count));
  // Fills the buffer of the socket once.
  await once(socket, "readable");
  return socket;
}

function holdBody(port: number, from: string): Socket {
  const socket = hold(port, from);
  const fields = "Host: x\r\nContent-Type: application/json\r\nContent-Length: 10";
  socket.write(`POST /v1/capabilities HTTP/1.1\r\n${fields}\r\n\r\n{`);
  return socket;
}

/** Reads nothing. */
function hold(port: number, from: string): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.on("error", () => {}).pause();
  return socket;
}

async function scrape(client: Client, admin_url: string): Promise<Exposition> {
  return readExposition((await client.call(`${admin_url}/metrics`)).text);
}

/** Waits until `count` requests were let in or refused. */
async function untilJudged(client: Client, admin_url: string, count: number): Promise<void> {
  const judged = async (): Promise<number> => {
    const seen = await scrape(client, admin_url);
    const admitted = sumOf(seen, "svc_ratelimit_total", { decision: "admitted" });
    return (admitted ?? 0) + (sumOf(seen, "svc_shed_total") ?? 0);
  };
  for (let turn = 0; turn < 400 && (await judged()) < count; turn++)
    await new Promise((resolve) => setTimeout(resolve, 5));
}
