// The simulated networks of public transport, city by city.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CITIES } from "../../../sandbox/world/cities.ts";
import { createNetwork } from "../../../sandbox/world/transit.ts";
import { type Network, TRANSIT_MODES } from "../../../sandbox/world/transit-model.ts";
import { start } from "./reader.ts";
import { stationsAt } from "./transit-reader.ts";

const networks = (seed = 1): Network[] => CITIES.map((city) => createNetwork(city, seed));

describe("networks", () => {
  test("same seed, same network; another seed, another network", () => {
    assert.deepEqual(networks(5), networks(5));
    assert.notDeepEqual(networks(5)[0], networks(6)[0]);
  });
});

test("the truth lists stations by distance, over the antimeridian too, and of all modes in order", async (t) => {
  const sandbox = await start();
  t.after(() => sandbox.close());
  const east = await stationsAt(sandbox, { lat: -16.832, lon: 180 });
  const west = await stationsAt(sandbox, { lat: -16.832, lon: -180 });
  const names = (list: typeof east): string[] => list.map(({ name }) => name);
  assert.deepEqual(names(east), names(west));
  assert.ok(east.some((s) => s.location.lon > 0) && east.some((s) => s.location.lon < 0));
  const paris = await stationsAt(sandbox, { lat: 48.8566, lon: 2.3522 }, 2000);
  const far = paris.map(({ distance_m }) => distance_m);
  assert.deepEqual(
    far,
    far.toSorted((a, b) => a - b),
  );
  assert.ok(far.every((each) => each <= 2000) && far.length > 20);
  for (const { modes, routes, operators } of paris) {
    assert.deepEqual(
      modes,
      TRANSIT_MODES.filter((mode) => modes.includes(mode)),
    );
    assert.ok(routes >= modes.length && operators.length >= 1);
  }
});
