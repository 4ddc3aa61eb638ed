/** What a visitor has of their own: saved places, what is there now, and notices of what becomes free. */
import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { test } from "node:test";
import fc from "fast-check";
import { tries } from "../../support/size.ts";

type Thing = { id: string; layer: string; kind: string };
type Given = { role: string | null; name: string; lat: number; lon: number; thing: Thing | null };
type Favourite = Given & { id: string };
type Favourites = {
  isKept: boolean;
  list(): readonly Favourite[];
  findThing(id: string): Favourite | null;
  add(given: Given): boolean;
  remove(id: string): void;
  rename(id: string, name: string): void;
  follow(): void;
};
type Now = { state: string; counts?: { kind: string; n: number }[]; age_s?: number | null };
type Item = Record<string, unknown>;
type Watches = {
  has(item: Item, what: string): boolean;
  begin(item: Item, what: string): boolean;
  end(item: Item, what: string): void;
};

const load = async <T>(path: string): Promise<T> =>
  (await import(new URL(`../../../explorer/own/${path}`, import.meta.url).href)) as T;
const { Favourites } = await load<{
  Favourites: new (given: { openStore: () => Store; changed?: () => void }) => Favourites;
}>("favourites.js");
const { askNow, readNow } = await load<{
  askNow(one: Favourite): { path: string; query: Record<string, string> } | null;
  readNow(one: Favourite, answer: { status: number | null; body: unknown }): Now;
}>("now.js");
const { Watches, listWaits } = await load<{
  listWaits(item: Item): string[];
  Watches: new (given: {
    free: (item: Item, what: string) => void;
    lost: (item: Item, message: string) => void;
    means: object;
  }) => Watches;
}>("watches.js");

class Store {
  text: string | null = null;
  isFull = false;
  getItem = (): string | null => this.text;
  setItem = (_: string, text: string): void => {
    if (this.isFull) throw new DOMException("full", "QuotaExceededError");
    this.text = text;
  };
  removeItem = (): void => void (this.text = null);
}

const PLACE = { role: null, name: "A", lat: 48.85, lon: 2.35, thing: null };
const STATION = { id: "svc_station_1", layer: "station", kind: "bicycle" };
const open = (store: Store): Favourites => new Favourites({ openStore: () => store });

test("what is saved is there again, home and work first and each once", () => {
  const store = new Store();
  const own = open(store);
  for (const role of [null, "work", "home", "home"])
    assert.equal(own.add({ ...PLACE, role, name: role ?? "A" }), true);
  assert.equal(own.add({ ...PLACE, thing: STATION }), true);
  const again = open(store);
  assert.deepEqual(
    again.list().map(({ role, name }) => role ?? name),
    ["home", "work", "A", "A"],
  );
  assert.equal(again.findThing("svc_station_1")?.name, "A");
  const [first] = again.list();
  again.rename(first!.id, `  ${"x".repeat(80)}  `);
  assert.equal(open(store).list()[0]?.name, "x".repeat(60));
  own.follow();
  assert.equal(own.list()[0]?.name, "x".repeat(60), "another page of the browser changed it");
  for (const { id } of again.list()) again.remove(id);
  assert.equal(store.text, null);
});

test("there are as many as may be, and no more", () => {
  const own = open(new Store());
  for (let n = 0; n < 12; n += 1) assert.equal(own.add(PLACE), true);
  assert.equal(own.add(PLACE), false);
  assert.equal(own.list().length, 12);
});

test("a store that is full or forbidden keeps them as long as the page", () => {
  const store = new Store();
  store.isFull = true;
  const own = open(store);
  assert.equal(own.add(PLACE), true);
  assert.deepEqual([own.isKept, own.list().length], [false, 1]);
  store.isFull = false;
  assert.equal(own.add(PLACE), true);
  assert.deepEqual([own.isKept, open(store).list().length], [true, 2]);
  const forbidden = new Favourites({
    openStore() {
      throw new DOMException("no", "SecurityError");
    },
  });
  assert.equal(forbidden.add(PLACE), true);
  assert.deepEqual([forbidden.isKept, forbidden.list().length], [false, 1]);
});

test("of a damaged store what is sound is read, and nothing throws", () => {
  const store = new Store();
  const sound = { ...PLACE, id: "1" };
  const texts: [string, number][] = [
    ["", 0],
    ["{", 0],
    ["null", 0],
    ['{"list":{}}', 0],
    [JSON.stringify({ list: [sound, null, 7, { ...sound, id: "2", lat: 91 }] }), 1],
    [JSON.stringify({ list: [sound, sound, { ...sound, id: "<b>" }, { ...sound, name: 1 }] }), 1],
    [JSON.stringify({ list: [{ ...sound, thing: { ...STATION, layer: "vehicle" } }] }), 0],
    [
      JSON.stringify({ list: Array.from({ length: 90 }, (_, n) => ({ ...sound, id: `${n}` })) }),
      12,
    ],
    [JSON.stringify({ list: [{ ...sound, name: "x".repeat(30_000) }] }), 0],
  ];
  for (const [text, n] of texts) {
    store.text = text;
    assert.equal(open(store).list().length, n, text.slice(0, 60));
  }
  const any = fc.property(fc.jsonValue(), (list) => {
    store.text = JSON.stringify({ list });
    assert.ok(open(store).list().length <= 12);
  });
  fc.assert(any, { numRuns: tries(100) });
});

const toPlace = (change: Partial<Favourite> = {}): Favourite => ({ ...PLACE, id: "1", ...change });
const answer = (body: unknown, status = 200) => ({ status, body });

test("the box around a place is small, and within the Earth at its edges", () => {
  const points = [
    [48.85, 2.35],
    [0, 180],
    [-90, -180],
    [89.9999, 0],
  ] as const;
  for (const [lat, lon] of points) {
    const { path, query } = askNow(toPlace({ lat, lon }))!;
    assert.equal(path, "/v1/nearby/stream");
    const [west = 0, south = 0, east = 0, north = 0] = query["bbox"]!.split(",").map(Number);
    assert.ok(west >= -180 && east <= 180 && south >= -90 && north <= 90 && west < east);
    assert.ok(north - south < 0.004 && east - west <= 0.2, String(query["bbox"]));
  }
  assert.equal(askNow(toPlace({ thing: { ...STATION, layer: "transit" } })), null);
});

const SOURCE = { network: { id: "n" }, state: "fresh", as_of: "2026-01-05T08:00:00Z" };
const BIKE = { kind: "vehicle", modes: ["bicycle"], network_id: "n", pickup: "available_now" };
const RACK = { ...BIKE, kind: "station", vehicles: 4, docks: 3, return: "available_now" };

test("what counts at a place is what can be used, of data as young as promised", () => {
  const read = (items: object[], source: object = {}) => {
    const sources = [{ ...SOURCE, ...source }];
    return readNow(toPlace(), answer({ items, sources, at: "2026-01-05T08:26:00Z" }));
  };
  const closed = { ...RACK, pickup: "unavailable_now", return: "unavailable_now" };
  const scooter = { ...BIKE, modes: ["scooter"] };
  assert.deepEqual(read([BIKE, { ...BIKE, pickup: "unknown" }, RACK, closed, scooter]), {
    state: "counts",
    counts: [
      { kind: "bicycle", n: 5 },
      { kind: "docks", n: 3 },
    ],
  });
  const unknown = { ...RACK, vehicles: null, docks: null };
  assert.deepEqual(read([unknown]), { state: "counts", counts: [] });
  assert.deepEqual(read([RACK], { state: "old" }), { state: "old", age_s: 1560 });
  assert.deepEqual(read([], { state: "lost", as_of: null }), { state: "old", age_s: null });
  assert.deepEqual(read([], { state: "waiting" }), { state: "waiting" });
});

test("a thing that is gone says so, and what failed says nothing", () => {
  const station = toPlace({ thing: STATION });
  const gone = answer({ error: { code: "unknown_place" } }, 404);
  assert.deepEqual(readNow(station, gone), { state: "gone" });
  for (const failed of [answer(null, 200), answer({ error: {} }, 404), answer({}, 503)])
    assert.deepEqual(readNow(station, failed), { state: "unknown" });
  assert.deepEqual(readNow(station, answer({ status: "partial", results: {} })), {
    state: "unknown",
  });
  const raw = {
    ...{ id: "svc_station_1", name: "S", mode: "bicycle", distance_meters: 0 },
    location: { lat: 1, lon: 2 },
    availability: { vehicles: 5, docks: 0 },
    network: { id: "n", name: "N" },
  };
  const read = (change: object, notices: object[] = []) =>
    readNow(station, answer({ notices, results: { stations: [{ ...raw, ...change }] } }));
  assert.deepEqual(read({}).counts, [
    { kind: "bicycle", n: 5 },
    { kind: "docks", n: 0 },
  ]);
  const notices = [{ source: "N", age_s: 1560 }];
  assert.deepEqual(read({ data_class: "semi_static" }, notices), { state: "old", age_s: 1560 });
});

/** A service that writes the streams that were opened. */
function openStreams() {
  const streams: { target: string; write(type: string, body: object): Promise<void> }[] = [];
  const ended: string[] = [];
  const encoder = new TextEncoder();
  const means = {
    wait: () => new Promise<void>(() => {}),
    open(target: string, _: object, signal: AbortSignal): Promise<Response> {
      const body = new ReadableStream({
        start(controller) {
          signal.addEventListener("abort", () => {
            ended.push(target);
            controller.error(signal.reason);
          });
          streams.push({
            target,
            async write(type, event) {
              if (signal.aborted) return;
              controller.enqueue(
                encoder.encode(`event: ${type}\nid: 1\ndata: ${JSON.stringify(event)}\n\n`),
              );
              for (let n = 0; n < 5; n += 1) await setImmediate();
            },
          });
        },
      });
      const headers = { "content-type": "text/event-stream" };
      return Promise.resolve(new Response(body, { headers }));
    },
  };
  return { streams, ended, means };
}

const AT = "2026-01-05T08:00:00Z";
const toStation = (n: number): Item => ({
  ...{ id: `s${n}`, layer: "station", kind: "bicycle", name: `S${n}`, free: 0, lat: 48, lon: n },
  raw: { availability: { docks: 2 } },
});
const toLive = (change: object): object => ({
  ...{ ...RACK, id: "s1", location: { lat: 48, lon: 1 }, state: "operational", vehicles: 0 },
  ...change,
});
const FRESH = [{ ...SOURCE, source_id: "x", color: null, network: { id: "n", name: "N" } }];

test("a notice comes once, when it is free by data of now, and its stream ends", async () => {
  const { streams, ended, means } = openStreams();
  const notes: string[] = [];
  const free = (item: Item, what: string): void => void notes.push(`${what} ${String(item["id"])}`);
  const watches = new Watches({ free, lost: () => notes.push("lost"), means });
  const item = toStation(1);
  assert.equal(watches.begin(item, "vehicles"), true);
  await setImmediate();
  const [stream] = streams;
  assert.match(
    stream!.target,
    /^\/v1\/nearby\/stream\?bbox=0\.9995,47\.9995,1\.0005,48\.0005&include=stations$/,
  );
  const delta = (change: object, state = "fresh") =>
    stream!.write("delta", {
      ...{ at: AT, entered: [], left: [], changed: [toLive(change)] },
      sources: [{ ...FRESH[0], state }],
    });
  await stream!.write("snapshot", { at: AT, items: [toLive({})], sources: FRESH });
  await delta({ vehicles: null });
  await delta({ vehicles: 2 }, "old");
  await delta({ vehicles: 2, state: "maintenance" });
  await delta({ vehicles: 2, pickup: "unavailable_now" });
  await delta({ id: "other", vehicles: 2 });
  assert.deepEqual(notes, []);
  await delta({ vehicles: 1 });
  assert.deepEqual(notes, ["vehicles s1"]);
  assert.equal(ended.length, 1);
  assert.equal(watches.has(item, "vehicles"), false);
  await delta({ vehicles: 3 });
  assert.deepEqual(notes, ["vehicles s1"]);
});

test("five are waited for at most, and one that is ended gives its place", async () => {
  const { streams, ended, means } = openStreams();
  const watches = new Watches({ free: () => {}, lost: () => {}, means });
  for (let n = 1; n <= 5; n += 1) assert.equal(watches.begin(toStation(n), "vehicles"), true);
  assert.equal(watches.begin(toStation(1), "vehicles"), true, "it is waited for already");
  assert.equal(watches.begin(toStation(6), "vehicles"), false);
  await setImmediate();
  assert.equal(streams.length, 5);
  watches.end(toStation(1), "vehicles");
  assert.equal(ended.length, 1);
  assert.equal(watches.begin(toStation(6), "docks"), true);
  for (let n = 1; n <= 6; n += 1)
    for (const what of ["vehicles", "docks"]) watches.end(toStation(n), what);
});

test("a service that gives no stream ends it, and that is said", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const body = { error: { message: "No units are left." } };
  const means = {
    wait: () => new Promise<void>(() => {}),
    open: () => Promise.resolve(Response.json(body, { status: 402 })),
  };
  const lost = (_: Item, message: string): void => resolve(message);
  const watches = new Watches({ free: () => {}, lost, means });
  watches.begin(toStation(1), "vehicles");
  assert.equal(await promise, "No units are left.");
  assert.equal(watches.has(toStation(1), "vehicles"), false);
});

test("only what is known to be none can be waited for", () => {
  const station = toStation(1);
  assert.deepEqual(listWaits(station), ["vehicles"]);
  assert.deepEqual(listWaits({ ...station, raw: { availability: { docks: 0 } } }), [
    "vehicles",
    "docks",
  ]);
  assert.deepEqual(listWaits({ ...station, free: null }), []);
  const charger = { id: "c", layer: "service", kind: "charging", raw: {} };
  assert.deepEqual(listWaits({ ...charger, free: 0 }), ["plugs"]);
  assert.deepEqual(listWaits({ ...charger, free: null }), []);
  assert.deepEqual(listWaits({ ...charger, kind: "parking", free: 0 }), []);
});
