/**
 * Generated worlds in which several sources observe the same docks, and what happens to them: counts,
 * static parts, alerts and parked vehicles change, time passes.
 */
import fc from "fast-check";
import type { Shard, StationInfo, StationStatus } from "#stations/shards.ts";
import type { Deployment, Wish } from "./answers.ts";
import {
  aShard,
  aStation,
  aStatus,
  aType,
  aVehicle,
  anAlert,
  HERE,
  moved,
  NOW_S,
} from "./domain.ts";

const SOURCES = [
  { id: "velocite", source: "gbfs" },
  { id: "cb-velocite", source: "citybikes" },
  { id: 'velo"cité', source: "gbfs_aggregator" },
] as const;
const DOCKS = 6;
const NAMES = [
  "Gare centrale",
  'Vieux "port"',
  "Place de l’Église 🚲",
  "Rue du \\ Moulin",
  "N",
  "Stade",
];

const perDock = <T>(value: fc.Arbitrary<T>) =>
  fc.array(value, { minLength: DOCKS, maxLength: DOCKS });
const few = fc.constantFrom(0, 1, 5, null);
const info = fc.record({
  name: fc.constantFrom(null, null, null, "Other"),
  shift_m: fc.constantFrom(0, 4, 30),
  capacity: fc.constantFrom(20, 20, 18, null),
  // The last is an item with a piece of memory of its own size, without a byte to spare.
  address: fc.constantFrom(null, null, null, '1, quai "é"', "2, quai", "quai ".repeat(4_000)),
  opening_hours: fc.constantFrom(null, "24/7", "Mo-Fr 08:00-18:00"),
  is_linked: fc.boolean(),
  types: fc.constantFrom<readonly string[]>([], ["bike"], ["bike", "ebike"]),
});
const counts = fc.option(
  fc.record({
    vehicles: few,
    docks: few,
    docks_unlimited: fc.boolean(),
    is_installed: fc.constantFrom(true, true, true, false, null),
    is_renting: fc.constantFrom(true, true, false, null),
    reported_age_s: fc.constantFrom(null, 0, 5, 60, 3_000, 90_000),
  }),
  { freq: 5 },
);
const statics = perDock(info);
const live = fc.option(
  fc.record({ counts: perDock(counts), doc_age_s: fc.constantFrom(0, 5, 400, 3_590, 4_000) }),
  { freq: 6 },
);
const of = fc.nat({ max: SOURCES.length - 1 });

/** What may happen; `of`: to which source. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("live" as const), of, live }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("static" as const), of, statics }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("alerts" as const),
      of,
      closed: fc.array(fc.nat({ max: DOCKS - 1 }), { maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("parked" as const),
      of,
      at: fc.array(fc.nat({ max: DOCKS - 1 }), { maxLength: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("time" as const),
      seconds: fc.constantFrom(1, 9, 30, 300, 3_600, 90_000),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Live = typeof live extends fc.Arbitrary<infer T> ? T : never;
type Statics = typeof statics extends fc.Arbitrary<infer T> ? T : never;

export const doubles = fc.record({
  sources: fc.array(fc.record({ statics, live }), { minLength: 2, maxLength: SOURCES.length }),
  steps: fc.array(step, { minLength: 4, maxLength: 12 }),
});
export type Doubles = typeof doubles extends fc.Arbitrary<infer T> ? T : never;

/** Questions that are asked after each step. */
export const WISHES: readonly Wish[] = [
  { include: ["stations"] },
  { limit: 3, offset: 1 },
  { modes: ["scooter", "car"] },
  { min_vehicles: 1 },
  { min_docks: 2, propulsion: ["human"] },
  { operators: "Vélocité" },
  { debug: true },
  { format: "geojson" },
];

type Source = { statics: Statics; live: Live; closed: readonly number[]; at: readonly number[] };

/** Plays a generated world in a deployment; `afterEach`: after the beginning and each step. */
export async function play(
  { sources, steps }: Doubles,
  deployment: Deployment,
  afterEach: () => void | Promise<void>,
): Promise<void> {
  const { world, clock } = deployment;
  const entries: Source[] = sources.map((each) => ({ ...each, closed: [], at: [] }));
  const make = (i: number): Shard => toShard(i, entries[i]!, clock.now() / 1000);
  entries.forEach((_, i) => {
    world.register({ source_id: SOURCES[i]!.id, country: "FR" });
    void world.put(make(i));
  });
  await afterEach();
  for (const each of steps) {
    await happen(each);
    await afterEach();
  }

  async function happen(each: Step): Promise<void> {
    if (each.kind === "time") return await clock.advance(each.seconds * 1000);
    const i = each.of;
    const source = entries[i];
    if (!source) return;
    Object.assign(source, each);
    const next = make(i);
    const { statics: same } = world.find(SOURCES[i]!.id)!.shard!;
    void world.put(each.kind === "static" ? next : { ...next, statics: same });
  }
}

function toShard(i: number, source: Source, now_s: number): Shard {
  const { id, source: provider } = SOURCES[i]!;
  const stations = source.statics.map((each, dock) => toStation(i, dock, each));
  const { live: counted } = source;
  const shard = aShard({
    id,
    source: provider,
    name: "Vélocité",
    types: [aType("bike"), aType("ebike", { propulsion: "electric_assist", electric: true })],
    stations,
    statuses: counted
      ? counted.counts.flatMap((each, dock) => toStatus(keyOf(i, dock), each, now_s))
      : null,
    vehicles: source.at.map((dock, n) =>
      aVehicle(`v${i}-${n}`, { type_id: "bike", station_id: keyOf(i, dock) }),
    ),
    alerts: source.closed.map((dock) =>
      anAlert(`a${dock}`, {
        station_ids: [keyOf(i, dock)],
        times: [{ start_s: null, end_s: NOW_S + 400 }],
      }),
    ),
    doc_age_s: NOW_S - now_s + (counted?.doc_age_s ?? 5),
  });
  return shard;
}

const keyOf = (i: number, dock: number): string => `${"x".repeat(i)}"${dock}é`;

function toStation(i: number, dock: number, input: Statics[number]): StationInfo {
  const key = keyOf(i, dock);
  return aStation(key, {
    ...moved(HERE, dock * 40, input.shift_m),
    name: input.name ?? NAMES[dock]!,
    capacity: input.capacity,
    address: input.address,
    opening_hours: input.opening_hours,
    rental_uris: input.is_linked ? { web: `https://velo.example/${dock}` } : null,
    vehicle_capacity: input.types.map((type_id) => ({ type_ids: [type_id], count: 3 })),
  });
}

function toStatus(
  id: string,
  input: (Live & object)["counts"][number],
  now_s: number,
): StationStatus[] {
  if (!input) return [];
  const { reported_age_s, ...rest } = input;
  const last_reported_s = reported_age_s === null ? null : Math.floor(now_s) - reported_age_s;
  return [aStatus(id, { ...rest, last_reported_s })];
}
