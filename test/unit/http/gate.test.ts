/** Who may pass and what it costs (decisions, "Authentication, plans, metering"), step by step. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Meter } from "#app/access/meter.ts";
import { Quotas } from "#app/access/unit-quota.ts";
import type { Keyring } from "#app/access/keyring.ts";
import { findOperation, type OperationId } from "#api/operations.ts";
import type { Metered } from "#core/metering/metered-units.ts";
import type { GateDeps } from "#http/gate.ts";
import { sendRaw } from "#http/http-exchange.ts";
import type { Handler } from "#http/handler.ts";
import type { UsageEvent } from "#ports.ts";
import {
  ask,
  type Request,
  emptyRing,
  keyedCaller,
  PAID,
  ringOf,
  stubGate,
} from "../../support/gate.ts";
import { NOW_MS } from "../../support/server.ts";

const NEARBY = "lat=48&lon=2";
const NOTHING = { void: false, objects: 0, maps_categories: 0 };
const FULL_MONTH = new Quotas({ unitsOf: () => PAID.units! }, assert.ifError);

/** Answers with what was found, through the gate as the handlers do. */
function answering(deps: GateDeps, id: OperationId, metered: Partial<Metered> = {}): Handler {
  const { gate } = stubGate(deps);
  return (exchange, caller) => {
    const priced = {
      operation: findOperation(id),
      caller: caller!,
      metered: { ...NOTHING, ...metered },
    };
    const send = (): void => sendRaw(exchange, { status: 200, headers: [], body: "{}" });
    return gate.release(exchange, priced, { send });
  };
}

/** What was written down, by whom, of one question. */
async function charge(id: OperationId, metered: Partial<Metered>, request: Request = {}) {
  const events: UsageEvent[] = [];
  const record = (recorded: readonly UsageEvent[]) => {
    events.push(...recorded);
    return true;
  };
  const meter = new Meter({
    usage: { record },
    newEventId: () => `${events.length}`,
    defer: setImmediate,
  });
  const { deps } = stubGate({ meter });
  const query = ask(deps, id, { ...request, handler: answering(deps, id, metered) });
  await query.done;
  meter.flush();
  const rows = events.map(({ account_id, key_id, units }) => [account_id, key_id, units]);
  return { status: query.reply()!.status, units: rows };
}

const OF_KEY = ["acc_1", "key_1"];

test("§4.9: a page costs what it holds: a unit for each hundred begun", async () => {
  const prices = { 0: 0, 1: 1, 100: 1, 101: 2, 200: 2, 201: 3, 1000: 10 };
  for (const [objects, units] of Object.entries(prices))
    for (const method of ["GET", "HEAD"]) {
      const request = { query: NEARBY, method };
      const charged = await charge("getNearby", { objects: Number(objects) }, request);
      const expected = units === 0 ? [] : [[...OF_KEY, units]];
      assert.deepEqual(charged, { status: 200, units: expected }, `${method} ${objects}`);
    }
});

test("a page that could not be served costs nothing; categories of the maps provider cost each", async () => {
  const query = `${NEARBY}&types=parking,charging`;
  const costs = async (metered: Partial<Metered>) =>
    (await charge("getServicesNearby", metered, { query })).units.map(([, , units]) => units);
  assert.deepEqual(await costs({ void: true, maps_categories: 2 }), []);
  assert.deepEqual(await costs({ maps_categories: 0 }), [1]);
  assert.deepEqual(await costs({ maps_categories: 2 }), [3]);
});

test("a refusal costs no units, and a bad question a place in the burst all the same", async () => {
  const refusals: [Request, number][] = [
    [{ query: "lat=91&lon=2" }, 400],
    [{ query: `${NEARBY}&offset=10001` }, 403],
    [{ query: NEARBY, authorization: "Basic x" }, 401],
    [{ query: `${NEARBY}&token=other` }, 400],
    [{ query: NEARBY, drain: "closed" }, 429],
  ];
  for (const [request, status] of refusals)
    assert.deepEqual(await charge("getNearby", { objects: 500 }, request), { status, units: [] });
  const { deps } = stubGate({});
  const left: number[] = [];
  for (const query of [NEARBY, "lat=91&lon=2", NEARBY]) {
    const pending = ask(deps, "getNearby", { query });
    await pending.done;
    left.push(Number(/"burst";r=(\d+)/.exec(pending.reply()!.headers["ratelimit"]!)?.[1]));
  }
  assert.deepEqual(left, [99, 98, 97]);
});

test("the stated remainder is what is left after the reply", async () => {
  const { deps, usage } = stubGate({});
  const leftAfter = async (objects: number): Promise<string> => {
    const handler = answering(deps, "getNearby", { objects });
    const query = ask(deps, "getNearby", { query: NEARBY, handler });
    await query.done;
    return /"month";r=\d+/.exec(query.reply()!.headers["ratelimit"]!)![0];
  };
  assert.equal(await leftAfter(250), '"month";r=997');
  assert.equal(await leftAfter(1), '"month";r=996');
  assert.equal(await leftAfter(0), '"month";r=996');
  assert.equal(usage.unitsOf("acc_1", "2026-11"), 4);
});

test("a keyed reply leaves after its units are recorded; where they cannot be, it is given up", async () => {
  for (const [recorded, id, expected] of [
    [true, "getNearby", { status: 200, code: null }],
    [false, "getNearby", { status: 503, code: "store_unavailable" }],
    [false, "geocode", { status: 503, code: "store_unavailable" }],
  ] as const) {
    const order: string[] = [];
    const record = (): boolean => {
      order.push("record");
      return recorded;
    };
    const meter = new Meter({ usage: { record }, newEventId: () => "1", defer: setImmediate });
    const { deps, gate } = stubGate({ meter });
    const handler: Handler = (exchange, caller) => {
      const metered = { ...NOTHING, objects: 1 };
      const send = (): void => {
        order.push("send");
        sendRaw(exchange, { status: 200, headers: [], body: "{}" });
      };
      const priced = { operation: findOperation(id), caller: caller!, metered };
      return gate.release(exchange, priced, { send });
    };
    const query = id === "geocode" ? "q=x" : NEARBY;
    const pending = ask(deps, id, { query, handler });
    assert.equal(pending.reply(), null, "not before it is written");
    await pending.done;
    assert.deepEqual(order, recorded ? ["record", "send"] : ["record"]);
    const { status, code, headers } = pending.reply()!;
    assert.deepEqual({ status, code }, expected);
    assert.equal(headers["retry-after"], recorded ? undefined : "1");
  }
});

test("a writer that throws fails the requests whose units it had; none is sent", async () => {
  const fault = new Error("planted");
  const record = (): boolean => {
    throw fault;
  };
  const meter = new Meter({ usage: { record }, newEventId: () => "1", defer: setImmediate });
  const { deps } = stubGate({ meter });
  const handler = answering(deps, "getNearby", { objects: 1 });
  const askings = [1, 2, 3].map(() => ask(deps, "getNearby", { query: NEARBY, handler }));
  for (const { done, reply } of askings) {
    await assert.rejects(done, fault);
    assert.equal(reply(), null, "runGuarded answers 500");
  }
});

test("the cost of anonymous replies is recorded as a sum after them", async () => {
  const events: UsageEvent[] = [];
  const record = (recorded: readonly UsageEvent[]) => {
    events.push(...recorded);
    return true;
  };
  const meter = new Meter({ usage: { record }, newEventId: () => "1", defer: setImmediate });
  const { deps } = stubGate({ meter });
  const handler = answering(deps, "getNearby", { objects: 150 });
  for (let i = 0; i < 3; i++) {
    const query = ask(deps, "getNearby", { query: NEARBY, authorization: null, handler });
    await query.done;
    assert.equal(query.reply()?.status, 200);
  }
  assert.deepEqual(events, []);
  meter.flush();
  assert.deepEqual(
    events.map(({ account_id, key_id, units, requests }) => [account_id, key_id, units, requests]),
    [[null, null, 6, 3]],
  );
});

test("requests under way hold a unit each: a crowd does not pass on the last one", async () => {
  const quotas = new Quotas({ unitsOf: () => PAID.units! - 2 }, assert.ifError);
  const { deps } = stubGate({ quotas });
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const crowd = gates.map(({ promise }) => {
    const handler: Handler = async (exchange) => {
      await promise;
      sendRaw(exchange, { status: 200, headers: [], body: "{}" });
    };
    return ask(deps, "getNearby", { query: NEARBY, handler });
  });
  const codes = crowd.map(({ reply }) => reply()?.code);
  assert.deepEqual(codes, [undefined, undefined, ...Array<string>(3).fill("quota_exhausted")]);
  for (const { resolve } of gates) resolve();
  await Promise.all(crowd.map(({ done }) => done));
  // They cost nothing, so there is as much left as before.
  const later = ask(deps, "getNearby", { query: NEARBY });
  assert.equal(later.reply()?.status, 200);
});

test("unenforced, rates and units are reported and stop no caller; permissions are judged all the same", async () => {
  const limiter: GateDeps["limiter"] = {
    charge: () => undefined,
    admit: () => ({ admitted: false, retry_after_s: 7, remaining: 0, reset_s: 7 }),
  };
  const spent = { limiter, quotas: FULL_MONTH };
  const replyTo = async (change: Partial<GateDeps>, request: Request = {}) => {
    const query = ask(stubGate(change).deps, "getNearby", { query: NEARBY, ...request });
    await query.done;
    return query.reply()!;
  };
  assert.equal((await replyTo(spent)).code, "rate_limited");
  const open = await replyTo({ ...spent, enforced: false });
  assert.equal(open.status, 200);
  assert.match(open.headers["ratelimit"]!, /^"burst";r=0;t=7, "month";r=0;t=\d+$/);
  assert.equal(open.headers["ratelimit-policy"], '"burst";q=100;w=5, "month";q=1000;w=2592000');
  for (const [change, code] of [
    [{ scopes: [] }, "insufficient_scope"],
    [{ standing: "suspended" }, "account_suspended"],
    [{ standing: "past_due" }, "subscription_inactive"],
  ] as const) {
    const keyring = ringOf({ ok: true, caller: keyedCaller(change) });
    assert.equal((await replyTo({ ...spent, enforced: false, keyring })).code, code);
  }
  const bad = {
    ...spent,
    enforced: false,
    keyring: ringOf({ ok: false, code: "expired_api_key" }),
  };
  for (let i = 0; i < 30; i++) assert.equal((await replyTo(bad)).code, "expired_api_key");
});

test("a plan without bounds asks no limiter and states no limit, and is metered", async () => {
  const plan = { ...PAID, rate_per_s: null, burst: null, units: null, period: null, hard: false };
  const limiter: GateDeps["limiter"] = {
    admit: () => assert.fail("it was asked"),
    charge: () => undefined,
  };
  const keyring = ringOf({ ok: true, caller: keyedCaller({ plan }) });
  const { deps, usage } = stubGate({ keyring, limiter });
  const handler = answering(deps, "getNearby", { objects: 400 });
  const query = ask(deps, "getNearby", { query: NEARBY, handler });
  await query.done;
  assert.equal(query.reply()?.status, 200);
  assert.equal(query.reply()?.headers["ratelimit"], undefined);
  assert.equal(usage.unitsOf("acc_1", "2026-11"), 4);
});

test("bursts are a key's, and an address has a wider bucket in addition to its own", () => {
  const requests: { key: string; rate_per_s: number; burst: number }[][] = [];
  const limiter: GateDeps["limiter"] = {
    charge: () => undefined,
    admit: (buckets) => {
      requests.push(buckets.map((bucket) => ({ ...bucket })));
      return { admitted: true, remaining: 1, reset_s: 1 };
    },
  };
  const { deps } = stubGate({ limiter });
  ask(deps, "getMe");
  ask(deps, "getMe", { authorization: null });
  const wide = { block: "free:127.0.0.0/24" };
  assert.deepEqual(requests, [
    [{ key: "key:key_1", rate_per_s: 20, burst: 100 }],
    [
      { key: "free:127.0.0.1/32", ...wide, rate_per_s: 5, burst: 50 },
      { key: "free:127.0.0.0/24", ...wide, rate_per_s: 40, burst: 400 },
    ],
  ]);
});

test("a limiter that answers later is waited for", async () => {
  const late = Promise.withResolvers<Awaited<ReturnType<GateDeps["limiter"]["admit"]>>>();
  const { deps } = stubGate({ limiter: { admit: () => late.promise, charge: () => undefined } });
  const query = ask(deps, "getMe");
  assert.equal(query.reply(), null);
  late.resolve({ admitted: false, retry_after_s: 3, remaining: 0, reset_s: 3 });
  await query.done;
  assert.equal(query.reply()?.headers["retry-after"], "3");
});

test("shedding is asked once, before the store is: keyed is whom the memory knows", async () => {
  const requests: string[] = [];
  const lookedUp: number[] = [];
  const shedder: GateDeps["shedder"] = {
    admits: (priority) => {
      requests.push(priority);
      return priority === "keyed";
    },
    hold: () => null,
  };
  const caller = keyedCaller();
  const stranger = emptyRing(() => {
    lookedUp.push(NOW_MS);
    return { ok: true, caller };
  });
  const codes: (string | null | undefined)[] = [];
  for (const [keyring, authorization] of [
    [ringOf({ ok: true, caller }), "Bearer k"],
    [stranger, "Bearer k"],
    [stranger, null],
  ] as const) {
    const query = ask(stubGate({ shedder, keyring }).deps, "getMe", { authorization });
    await query.done;
    codes.push(query.reply()?.code);
  }
  assert.deepEqual(requests, ["keyed", "anonymous", "anonymous"]);
  assert.deepEqual(codes, [null, "overloaded", "overloaded"]);
  assert.deepEqual(lookedUp, []);
});

test("a shed request is refused when it may leave, and no sooner", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const shedder: GateDeps["shedder"] = { admits: () => false, hold: () => promise };
  const query = ask(stubGate({ shedder }).deps, "getMe", { authorization: null });
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  assert.equal(query.reply(), null);
  resolve();
  await query.done;
  assert.equal(query.reply()?.code, "overloaded");
  assert.equal(query.reply()?.headers["retry-after"], "1");
});

test("the daily allowance is 429 wherever a paid quota is 402", async () => {
  const address = new Quotas({ unitsOf: () => 0 }, assert.ifError);
  const { deps } = stubGate({ quotas: address });
  const caller = { kind: "anonymous", plan: deps.plan(), address: deps.addressOf(null!) } as const;
  address.reserve(caller, { operation: "geocode", units: 0, next: null }).book(5_000, NOW_MS);
  for (const [id, query] of [
    ["getNearby", NEARBY],
    ["geocode", "q=x"],
    ["getParkingNearby", NEARBY],
  ] as const) {
    const pending = ask(deps, id, { query, authorization: null });
    await pending.done;
    const { status, code, headers } = pending.reply()!;
    assert.deepEqual([status, code], [429, "quota_exhausted"], id);
    // 09:30 UTC: the day ends in 14 h 30 min.
    assert.equal(headers["retry-after"], "52200");
  }
});

test("a look-up of an unknown key gives its place back however it ends: a throw, a rejection, an answer", async () => {
  const ways: Readonly<Record<string, Keyring["lookUp"]>> = {
    throws: () => {
      throw new Error("a store that throws at once");
    },
    rejects: () => Promise.reject(new Error("a store that rejects")),
    answers: () => ({ ok: false, code: "invalid_api_key" }),
    "answers later": () => Promise.resolve({ ok: false, code: "store_unavailable" }),
  };
  for (const [way, lookUp] of Object.entries(ways)) {
    let [begun, under_way] = [0, 0];
    const badKeys: GateDeps["badKeys"] = {
      strike: () => ({ admitted: true, remaining: 1, reset_s: 0 }),
      beginLookUp: () => {
        begun++;
        under_way++;
        return { admitted: true, remaining: 1, reset_s: 0 };
      },
      endLookUp: () => void under_way--,
    };
    const { deps } = stubGate({ badKeys, keyring: emptyRing(lookUp) });
    for (let i = 0; i < 5; i++)
      await Promise.try(() => ask(deps, "getNearby", { query: NEARBY }).done).catch(
        () => undefined,
      );
    assert.deepEqual([begun, under_way], [5, 0], way);
  }
});
