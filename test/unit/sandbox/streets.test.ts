// Streets of the simulated cities: what hangs together and what does not, on two seeds.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { distance } from "../../../sandbox/geo.ts";
import { toSpot } from "../../../sandbox/openbase/plane.ts";
import type { StreetWay, Streets } from "../../../sandbox/streets/model.ts";
import { listParts } from "../../../sandbox/streets/parts.ts";
import { HALF_RIVER_M, River } from "../../../sandbox/streets/river.ts";
import { layStreets } from "../../../sandbox/streets/streets.ts";
import { isDrawn } from "../../../sandbox/streets/station.ts";
import { put } from "../../../sandbox/walks/put.ts";
import { Walks } from "../../../sandbox/walks/walk.ts";
import { listHouses, listStreets } from "../../../sandbox/world/gazetteer.ts";
import { toTown } from "../../../sandbox/world/towns.ts";
import { createWorld, type World } from "../../../sandbox/world/world.ts";
import { sized } from "../../support/size.ts";

type City = World["cities"][number];

const SEEDS = [1, 20];
/** The antimeridian goes through it: ways end there, as they do on the map. */
const PARTED = "taveuni";
const NEAR_STREET_M = 100;
/** Parts that are laid on purpose: the court behind its gate, and the garden that no way leads to. */
const APART = [12, 10];
/** Lanes end here; a road beyond the river is reached from nowhere. */
const LANES_M = 2_300;

const withoutBridges = (streets: Streets, left: readonly StreetWay[]): Streets => ({
  ...streets,
  ways: streets.ways.filter((way) => !left.includes(way)),
});

for (const seed of SEEDS) {
  const world = createWorld(seed);
  const each = (check: (city: City, streets: Streets, river: River) => void): void => {
    for (const city of world.cities) check(city, world.getStreets(city), new River(city, seed));
  };
  const isWhole = ({ id }: City): boolean => id !== PARTED;

  describe(`streets of seed ${seed}`, () => {
    test("are the same for the same seed, and others for another", () => {
      const [city] = world.cities;
      const network = world.getNetwork(city!);
      assert.deepEqual(layStreets(city!, seed, network), world.getStreets(city!));
      assert.notDeepEqual(
        layStreets(city!, seed + 1, network).nodes,
        world.getStreets(city!).nodes,
      );
    });

    test("hang together but for a court, a garden and what ends at the river", () => {
      each((city, streets, river) => {
        const parts = listParts(streets);
        const sizes = parts.map(({ length }) => length);
        for (const size of APART) assert.ok(sizes.includes(size), `${city.id}: ${sizes.join()}`);
        if (!isWhole(city)) return;
        for (const part of parts.slice(1)) {
          if (APART.includes(part.length)) continue;
          for (const node of part) {
            const spot = toSpot(city, streets.nodes[node]!);
            const is_out = Math.hypot(...spot) > LANES_M || river.isWet(spot);
            assert.ok(is_out, `${city.id}: ${part.length} nodes at ${spot.join()}`);
          }
        }
        const walked = sizes.reduce((sum, size) => sum + size, 0);
        assert.ok(sizes[0]! / walked > 0.97, `${city.id}: ${sizes.join()}`);
      });
    });

    test("exactly two bridges cross the river, and the sides hang together by either", () => {
      each((city, streets, river) => {
        const spots = streets.nodes.map((node) => toSpot(city, node));
        const over = streets.ways.filter(({ nodes, footing }) =>
          nodes.some((node, n) => {
            const before = nodes[n - 1];
            if (n === 0 || before === undefined || footing === "closed") return false;
            const is_gated = [node, before].some((end) => streets.nodes[end]!.passing === "closed");
            return !is_gated && river.isBetween(spots[before]!, spots[node]!);
          }),
        );
        const bridges = over.filter(({ tags }) => tags["bridge"] === "yes");
        assert.equal(over.length, 2, `${city.id}: ${over.length} ways over the river`);
        assert.equal(bridges.length, 2, city.id);
        if (!isWhole(city)) return;
        const largest = (left: readonly StreetWay[]): number[] =>
          listParts(withoutBridges(streets, left)).map(({ length }) => length);
        const [all] = largest([]);
        const [one_side, other_side] = largest(bridges);
        assert.ok(one_side! < all! && other_side! > 300, `${city.id}: ${all} ${one_side}`);
        for (const bridge of bridges) assert.ok(largest([bridge])[0]! > all! - 8, city.id);
      });
    });

    test("a named street is closed where it meets the river, and a lane ends before it", () => {
      let gates = 0;
      each((city, streets, river) => {
        for (const { nodes, street, tags } of streets.ways)
          for (const node of nodes) {
            const { passing, ...at } = streets.nodes[node]!;
            if (street !== null && passing === "closed") gates += 1;
            if (street !== null || tags["highway"] !== "residential") continue;
            assert.ok(!river.isWet(toSpot(city, at)), `${city.id}: a lane ends in the river`);
          }
        assert.ok(river.line.length > 2 && HALF_RIVER_M > 0);
      });
      assert.ok(gates > 10, `${gates} gates`);
    });

    test("there is something of everything in every city", () => {
      each((city, { ways, squares, nodes, buildings }) => {
        const has = (what: string, is: boolean): void => assert.ok(is, `${city.id}: ${what}`);
        for (const footing of ["free", "doubt", "steps", "closed"] as const)
          has(
            footing,
            ways.some((way) => way.footing === footing),
          );
        has(
          "bends",
          ways.some(({ nodes: line }) => line.length > 8),
        );
        has(
          "stairs",
          ways.some(({ tags }) => tags["highway"] === "steps"),
        );
        has(
          "private",
          ways.some(({ tags }) => tags["access"] === "private"),
        );
        has("squares", squares.length === 3 && squares.some(({ is_relation }) => is_relation));
        has("doors", buildings.length > 5 && nodes.some(({ tags }) => tags["entrance"] === "yes"));
        const { stations } = world.getNetwork(city);
        const is_drawn = stations.some(isDrawn);
        has("a lift", is_drawn === ways.some(({ tags }) => tags["railway"] === "platform"));
        const uses = new Map<number, number>();
        for (const { nodes: line } of ways)
          for (const node of line) uses.set(node, (uses.get(node) ?? 0) + 1);
        const ends = ways.filter(({ nodes: line }) => uses.get(line.at(-1)!) === 1);
        has("dead ends", ends.length > 20);
      });
    });

    test("every address is near a street that is walked", () => {
      const walks = new Walks(world);
      const every = sized(7, 1);
      let houses = 0;
      for (const city of world.cities)
        for (const street of listStreets(toTown(city), seed))
          for (const house of listHouses(street)) {
            if (house.key % every !== 0) continue;
            houses += 1;
            const place = put(walks.groundAt(city)!, house, "foot");
            assert.ok(
              place && place.off_m < NEAR_STREET_M,
              `${house.street?.local} ${house.number}`,
            );
          }
      assert.ok(houses > 1_000, `${houses} houses`);
    });

    test("no two nodes that ways join lie at one place", () => {
      each((city, { nodes, ways }) => {
        for (const { nodes: line } of ways)
          for (const [n, node] of line.entries())
            if (n > 0)
              assert.ok(distance(nodes[node]!, nodes[line[n - 1]!]!) > 0, `${city.id} ${node}`);
      });
    });
  });
}
