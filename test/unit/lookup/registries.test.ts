/** Registers that are read whole: a new set or the old one, never half of one. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import type { KeptDocuments } from "#core/kept-documents.ts";
import type { Place } from "#core/places/place.ts";
import type { LookupSettings, Registry } from "#providers/lookup.ts";
import { type RegistryEvent, WatchedRegistry } from "#upstream/registries.ts";
import { PlaceSetBuilder, type PlaceSet } from "#world/places/place-set.ts";
import { HERE, moved as northOf } from "../../support/domain.ts";
import { createDesk, PROVIDER, REFUSED, toBody, turn } from "../../support/lookup.ts";
import { createMemoryDocuments } from "../../support/memory-documents.ts";
import { aPlace, options } from "../../support/places.ts";

const DAY_MS = 86_400_000;
/** Of a document that is read without waiting. */
const MAX_BYTES = 1_024 ** 2;
const SITE = "https://source.example";

/**
 * A body is a list of ids, alone or with the next page; "" is a row that is dropped, null a body of
 * another shape.
 */
function registryOf(documents: readonly string[]): Registry<LookupSettings> {
  return {
    id: "source.aeds",
    provider: PROVIDER,
    kind: "aed",
    requests: ({ timeout_ms }) =>
      documents.map((name) => ({ url: `${SITE}/${name}`, timeout_ms, max_bytes: MAX_BYTES })),
    open(body, { trail }) {
      const document = parse(body);
      const ids = document && "next" in document ? document.ids : document;
      return (
        ids &&
        ids.map((id) => (id === "" ? drop(trail.drop) : aPlace(id, { kind: "aed", ...spread(id) })))
      );
    },
    nextPage(body) {
      const document = parse(body);
      return document && "next" in document ? document.next : null;
    },
  };
}

const parse = (body: Uint8Array) =>
  JSON.parse(new TextDecoder().decode(body)) as string[] | { ids: string[]; next: string } | null;

/** Thousands lie two metres apart. */
function spread(id: string): { lat: number; lon: number } {
  return northOf(HERE, Number(id) >= 10 ? 2 * Number(id) : 0);
}

function drop(report: (reason: string, id: string) => void): null {
  report("bad_coordinates", "");
  return null;
}

function bench(
  documents: readonly string[] = ["a", "b"],
  random = 0,
  remaining: Map<string, KeptDocuments> | null = null,
) {
  const desk = createDesk(() => random);
  const { clock, line } = desk;
  const events: RegistryEvent[] = [];
  let set: PlaceSet | null = null;
  let pauses = 0;
  const settings = { url: SITE, timeout_ms: 1000 };
  const runtime = new WatchedRegistry(registryOf(documents), settings, {
    ...desk.deps,
    documents: remaining && createMemoryDocuments(remaining),
    build() {
      const builder = new PlaceSetBuilder();
      return {
        add: (place) => builder.add(place),
        finish: (at_ms) => void (set = builder.finish(at_ms)),
      };
    },
    renew: (fetched_at_ms) => void (set &&= { ...set, fetched_at_ms }),
    renew_ms: DAY_MS,
    pause: () => (pauses++, turn()),
    onEvent({ registry, outcome, reason, accepted, dropped }) {
      events.push({ registry, outcome, reason, accepted, dropped });
    },
  });
  const stored = (): string[] | null =>
    set &&
    Array.from(
      set.search({ ...HERE, radius_m: 10 }, options()),
      ({ place }) => place.external_id,
    ).sort();
  return {
    clock,
    line,
    events,
    runtime,
    stored,
    pauses: () => pauses,
    urls: () => line.calls.map(({ request }) => request.url.replace(SITE, "")),
    set: () => set,
  };
}

const RETAINED = ["1", "2"];

test("a start while it cannot be read takes up what was kept, as old as it is", async () => {
  const remaining = new Map<string, KeptDocuments>();
  const first = bench(["a", "b"], 0, remaining);
  const started = first.runtime.start();
  await turn();
  first.line.calls[0]!.answer(toBody(["1"], first.clock.now()));
  await turn();
  first.line.calls[1]!.answer(toBody(["2", ""], first.clock.now()));
  await started;
  first.runtime.close();

  const second = bench(["a", "b"], 0, remaining);
  const restarted = second.runtime.start();
  await turn();
  assert.deepEqual(second.stored(), RETAINED);
  assert.equal(second.runtime.health().status, "ok");
  second.line.calls[0]!.answer(REFUSED);
  await restarted;
  assert.deepEqual(second.stored(), RETAINED);
  const { status, last_success_at_ms, count } = second.runtime.health();
  assert.deepEqual(
    [status, last_success_at_ms, count],
    ["error", remaining.get("source.aeds")!.read_at_ms, 2],
  );

  const moved = bench(["c"], 0, remaining);
  void moved.runtime.start();
  await turn();
  assert.equal(moved.stored(), null, "what was kept of other addresses is void");
});

test("before it was read it is not loaded; after all its documents it is there, reported and counted", async () => {
  const { clock, line, events, runtime, stored, urls, set } = bench();
  assert.deepEqual(runtime.health(), {
    status: "unavailable",
    reason: "not_loaded",
    last_success_at_ms: null,
    count: null,
  });
  const started = runtime.start();
  line.calls[0]!.answer(toBody(["1", ""], clock.now()));
  await turn();
  assert.equal(stored(), null, "not before its last document");
  line.calls[1]!.answer(toBody(["2"], clock.now()));
  await started;
  assert.deepEqual([stored(), urls()], [RETAINED, ["/a", "/b"]]);
  assert.deepEqual([set()!.count, set()!.fetched_at_ms], [2, clock.now()]);
  assert.deepEqual(runtime.health(), {
    status: "ok",
    reason: null,
    last_success_at_ms: clock.now(),
    count: 2,
  });
  assert.deepEqual(events, [
    { registry: "source.aeds", outcome: "ok", reason: null, accepted: 2, dropped: 1 },
  ]);
});

test("a register that is empty is empty: a set, not a failure", async () => {
  const { clock, line, runtime, stored } = bench(["a"]);
  line.always(() => toBody([], clock.now()));
  await runtime.start();
  assert.deepEqual([stored(), runtime.health().status, runtime.health().count], [[], "ok", 0]);
});

const FAILURES = [
  ["a document that fails", REFUSED, "error", "http_400"],
  [
    "a source that is not there",
    { status: "error", reason: "dns_failed" },
    "unavailable",
    "dns_failed",
  ],
  ["a body of another shape", toBody(null, 0), "error", "wrong_shape"],
  [
    "an answer that is none",
    { status: "ok", value: { kind: "not_modified" }, fetched_at_ms: 0, cache: "revalidated" },
    ...["error", "unexpected"],
  ],
] as const;

for (const [name, outcome, status, reason] of FAILURES)
  test(`${name} among others keeps the old set, and is reported`, async () => {
    const { clock, line, events, runtime, stored, set } = bench();
    let number = 0;
    line.always(() => toBody([`${++number}`], clock.now()));
    await runtime.start();
    const first_ms = clock.now();
    line.always(({ request }) =>
      request.url.endsWith("b") ? outcome : toBody(["9"], clock.now()),
    );
    await clock.advance(DAY_MS);
    assert.deepEqual([stored(), set()!.fetched_at_ms], [RETAINED, first_ms]);
    assert.deepEqual(runtime.health(), { status, reason, last_success_at_ms: first_ms, count: 2 });
    assert.deepEqual(events.at(-1), {
      registry: "source.aeds",
      outcome: status,
      reason,
      accepted: 1,
      dropped: 0,
    });
  });

test("it goes on at the next page of the same site, before the other documents", async () => {
  const { clock, line, runtime, stored, urls } = bench();
  const pages: Record<string, [string[], string | null]> = {
    "/a": [["1"], `<${SITE}/a?page=1>; rel="prev", </a?page=2>; title="x"; rel="next"`],
    "/a?page=2": [["2"], `<${SITE}/a?page=3>; rel=next`],
    "/a?page=3": [["3"], `<${SITE}/a?page=1>; rel="first"`],
    "/b": [["4"], null],
  };
  line.always(({ request }) =>
    toBody(
      pages[request.url.replace(SITE, "")]![0],
      clock.now(),
      pages[request.url.replace(SITE, "")]![1],
    ),
  );
  await runtime.start();
  assert.deepEqual(urls(), ["/a", "/a?page=2", "/a?page=3", "/b"]);
  assert.deepEqual(stored(), ["1", "2", "3", "4"]);
});

/** A register of one document that is read with another. `read`: each document that was read, with what. */
function benchCompanions(remaining: Map<string, KeptDocuments> | null = null) {
  const desk = createDesk(() => 0);
  const read: string[] = [];
  const events: RegistryEvent[] = [];
  const registry = registryOf(["a"]);
  const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);
  const runtime = new WatchedRegistry(
    {
      ...registry,
      companions: () => [{ url: `${SITE}/tariffs`, timeout_ms: 1000 }],
      open(body, reading) {
        const companions = (reading.companions?.bodies ?? []).map(textOf);
        read.push([textOf(body), ...companions].join(" "));
        return registry.open(body, reading);
      },
    },
    { url: SITE, timeout_ms: 1000 },
    {
      ...desk.deps,
      documents: remaining && createMemoryDocuments(remaining),
      build: () => new PlaceSetBuilder(),
      renew: () => undefined,
      renew_ms: DAY_MS,
      pause: turn,
      onEvent: (event) => void events.push(event),
    },
  );
  return { ...desk, read, events, runtime };
}

test("companions are had first and read with each page, and cost only what they add", async () => {
  const { clock, line, read, events, runtime } = benchCompanions();
  const pages: Record<string, ReturnType<typeof toBody>> = {
    "/tariffs": toBody([1], 0, '</tariffs?2>; rel="next"'),
    "/tariffs?2": toBody([2], 0),
    "/a": toBody(["1"], 0, '</a?2>; rel="next"'),
    "/a?2": toBody(["2"], 0),
  };
  line.always(({ request }) => pages[request.url.replace(SITE, "")]!);
  await runtime.start();
  assert.deepEqual(read, ['["1"] [1] [2]', '["2"] [1] [2]']);
  line.always(({ request }) =>
    request.url.includes("tariffs") ? REFUSED : pages[request.url.replace(SITE, "")]!,
  );
  await clock.advance(DAY_MS);
  assert.deepEqual(read.slice(2), ['["1"]', '["2"]']);
  assert.deepEqual([runtime.health().status, runtime.health().count], ["ok", 2]);
  assert.deepEqual(
    events.at(-1)!.repaired!.map(({ reason }) => reason),
    ["companion_not_read"],
  );
  runtime.close();
});

test("companions are asked whether they have changed, and a change of either has both read", async () => {
  const { clock, line, read, runtime } = benchCompanions();
  /** What the site has, each with its tag. */
  const site: Record<string, [unknown, string]> = { tariffs: [[1], '"t1"'], a: [["1"], '"a1"'] };
  line.always(({ request }) => {
    const [value, etag] = site[request.url.replace(`${SITE}/`, "")]!;
    return request.etag === etag ? unchanged(clock.now()) : tagged(value, clock.now(), etag);
  });
  /** Of a day: what was asked for, with the tag that was sent, and what was read. */
  const next = async () => {
    const [calls, reads] = [line.calls.length, read.length];
    await clock.advance(DAY_MS);
    const sent = line.calls
      .slice(calls)
      .map(({ request: { url, etag = null } }) =>
        [url.replace(`${SITE}/`, ""), etag].join(" ").trim(),
      );
    return [sent, read.slice(reads)];
  };
  await runtime.start();
  assert.deepEqual(await next(), [['tariffs "t1"', 'a "a1"'], []]);
  site["tariffs"] = [[2], '"t2"'];
  assert.deepEqual(await next(), [['tariffs "t1"', "a"], ['["1"] [2]']]);
  site["a"] = [["3"], '"a2"'];
  assert.deepEqual(await next(), [['tariffs "t2"', 'a "a1"', "tariffs"], ['["3"] [2]']]);
  assert.deepEqual(await next(), [['tariffs "t2"', 'a "a2"'], []]);
  runtime.close();
});

test("what was kept is read with its companions after a restart, and asked for as before", async () => {
  const remaining = new Map<string, KeptDocuments>();
  const first = benchCompanions(remaining);
  first.line.always(({ request }) =>
    request.url.endsWith("tariffs") ? tagged([1], 0, '"t1"') : tagged(["1"], 0, '"a1"'),
  );
  await first.runtime.start();
  first.runtime.close();
  const second = benchCompanions(remaining);
  second.line.always(({ request }) =>
    request.etag === undefined ? REFUSED : unchanged(second.clock.now()),
  );
  await second.runtime.start();
  assert.deepEqual(second.read, ['["1"] [1]']);
  assert.equal(second.runtime.health().status, "ok");
  assert.deepEqual(
    second.line.calls.map(({ request }) => request.etag),
    ['"t1"', '"a1"'],
  );
  second.runtime.close();
});

test("it goes on at the next page of the same site that the body alone names", async () => {
  const { clock, line, runtime, stored, urls, events } = bench();
  const pages: Record<string, unknown> = {
    "/a": { ids: ["1"], next: "/a?start=1" },
    "/a?start=1": { ids: ["2"], next: `${SITE}/a?start=2` },
    "/a?start=2": ["3"],
    "/b": { ids: ["4"], next: "https://elsewhere.example/b" },
  };
  line.always(({ request }) => toBody(pages[request.url.replace(SITE, "")], clock.now()));
  await runtime.start();
  assert.deepEqual(urls(), ["/a", "/a?start=1", "/a?start=2", "/b"]);
  assert.deepEqual(stored(), ["1", "2", "3", "4"]);
  assert.deepEqual([events[0]!.outcome, events[0]!.dropped], ["ok", 1], "a page of another site");
});

/** A file that is served as it is packed, without a word about it. */
function toPacked(body: Uint8Array, at_ms: number): ReturnType<typeof toBody> {
  const answer = toBody(null, at_ms);
  return { ...answer, value: { ...answer.value, body: new Uint8Array(body) } };
}

test("a packed file is inflated, and kept as it came out", async () => {
  const remaining = new Map<string, KeptDocuments>();
  const { clock, line, runtime, stored } = bench(["a.json.gz"], 0, remaining);
  line.always(() => toPacked(gzipSync(JSON.stringify(RETAINED)), clock.now()));
  await runtime.start();
  assert.deepEqual([stored(), runtime.health().status], [RETAINED, "ok"]);
  const again = bench(["a.json.gz"], 0, remaining);
  again.line.always(() => REFUSED);
  await again.runtime.start();
  assert.deepEqual(again.stored(), RETAINED);
});

for (const [name, body, reason] of [
  ["of blanks beyond any honest ratio", gzipSync(Buffer.alloc(8 * 1024 ** 2, " ")), "too_large"],
  ["that is cut off", gzipSync(JSON.stringify(RETAINED)).subarray(0, -12), "bad_encoding"],
  ["that is none", Buffer.from([0x1f, 0x8b, 0x08, 0xff, 1, 2, 3, 4, 5, 6]), "bad_encoding"],
] as const)
  test(`a packed file ${name} is a failure, and no set`, async () => {
    const { clock, line, runtime, stored } = bench(["a.json.gz"]);
    line.always(() => toPacked(body, clock.now()));
    await runtime.start();
    assert.deepEqual([runtime.health().reason, stored()], [reason, null]);
  });

for (const link of [
  '<https://elsewhere.example/a>; rel="next"',
  '<http://source.example/a>; rel="next"',
  '<https://source.example:444/a>; rel="next"',
  '<https://user@elsewhere.example>; rel="next"',
  "<//elsewhere.example/a>; rel=next",
  '<javascript:alert(1)>; rel="next"',
  '<https://[>; rel="next"',
  '</a>; rel="prev"',
  '</a>; rel="nextish"',
  "</a>; rel=next-archive",
  "garbage",
])
  test(`no page of it: ${link}`, async () => {
    const { clock, line, runtime, urls } = bench(["a"]);
    line.always(() => toBody(["1"], clock.now(), link));
    await runtime.start();
    assert.deepEqual([urls(), runtime.health().status], [["/a"], "ok"]);
  });

test("pages without an end are an error, and no set", async () => {
  const { clock, line, runtime, stored, urls } = bench(["a"]);
  line.always(() => toBody([], clock.now(), '</a>; rel="next"'));
  await runtime.start();
  assert.deepEqual([runtime.health().reason, stored()], ["too_many_pages", null]);
  assert.ok(urls().length <= 2_000);
});

test("after a failure a minute, twice as long each time, an hour at most; after a success a day", async () => {
  for (const [random, stretch] of [
    [0, 1],
    [1, 1.1],
  ] as const) {
    const { clock, line, runtime, urls } = bench(["a"], random);
    line.always(() => REFUSED);
    await runtime.start();
    const minutes = [1, 2, 4, 8, 16, 32, 60, 60];
    for (const [i, each] of minutes.entries()) {
      await clock.advance(Math.floor(each * 60_000 * stretch) - 1);
      assert.equal(urls().length, i + 1, `${each} minutes`);
      await clock.advance(2);
      assert.equal(urls().length, i + 2, `${each} minutes`);
    }
    line.always(() => toBody([], clock.now()));
    await clock.advance(3_600_000 * stretch + 1);
    assert.equal(runtime.health().status, "ok");
    const { length } = urls();
    await clock.advance(DAY_MS * stretch - 1000);
    assert.equal(urls().length, length);
    line.always(() => REFUSED);
    await clock.advance(1000);
    assert.equal(urls().length, length + 1);
    await clock.advance(60_000 * stretch + 1);
    assert.equal(urls().length, length + 2, "growth starts again after a success");
  }
});

test("between slices of some milliseconds it lets others have the thread", async (t: TestContext) => {
  let now_ms = 0;
  // Each place takes a tenth of a millisecond: ten thousand take a second.
  t.mock.method(performance, "now", () => now_ms);
  const { clock, line, runtime, pauses, set } = bench(["a"]);
  const ids = Array.from({ length: 10_000 }, (_, i) => `${i}`);
  const stringify = JSON.stringify;
  t.mock.method(JSON, "stringify", (value: Place) => ((now_ms += 0.1), stringify(value)));
  line.always(() => toBody(ids, clock.now()));
  await runtime.start();
  assert.equal(set()!.count, 10_000);
  // A slice is 4 ms, looked at every 32 places (3.2 ms): 6.4 ms at most.
  assert.ok(pauses() >= 150 && pauses() <= 250, `${pauses()} pauses`);
});

test("of thousands at one point the first are kept, and the others counted with the reason", async () => {
  const { clock, line, runtime, set, events } = bench(["a"]);
  line.always(() =>
    toBody(
      Array.from({ length: 1_000 }, (_, i) => `x${i}`),
      clock.now(),
    ),
  );
  await runtime.start();
  assert.equal(set()!.count, 64);
  assert.equal(runtime.health().count, 64);
  assert.deepEqual([events[0]!.accepted, events[0]!.dropped], [64, 936]);
});

test("dropped rows are worth a pause too", async (t: TestContext) => {
  let now_ms = 0;
  t.mock.method(performance, "now", () => (now_ms += 5));
  const { clock, line, runtime, pauses } = bench(["a"]);
  line.always(() =>
    toBody(
      Array.from({ length: 10_000 }, () => ""),
      clock.now(),
    ),
  );
  await runtime.start();
  assert.ok(pauses() >= 300, `${pauses()} pauses`);
  assert.equal(runtime.health().count, 0);
});

test("close calls off what is in the air and what is scheduled; nothing is reported or kept any more", async () => {
  const { clock, line, events, runtime, stored } = bench();
  const started = runtime.start();
  runtime.close();
  await started;
  assert.notEqual(line.calls[0]!.aborted, null);
  assert.deepEqual([events, stored(), clock.pending()], [[], null, 0]);
  const idle = bench();
  idle.line.always(() => toBody(["1"], idle.clock.now()));
  await idle.runtime.start();
  assert.equal(idle.clock.pending(), 1);
  idle.runtime.close();
  assert.equal(idle.clock.pending(), 0);
  await idle.clock.advance(2 * DAY_MS);
  assert.equal(idle.line.calls.length, 2);
});

test("closed while it reads its last document it keeps no set of it", async (t: TestContext) => {
  let now_ms = 0;
  t.mock.method(performance, "now", () => (now_ms += 5));
  const { clock, line, events, runtime, stored, pauses } = bench(["a"]);
  line.always(() =>
    toBody(
      Array.from({ length: 10_000 }, (_, i) => `${i}`),
      clock.now(),
    ),
  );
  const started = runtime.start();
  while (pauses() === 0) await turn();
  runtime.close();
  await started;
  assert.deepEqual([events, stored(), clock.pending()], [[], null, 0]);
  assert.ok(pauses() < 5, "it stops at the next pause");
});

function tagged(ids: unknown, at_ms: number, etag: string | null, modified: string | null = null) {
  const { value, ...outcome } = toBody(ids, at_ms);
  return { ...outcome, value: { ...value, etag, last_modified: modified } };
}

function unchanged(at_ms: number) {
  const value = { kind: "not_modified" } as const;
  return { status: "ok", value, fetched_at_ms: at_ms, cache: "revalidated" } as const;
}

const MODIFIED = "Fri, 20 Nov 2026 03:10:12 GMT";

test("one document: the next day it is asked whether it has changed; if not, the set is good again", async () => {
  const { clock, line, events, runtime, stored, set } = bench(["a"]);
  line.always(() => tagged(["1", "2"], clock.now(), '"v1"', MODIFIED));
  await runtime.start();
  const requestOf = () => {
    const { etag = null, last_modified = null } = line.calls.at(-1)!.request;
    return [line.calls.length, etag, last_modified];
  };
  assert.deepEqual(requestOf(), [1, null, null]);
  line.always(() => unchanged(clock.now()));
  for (const day of [2, 3]) {
    await clock.advance(DAY_MS);
    assert.deepEqual(requestOf(), [day, '"v1"', MODIFIED]);
    assert.deepEqual([stored(), set()!.fetched_at_ms], [RETAINED, clock.now()]);
    assert.deepEqual(runtime.health(), {
      status: "ok",
      reason: null,
      last_success_at_ms: clock.now(),
      count: 2,
    });
    assert.deepEqual(events.at(-1), {
      registry: "source.aeds",
      outcome: "ok",
      reason: "not_modified",
      accepted: 0,
      dropped: 0,
    });
  }
  line.always(() => tagged(["3"], clock.now(), null, MODIFIED));
  await clock.advance(DAY_MS);
  assert.deepEqual([stored(), runtime.health().count], [["3"], 1]);
  await clock.advance(DAY_MS);
  assert.deepEqual(requestOf(), [5, null, MODIFIED], "of the last answer, and of no other");
});

test("a read that fails, or is of another shape, leaves the validators of the set that is in use", async () => {
  for (const outcome of [REFUSED, tagged(null, 0, '"v2"')]) {
    const { clock, line, runtime, stored } = bench(["a"]);
    line.always(() => tagged(["1"], clock.now(), '"v1"'));
    await runtime.start();
    line.always(() => outcome);
    await clock.advance(DAY_MS);
    assert.notEqual(runtime.health().status, "ok");
    line.always(() => unchanged(clock.now()));
    await clock.advance(60_001);
    assert.equal(line.calls.at(-1)!.request.etag, '"v1"');
    assert.deepEqual([stored(), runtime.health().status], [["1"], "ok"]);
  }
});

test("several documents, or several pages, are read whole again", async () => {
  for (const [documents, link] of [
    [["a", "b"], null],
    [["a"], "</a?page=2>; rel=next"],
  ] as const) {
    const { clock, line, runtime } = bench(documents);
    line.always(({ request }) => {
      const next = request.url.endsWith("/a") ? link : null;
      const { value, ...outcome } = toBody(["1"], clock.now(), next);
      return { ...outcome, value: { ...value, etag: '"v1"' } };
    });
    await runtime.start();
    await clock.advance(DAY_MS);
    assert.equal(line.calls.length, 4);
    for (const { request } of line.calls) assert.equal(request.etag ?? null, null);
  }
});
