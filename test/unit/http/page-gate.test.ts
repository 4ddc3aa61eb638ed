import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import type { Exchange } from "#http/http-exchange.ts";
import { createPageGate, PAGE_LIMIT, type PageGateDeps } from "#http/pages/page-gate.ts";
import { buildPages } from "#http/pages/page-site.ts";
import { createMemoryLimiter } from "#storage/embedded/limiter.ts";
import { stubServer } from "../../support/server.ts";
import { readAddressKeys } from "../../support/address.ts";
import { call } from "../../support/call.ts";
import { noFault } from "../../support/faults.ts";

const failed = (error: unknown): void => noFault("pages", error);

function createStage(options: Partial<PageGateDeps> = {}) {
  const state = { now_ms: 0, from: "192.0.2.1" };
  const gate = createPageGate({
    clock: { now: () => state.now_ms },
    shedder: { admits: () => true },
    limiter: createMemoryLimiter({ max_buckets: 1_000 }),
    addressOf: () => readAddressKeys(state.from) ?? assert.fail(state.from),
    enforced: true,
    ...options,
  });
  const raw = {} as IncomingMessage;
  const judge = () => gate.judge({ request: { raw }, started_ms: 0 } as unknown as Exchange);
  return { gate, judge, state };
}

test("an address may load ten pages at once, and is refused what goes beyond for a moment", () => {
  const { judge, state } = createStage();
  for (let each = 0; each < PAGE_LIMIT.burst; each++) assert.equal(judge(), null);
  const refused = judge();
  assert.equal(refused?.code, "rate_limited");
  assert.equal(refused?.retry_after_s, 1);
  state.from = "192.0.3.1";
  assert.equal(judge(), null, "others are not concerned");
  state.from = "192.0.2.1";
  state.now_ms += 1_000;
  for (let each = 0; each < PAGE_LIMIT.rate_per_s; each++) assert.equal(judge(), null);
  assert.equal(judge()?.code, "rate_limited");
});

test("pages are shed as anonymous requests are", () => {
  const requests: unknown[] = [];
  const { judge } = createStage({
    shedder: {
      admits: (priority) => {
        requests.push(priority);
        return false;
      },
    },
  });
  assert.equal(judge()?.code, "overloaded");
  assert.deepEqual(requests, ["anonymous"]);
});

test("nothing is refused where limits are not enforced", () => {
  const { judge } = createStage({ enforced: false, shedder: { admits: () => false } });
  for (let each = 0; each < 2 * PAGE_LIMIT.burst; each++) assert.equal(judge(), null);
});

test("pages and assets are refused with 429 and an error body", async (t) => {
  const site = buildPages(
    {
      mode: "sandbox",
      version: "1.1.0",
      style: null,
      style_hosts: [],
      embed_origins: [],
      start: null,
      cities: [],
      salt: "1",
      weather: null,
      offline: true,
      units: "metric",
      reference: { key: null, changelog: false },
    },
    failed,
  );
  const { gate } = createStage();
  const { app } = stubServer({ pages: site, page_gate: gate });
  t.after(() => app.close());
  const [asset = ""] = site.assets.keys();
  const statuses = new Map<number, number>();
  for (let each = 0; each < PAGE_LIMIT.burst + 2; each++) {
    const reply = await call(app, { url: each % 2 ? "/status" : asset });
    statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1);
    if (reply.statusCode !== 429) continue;
    assert.equal((reply.json() as { error: { code: string } }).error.code, "rate_limited");
  }
  assert.deepEqual(Object.fromEntries(statuses), { 200: PAGE_LIMIT.burst, 429: 2 });
});
