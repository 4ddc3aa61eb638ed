/**
 * The world of the benchmark of the stream: systems of equal size, several in each city, and the files
 * that they publish, of which a part changes each time. When a file was published can be read from
 * what it says: the vehicles of a changed station are the moment, ms, modulo `MOMENTS`.
 */
import { openStatics } from "#stations/index.ts";
import { packStatus, packVehicles } from "#stations/shards.ts";
import { createTrail } from "#kit/trail.ts";
import { type BenchSystem, benchSystem, createRng } from "./world.ts";

export const MOMENTS = 1_000_000;

export type StreamCity = { lat: number; lon: number };

/** The systems of a city have its centre in common; their ids differ. */
export function streamSystem(seed: number, { cities, entities }: StreamSizes): BenchSystem {
  const system = benchSystem(seed % cities, entities);
  const own = createRng(seed * 31 + 7);
  const shift = (): number => (own() - 0.5) * 0.01;
  const at = <T extends { lat: number; lon: number }>(place: T): T => ({
    ...place,
    lat: place.lat + shift(),
    lon: place.lon + shift(),
  });
  const stations = system.stations.map((each) => ({ ...at(each), id: `${seed}-${each.id}` }));
  const statuses = new Map(
    [...system.statuses.values()].map((each) => {
      const id = `${seed}-${each.id}`;
      return [id, { ...each, id }] as const;
    }),
  );
  const vehicles = system.vehicles.map((each) => ({
    ...each,
    id: `${seed}-${each.id}`,
    location: each.location && at(each.location),
  }));
  return { ...system, id: `bench_${seed}`, stations, statuses, vehicles };
}

export type StreamSizes = { systems: number; cities: number; entities: number };

export type StreamFile = {
  seed: number;
  kind: "status" | "vehicles";
  buffer: SharedArrayBuffer;
  /** When the publisher wrote it, epoch ms. */
  published_ms: number;
};

/** Status and vehicles of one system in turn, with `changed` of the rows other than before. */
export class StreamPublisher {
  readonly #system: BenchSystem;
  readonly #statics: ReturnType<typeof openStatics>;
  readonly #changed: number;
  readonly #seed: number;
  readonly #rng: () => number;
  #turn = 0;

  constructor(
    options: StreamSizes & { seed: number; statics: SharedArrayBuffer; changed: number },
  ) {
    this.#seed = options.seed;
    this.#system = streamSystem(options.seed, options);
    this.#statics = openStatics(options.statics);
    this.#changed = options.changed;
    this.#rng = createRng(options.seed + 1);
  }

  next(): StreamFile {
    const published_ms = Date.now();
    const at = { doc_s: published_ms / 1000, trail: createTrail() };
    const isStatus = this.#turn++ % 2 === 0;
    const kind = isStatus ? "status" : "vehicles";
    if (isStatus) this.#changeCounts(published_ms);
    else this.#moveVehicles();
    const buffer = isStatus
      ? packStatus(this.#system.statuses, this.#statics, at)
      : packVehicles(this.#system.vehicles, this.#statics, at).buffer;
    return { seed: this.#seed, kind, buffer, published_ms };
  }

  #changeCounts(now_ms: number): void {
    const { stations, statuses } = this.#system;
    for (let i = 0; i < stations.length * this.#changed; i++) {
      const { id } = stations[Math.floor(this.#rng() * stations.length)]!;
      statuses.set(id, { ...statuses.get(id)!, vehicles: now_ms % MOMENTS, by_type: [] });
    }
  }

  #moveVehicles(): void {
    const { vehicles } = this.#system;
    for (let i = 0; i < vehicles.length * this.#changed; i++) {
      const at = Math.floor(this.#rng() * vehicles.length);
      const { location } = vehicles[at]!;
      if (location === null) continue;
      const lat = location.lat + (this.#rng() - 0.5) * 0.004;
      vehicles[at] = { ...vehicles[at]!, location: { ...location, lat } };
    }
  }
}
