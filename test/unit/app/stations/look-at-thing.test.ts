/** A station or a vehicle of an answer as memory has it now, without a question to any source. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createLookAtThing } from "#app/stations/look-at-thing.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { ask, deploy } from "../../../support/answers.ts";
import { aShard, aStation, aStatus, aVehicle, HERE, NOW_MS } from "../../../support/domain.ts";

const MINUTE_MS = 60_000;

const stations = (vehicles: number): Shard =>
  aShard({
    stations: [aStation("s")],
    statuses: [aStatus("s", { vehicles_available: vehicles } as never)],
  });
const vehicles = (...ids: string[]): Shard => aShard({ vehicles: ids.map((id) => aVehicle(id)) });

test("a station has the counts that were read last, and is not known once its source is late", async () => {
  const deployment = deploy({ shards: [stations(3)] });
  const [station] = (await ask(deployment, { include: ["stations"] })).results.stations;
  const { id, availability } = station!;
  const thing = { id, location: HERE, sources: ["system"] };
  const look = createLookAtThing(deployment);
  const seen = look(thing, NOW_MS);
  assert.deepEqual(seen.station?.availability, availability);
  assert.deepEqual([seen.is_known, seen.isCurrent(), seen.vehicle], [true, true, null]);
  assert.ok(deployment.feeds.woken.length > 0, "its system is kept awake");
  assert.equal(look(thing, NOW_MS + 60 * MINUTE_MS).is_known, false);
  assert.ok(seen.known_until_ms! > NOW_MS);
  deployment.world.put(stations(0));
  assert.equal(seen.isCurrent(), false);
});

test("a vehicle is known to be gone by its own system, and not while that is unread", async () => {
  const deployment = deploy({ shards: [vehicles("a", "b")] });
  const found = (await ask(deployment, { include: ["vehicles"] })).results.vehicles;
  const { source_id, source } = found[0]!;
  const system = found[0]!.source_id.slice(0, source_id.indexOf(":"));
  const thing = { id: source_id, location: source.location!, sources: [system] };
  const look = createLookAtThing(deployment);
  const seen = look(thing, NOW_MS);
  assert.equal(seen.vehicle?.source_id, source_id);
  deployment.world.put(vehicles("c"));
  assert.equal(seen.isCurrent(), false);
  const after = look(thing, NOW_MS);
  assert.deepEqual([after.vehicle, after.is_known], [null, true]);
  assert.equal(look({ ...thing, sources: ["another"] }, NOW_MS).is_known, false);
});
