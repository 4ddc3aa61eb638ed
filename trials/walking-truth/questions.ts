/** Points of simulated cities, by chance and next to what is difficult there. */
import { offset, type Point } from "../../sandbox/geo.ts";
import { between, pick, unit } from "../../sandbox/rng.ts";
import type { Streets } from "../../sandbox/streets/model.ts";
import type { World } from "../../sandbox/world/world.ts";

type City = World["cities"][number];
export type Pair = { city: City; from: Point; to: Point };

/** Half the sides of the square in which cities have streets. */
const HALF_CITY_M = 2_300;
const HALF_NEAR_M = 800;
const ALONGSIDE_M = 40;
/** Some points around the middle of a house are beyond its walls. */
const HALF_ROOM_M = 12;

/**
 * One pair in three begins next to a bridge, a square, a platform, stairs or a gate; one in ten leads
 * into a house.
 */
export function listPairs(world: World, { seed, count }: { seed: number; count: number }): Pair[] {
  const difficult = new Map(
    world.cities.map((city) => [city.id, listDifficult(world.getStreets(city))]),
  );
  const houses = new Map(world.cities.map((city) => [city.id, listHouses(world.getStreets(city))]));
  return Array.from({ length: count }, (_, n) => {
    const city = world.cities[n % world.cities.length]!;
    const near = (at: Point, half_m: number, salt: number): Point =>
      offset(
        at,
        (unit(seed, n, salt) - 0.5) * 2 * half_m,
        (unit(seed, n, salt, 1) - 0.5) * 2 * half_m,
      );
    const indoors = houses.get(city.id)!;
    if (n % 10 === 7 && indoors.length > 0) {
      const to = near(pick(indoors, between(0, indoors.length - 1, seed, n)), HALF_ROOM_M, 5);
      return { city, from: near(to, HALF_NEAR_M, 6), to };
    }
    const spots = difficult.get(city.id)!;
    const from =
      n % 3 === 0
        ? near(pick(spots, between(0, spots.length - 1, seed, n)), ALONGSIDE_M, 1)
        : near(city, HALF_CITY_M, 2);
    const to = n % 4 === 0 ? near(city, HALF_CITY_M, 3) : near(from, HALF_NEAR_M, 4);
    return { city, from, to };
  });
}

function listDifficult({ nodes, ways, squares }: Streets): Point[] {
  const special = ways.filter(
    ({ tags, footing }) =>
      footing !== "free" || "bridge" in tags || "indoor" in tags || "railway" in tags,
  );
  const numbers = [
    ...special.flatMap((way) => way.nodes),
    ...squares.flatMap(({ rings }) => rings.flat()),
    ...nodes.keys().filter((node) => nodes[node]!.passing !== "free"),
  ];
  return [...new Set(numbers)].map((node) => nodes[node]!);
}

function listHouses({ nodes, buildings }: Streets): Point[] {
  return buildings.map(({ nodes: line }) => {
    const ring = line.slice(1).map((node) => nodes[node]!);
    const middle = (axis: "lat" | "lon"): number =>
      ring.reduce((sum, at) => sum + at[axis], 0) / ring.length;
    return { lat: middle("lat"), lon: middle("lon") };
  });
}
