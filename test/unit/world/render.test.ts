/**
 * Rendered pages against `JSON.stringify`, with the ends of items at every position around the end of
 * the memory that answers are rendered into (world/buffers).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LIMITS } from "#api/limits.ts";
import type { WalkBody } from "#api/walk.ts";
import { stationId, vehicleId } from "#kit/ids.ts";
import { openRoles, packRoles } from "#stations/identity/roles.ts";
import { modeMask, bitsText, withField } from "#stations/shard/bits.ts";
import { describeState } from "#core/nearby/action-state.ts";
import { readText } from "#kit/bytes.ts";
import { UNKNOWN_AVAILABILITY } from "#stations/shard/shard-status.ts";
import { toRfc3339 } from "#kit/time.ts";
import type { FoundItem } from "#world/found.ts";
import { readId } from "#world/head-id.ts";
import { Cases } from "#world/identity/cases.ts";
import { copyOf, type Frame, PageRenderer } from "#world/render.ts";
import { createTails } from "#world/tails.ts";
import { sized } from "../../support/size.ts";
import { aShard, aStation, aStatus, aVehicle, HERE, NOW_S } from "../../support/domain.ts";

/** Bytes of the memory of a renderer (world/buffers). */
const SIZE = 256 * 1024;
/** Positions beyond the end of an item that are tried, on both sides. */
const AROUND = 80;
/** Of the positions; the ends of the samples are of many lengths. */
const STEP = sized(3, 1);

type Row = { id: string; own: object };
const DOC_S = NOW_S - 5;

/** The first text is that of most rows and known by their state; the others are of few rows. */
const COMMON = { opening_hours: "24/7" };
const STATIONS: Row[] = [
  { id: "a", own: COMMON },
  { id: "b", own: COMMON },
  { id: "own", own: { opening_hours: "Mo-Fr 08:00-18:00; École" } },
  {
    id: "linked",
    own: { opening_hours: "24/7", rental_uris: { web: "https://é.example/linked" } },
  },
  { id: "silent", own: { opening_hours: "Sa 10:00-12:00" } },
  { id: "silent too", own: COMMON },
  { id: "double", own: COMMON },
];
const FILLER = "filler";
const isSilent = (id: string): boolean => id.startsWith("silent");

/** A state says at most 63 texts. */
const VEHICLES: Row[] = Array.from({ length: 80 }, (_, i) => ({
  id: `v${i}`,
  own: { name: `Bird ${i} ü`, rental_uris: { web: `https://v.example/${i}/v${i}` } },
}));

function makeShard(id: string, filler_bytes: number, vehicles = LIVE.vehicles) {
  return aShard({
    id,
    mode_hint: "bicycle",
    stations: [
      aStation(FILLER, { name: "f".repeat(filler_bytes) }),
      ...STATIONS.map((row) => aStation(row.id, row.own)),
    ],
    statuses: STATIONS.flatMap((row) => (isSilent(row.id) ? [] : [aStatus(row.id, { vehicles })])),
    vehicles: VEHICLES.map((row) => aVehicle(row.id, row.own)),
  });
}

type Shard = ReturnType<typeof makeShard>;
/** An item of a page, and what the page says of it. */
type Made = { item: FoundItem; says: object };

const ALONE = { sightings: [], neighbours: [], conflict: "" };
const BICYCLES = modeMask(["bicycle"]);
const stated = (state: number): number => withField(state, "matched", BICYCLES);
const metres = (decimetres: number): number => decimetres / 10;

function origin({ statics: { meta } }: Shard, fields: readonly string[]): object {
  const { source, network } = meta;
  return { kind: "provider", source, provider: network.name, network_id: network.id, fields };
}

function station(shard: Shard, id: string, decimetres: number): Made {
  const { statics, source_id: system_id } = shard;
  const row = [...statics.ids.offsets.keys()].find((at) => readText(statics.ids, at) === id)!;
  const state = stated(shard.status!.data!.state[row]!);
  const tails = createTails(statics.meta, statics.repeats);
  const item = {
    shard,
    tails,
    row,
    state,
    decimetres,
    merged: null,
    station_id: null,
    ...ALONE,
  };
  const of = STATIONS.find((each) => each.id === id);
  const is_live = of !== undefined && !isSilent(id);
  const fields = ["name", "location", "capacity", ...(is_live ? ["availability"] : [])];
  const says = {
    id: stationId("gbfs", system_id, id),
    type: "station",
    name: of ? `Station ${id}` : aName(shard, row),
    location: HERE,
    capacity: 20,
    distance_meters: metres(decimetres),
    ...of?.own,
    availability: is_live ? LIVE : UNKNOWN_AVAILABILITY,
    provenance: [{ entity_id: id, source_id: `${system_id}:${id}`, ...origin(shard, fields) }],
    conflicts: [],
    resolution_status: "unresolved",
    network: statics.meta.network,
    ...describeState(state),
  };
  return { item, says };
}

const LIVE = {
  vehicles: 5,
  docks: 7,
  disabled_vehicles: 1,
  disabled_docks: 2,
  by_mode: { bicycle: 5 },
  electric: null,
  is_installed: true,
  is_renting: true,
  is_returning: true,
  last_reported: toRfc3339(NOW_S - 60),
  observed_at: toRfc3339(DOC_S),
};

function aName({ statics }: Shard, row: number): string {
  return (JSON.parse(`${readText(statics.head, row)}0}`) as { name: string }).name;
}

function vehicle(shard: Shard, id: string, decimetres: number, station_id: string | null): Made {
  const { statics, source_id: system_id } = shard;
  const data = shard.vehicles!.data!;
  const source_id = `${system_id}:${id}`;
  const row = [...data.state.keys()].find((at) => readId(data.head, at).toString() === source_id)!;
  const state = stated(data.state[row]!);
  const tails = createTails(statics.meta, data.repeats);
  const item = { shard, tails, row, state, decimetres, merged: null, station_id, ...ALONE };
  const { own } = VEHICLES.find((each) => each.id === id)!;
  const { network } = statics.meta;
  const says = {
    source_id,
    svc_id: vehicleId(system_id, id, Math.floor(DOC_S / 3_600)),
    provenance: [
      { entity_id: id, source_id, ...origin(shard, ["location", "mode", "availability"]) },
    ],
    source: {
      id,
      location: HERE,
      distance_meters: metres(decimetres),
      ...own,
      brand: network.name,
      ...(station_id === null ? {} : { station_id }),
      source_kind: "gbfs",
      ...describeState(state),
    },
    network_id: network.id,
    canonical_id: null,
    entity_source: "svc",
    resolution_status: "unresolved",
    conflicts: [],
  };
  return { item, says };
}

/** A station that two systems observe, whose counts differ or not. */
function double(shards: readonly Shard[], decimetres: number): Made {
  const each = shards.map((shard) => station(shard, "double", decimetres));
  const parts = shards.map((shard) => ({
    entry: { source_id: shard.source_id, shard, closures: null, hours: null },
    statics: shard.statics,
  }));
  const buffer = packRoles(
    shards.map(({ statics }) => statics),
    {
      matching: {
        clusters: [{ members: [0, 1], confidence: 0.9, pairs: [] }],
        possible: [],
        crowded: [],
      },
      stations: [[0, 1]],
      ids: ["svc_station_double"],
      rows: each.map(({ item }, system) => ({ system, row: item.row, derived: "" })),
    },
  );
  const view = new Cases(parts, openRoles(buffer)).viewAt(NOW_S);
  const item: FoundItem = { ...each[0]!.item, merged: { view, place: 0 } };
  const { provenance: _, ...says } = each[0]!.says as { provenance: unknown };
  const counts = shards.map(({ status }) => status!.data!.vehicles[each[0]!.item.row]!);
  // Alone it is far from the end of the memory.
  const alone = JSON.parse(render([item], 0).toString()) as Page;
  const whole = alone.results.stations[0]!;
  assert.deepEqual(
    { ...whole, provenance: undefined },
    {
      ...says,
      provenance: undefined,
      id: "svc_station_double",
      resolution_status: "merged",
      resolution_confidence: 0.9,
      conflicts: counts.every((count) => count === counts[0]) ? [] : [conflictOf(shards, counts)],
    },
  );
  return { item, says: whole };
}

function conflictOf(shards: readonly Shard[], counts: readonly number[]): object {
  const [listed, other] = shards.map(({ source_id }, i) => ({
    source_id: `${source_id}:double`,
    value: { vehicles: counts[i], docks: LIVE.docks },
  }));
  return { field: "availability", ...listed, others: [other] };
}

type Page = { pad: string; results: { stations: object[]; vehicles: object[] } };

const renderer = new PageRenderer();

function render(items: readonly FoundItem[], pad_bytes: number): Buffer {
  const before = `{"pad":"${"p".repeat(pad_bytes)}","results":{"stations":[`;
  const frame: Frame = { before, alerts: "[]" };
  return copyOf((use) => renderer.render(items, frame, use));
}

/** An item, one behind it, and whether what it alone has is part of it as it is rendered. */
type Ending = { made: Made; next: Made; has_own: boolean };

function pageOf(
  filler: Made,
  { made, next }: Ending,
): { items: FoundItem[]; says: Page["results"] } {
  const isVehicle = "svc_id" in made.says;
  const [stations, vehicles] = isVehicle ? [[filler], [made, next]] : [[filler, made, next], []];
  return {
    items: [filler, made, next].map(({ item }) => item),
    says: {
      stations: stations.map(({ says }) => says),
      vehicles: vehicles.map(({ says }) => says),
    },
  };
}

/** Where in a page the item ends: before the comma of the next one. */
function endOf(page: Buffer, { next }: Ending): number {
  return page.indexOf(`,${JSON.stringify(next.says).slice(0, 32)}`);
}

const BEFORE_PAD_BYTES = '{"pad":"'.length;

function assertSays(body: Buffer, says: Page["results"]): void {
  const { results } = JSON.parse(body.toString()) as Page;
  assert.deepEqual(results, { ...says, alerts: [] });
}

/** Renders pages whose item ends at, and begins at, every position around the end of the memory. */
function sweep(makeEnding: (shard: Shard) => Ending): void {
  const small = makeShard("sys", 1);
  const base = makeEnding(small);
  assert.equal(base.has_own, bitsText(base.made.item.state) === -1);
  const bytes = Buffer.byteLength(JSON.stringify(base.made.says));
  const { items } = pageOf(station(small, FILLER, 0), base);
  const before = endOf(render(items, 0), base) + AROUND;
  const shard = makeShard("sys", SIZE - before);
  const large = makeEnding(shard);
  const page = pageOf(station(shard, FILLER, 0), large);
  const first = render(page.items, 0);
  assertSays(first, page.says);
  const end = endOf(first, large);
  const rest = first.subarray(BEFORE_PAD_BYTES);
  for (let pad = 0; pad <= bytes + 2 * AROUND; pad += STEP) {
    const body = render(page.items, pad);
    // Byte for byte, which is much less work than to read it again.
    if (body.subarray(BEFORE_PAD_BYTES + pad).equals(rest)) continue;
    assertSays(body, page.says);
    assert.fail(`with ${pad} bytes before it is written in another way`);
  }
  assert.ok(end <= SIZE - AROUND + 1, `${end}: the first end`);
  assert.ok(end + bytes + 2 * AROUND >= SIZE + bytes, `${end}: the last end`);
}

const ENDINGS: Record<string, (shard: Shard) => Ending> = {
  "a station with the commonest text": (shard) => ({
    made: station(shard, "a", 10),
    next: station(shard, "b", 12_345),
    has_own: false,
  }),
  "a station with a text of its own": (shard) => ({
    made: station(shard, "own", 1_234),
    next: station(shard, "b", 12_345),
    has_own: true,
  }),
  "a station with a text that holds its id": (shard) => ({
    made: station(shard, "linked", 1_234),
    next: station(shard, "own", 12_345),
    has_own: true,
  }),
  "a station without counts, with a text of its own": (shard) => ({
    made: station(shard, "silent", 1_234),
    next: station(shard, "silent too", 12_345),
    has_own: true,
  }),
  "a station without counts": (shard) => ({
    made: station(shard, "silent too", 1_230),
    next: station(shard, "silent", 12_345),
    has_own: false,
  }),
  "a station of two observations": (shard) => ({
    made: double([shard, makeShard("other", 1)], 1_234),
    next: station(shard, "b", 12_345),
    has_own: false,
  }),
  "a station of two observations with other counts": (shard) => ({
    made: double([shard, makeShard("other", 1, 3)], 1_234),
    next: double([shard, makeShard("other", 1)], 12_345),
    has_own: false,
  }),
  "a vehicle with one of the commonest texts": (shard) => ({
    made: vehicle(shard, "v3", 10, null),
    next: vehicle(shard, "v4", 12_345, null),
    has_own: false,
  }),
  "a vehicle with a text of its own": (shard) => ({
    made: vehicle(shard, "v70", 1_234, null),
    next: vehicle(shard, "v71", 12_345, null),
    has_own: true,
  }),
  "a vehicle with a text of its own, at a station": (shard) => ({
    made: vehicle(shard, "v70", 1_234, "svc_station_b"),
    next: vehicle(shard, "v71", 12_345, "svc_station_b"),
    has_own: true,
  }),
  "a vehicle with one of the commonest texts, at a station": (shard) => ({
    made: vehicle(shard, "v3", 1_234, "svc_station_b"),
    next: vehicle(shard, "v71", 12_345, null),
    has_own: false,
  }),
};

for (const [name, makeEnding] of Object.entries(ENDINGS)) {
  test(`an answer is whole wherever in the memory it ends: ${name}`, () => sweep(makeEnding));
  test(`with ways on foot, too: ${name}`, () => {
    sweep((shard) => {
      const { made, next, has_own } = makeEnding(shard);
      return { made: walkTo(made, LONGEST), next: walkTo(next, null), has_own };
    });
  });
}

/** The longest text that a way may have. */
const LONGEST: WalkBody = {
  meters: LIMITS.walk.meters_max,
  seconds: Math.ceil(LIMITS.walk.meters_max / LIMITS.walk.speed_min),
  step_free: false,
};

/** The item with its way, which a vehicle says of its source. */
function walkTo({ item, says }: Made, walk: WalkBody | null): Made {
  const { source } = says as { source?: object };
  return {
    item: { ...item, walk },
    says: source ? { ...says, source: { ...source, walk } } : { ...says, walk },
  };
}
