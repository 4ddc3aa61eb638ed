/**
 * Items of merged stations, which are rendered once for each state of their systems, against the same
 * items made of objects, while the systems change; and many answers that wait while others are made.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readStatic } from "#stations/identity/case-text.ts";
import { distance_m } from "#kit/geo.ts";
import { modeMask, MODES_MASK, NO_STATUS_BIT } from "#stations/shard/bits.ts";
import { describeState } from "#core/nearby/action-state.ts";
import { readText } from "#kit/bytes.ts";
import { originJson } from "#stations/shard/shard-origin.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { UNKNOWN_AVAILABILITY } from "#stations/shard/shard-status.ts";
import type { FoundItem } from "#world/found.ts";
import type { Member, StationCase } from "#world/identity/station-case.ts";
import { copyOf, PageRenderer } from "#world/render.ts";
import type { World } from "#world/world.ts";
import { type Answered, deploy, type Deployment, toBytes, toInput } from "../../support/answers.ts";
import { aShard, aStation, HERE, moved } from "../../support/domain.ts";
import { type Doubles, doubles, play, WISHES } from "../../support/doubles.ts";
import { createMemoryBridges } from "../../support/memory.ts";
import { sized } from "../../support/size.ts";

const RUNS = sized(30, 400);

const settle = (): Deployment =>
  deploy({
    identity: { bridges: createMemoryBridges(), overrides: { always: [], never: [] } },
    refresh: () => () => Promise.resolve({ status: "ok", cache: "miss" }),
  });

test("a merged station is written as its sources report it at that moment, whatever was rendered before", async () => {
  const seen = { merged: 0, conflicts: 0, silent: 0, near: 0, bytes: 0 };
  const renderer = new PageRenderer();
  await fc.assert(
    fc.asyncProperty(doubles, async (made) => {
      const deployment = settle();
      await play(made, deployment, () => {
        const now_s = deployment.clock.now() / 1000;
        const stations = listStations(deployment.world, now_s).filter(({ merged }) => merged);
        const expected = stations.map((item) => toItem(item, shownShards(deployment, item), now_s));
        const body = copyOf((use) =>
          renderer.render(stations, { before: `{"results":{"stations":[`, alerts: "[]" }, use),
        ).toString();
        const items = expected.map((item) => JSON.stringify(item)).join(",");
        assert.equal(
          body.slice(0, body.indexOf(`],"vehicles":[`)),
          `{"results":{"stations":[${items}`,
        );
        seen.bytes += items.length;
        for (const { resolution_status, conflicts, availability } of expected) {
          if (resolution_status === "possible_match") seen.near++;
          if (resolution_status === "merged") seen.merged++;
          if (JSON.stringify(conflicts).includes("availability")) seen.conflicts++;
          if (availability === UNKNOWN_AVAILABILITY) seen.silent++;
        }
      });
    }),
    { numRuns: RUNS },
  );
  const { merged, conflicts, silent, near } = seen;
  assert.ok(merged > 1_000 && conflicts > 100 && silent > 50 && near > 20, JSON.stringify(seen));
});

test("answers that wait are written as they were found, in any order, whatever is found and rendered meanwhile", async () => {
  await fc.assert(
    fc.asyncProperty(doubles, fc.infiniteStream(fc.nat()), async (made: Doubles, turns) => {
      const deployment = settle();
      const waiting: { result: Answered; bytes: Buffer | null }[] = [];
      await play(made, deployment, async () => {
        for (const wish of WISHES) {
          const request = deployment.nearby(toInput(deployment, wish));
          const result = request instanceof Promise ? await request : request;
          assert.ok(result.kind === "ok");
          // Every second one is rendered at once, and again at the end.
          waiting.push({ result, bytes: waiting.length % 2 === 0 ? toBytes(result) : null });
        }
        const { result } = waiting[turns.next().value! % waiting.length]!;
        toBytes(result);
      });
      const written = waiting.map(({ result }) => ({ result, turn: turns.next().value! }));
      for (const { result } of written.toSorted((a, b) => a.turn - b.turn)) {
        const at = waiting.find((each) => each.result === result)!;
        const bytes = toBytes(result);
        at.bytes ??= bytes;
        assert.ok(bytes.equals(at.bytes), bytes.toString());
      }
      for (const { result, bytes } of waiting) assert.ok(toBytes(result).equals(bytes!));
    }),
    { numRuns: sized(8, 100) },
  );
});

test("of many stations that are rendered in any order each stays what it is", async () => {
  const places = Array.from({ length: 60 }, (_, dock) => moved(HERE, dock * 40));
  const shards = ["velocite", "cb-velocite"].map((id, i) =>
    aShard({
      id,
      source: i === 0 ? "gbfs" : "citybikes",
      name: "Vélocité",
      stations: places.map((at, dock) => aStation(`${i}${dock}`, { ...at, name: `Dock ${dock}` })),
    }),
  );
  const settled = (): Deployment => {
    const deployment = settle();
    for (const shard of shards) {
      deployment.world.register({ source_id: shard.source_id, country: "FR" });
      void deployment.world.put(shard);
    }
    return deployment;
  };
  const askAt = async (deployment: Deployment, dock: number): Promise<string> => {
    const result = await deployment.nearby(toInput(deployment, { ...places[dock]!, limit: 1 }));
    assert.ok(result.kind === "ok");
    return toBytes(result).toString();
  };
  const entries: string[] = [];
  for (const dock of places.keys()) {
    entries.push(await askAt(settled(), dock));
    assert.match(
      entries[dock]!,
      new RegExp(`"name":"Dock ${dock}",.*"resolution_status":"merged"`),
    );
  }
  const used = settled();
  const docks = fc.array(fc.nat({ max: places.length - 1 }), { minLength: 200, maxLength: 200 });
  for (const dock of fc.sample(docks, 1)[0]!)
    assert.equal(await askAt(used, dock), entries[dock], `dock ${dock}`);
});

function listStations(world: World, now_s: number): readonly FoundItem[] {
  return world.search(world.list(), {
    circle: { ...HERE, radius_m: 400 },
    modes: modeMask(["bicycle"]),
    stations: true,
    vehicles: false,
    now_ms: now_s * 1000,
  }).items;
}

/** The shards of its members, as the world shows them. */
function shownShards({ world }: Deployment, { merged }: FoundItem): Shard[] {
  const { members } = merged!.view.caseAt(merged!.place);
  return members.map(({ entry }) => world.find(entry.source_id)!.shard!);
}

const FIELDS = ["name", "location", "capacity"] as const;
const ADDITIONS = ["address", "opening_hours", "rental_uris", "vehicle_types"] as const;

/** The item as an object; its members in the order in which they are written. */
function toItem(item: FoundItem, shards: readonly Shard[], now_s: number) {
  const of = item.merged!.view.caseAt(item.merged!.place);
  const views = of.members.map((member) => readStatic(member));
  const live = freshest(of, shards, now_s);
  assert.equal(item.state & MODES_MASK, modesOf(of, shards, live), "its modes");
  const from = FIELDS.map((field) =>
    Math.max(
      0,
      views.findIndex((view) => view[field] !== null),
    ),
  );
  const [name, location, capacity] = FIELDS.map((field, i) => views[from[i]!]![field]);
  const additions = ADDITIONS.flatMap((field) => {
    const view = views.find((each) => each[field] !== undefined);
    return view ? [[field, view[field]]] : [];
  });
  return {
    ...{ id: of.id, type: "station", name, location, capacity },
    ...Object.fromEntries(additions),
    distance_meters: item.decimetres / 10,
    availability: live === -1 ? UNKNOWN_AVAILABILITY : readCounts(shards[live]!, of.members[live]!),
    provenance: of.members.map((member, i) => {
      const fields: string[] = FIELDS.filter((_, field) => from[field] === i);
      if (live === i) fields.push("availability");
      const origin = JSON.parse(`{${originJson(member.statics.meta, fields)}}`) as object;
      return { entity_id: keyOf(member), source_id: nameOf(member), ...origin };
    }),
    conflicts: [
      ...FIELDS.flatMap((field, i) => {
        const stored = from[i]!;
        return toConflict(
          field,
          stored,
          of,
          views.map((view) => view[field]),
          isApart(field),
        );
      }),
      ...toConflict(
        "availability",
        live,
        of,
        shards.map((shard, i) => countsOf(shard, of.members[i]!)),
        areOther,
      ),
    ],
    resolution_status: of.status,
    ...(of.confidence === null ? {} : { resolution_confidence: of.confidence }),
    network: of.members[0]!.statics.meta.network,
    ...describeState(item.state),
  };
}

const keyOf = ({ statics, row }: Member): string => readText(statics.ids, row);
const nameOf = (member: Member): string => `${member.statics.meta.system_id}:${keyOf(member)}`;

/** Young documents first, then the later report. */
function freshest({ members }: StationCase, shards: readonly Shard[], now_s: number): number {
  const reports = members.flatMap(({ row }, i) => {
    const { data = null, live = null } = shards[i]!.status ?? {};
    if (!data || !live || data.state[row]! & NO_STATUS_BIT) return [];
    const at_s = data.last_reported[row]! || live.doc_s;
    return [{ i, is_old: now_s - live.doc_s > 3600, at_s }];
  });
  const first = reports.toSorted(
    (a, b) => Number(a.is_old) - Number(b.is_old) || b.at_s - a.at_s || a.i - b.i,
  )[0];
  return first?.i ?? -1;
}

function modesOf({ members }: StationCase, shards: readonly Shard[], live: number): number {
  const lead = members[0]!.statics.state[members[0]!.row]!;
  const listed = live === -1 ? lead : shards[live]!.status!.data!.state[members[live]!.row]!;
  return (lead | listed) & MODES_MASK;
}

function readCounts(shard: Shard, { row }: Member): unknown {
  const text = readText(shard.status!.data!.middle, row);
  return (JSON.parse(`{${text.slice(1)}}]}`) as { availability: unknown }).availability;
}

type Counts = { vehicles: number | null; docks: number | null };

function countsOf({ status }: Shard, { row }: Member): Counts | null {
  const data = status?.data;
  const known = (count: number): number | null => (count < 0 ? null : count);
  return data ? { vehicles: known(data.vehicles[row]!), docks: known(data.docks[row]!) } : null;
}

function areOther(a: Counts | null, b: Counts | null): boolean {
  const isOther = (x: number | null, y: number | null) => x !== null && y !== null && x !== y;
  return a !== null && b !== null && (isOther(a.vehicles, b.vehicles) || isOther(a.docks, b.docks));
}

type Value = ReturnType<typeof readStatic>[(typeof FIELDS)[number]];

function isApart(field: (typeof FIELDS)[number]): (a: Value, b: Value) => boolean {
  return (a, b) => {
    if (b === null) return false;
    if (field !== "location") return a !== b;
    const [x, y] = [a, b] as { lat: number; lon: number }[];
    return distance_m(x!.lat, x!.lon, y!.lat, y!.lon) > 25;
  };
}

function toConflict<T>(
  field: string,
  stored: number,
  { members }: StationCase,
  values: readonly T[],
  differ: (a: T, b: T) => boolean,
): object[] {
  if (stored === -1) return [];
  const listed = { source_id: nameOf(members[stored]!), value: values[stored] };
  const others = values.flatMap((value, i) =>
    i !== stored && differ(values[stored]!, value)
      ? [{ source_id: nameOf(members[i]!), value }]
      : [],
  );
  return others.length > 0 ? [{ field, ...listed, others }] : [];
}
