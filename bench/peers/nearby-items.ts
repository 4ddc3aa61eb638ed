/** The benchmark's world as rows of a database: a place, and the text of an item of the answer. */
import { benchSystem } from "../world.ts";

export type Item = { id: number; key: string; lat: number; lon: number; text: string };

/** An item of each family as the service states it, so that rows are as long as its own. */
export type Samples = { station: Sample; vehicle: Sample };
export type Sample = Readonly<Record<string, unknown>>;

/** Rows of one system; `text` lacks its last brace, for what depends on the question. */
export function* itemsOf(seed: number, samples: Samples, first: number): Generator<Item> {
  const { id: system, stations, vehicles } = benchSystem(seed);
  let id = first;
  for (const { id: own_id, name, lat, lon } of stations) {
    const key = `${system}:${own_id}`;
    const location = { lat, lon };
    yield { id: id++, key, lat, lon, text: open({ ...samples.station, id: key, name, location }) };
  }
  for (const vehicle of vehicles) {
    const key = `${system}:${vehicle.id}`;
    const location = vehicle.location!;
    yield { id: id++, key, ...location, text: open({ ...samples.vehicle, id: key, location }) };
  }
}

function open(item: object): string {
  return JSON.stringify(item).slice(0, -1);
}
