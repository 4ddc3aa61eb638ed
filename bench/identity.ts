/**
 * npm run bench -- identity: identity resolution over a seeded world in which two sources see the same
 * stations: a whole pass, and one system of 2,000 with its neighbours. Nothing is cached between runs.
 */
import { cpus } from "node:os";
import { readArguments } from "../trials/arguments.ts";
import { type Feed, type Observation, resolveObservations } from "#stations/index.ts";
import { createRng } from "./world.ts";

const { stations, rounds, spacing, seed } = readArguments(process.argv.slice(2), {
  stations: 600_000,
  rounds: 3,
  spacing: 170,
  seed: 1,
});

const SYSTEM = 2_000;
const STREETS = 900;
const M_PER_DEGREE = 111_195;

console.log(`node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model ?? "?"})`);
const world = makeWorld(Math.ceil(stations / SYSTEM));
const bytes = process.memoryUsage().heapUsed;
report(`${world.observations.length / 2} + ${world.observations.length / 2} stations`, world);
const one = cut(world, 0);
report(`${SYSTEM} + ${SYSTEM} stations of one city`, one, 30);
console.log(
  `input ${mb(bytes)} MB of heap; peak of the process ${mb(process.resourceUsage().maxRSS * 1024)} MB`,
);

type World = { feeds: Feed[]; observations: Observation[] };

function report(name: string, { feeds, observations }: World, times = rounds): void {
  const taken: number[] = [];
  let clusters = 0;
  for (let i = 0; i < times; i++) {
    const begun = performance.now();
    clusters = resolveObservations(feeds, observations).clusters.length;
    taken.push(performance.now() - begun);
  }
  const median = taken.toSorted((a, b) => a - b)[taken.length >> 1]!;
  const per = (median * 1000) / observations.length;
  console.log(
    `${name}: ${median.toFixed(median < 100 ? 1 : 0)} ms (worst ${Math.max(...taken).toFixed(1)}), ${per.toFixed(2)} µs a station, ${clusters} merged`,
  );
}

function cut({ feeds, observations }: World, system: number): World {
  return {
    feeds: feeds.slice(2 * system, 2 * system + 2),
    observations: observations
      .filter(({ feed }) => feed >> 1 === system)
      .map((row) => ({ ...row, feed: row.feed - 2 * system })),
  };
}

/** Cities on a grid; in each one GBFS system, seen again by CityBikes or the open map. */
function makeWorld(cities: number): World {
  const random = createRng(seed);
  const made: World = { feeds: [], observations: [] };
  for (let city = 0; city < cities; city++) {
    const isMap = city % 3 === 0;
    const name = `Bikes of city ${city}`;
    const feed = { system_id: `city${city}`, names: [name], urls: [] };
    made.feeds.push(
      { ...feed, id: `gbfs:${city}`, kind: "gbfs" },
      isMap
        ? { ...feed, id: `openstreetmap:${city}`, kind: "openstreetmap" }
        : { ...feed, id: `citybikes:${city}`, kind: "citybikes" },
    );
    const lat = -50 + (city % 40) * 2.6;
    const lon = -170 + Math.floor(city / 40) * 3;
    for (let i = 0; i < SYSTEM; i++) addStation(made, { city, i, lat, lon, isMap }, random);
  }
  return made;
}

type Place = { city: number; i: number; lat: number; lon: number; isMap: boolean };

/** Half of the cities share no key; a tenth of the pins is moved, a third of the names abbreviated. */
function addStation({ observations }: World, place: Place, random: () => number): void {
  const { city, i, isMap } = place;
  const sigma_m = spacing * Math.sqrt(SYSTEM / (2 * Math.PI));
  const move = (scale_m: number): number => (gauss(random) * scale_m) / M_PER_DEGREE;
  const lat = place.lat + move(sigma_m);
  const lon = place.lon + move(sigma_m) / Math.cos((lat * Math.PI) / 180);
  const street = (): string => `Name${Math.floor(random() * STREETS)}`;
  const [x, y] = [street(), street()];
  const capacity = 10 + Math.floor(random() * 20);
  const error_m = random() < 0.1 ? 25 : 4;
  const shared = { capacity, virtual: false, modes: 1 };
  observations.push({
    feed: 2 * city,
    id: `${city}-${i}`,
    name: `${x} Street & ${y} Avenue`,
    lat,
    lon,
    ...shared,
    keys: { short_name: String(1000 + i) },
  });
  observations.push({
    feed: 2 * city + 1,
    id: `other-${city}-${i}`,
    ...shared,
    name: random() < 0.3 ? `${x} St / ${y} Ave` : `${x} Street & ${y} Avenue`,
    lat: lat + move(error_m),
    lon: lon + move(error_m),
    keys: city % 2 === 0 ? {} : isMap ? { ref: String(1000 + i) } : { uid: `${city}-${i}` },
  });
}

function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function mb(size: number): number {
  return Math.round(size / 1024 / 1024);
}
