// The rental stations that mappers have drawn, numbered, named as the operator does, and counted.
import { firstLanguage, textIn } from "../gbfs/context.ts";
import { around, type Point } from "../geo.ts";
import { hash, unit } from "../rng.ts";
import type { Operator, Place } from "../world/model.ts";
import type { World } from "../world/world.ts";
import type { Element } from "./element.ts";

/** Shares of the stations that are drawn at all, numbered, named exactly, counted. */
const RATES = { drawn: 0.8, numbered: 0.55, exact_name: 0.2, capacity: 0.6 } as const;

/** Operators whose docks are drawn: mappers are busy in every third city. */
export const mappedOperators = ({ operators }: World): Operator[] =>
  operators
    .filter(({ gbfs_only }) => !gbfs_only)
    .filter(({ stations, types }) => stations?.model === "pool" && types[0]?.mode === "bicycle")
    .filter((_, n) => n % 3 === 0);

export const docksOf = (world: World, operator: Operator): Element[] =>
  world.listPlaces(operator).filter(isDockDrawn).map(toDock);

export const isDockDrawn = ({ operator, index, condition }: Place): boolean =>
  condition !== "not_installed" && unit(operator.key, index, 91) < RATES.drawn;

export const dockIdOf = ({ operator, index }: Place): number =>
  1_000_000_000 + (hash(operator.key, index, 92) % 900_000_000);

/** Drawn from the air: rarely more than a few metres off, and twins nearly right. */
function drawnAt(place: Place): Point {
  const { key } = place.operator;
  const off_m = (place.twin === null ? 14 : 3) * unit(key, place.index, 93) ** 2;
  return around(place, unit(key, place.index, 94), off_m);
}

function toDock(place: Place): Element {
  const { operator, index, capacity } = place;
  const { key } = operator;
  const at = drawnAt(place);
  const name = textIn(place.name, firstLanguage(operator), operator);
  const exact = place.twin !== null || unit(key, index, 95) < RATES.exact_name;
  return {
    type: "node",
    id: dockIdOf(place),
    lat: at.lat,
    lon: at.lon,
    tags: {
      amenity: "bicycle_rental",
      bicycle_rental: "docking_station",
      name: exact ? name : shortened(name),
      network: textIn(operator.name, firstLanguage(operator), operator),
      operator: operator.company,
      ...(unit(key, index, 96) < RATES.numbered ? { ref: place.id } : {}),
      ...(unit(key, index, 97) < RATES.capacity ? { capacity: String(capacity) } : {}),
    },
  };
}

/** Mappers write what is on the sign: less, and in small letters. */
const shortened = (name: string): string =>
  name
    .replaceAll(/\b(Street|Avenue|Road|Square|Boulevard)\b/g, (word) => `${word.slice(0, 2)}.`)
    .toLowerCase();
