// The simulated registers of charging points, read by the readers of the service and compared with the
// truth.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTrail } from "#kit/trail.ts";
import { findShape } from "#providers/register-shapes.ts";
import type { Sandbox } from "../../../sandbox/main.ts";
import { SETTINGS } from "../providers/registers/fault-table.ts";
import { start } from "./reader.ts";
import { metres, namedBy, servicesAt, upstreamOf } from "./services-reader.ts";

let sandbox: Sandbox;
before(async () => {
  sandbox = await start();
});
after(() => sandbox.close());

const FAULTS: Readonly<Record<string, readonly string[]>> = {
  oicp: ["coordinates_missing", "id_duplicate"],
  datex2_energy: ["coordinates_missing", "id_duplicate"],
};

for (const id of ["oicp", "datex2_energy"])
  test(`${id}: stations, plugs and states are those of the truth`, async () => {
    const shape = findShape(id)!;
    const { url, live_url } = upstreamOf(sandbox, id);
    const bodyOf = async (address: string) =>
      new Uint8Array(await (await fetch(address)).arrayBuffer());
    const trail = createTrail();
    const options = { settings: { ...SETTINGS, id }, trail };
    const read = [...shape.readPlaces(await bodyOf(url!), options)!];
    const places = new Map(read.flatMap((place) => (place ? [[place.external_id, place]] : [])));
    assert.deepEqual(
      trail.toTrail().dropped.map(({ reason }) => reason),
      FAULTS[id],
    );
    const states = new Map<string, string | null>();
    for (const state of shape.readStates!(await bodyOf(live_url!), options)!)
      if (state?.kind === "point") states.set(state.id, state.state);
    let listed = 0;
    let points = 0;
    for (const city of sandbox.cities())
      for (const [name, thing] of namedBy(await servicesAt(sandbox, city), id)) {
        listed += 1;
        const place = places.get(name)!;
        assert.ok(metres(place, thing.location) < 9, name);
        const live = place.live?.kind === "points" ? place.live.points : [];
        points += live.length;
        const { charging } = thing as unknown as {
          charging: { connector_count: number; available_count: number };
        };
        const known = live.map((point) => states.get(point.id));
        assert.equal(known.length, charging.connector_count, name);
        assert.ok(!known.includes(undefined) && !known.includes(null), name);
        const free = known.filter((state) => state === "available").length;
        assert.equal(free, charging.available_count, name);
        assert.equal(place.keys.filter((key) => key.startsWith("evse:")).length, live.length);
      }
    assert.ok(listed > 0 && listed === places.size, `${listed} of ${places.size}`);
    assert.equal(states.size, points + (id === "oicp" ? 2 : 1));
  });
