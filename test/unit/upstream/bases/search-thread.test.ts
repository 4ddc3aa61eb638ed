/** Questions by name in a thread over shared memory, and what becomes of faults there. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { findByName } from "#app/places/base-geocoding.ts";
import { IN_TURNS } from "#app/places/name-turns.ts";
import { WordBook } from "#app/places/word-book.ts";
import { WORKERS } from "#main/workers.ts";
import type { NameEngine } from "#ports/name-engine.ts";
import { SearchThread } from "#upstream/bases/search-thread.ts";
import { aBase } from "../../../support/geocoding-bases.ts";
import { aHouse, aNode, COUNTRY } from "../../../support/geocoder.ts";

const faults: string[] = [];
const onFault = (part: string, error: unknown): void => {
  faults.push(`${part}: ${error instanceof Error ? error.message : "?"}`);
};
const FAULTY = new URL("../../../support/faulty-search.ts", import.meta.url);

const threads: SearchThread[] = [];
after(() => Promise.all(threads.map((thread) => thread.close())));

function aThread(
  worker_url: URL,
  more: { job_timeout_ms?: number; gone_bytes_max?: number; inTurns?: NameEngine } = {},
) {
  const thread = new SearchThread({ worker_url, onFault, inTurns: NONE, ...more });
  threads.push(thread);
  return thread;
}

/** Nothing is done on the serving thread. */
const NONE: NameEngine = { rank: () => assert.fail("on the serving thread") };
/** Every question takes long. */
const always = (engine: NameEngine): NameEngine => ({
  rank: (request, wanted) => engine.rank({ ...request, entries: 1e9 }, wanted),
});

const BOX = [46, 8, 48, 10] as const;
const bases = [
  aBase("country", BOX, COUNTRY),
  aBase(
    "other",
    [10, 10, 11, 11],
    [
      aNode(1, [10.5, 10.5], { place: "village", name: "Fernwil" }),
      aHouse(2, [10.5, 10.501], "Bahnhofstrasse", "6", { "addr:city": "Fernwil" }),
    ],
  ),
];
const book = new WordBook();

async function ask(engine: NameEngine, q: string, operation: "geocode" | "search" = "geocode") {
  const deps = { list: () => bases, gazetteer: () => null, isPending: () => false, book, engine };
  const query = { q, language: "de", country: null, near: { lat: 47.15, lon: 9.05 } };
  return await findByName(deps, query, { operation });
}

const QUESTIONS = [
  "Bahnhofstrasse 6, 1001 Oberwil",
  "Bahnhofstrsse 3 Unterwil",
  "Fernwil",
  "toilets near Bahnhofstrasse",
  "cafe etoile",
  "qqqq",
];

test("the thread answers as the serving thread does", async () => {
  const engine = always(aThread(WORKERS.search));
  for (const operation of ["geocode", "search"] as const)
    for (const q of QUESTIONS) {
      const [own, other] = [await ask(IN_TURNS, q, operation), await ask(engine, q, operation)];
      const shown = (reply: typeof own) =>
        reply.status === "ok" ? reply.hits.map(({ item }) => item) : reply;
      assert.deepEqual(shown(other), shown(own), q);
    }
});

test("what is done soon stays on the serving thread", async () => {
  const reply = await ask(aThread(FAULTY, { inTurns: IN_TURNS }), "hanging gardens");
  assert.equal(reply.status, "ok");
});

test("a fault ends one question, and the next one is answered", async () => {
  for (const [q, reason, job_timeout_ms] of [
    ["throwing stones", "worker_failed", 30_000],
    ["exiting", "worker_failed", 30_000],
    // Longer than a thread takes to start on a busy machine.
    ["hanging gardens", "out_of_time", 4_000],
  ] as const) {
    const engine = always(aThread(FAULTY, { job_timeout_ms }));
    const [bad, good] = await Promise.all([ask(engine, q), ask(engine, "Fernwil")]);
    assert.deepEqual(bad, { status: "unavailable", reason }, q);
    assert.ok(good.status === "ok");
    assert.equal(good.hits[0]?.item.name, "Fernwil", q);
  }
  assert.deepEqual(faults, ["thread faulty-search: planted"]);
});

test("more questions than may wait are refused at once, and those that wait are answered", async () => {
  const engine = always(aThread(WORKERS.search));
  const replies = await Promise.all(Array.from({ length: 40 }, () => ask(engine, "Fernwil")));
  const refused = replies.filter(({ status }) => status === "unavailable");
  assert.equal(refused.length, 8);
  for (const reply of refused) assert.ok(reply.status !== "ok" && reply.reason === "busy");
  assert.ok((await ask(engine, "Fernwil")).status === "ok");
});

test("a question that was called off while it waited is left out", async () => {
  const engine = always(aThread(WORKERS.search));
  const deps = { list: () => bases, gazetteer: () => null, isPending: () => false, book, engine };
  const query = { q: "Fernwil", language: null, country: null, near: null };
  const end = new AbortController();
  const first = ask(engine, "Oberwil");
  const second = findByName(deps, query, { operation: "geocode", signal: end.signal });
  end.abort();
  await assert.rejects(second, { name: "AbortError" });
  assert.ok((await first).status === "ok");
});

test("a page whose memory is wanted for others goes from the thread, and is handed over again when it is used", async () => {
  const base = aBase("one", BOX, COUNTRY);
  using pinned = await base.pages.pin([0]);
  const page = pinned.pages[0]!.page.geocoder!.page!;
  const { source } = page;
  let reads = 0;
  Object.defineProperty(page, "source", { get: () => ((reads += 1), source) });
  const readsOf = async (engine: NameEngine): Promise<number> => {
    const before = reads;
    const deps = { list: () => [base], gazetteer: () => null, isPending: () => false, engine };
    const query = { q: "Oberwil", language: "de", country: null, near: null };
    const own_book = new WordBook();
    const reply = await findByName({ ...deps, book: own_book }, query, { operation: "geocode" });
    assert.ok(reply.status === "ok" && reply.hits.length > 0);
    return reads - before;
  };
  for (const gone_bytes_max of [0, 2 ** 40]) {
    const thread = aThread(WORKERS.search, { gone_bytes_max });
    thread.letGo(page);
    const first = await readsOf(always(thread));
    const second = await readsOf(always(thread));
    assert.ok(first > second, "it stays from one question to the next");
    thread.letGo(page);
    assert.equal(await readsOf(always(thread)), first);
    assert.equal(await readsOf(always(thread)), second);
  }
});
