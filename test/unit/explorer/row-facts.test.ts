/** What decides between things: rows, orders and wishes, and what is older than its pace. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { withFetch } from "../../support/with-fetch.ts";

type Item = {
  id: string;
  kind: string;
  layer: string;
  usable: string;
  stale: boolean;
  isOld: boolean;
  age_s?: number | null;
};
const page = (path: string): URL => new URL(`../../../explorer/${path}`, import.meta.url);
const load = async <T>(path: string): Promise<T> => (await import(page(path).href)) as T;
type Departure = { at_ms: number; time: string; isLive: boolean };
const { departureWords, factsOf, inChosenOrder } = await load<{
  departureWords(item: { departure: Departure | null }, now_ms: number): object | null;
  factsOf(item: object): string[];
  inChosenOrder<T extends object>(items: T[], sort: string): T[];
}>("panel/row-facts.js");
const { readDepartures } = await load<{
  readDepartures(body: object, now_ms: number): Map<string, Departure[]>;
}>("data/next-departures.js");
const { toMobility } = await load<{
  toMobility(body: object, colors: Map<string, string>): Item[];
}>("data/items.js");
const { choose } = await load<{ choose(items: object[], state: object): object[] }>(
  "data/wishes.js",
);
const { readState } = await load<{
  readState(search: string, start: null): { kinds: Set<string>; sort: string };
}>("page/state.js");
const { loadTexts } = await load<{ loadTexts(assets: string): Promise<void> }>("page/texts.js");

before(async () => {
  const texts = readFileSync(page("texts/en.json"), "utf8");
  Object.assign(globalThis, {
    document: { documentElement: {} },
    location: { search: "" },
    localStorage: { getItem: () => null },
  });
  await withFetch(
    () => new Response(texts),
    () => loadTexts("/"),
  );
});

const charger = (id: string, ...connectors: object[]) => ({
  ...{ id, kind: "charging", layer: "service" },
  raw: { attributes: { charging: { connectors }, open_status: "open" } },
});

test("a row of a charger has its plugs, the strongest first, and what is not known is not made up", () => {
  const strong = charger("a", { type: "Type 2", max_kw: 22 }, { type: "CCS2", max_kw: 150 });
  assert.deepEqual(factsOf(strong), ["CCS2, 150 kW", "Type 2, 22 kW"]);
  assert.deepEqual(factsOf(charger("b", { type: "CCS2" }, { type: "Other", max_kw: 11 })), [
    "CCS2",
  ]);
  assert.deepEqual(factsOf(charger("c")), []);
});

test("a row says that hours are not known, and what is known of wheelchairs", () => {
  const toilet = (attributes: object) => ({
    kind: "toilets",
    layer: "service",
    raw: { attributes },
  });
  assert.deepEqual(factsOf(toilet({ wheelchair: "yes" })), ["hours not known", "wheelchair"]);
  assert.deepEqual(factsOf(toilet({ open_status: "open", wheelchair: "no" })), ["no wheelchair"]);
  assert.deepEqual(factsOf(toilet({ open_status: "closed" })), []);
});

test("an order puts what is greater first, what is not known last, and equals as they were", () => {
  const scooter = (id: string, battery?: number) => ({
    id,
    layer: "vehicle",
    kind: "scooter",
    raw: { source: { battery } },
  });
  const items = [
    scooter("a", 12),
    scooter("b"),
    scooter("c", 86),
    scooter("d", 12),
    scooter("e", 0),
  ];
  const ids = (sort: string) =>
    inChosenOrder(items, sort)
      .map(({ id }) => id)
      .join("");
  assert.equal(ids("battery"), "cadeb");
  assert.equal(ids("distance"), "abcde");
  assert.equal(ids("docks"), "abcde");
});

test("wishes leave out what is known not to fit, and nothing else", () => {
  const station = (docks: number | null) => ({
    layer: "station",
    kind: "bicycle",
    raw: { availability: { docks } },
  });
  const state = (wish: string) => ({ wishes: new Set([wish]), operator: null });
  const stations = [station(0), station(3), station(null)];
  assert.deepEqual(choose(stations, state("docks")), stations.slice(1));
  const chargers = [charger("a", { max_kw: 22 }), charger("b", { max_kw: 50 }), charger("c")];
  assert.deepEqual(choose(chargers, state("fast")), chargers.slice(1));
});

test("data older than their pace have their age, and the thing is not known to be usable", () => {
  const station = (id: string, data_class: string, name: string) => ({
    ...{ id, name: id, data_class, mode: "bicycle", network: { id: name, name } },
    ...{
      location: { lat: 1, lon: 2 },
      distance_meters: 3,
      service_status: { state: "operational" },
    },
    availability: { vehicles: 5, docks: 2 },
  });
  const notice = { source: "Old", cause: "answers with errors", age_s: 1_560, cut: null };
  const items = toMobility(
    {
      results: {
        stations: [
          station("new", "realtime", "New"),
          station("old", "semi_static", "Old"),
          station("other", "semi_static", "Other"),
        ],
      },
      notices: [notice, { ...notice, age_s: 1_900 }],
    },
    new Map(),
  );
  assert.deepEqual(
    items.map(({ id, usable, stale, age_s }) => [id, usable, stale, age_s ?? null]),
    [
      ["new", "yes", false, null],
      ["old", "unknown", true, 1_560],
      ["other", "unknown", true, null],
    ],
  );
});

test("a stop has the next departure that takes place at a known time, live or planned", () => {
  const now_ms = Date.parse("2026-11-27T09:00:00Z");
  const call = (id: string, planned_at: string | null, expected_at: string | null, more = {}) => ({
    ...{ station: { id }, planned_at, expected_at, status: "scheduled", ...more },
  });
  const stops = readDepartures(
    {
      // The clock of this device is a minute behind.
      local_time: "2026-11-27T10:01:00+01:00",
      results: {
        departures: [
          call("a", "2026-11-27T10:05:00+01:00", null, { status: "cancelled" }),
          call("a", "2026-11-27T10:09:00+01:00", "2026-11-27T10:12:30+01:00"),
          call("a", "2026-11-27T10:11:00+01:00", null),
          call("b", "2026-11-27T10:06:00+01:00", null, { headway_seconds: 300 }),
          call("c", null, "2026-11-27T10:01:20+01:00", { status: "added" }),
        ],
      },
    },
    now_ms,
  );
  assert.deepEqual([...stops.keys()].toSorted(), ["a", "c"]);
  const wordsOf = (id: string) => departureWords({ departure: stops.get(id)?.[0] ?? null }, now_ms);
  assert.deepEqual(wordsOf("a"), {
    ...{ text: "10 min", isLive: false, full: "next departure 10:11, planned" },
  });
  assert.deepEqual(wordsOf("c"), {
    ...{ text: "now", isLive: true, full: "next departure 10:01, live" },
  });
  assert.equal(wordsOf("b"), null);
});

test("stops are ordered by their next departure, and by the wish to leave soon left out where known not to", () => {
  const stop = (id: string, minutes: number | null) => ({
    ...{ id, layer: "transit", kind: "transit", raw: {} },
    departure:
      minutes === null ? null : { at_ms: Date.now() + minutes * 60_000, time: "", isLive: true },
  });
  const stops = [stop("a", 30), stop("b", null), stop("c", 2), stop("d", 5)];
  const ids = (items: object[]): string => (items as { id: string }[]).map(({ id }) => id).join("");
  assert.equal(ids(inChosenOrder(stops, "departure")), "cdab");
  assert.equal(ids(choose(stops, { wishes: new Set(["soon"]), operator: null })), "bcd");
  assert.equal(readState("?sort=departure", null).sort, "departure");
});

test("an address with unknown kinds shows what one without shows; one with none shows none", () => {
  const usual = [...readState("", null).kinds];
  assert.ok(usual.length > 1);
  assert.deepEqual([...readState("?show=nonsense", null).kinds], usual);
  assert.deepEqual([...readState("?show=", null).kinds], []);
  assert.deepEqual([...readState("?show=toilets,nonsense", null).kinds], ["toilets"]);
  assert.equal(readState("?sort=battery", null).sort, "battery");
  assert.equal(readState("?sort=nonsense", null).sort, "kind");
});
