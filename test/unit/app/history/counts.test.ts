/** What is recorded of stations, chargers and car parks, and what an answer says of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CountRecorder } from "#app/history/count-recorder.ts";
import { createReadPlaceHistory } from "#app/history/place-history.ts";
import type { ServiceItem } from "#core/places/place-results.ts";
import { createWorld } from "#world/world.ts";
import { ask, deploy } from "../../../support/answers.ts";
import { aShard, aStation, aStatus, HERE, NOW_MS } from "../../../support/domain.ts";

const MINUTE_MS = 60_000;

function open({ max_mb = 1, world = createWorld() } = {}) {
  const time = { now_ms: NOW_MS };
  const counts = new CountRecorder({
    ...{ world, max_mb, maps_id: "maps", clock: { now: () => time.now_ms } },
    turn: () => Promise.resolve(),
    onFault: (error) => assert.fail(String(error)),
  });
  const read = createReadPlaceHistory({ world, counts });
  const settle = () => new Promise((resolve) => void setImmediate(resolve));
  return { time, world, counts, settle, read: (id: string) => read(id, time.now_ms) };
}

const shard = (counts: readonly number[], doc_age_s = 0) =>
  aShard({
    stations: counts.map((_, n) => aStation(`${n}`)),
    statuses: counts.map((vehicles, n) => aStatus(`${n}`, { vehicles, docks: 20 - vehicles })),
    doc_age_s,
  });

test("what each report says is kept under the id that answers show, and gaps stay gaps", async () => {
  const { time, world, counts, settle, read } = open();
  world.register({ source_id: "sys", country: null });
  await world.put(shard([3, 5]));
  counts.noteShown("sys");
  await settle();
  const deployment = deploy({ shards: [shard([3, 5])] });
  const body = await ask(deployment, { ...HERE, include: ["stations"] });
  const id = body.results.stations.find(({ name }) => name === "Station 0")?.id;
  const first = read(id!)!;
  assert.equal(first.status, "success");
  assert.deepEqual(
    first.samples.map(({ vehicles, docks }) => [vehicles, docks]),
    [[3, 17]],
  );
  // The same document again, half an hour later, says nothing of the half hour.
  time.now_ms += 30 * MINUTE_MS;
  counts.noteShown("sys");
  await settle();
  assert.equal(read(id!)!.samples.length, 1);
  await world.put(shard([0, 6], -30 * 60));
  counts.noteShown("sys");
  await settle();
  const later = read(id!)!;
  assert.deepEqual(
    later.samples.map(({ vehicles }) => vehicles),
    [3, 0],
  );
  const [a, b] = later.samples.map(({ at }) => Date.parse(at));
  assert.equal(b! - a!, 30 * MINUTE_MS);
  assert.equal(later.known_since, "2026-09-21T13:46:40Z");
});

test("a report that is too old, or comes from the future, is recorded as nothing else than that", async () => {
  const { world, counts, settle, read, time } = open();
  world.register({ source_id: "sys", country: null });
  await world.put(shard([4], 2 * 3_600));
  counts.noteShown("sys");
  await settle();
  assert.equal(counts.size.series, 0, "counts of two hours ago are unknown now");
  await world.put(shard([4], -3_600));
  counts.noteShown("sys");
  await settle();
  assert.equal(counts.size.series, 1);
  const place = world.list()[0]!;
  assert.ok(place.shard);
  const [sample] = read(idOf(world))!.samples;
  assert.ok(Date.parse(sample!.at) <= time.now_ms);
});

function idOf(world: ReturnType<typeof createWorld>): string {
  const { head } = world.list()[0]!.shard!.statics;
  const text = Buffer.from(head.bytes.subarray(0, head.offsets[1])).toString();
  return /"id":"([^"]+)"/.exec(text)![1]!;
}

test("an unknown id is none, an idle station is empty and says since when it is watched", async () => {
  const { world, read } = open();
  world.register({ source_id: "sys", country: null });
  await world.put(shard([4]));
  assert.equal(read("svc_station_none"), null);
  assert.equal(read("gbfs:velo:1"), null);
  const idle = read(idOf(world))!;
  assert.equal(idle.status, "empty");
  assert.match(idle.message!, /since 2026-09-21T13:46:40Z$/);
  // One that has left memory was reported all the same.
  assert.doesNotMatch(idle.message!, /reported/);
  const off = open({ world, max_mb: 0 });
  off.counts.noteShown("sys");
  off.counts.noteServices([charger({ available_count: 2 })]);
  const none = off.read(idOf(world))!;
  assert.deepEqual([none.known_since, none.samples], [null, []]);
  assert.match(none.message!, /keeps no history/);
});

const TIME = new Date(NOW_MS - MINUTE_MS).toISOString();

function charger(stated: object, more: Partial<ServiceItem> = {}): ServiceItem {
  const charging = { connector_count: 4, availability_updated_at: TIME, connectors: [], ...stated };
  const base = { id: "svc_place_a", type: "service", service_type: "charging" } as ServiceItem;
  return { ...base, source_id: "ocpi", attributes: { charging }, ...more };
}

test("chargers and car parks are recorded when an answer shows them, at the time that they state", () => {
  const { counts, read } = open();
  counts.noteServices([
    charger({ available_count: 0 }),
    charger({}, { id: "svc_place_uncounted" }),
    charger(
      { available_count: 1, availability_updated_at: undefined },
      { id: "svc_place_timeless" },
    ),
    charger({ available_count: 1, source: "maps" }, { id: "svc_place_maps" }),
    charger({ available_count: 1 }, { id: "svc_place_own", source_id: "maps" }),
    charger(
      {},
      {
        id: "svc_place_park",
        attributes: { availability: { free: 12, observed_at: TIME, source: "city" } },
      },
    ),
  ]);
  const one = read("svc_place_a")!;
  assert.deepEqual(
    one.samples.map(({ free, of }) => [free, of]),
    [[0, 4]],
  );
  assert.equal(one.kind, "service");
  assert.deepEqual(
    read("svc_place_park")!.samples.map(({ free, of }) => [free, of]),
    [[12, null]],
  );
  for (const name of ["uncounted", "timeless", "maps", "own", "other"])
    assert.equal(read(`svc_place_${name}`)!.status, "empty", name);
});
