/** Tracks on the maps of simulated cities: through all stops of a line in order, and near them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance, type Point } from "../../../sandbox/geo.ts";
import { createWorld } from "../../../sandbox/world/world.ts";
import { layTrack } from "../../../sandbox/world/tracks.ts";

const world = createWorld(7);

test("a track passes the stops of its line in their order, and strays no farther than a street", () => {
  let bent = 0;
  for (const city of world.cities) {
    const { lines, stations } = world.getNetwork(city);
    for (const line of lines) {
      const stops = line.there.map(({ station }) => stations[station]!);
      const track = layTrack(line, stations);
      let from = 0;
      for (const stop of stops) {
        const at = track.findIndex((point, n) => n >= from && distance(point, stop) < 0.5);
        assert.ok(at >= from, `${city.id}: ${line.index} misses a stop`);
        from = at;
      }
      assert.equal(from, track.length - 1, "it goes on beyond its last stop");
      const strays = track.map((point) => strayOf(point, stops));
      assert.ok(
        Math.max(...strays) < 400,
        `${city.id}: ${line.index} strays ${Math.max(...strays)}`,
      );
      if (Math.max(...strays) > 3) bent += 1;
    }
  }
  assert.ok(bent > 20, `${bent} lines are bent`);
});

/** Metres to the nearest of the straight ways from stop to stop. */
function strayOf(point: Point, stops: readonly Point[]): number {
  return Math.min(
    ...stops.slice(1).map((to, n) => {
      const from = stops[n]!;
      const [way, a, b] = [distance(from, to), distance(from, point), distance(point, to)];
      if (way === 0) return a;
      const along = (a * a - b * b + way * way) / (2 * way);
      return Math.sqrt(Math.max(0, a * a - Math.min(way, Math.max(0, along)) ** 2));
    }),
  );
}
