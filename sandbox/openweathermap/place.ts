// Where a point is to the simulated OpenWeatherMap: the nearest city it knows, or somewhere.
import { distance, type Point } from "../geo.ts";
import { hashText } from "../rng.ts";
import { countryAt } from "../world/countries.ts";
import type { City } from "../world/model.ts";
import type { World } from "../world/world.ts";

export type Whereabouts = {
  readonly id: number;
  readonly name: string;
  readonly country: string | undefined;
  readonly timezone_s: number;
};

const REACH_M = 40_000;

/** Finds the place; at sea and in the wild the id is 0 and the name empty. */
export function whereIs({ cities }: World, at: Point, at_ms: number): Whereabouts {
  const city = cities.find((each) => distance(at, each) <= REACH_M);
  if (city === undefined) {
    const timezone_s = Math.round(at.lon / 15) * 3_600 + 0;
    return { id: 0, name: "", country: countryAt(at)?.code, timezone_s };
  }
  const { name, country } = city;
  const id = 1_000_000 + (hashText(city.id) % 5_000_000);
  return { id, name, country, timezone_s: offsetOf(city, at_ms) };
}

/** The clock of the city as if it were UTC, less UTC. */
function offsetOf({ timezone }: City, at_ms: number): number {
  const listed = new Date(at_ms).toLocaleString("sv-SE", { timeZone: timezone });
  const second_ms = Math.floor(at_ms / 1000) * 1000;
  return Math.round((Date.parse(`${listed.replace(" ", "T")}Z`) - second_ms) / 1000);
}
