/**
 * One bound counted the event streams of all callers. Callers without a key, from 17 blocks of
 * addresses with 32 streams each, opened 499 of 500 at no cost, and a paying key got "Subscription
 * limit reached" for as long as they stayed. Half of the streams are for keys now, and where all are
 * taken the oldest one without a key, of the block that has most, ends for a new one.
 */
import assert from "node:assert/strict";
import { Agent, type IncomingMessage, request } from "node:http";
import { test, type TestContext } from "node:test";
import { BOUNDS_OF_ALL } from "#core/limits/bounds-of-all.ts";
import { RPC_HEADERS, toRpc } from "../support/mcp.ts";
import { toStateless } from "../support/mcp-server.ts";
import { bearer, makeKey, openService, PARIS } from "../integration/access/support.ts";
import { readExposition, sumOf } from "../support/exposition.ts";

const METHOD = "subscriptions/listen";

type Opened = { isStream: boolean; text: () => string; ended: Promise<void> };

/** Listens for changes of a station from an address, as long as the test goes on. */
function createListener(t: TestContext, { url, station }: { url: string; station: string }) {
  const agent = new Agent();
  t.after(() => agent.destroy());
  const { params, headers } = toStateless(METHOD, {
    notifications: { resourceSubscriptions: [`vicinity:///v1/stations/${station}`] },
  });
  return (localAddress: string, more: Record<string, string> = {}): Promise<Opened> =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}/mcp`, {
        ...{ method: "POST", agent, localAddress },
        headers: { ...RPC_HEADERS, ...headers, ...more, "x-forwarded-for": localAddress },
      });
      sent.on("error", reject);
      sent.on("response", (reply: IncomingMessage) => {
        let text = "";
        const over = Promise.withResolvers<void>();
        reply.on("data", (chunk: Buffer) => (text += chunk.toString()));
        reply.on("error", () => over.resolve());
        reply.on("close", () => over.resolve());
        t.after(() => reply.destroy());
        const isStream = reply.headers["content-type"] === "text/event-stream";
        resolve({ isStream, text: () => text, ended: over.promise });
      });
      sent.end(toRpc(METHOD, params));
    });
}

test("streams of seventeen blocks leave a key its own", async (t) => {
  const { url, accounts, service } = await openService(t);
  const nearby = await fetch(`${url}/v1/nearby?${PARIS}&include=stations&limit=1`);
  const body = (await nearby.json()) as { results: { stations: { id: string }[] } };
  const [first] = body.results.stations;
  const listen = createListener(t, { url, station: first!.id });
  const opened: Opened[] = [];
  for (let block = 1; block <= 17; block++)
    for (let host = 1; host <= 8; host++)
      for (let each = 0; each < 4; each++) opened.push(await listen(`127.${block}.0.${host}`));
  const streams = async (): Promise<number | null> => {
    const text = await (await fetch(`${service.admin_url}/metrics`)).text();
    return sumOf(readExposition(text), "svc_mcp_watched", { what: "streams" });
  };
  const most = BOUNDS_OF_ALL.streams.most / 2;
  assert.equal(await streams(), most, "those without a key have their half");
  // The blocks have about as many each: none was shut out by those that came before.
  assert.ok(opened.slice(-32).some(({ isStream }) => isStream));

  const { key } = makeKey(accounts, { plan: "business" });
  const keyed = await listen("127.99.0.1", bearer(key));
  assert.equal(keyed.isStream, true, keyed.text());
  assert.equal(await streams(), most + 1);
  const late = await listen("127.50.0.1");
  assert.equal(late.isStream, true, "nor is another block");
  assert.equal(await streams(), most + 1);
  // One of the largest block has ended for it, as a stream ends that has lasted its time.
  const ends = opened.filter(({ isStream }) => isStream).map(({ ended, text }) => ended.then(text));
  assert.match(await Promise.race(ends), /"result"/);
});
