/**
 * The reader of one source threw over one row of its answer. The question became a 500 and the place
 * of its call was never released; the request that others shared had no handler for its rejection,
 * so that the process drained and ended. After two such answers a source with two places was `busy`
 * for ever. Feeds had a guard, which dropped the exception: the defect could not be found. Nine more
 * places took something before they waited, and released it only if nothing was thrown.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createAsset } from "#http/pages/asset.ts";
import type { Lookup, LookupSettings } from "#providers/lookup.ts";
import { type FeedFile, gbfsProtocol, type IngestJob } from "#stations/index.ts";
import { DatabaseWorker } from "#storage/embedded/worker.ts";
import { Circuit } from "#storage/valkey/circuit.ts";
import { ingest } from "#providers/protocols.ts";
import { IngestPool } from "#upstream/feeds/ingest-pool.ts";
import { createAsk } from "#upstream/lookup/ask-source.ts";
import { createCaller } from "#upstream/lookup/lookup-caller.ts";
import { createInFlight } from "#upstream/lookup/in-flight.ts";
import { Breaker } from "#upstream/lookup/breaker.ts";
import { Bulkhead, Spending } from "#upstream/lookup/lookup-limits.ts";
import { Thread } from "#kit/run/thread.ts";
import { createClock } from "#process/clock.ts";
import { ingestJobOf } from "../unit/feeds/jobs.ts";
import { createManualClock } from "../support/manual-clock.ts";
import { createBottle, createCity, createUpstream, START_MS } from "../unit/feeds/support.ts";
import { collectFaults, noFault } from "../support/faults.ts";
import { createDesk, toBody, turn, USUAL, WORDS } from "../support/lookup.ts";

const settings = { url: "https://source.example", timeout_ms: 1_000 };
const STAYS = new AbortController().signal;
const DEFECT = { status: "error", reason: "defect" };
const PLANTED = new TypeError("planted");

/** Rejections that nothing has handled while the test ran. */
function watchRejections(t: TestContext): unknown[] {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", note);
  t.after(() => process.off("unhandledRejection", note));
  return unhandled;
}

type Words = Lookup<string, LookupSettings, string[]>;
const throwingRead = (isPlanted: () => boolean): Words => ({
  ...WORDS,
  read(...args) {
    if (isPlanted()) throw PLANTED;
    return WORDS.read(...args);
  },
});

test("what a reader throws is the outcome of its answer, and every place is free after it", async (t) => {
  const unhandled = watchRejections(t);
  const desk = createDesk();
  let planted = true;
  const policy = { ...USUAL, places: 2, queue: 0 };
  const call = createCaller(
    throwingRead(() => planted),
    { settings, policy },
    desk.deps,
  );
  desk.line.always(() => toBody(["x"], desk.clock.now()));
  for (let i = 0; i < 20; i++) assert.deepEqual(await call("q", STAYS), DEFECT);
  planted = false;
  desk.line.always(null);
  const both = [call("q", STAYS), call("q", STAYS)];
  assert.deepEqual(await call("q", STAYS), { status: "unavailable", reason: "busy" });
  for (const each of desk.line.calls) each.answer(toBody(["x"], desk.clock.now()));
  for (const each of await Promise.all(both)) assert.equal(each.status, "ok");
  assert.deepEqual(desk.faults[0], { part: "source source.words", message: "planted" });
  await turn();
  assert.deepEqual(unhandled, []);
});

test("what the making of a request throws is an outcome, and costs no call", async () => {
  const desk = createDesk();
  const lookup: Words = {
    ...WORDS,
    request() {
      throw PLANTED;
    },
  };
  const spending = new Spending(desk.clock, { add: () => assert.fail("counted") });
  const call = createCaller(
    lookup,
    { settings, policy: { ...USUAL, calls_per_day: 9 } },
    {
      ...desk.deps,
      spending,
    },
  );
  for (let i = 0; i < USUAL.places + 1; i++) assert.deepEqual(await call("q", STAYS), DEFECT);
  assert.equal(desk.line.calls.length, 0);
});

test("a store of spends that fails is asked again by the next call", async () => {
  const desk = createDesk();
  let fails = true;
  const add = (): Promise<number> => (fails ? Promise.reject(PLANTED) : Promise.resolve(1));
  const call = createCaller(
    WORDS,
    { settings, policy: { ...USUAL, calls_per_day: 9 } },
    {
      ...desk.deps,
      spending: new Spending(desk.clock, { add }),
    },
  );
  desk.line.always(() => toBody(["x"], desk.clock.now()));
  assert.deepEqual(await call("q", STAYS), DEFECT);
  fails = false;
  assert.equal((await call("q", STAYS)).status, "ok");
});

test("a renewal that throws, for which no caller waits, is reported and not repeated to anyone", async (t) => {
  const unhandled = watchRejections(t);
  const desk = createDesk();
  let planted = false;
  const ask = createAsk(
    throwingRead(() => planted),
    { settings, policy: USUAL },
    desk.deps,
  );
  desk.line.always(() => toBody(["x"], desk.clock.now()));
  const how = { signal: STAYS, keyed: false, freshness: null };
  assert.equal((await ask("q", how)).status, "ok");
  await desk.clock.advance(USUAL.fresh_ms + 1);
  planted = true;
  assert.equal((await ask("q", how)).status, "ok", "the old one, while it is renewed");
  await turn();
  assert.equal(desk.faults.length, 1);
  assert.deepEqual(unhandled, []);
});

test("a circuit is as it was after a probe that throws", async () => {
  const { clock } = createDesk();
  const breaker = new Breaker({ clock, random: () => 0.5 });
  const broken = { status: "error", reason: "http_500" } as const;
  for (let i = 0; i < 5; i++) await breaker.run(() => Promise.resolve(broken));
  await clock.advance(60_000);
  await assert.rejects(breaker.run(() => Promise.reject(PLANTED)));
  assert.equal(breaker.refusal(), null, "the next call is the probe");
  const match = { status: "ok", value: 1, fetched_at_ms: 0, cache: "miss" } as const;
  await breaker.run(() => Promise.resolve(match));
  assert.equal(breaker.state, "closed");
});

test("a defect of ours opens no circuit", async () => {
  const { clock } = createDesk();
  const breaker = new Breaker({ clock, random: () => 0.5 });
  const defect = { status: "error", reason: "defect" } as const;
  for (let i = 0; i < 50; i++) await breaker.run(() => Promise.resolve(defect));
  assert.equal(breaker.state, "closed");
});

test("a place is released by the end of the scope that holds it", async () => {
  const bulkhead = new Bulkhead(createDesk().clock, { places: 1, queue: 0 });
  const work = async (): Promise<void> => {
    using place = await bulkhead.enter({ wait_ms: 1, signal: STAYS });
    assert.ok(place);
    throw PLANTED;
  };
  for (let i = 0; i < 3; i++) await assert.rejects(work, /planted/);
  assert.equal(bulkhead.inside, 0);
});

test("a shared request that throws ends for all that wait for it, and for those that count them", async (t) => {
  const unhandled = watchRejections(t);
  const waiters = { count: 0 };
  const { faults, onFault } = collectFaults();
  const requests = createInFlight<number>({ waiters, onFault: (e) => onFault("request", e) });
  const options = { now_ms: 0, goes_on: "never" } as const;
  const request = requests.start(["a", "b"], options, () => Promise.reject(PLANTED));
  const waits = [request.wait(STAYS), request.wait(STAYS)];
  assert.equal(waiters.count, 2);
  assert.deepEqual(await Promise.all(waits), [DEFECT, DEFECT]);
  assert.deepEqual([waiters.count, requests.size(), faults.length], [0, 0, 1]);
  requests.start(["a"], options, () => {
    throw PLANTED;
  });
  await turn();
  assert.deepEqual([requests.size(), unhandled], [0, []]);
});

/** A function cannot be handed to a thread. */
const UNCLONEABLE = (() => 1) as unknown;

test("a job that cannot be handed to a thread has failed, and the next one is done", async (t) => {
  const { faults, onFault } = collectFaults();
  const worker_url = new URL("../support/slot-worker.ts", import.meta.url);
  const limits = { max_heap_mb: 64, job_timeout_ms: 120_000 };
  const slot = new Thread<unknown, number>({ ...limits, worker_url, onFault });
  t.after(() => slot.close());
  assert.equal(await slot.run(UNCLONEABLE), null);
  assert.equal(typeof (await slot.run(1)), "number");
  assert.equal(faults[0]?.part, "thread slot-worker");
});

test("a body that cannot be handed to a thread takes no share of the parser", async (t) => {
  const { faults, onFault } = collectFaults();
  const worker_url = new URL("../../src/main/workers/ingest.ts", import.meta.url);
  const bounds = { inline_below_bytes: 0, max_bytes: 1 };
  const pool = new IngestPool({ ...bounds, inline: ingest, worker_url, onFault });
  t.after(() => pool.close());
  const odd = { ...ingestJobOf(), mode_hint: UNCLONEABLE } as IngestJob;
  const files = Object.values((await pool.ingest(odd)).files);
  for (const file of files) assert.deepEqual(file, { ok: false, reason: "worker_failed" });
  assert.ok(
    (await pool.ingest(ingestJobOf())).statics,
    "with one thread and one byte there is room for it",
  );
  assert.equal(faults.length, 1);
});

test("a message that cannot be handed to the thread of a store is a failed reply", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "vicinity-"));
  const url = new URL("../support/database-worker.ts", import.meta.url);
  const { faults, onFault } = collectFaults();
  const worker = new DatabaseWorker<unknown, number>(url, join(folder, "closed"), { onFault });
  t.after(async () => {
    await worker.close();
    rmSync(folder, { recursive: true });
  });
  const reply = (await worker.send(UNCLONEABLE)) as { kind: string };
  assert.equal(reply.kind, "failed");
  assert.equal(typeof (await worker.send("who")), "number");
  assert.equal(faults.length, 1);
});

test("a file of a feed that failed with an exception is fetched again", async (t) => {
  const { faults, onFault } = collectFaults();
  let planted = true;
  const clock = createManualClock(START_MS);
  const upstream = createUpstream(clock);
  const city = createCity(upstream);
  // Files that are one document share a request.
  const files = ["system_information", "vehicle_types", "station_information", "station_status"];
  const places = new Map(files.map((file) => [file as FeedFile, city.file(file)]));
  const bottle = createBottle({
    clock,
    upstream,
    protocol: { ...gbfsProtocol, places: () => places },
    onFault,
    run(request, input) {
      if (planted) throw PLANTED;
      return upstream.run(request, input);
    },
  });
  t.after(bottle.feeds.close);
  const failed = await bottle.feeds.refresh("a", { begun_after_ms: 0 });
  assert.deepEqual(failed, { status: "error", reason: "internal" });
  assert.equal(bottle.events.filter(({ kind }) => kind === "fault").length, 1);
  planted = false;
  await clock.advance(120_000);
  assert.equal((await bottle.feeds.refresh("a", { begun_after_ms: 0 })).status, "ok");
  assert.deepEqual(faults, [], "it belongs to the system, and is reported there");
});

test("a probe of the shared store that throws is followed by another one", async (t) => {
  const { faults, onFault } = collectFaults();
  let planted = true;
  const probe = (): Promise<boolean> => (planted ? Promise.reject(PLANTED) : Promise.resolve(true));
  const circuit = new Circuit({
    probe,
    onEvent: () => undefined,
    onFault: (error) => onFault("circuit", error),
  });
  t.after(() => circuit.close());
  circuit.probeNow();
  await turn();
  planted = false;
  circuit.probeNow();
  await turn();
  assert.equal(circuit.isOpen(), false);
  assert.equal(faults.length, 1);
});

test("a page that could not be read once is read again, and its rejection ends nothing", async (t) => {
  const unhandled = watchRejections(t);
  let planted = true;
  const read = (): Buffer => {
    if (planted) throw PLANTED;
    return Buffer.from("a page. ".repeat(1_000));
  };
  const source = { type: "text/plain", policy: [], cache: "no-store", read };
  const asset = createAsset(source, (error) => noFault("page", error));
  const headers = { "accept-encoding": "br" };
  await assert.rejects(asset.answer(headers), /planted/);
  await turn();
  planted = false;
  assert.equal((await asset.answer(headers)).status, 200);
  await asset.shrink();
  assert.deepEqual(unhandled, []);
});

test("a task of the clock that throws keeps no other from running, now or later", async (t) => {
  const unhandled = watchRejections(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { faults, onFault } = collectFaults();
  const time = { now: () => now_ms, watch: () => undefined };
  let now_ms = 0;
  const clock = createClock(time, (error) => onFault("timer", error));
  const ran: string[] = [];
  clock.schedule(10, () => {
    throw PLANTED;
  });
  clock.schedule(10, () => Promise.reject(PLANTED));
  clock.schedule(10, () => void ran.push("same moment"));
  clock.schedule(20, () => void ran.push("later"));
  for (now_ms of [10, 20]) t.mock.timers.tick(10);
  await turn();
  assert.deepEqual(ran, ["same moment", "later"]);
  assert.deepEqual([faults.length, unhandled], [2, []]);
});
