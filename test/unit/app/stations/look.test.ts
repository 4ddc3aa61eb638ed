/** A station by its id (R11), and what of it counts as a change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createLookAtStation, isStationId } from "#app/stations/look.ts";
import { createReadStation } from "#app/stations/station-read.ts";
import { createRenderNearby } from "#app/nearby-body.ts";
import type { StationStatus } from "#stations/entities.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { ask, deploy, type Deployment, PLAN } from "../../../support/answers.ts";
import {
  aShard,
  aStation,
  aStatus,
  HERE,
  moved,
  NOW_MS,
  NOW_S,
  type SystemSketch,
} from "../../../support/domain.ts";
import { createMemoryBridges } from "../../../support/memory.ts";

const overrides = { always: [], never: [] };
const NAME = "Vélocité Testville";

const listIds = async (deployment: Deployment): Promise<string[]> =>
  (await ask(deployment, { include: ["stations"] })).results.stations.map(({ id }) => id);

const one = (change: Partial<StationStatus> = {}, sketch: SystemSketch = {}): Shard =>
  aShard({ stations: [aStation("s")], statuses: [aStatus("s", change)], ...sketch });

test("every station of an answer is found by its id, and is that of the answer", async () => {
  const stations = Array.from({ length: 60 }, (_, i) => aStation(`${i}`, moved(HERE, i, -i)));
  const other = aShard({ id: "other", stations: stations.slice(0, 9) });
  const deployment = deploy({ shards: [aShard({ stations }), other] });
  const look = createLookAtStation(deployment);
  const ids = await listIds(deployment);
  assert.equal(ids.length, 69);
  for (const id of ids) {
    assert.ok(isStationId(id));
    assert.notEqual(look(id, NOW_MS).says, null);
  }
  assert.equal(look("svc_station_aaaaaaaaaaaaaaaaaaaa", NOW_MS).says, null);
});

test("a merged station is found by the id it is shown under, and its systems are kept awake", async () => {
  const lead = aShard({ id: "velocite", name: NAME, stations: [aStation("1", { name: "Gare" })] });
  const too = aStation("x1", { name: "Gare", ...moved(HERE, 4) });
  const copy = aShard({ id: "cb", source: "citybikes", name: NAME, stations: [too] });
  const bridges = createMemoryBridges();
  const deployment = deploy({ shards: [lead, copy], identity: { bridges, overrides } });
  const alone = deploy({ shards: [copy] });
  const [id] = await listIds(deployment);
  const [hidden] = await listIds(alone);
  deployment.feeds.woken.length = 0;
  const look = createLookAtStation(deployment);
  assert.notEqual(look(id!, NOW_MS).says, null);
  assert.deepEqual(deployment.feeds.woken, ["velocite", "cb"]);
  assert.equal(look(hidden!, NOW_MS).says, null, "no answer shows this id");
});

test("a station that was renumbered is found by the id that it has kept", async () => {
  const bridges = createMemoryBridges();
  const identity = { bridges, overrides };
  const at = (key: string) => aStation(key, { name: "Gare centrale" });
  const before = deploy({ shards: [aShard({ stations: [at("1")] })], identity });
  const [id] = await listIds(before);
  const after = deploy({ shards: [aShard({ stations: [at("renumbered")] })], identity });
  assert.deepEqual(await listIds(after), [id]);
  assert.notEqual(createLookAtStation(after)(id!, NOW_MS).says, null);
});

test("counts, flags and state are what a station says; the times of its report are not", async () => {
  const deployment = deploy({ shards: [one()] });
  const look = createLookAtStation(deployment);
  const [id] = await listIds(deployment);
  const first = look(id!, NOW_MS);
  const seen = (shard: Shard, now_ms = NOW_MS): string | null => {
    deployment.world.put(shard);
    return look(id!, now_ms, first).says;
  };
  assert.equal(seen(one({ last_reported_s: NOW_S - 5 }, { doc_age_s: 1 })), first.says);
  const changes: Partial<StationStatus>[] = [
    { vehicles: 4 },
    { docks: 8 },
    { is_renting: false },
    { is_returning: null },
    { vehicles: null },
  ];
  const reported = changes.map((change) => seen(one(change)));
  assert.equal(new Set([first.says, ...reported]).size, changes.length + 1);
  assert.notEqual(seen(one(), NOW_MS + 7_200_000), first.says, "too old to say");
  assert.equal(seen(one({ is_installed: false })), null, "no answer shows it");
});

test("a sight is current until something that it was read from is replaced", async () => {
  const shard = one();
  const deployment = deploy({ shards: [shard] });
  const [id] = await listIds(deployment);
  const look = createLookAtStation(deployment);
  const sight = look(id!, NOW_MS);
  deployment.world.put({ ...shard, vehicles: null, zones: null });
  assert.ok(sight.isCurrent(), "vehicles and zones are no part of it");
  deployment.world.put({ ...shard, status: { ...shard.status! } });
  assert.ok(!sight.isCurrent());
});

test("what is read is the station of an answer, with its sources and its lifetime", async () => {
  const deployment = deploy({ shards: [one(), aShard({ id: "far", stations: [] })] });
  const readStation = createReadStation({ ...deployment, renderNearby: createRenderNearby() });
  const { results } = await ask(deployment, { include: ["stations"] });
  const { distance_meters: _, ...station } = results.stations[0]!;
  const who = {
    caller: { kind: "anonymous", plan: PLAN, address: { narrow: "a", wide: "b" } },
    remaining_units: null,
    now_ms: NOW_MS,
    deadline_ms: NOW_MS + 2_000,
  } as const;
  const reading = await readStation(station.id, who);
  assert.deepEqual(reading, {
    status: "success",
    station,
    source_ids: ["sys"],
    max_age_s: 30,
    now_ms: NOW_MS,
  });
  assert.equal(await readStation("svc_station_aaaaaaaaaaaaaaaaaaaa", who), null);
});
