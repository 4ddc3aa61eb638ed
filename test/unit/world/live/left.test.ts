/**
 * What the live map says when a row is not there any more, of the age of its system, and of the
 * systems that hang together.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { LiveSource } from "#api/live.ts";
import { readText } from "#kit/bytes.ts";
import { caseOfRole, PLAIN } from "#stations/identity/roles.ts";
import { HIDDEN_BIT, MODES_MASK } from "#stations/shard/bits.ts";
import type { Shard } from "#stations/shards.ts";
import { LeftReasons } from "#world/live/left-reason.ts";
import { LiveReader, type LiveRow } from "#world/live/live-rows.ts";
import { sourceOf } from "#world/live/live-source.ts";
import { neighboursOf } from "#world/live/neighbours.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { deploy, type Deployment } from "../../../support/answers.ts";
import {
  aShard,
  aStation,
  aType,
  aVehicle,
  forAllAsync,
  HERE,
  moved,
  NOW_MS,
} from "../../../support/domain.ts";
import { liveWorlds, playLive } from "../../../support/live-worlds.ts";
import { createMemoryBridges } from "../../../support/memory.ts";

const MINUTE_MS = 60_000;
const reader = new LiveReader();
const reasons = new LeftReasons();

const settle = (): Deployment =>
  deploy({ identity: { bridges: createMemoryBridges(), overrides: { always: [], never: [] } } });

function put({ world }: Deployment, shard: Shard): SystemEntry {
  world.register({ source_id: shard.source_id, country: "FR" });
  void world.put(shard);
  return world.find(shard.source_id)!;
}

const roll = (id: string, ids: readonly string[], doc_age_s = 5): Shard =>
  aShard({
    id,
    name: "Roll Field",
    types: [aType("s", { mode: "scooter" })],
    vehicles: ids.map((vehicle) => aVehicle(vehicle, { type_id: "s" })),
    doc_age_s,
  });

const docks = (id: string, keys: readonly string[]): Shard =>
  aShard({
    id,
    source: id === "velocite" ? "gbfs" : "citybikes",
    name: "Vélocité",
    mode_hint: "bicycle",
    stations: keys.map((key, i) => aStation(key, { ...moved(HERE, i * 90), name: `Dock ${i}` })),
  });

const idsOf = (entry: SystemEntry, now_ms = NOW_MS): string[] => [
  ...reader.read(entry, now_ms).rows.keys(),
];

test("a vehicle that its feed does not name any more is gone", () => {
  const deployment = settle();
  const entry = put(deployment, roll("a", ["r1", 'r"2']));
  assert.deepEqual(idsOf(entry).toSorted(), ['a:r"2', "a:r1"]);
  put(deployment, roll("a", ["r1"]));
  assert.equal(reasons.of(entry, { id: 'a:r"2', vehicle: true }, NOW_MS), "gone");
});

test("a vehicle that a fresher feed shows is merged, and shown again when that one is lost", () => {
  const deployment = settle();
  const a = put(deployment, roll("a", ["r1", 'r"2', "r3"], 20));
  const before = idsOf(a);
  const b = put(deployment, roll("b", ["r1", 'r"2'], 1));
  assert.deepEqual(idsOf(a), ["a:r3"]);
  for (const id of before.filter((each) => each !== "a:r3"))
    assert.equal(reasons.of(a, { id, vehicle: true }, NOW_MS), "merged");
  assert.deepEqual([...neighboursOf(a)], ["b"]);
  assert.deepEqual([...neighboursOf(b)], ["a"]);
});

test("vehicles of a document that is too old have left with their source", () => {
  const entry = put(settle(), roll("a", ["r1"]));
  assert.equal(sourceOf(entry, NOW_MS).state, "fresh");
  assert.equal(sourceOf(entry, NOW_MS + 10 * MINUTE_MS).state, "old");
  const later = NOW_MS + 61 * MINUTE_MS;
  assert.deepEqual(reader.read(entry, later), { rows: new Map(), lost: true });
  assert.equal(sourceOf(entry, later).state, "lost");
  assert.equal(reasons.of(entry, { id: "a:r1", vehicle: true }, later), "source_lost");
});

test("a station that another system shows is merged; one that no system has is gone", () => {
  const deployment = settle();
  const relay = put(deployment, docks("cb", ["1", "2", "3"]));
  const before = reader.read(relay, NOW_MS).rows;
  assert.deepEqual([...neighboursOf(relay)], []);
  const own = put(deployment, docks("velocite", ["a", "b"]));
  const left = [...before.values()].filter(({ id }) => !reader.read(relay, NOW_MS).rows.has(id));
  assert.equal(left.length, 2);
  for (const row of left) assert.equal(reasons.of(relay, row, NOW_MS), "merged");
  assert.deepEqual([...neighboursOf(relay)], ["velocite"]);
  assert.deepEqual([...neighboursOf(own)], ["cb"]);
  const third = [...before.values()].find(({ id }) => !left.some((row) => row.id === id))!;
  put(deployment, docks("cb", ["1", "2"]));
  assert.equal(reasons.of(relay, third, NOW_MS), "gone");
});

test("in any world every row that leaves has a reason that holds, and changes only with its neighbours", async () => {
  const seen = { gone: 0, merged: 0, source_lost: 0, alone: 0, together: 0 };
  await forAllAsync(
    fc.asyncProperty(liveWorlds, async (made) => {
      const deployment = settle();
      const { world, clock } = deployment;
      let before = new Map<SystemEntry, Shown>();
      let then_ms = 0;
      await playLive(made, deployment, () => {
        const now_ms = clock.now();
        const after = new Map(world.list().map((entry) => [entry, shownBy(entry, now_ms)]));
        const published = world.list().filter((entry) => entry.shard !== before.get(entry)?.shard);
        for (const [entry, { rows, neighbours }] of after) {
          const old = before.get(entry);
          if (!old) continue;
          for (const row of old.rows.values())
            if (!rows.has(row.id)) {
              const reason = reasons.of(entry, row, now_ms);
              seen[reason]++;
              const state = publishedState(entry, row, now_ms);
              if (reason === "merged") assert.ok(state !== null || !row.vehicle, row.id);
              // What is published and gone is not installed, or of a kind that no caller asks for.
              if (reason === "gone" && state !== null)
                assert.ok(state & HIDDEN_BIT || !(state & MODES_MASK), row.id);
            }
          // Time changes rows, too, and so does another resolution.
          if (now_ms !== then_ms || published.includes(entry)) continue;
          if (entry.roles !== old.roles) continue;
          const isNear = published.some(
            ({ source_id }) => neighbours.has(source_id) || old.neighbours.has(source_id),
          );
          if (isNear) seen.together++;
          else {
            seen.alone++;
            assert.deepEqual(rows, old.rows);
          }
        }
        before = after;
        then_ms = now_ms;
      });
    }),
  );
  for (const [what, count] of Object.entries(seen)) assert.ok(count > 20, `${what}: ${count}`);
});

type Shown = {
  shard: Shard | null;
  roles: SystemEntry["roles"];
  rows: ReadonlyMap<string, LiveRow>;
  neighbours: ReadonlySet<string>;
};

function shownBy(entry: SystemEntry, now_ms: number): Shown {
  const { rows } = reader.read(entry, now_ms);
  return { shard: entry.shard, roles: entry.roles, rows, neighbours: neighboursOf(entry) };
}

/** State of the thing whose row in a pack of the system has this id, shown or not; null: it has none. */
function publishedState(
  { shard, roles }: SystemEntry,
  { id, vehicle }: LiveRow,
  now_ms: number,
): number | null {
  const { statics, status } = shard!;
  const pack = vehicle
    ? shard!.vehicles?.data
    : { head: statics.head, ...(status?.data ?? statics) };
  if (!pack) return null;
  const start = `{"${vehicle ? "source_id" : "id"}":${JSON.stringify(id)},`;
  const row = Array.from(pack.state.keys()).find((each) =>
    readText(pack.head, each).startsWith(start),
  );
  if (row === undefined) return null;
  const role = (vehicle ? null : roles?.of[row]) ?? PLAIN;
  if (role === PLAIN) return pack.state[row]!;
  return roles!.cases.viewAt(now_ms / 1000).stateOf(caseOfRole(role));
}

test("what is said of a source fits its schema, and nothing unknown is a number", () => {
  const ajv = new Ajv2020({ strict: true, keywords: ["x-stability"] });
  (addFormats as unknown as (target: Ajv2020) => void)(ajv);
  const isSource = ajv.compile(LiveSource);
  const deployment = deploy({ unloaded: ["later"] });
  const colored = { ...SYSTEM, color: "#00aa77" };
  const entry = put(deployment, aShard({ id: "a", stations: [aStation("1")], system: colored }));
  const waiting = sourceOf(deployment.world.find("later")!, NOW_MS);
  assert.deepEqual(waiting, {
    ...{ source_id: "later", network: null, color: null, state: "waiting", as_of: null },
  });
  const read = sourceOf(entry, NOW_MS);
  assert.deepEqual(read, {
    ...{ source_id: "a", network: { id: "a", name: "Network a" }, color: "#00aa77" },
    ...{ state: "fresh", as_of: "2026-09-21T13:46:35Z" },
  });
  for (const each of [waiting, read]) assert.ok(isSource(each), JSON.stringify(isSource.errors));
  // A file that is offered, and has not been read.
  const half = { ...entry.shard!, vehicles: { data: null, live: null } };
  void deployment.world.put(half);
  const { state, as_of } = sourceOf(entry, NOW_MS);
  assert.deepEqual({ state, as_of }, { state: "waiting", as_of: null });
});

const SYSTEM = {
  ...{ system_id: "a", name: "System", short_name: null, operator: null, url: null },
  ...{ timezone: "Etc/UTC", languages: ["en"], license_id: null, license_url: null },
  ...{
    attribution: null,
    attribution_url: null,
    brand: null,
    opening_hours: null,
    terms_url: null,
  },
};
