/**
 * `npm run bench -- live-tiles [--rounds 200] [--systems 500]`: microseconds of processor time and bytes of
 * tiles of the live layer: zoom 14 with 1,000 objects, counts of a dense city at zoom 10, and of all
 * systems at zoom 0; each drawn again after a publication, and each from what is kept.
 */
import { hash } from "node:crypto";
import { parseArgs } from "node:util";
import { TileStore } from "#app/live/tiles/live-tiles.ts";
import { toWorldPoint } from "#app/live/tiles/tile-place.ts";
import type { Feeds } from "#ports.ts";
import { createClock } from "#process/clock.ts";
import { createWorld } from "#world/world.ts";
import { print } from "./children.ts";
import { type BenchSystem, benchShard, benchSystem, createRng } from "./world.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "200" },
    systems: { type: "string", default: "500" },
  },
});
const rounds = Number(values.rounds);
/** Rounds that are not counted. */
const WARM = 50;
const clock = createClock();
const world = createWorld();
const feeds: Feeds = {
  wake: () => {},
  refresh: () => Promise.resolve({ status: "ok", cache: "miss" }),
  health: () => ({ status: "ok", reason: null, last_success_at_ms: 0, last_attempt_at_ms: 0 }),
  prioritise: () => {},
};
const store = new TileStore({
  ...{ world, feeds, clock, stops: null, places: null },
  countries: () => Promise.resolve(() => []),
  turns: { take: (work) => work() },
  hash: (bytes) => hash("sha256", bytes, "base64url").slice(0, 22),
});

/** Of a thousand things, 600 stations and 400 vehicles, within one tile of zoom 14. */
const PARIS = { lat: 48.8566, lon: 2.3522 };
const dense = moveInto(benchSystem(1, 1_000), { z: 14, ...cellOf(PARIS, 14) });
const others = Array.from({ length: Number(values.systems) }, (_, i) => benchSystem(i + 2, 450));
/** A city of twenty systems of 2,000 things each. */
const city = Array.from({ length: 20 }, (_, i) =>
  moveInto(benchSystem(i + 10_002, 2_000), { z: 10, ...cellOf({ lat: 40.7, lon: -74 }, 10) }),
);
for (const system of [dense, ...others, ...city]) {
  world.register({ source_id: system.id, country: null });
  await world.put(benchShard(system, Date.now()));
}

await measure("zoom 14, 1,000 objects", { z: 14, ...cellOf(PARIS, 14) }, dense);
await measure("zoom 10, a dense city", { z: 10, ...cellOf({ lat: 40.7, lon: -74 }, 10) }, city[0]!);
await measure(`zoom 0, ${world.list().length} systems`, { z: 0, x: 0, y: 0 }, others[0]!);

type At = { z: number; x: number; y: number };

async function measure(name: string, at: At, published: BenchSystem): Promise<void> {
  const first = await timed(at);
  // Packed before, so that the garbage of packing is none of the tile's.
  const shards = [0, 1].map(() => benchShard(published, Date.now()));
  const cost = { drawn: 0, kept: 0 };
  for (let round = -WARM; round < rounds; round++) {
    // Other packs for each round: what was made of the ones before is of no use.
    await world.put(shards[Math.abs(round) % 2]!);
    const drawn = await timed(at);
    const kept = await timed(at);
    if (round < 0) continue;
    cost.drawn += drawn.us;
    cost.kept += kept.us;
  }
  const { objects, bytes } = first.tile;
  print(
    `${name}: ${objects} points, ${bytes.length} bytes; first ${first.us.toFixed(0)} µs; on average ` +
      `${(cost.drawn / rounds).toFixed(0)} µs drawn, ${(cost.kept / rounds).toFixed(0)} µs kept`,
  );
}

async function timed(at: At) {
  const now_ms = clock.now();
  const layers = ["stations", "vehicles"] as const;
  const request = { ...at, layers, block: null, now_ms, deadline_ms: now_ms + 2_000 };
  const before = process.threadCpuUsage();
  const tile = await store.draw(request);
  const { user, system } = process.threadCpuUsage(before);
  if (tile === "full") throw new Error("full");
  return { tile, us: user + system };
}

function cellOf({ lat, lon }: { lat: number; lon: number }, z: number): { x: number; y: number } {
  const { east, south } = toWorldPoint(lat, lon);
  return { x: Math.floor(east * 2 ** z), y: Math.floor(south * 2 ** z) };
}

/** The same things, anywhere within a tile. */
function moveInto(system: BenchSystem, { z, x, y }: At): BenchSystem {
  const rng = createRng(system.stations.length + z);
  const tiles = 2 ** z;
  const place = () => {
    const south = (y + 0.02 + 0.96 * rng()) / tiles;
    const lat = (Math.atan(Math.sinh(Math.PI * (1 - 2 * south))) * 180) / Math.PI;
    return { lat, lon: ((x + 0.02 + 0.96 * rng()) / tiles) * 360 - 180 };
  };
  return {
    ...system,
    stations: system.stations.map((each) => ({ ...each, ...place() })),
    vehicles: system.vehicles.map((each) => ({ ...each, location: place() })),
  };
}
