/**
 * The limiter counted requests, and questions differ by four hundred times in what they take: one
 * address at its legal five a second took 19 % of a core, and ten addresses of one /24 took 62 % of
 * the serving thread, with questions of 15 to 40 ms. Two such blocks would have filled it. A request
 * now counts as one more for each whole 2 ms of the thread that its answer took.
 */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { ServingThread } from "#http/serving.ts";
import { RPC_HEADERS, toRpc } from "../support/mcp.ts";
import { call } from "../support/call.ts";
import { okReply, stubServer, type StubOptions } from "../support/server.ts";
import { readAddressKeys } from "../support/address.ts";

/** A server on which each answer takes `ms` of the thread, and callers of whatever address is set. */
function open(t: TestContext, ms: number, more: StubOptions = {}) {
  const time = { now_ms: 0 };
  const state = { from: "192.0.2.1" };
  const take = (): void => void (time.now_ms += ms);
  const { app } = stubServer({
    quiet: true,
    serving: new ServingThread(() => time.now_ms),
    gate: {
      enforced: true,
      addressOf: () => readAddressKeys(state.from) ?? assert.fail(state.from),
    },
    nearby() {
      take();
      return okReply();
    },
    mcp: async (_message, passage) => {
      // A tool that runs two operations, each with a wait before it.
      for (let each = 0; each < 2; each++) {
        await setImmediate();
        passage.remainingUnits();
        passage.permit({ scope: [], charge: { per: "reply", units: 0 } } as never, true);
        take();
      }
      return { status: 200, type: "json", body: "{}" };
    },
    capabilities: {
      execute: () => Promise.reject(new Error("not asked")),
      begin: () => Promise.resolve({ free: false, turn: null, end: () => undefined }),
      read: () => {
        take();
        return Promise.resolve({ kind: "refused", code: "dataset_not_found" });
      },
    },
    ...more,
  });
  const ask = (url: string) => call(app, { url });
  /** How many of the requests are not refused for their rate. */
  const count = async (requests: number, send: () => Promise<{ statusCode: number }>) => {
    let admitted = 0;
    for (let each = 0; each < requests; each++) if ((await send()).statusCode !== 429) admitted++;
    return admitted;
  };
  const tool = () =>
    call(app, { url: "/mcp", method: "POST", headers: RPC_HEADERS, payload: toRpc("tools/list") });
  return { app, state, time, ask, count, tool };
}

const NEARBY = "/v1/nearby?lat=48.8&lon=2.3";

test("a burst pays for the time that answers take, and the headers say so", async (t) => {
  const { ask, count } = open(t, 22);
  const first = await ask(NEARBY);
  assert.equal(first.statusCode, 200);
  assert.equal(first.headers["ratelimit"]?.toString().split(",")[0], '"burst";r=38;t=1');
  // 12 each: after the fifth it owes ten.
  assert.equal(await count(60, () => ask(NEARBY)), 4);
  const refused = await ask(NEARBY);
  assert.equal(refused.headers["retry-after"], "3");
  assert.match(refused.payload, /counts as one request for every 2 ms/);
});

test("a block of addresses pays together, and other blocks are not concerned", async (t) => {
  const { ask, count, state } = open(t, 22);
  let admitted = 0;
  for (let host = 1; host <= 20; host++) {
    state.from = `192.0.2.${host}`;
    admitted += await count(10, () => ask(NEARBY));
  }
  assert.equal(admitted, 34, "400 by twelve");
  state.from = "192.0.3.1";
  assert.equal((await ask(NEARBY)).statusCode, 200);
});

test("a tool call pays for all that it does", async (t) => {
  const { count, tool } = open(t, 22);
  // 44 ms: 23 each.
  assert.equal(await count(20, tool), 3);
});

test("what costs no units pays for its time all the same", async (t) => {
  const { ask, count } = open(t, 10);
  const dataset = "/v1/datasets/ds_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/1";
  assert.equal(await count(60, () => ask(dataset)), 9);
});

test("an ordinary question counts as one, as ever", async (t) => {
  const { ask, count } = open(t, 1.9);
  assert.equal(await count(60, () => ask(NEARBY)), 50);
});
