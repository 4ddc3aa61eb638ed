/** Kinds of settlements: how much each weighs, how far it reaches, and which areas are municipalities. */
import table from "./settlements.json" with { type: "json" };

type Rank = { importance: number; radius_m: number; municipality?: boolean };
type Levels = { municipality: readonly number[]; region: readonly number[] };
const RANKS: ReadonlyMap<string, Rank> = new Map(Object.entries<Rank>(table.ranks));
const LEVELS: ReadonlyMap<string, Levels> = new Map(Object.entries<Levels>(table.levels));
const DEFAULT: Levels = table.levels.default;

/** Kinds by number, as columns have them. */
export const SETTLEMENT_KINDS: readonly string[] = [...RANKS.keys()];

export function rankOf(place: string): Rank | null {
  return RANKS.get(place) ?? null;
}

/** Places that addresses have as their city. */
export function isTown(place: string): boolean {
  return RANKS.get(place)?.municipality === true;
}

/** Countries, states and the like: larger than a municipality. */
export function isWide(place: string): boolean {
  return WIDE.has(place);
}
const WIDE: ReadonlySet<string> = new Set(["country", "state", "region", "province", "county"]);

/** Weight among things of the same name, 0 to 1: by its kind, the larger of those of one kind first. */
export function placeImportance(
  place: string,
  population: number | null,
  isKnown: boolean,
): number {
  const rank = RANKS.get(place)?.importance ?? 0.1;
  const people = population === null ? 0 : Math.min(0.3, Math.log10(population) / 25);
  return Math.min(1, rank + people + (isKnown ? 0.03 : 0));
}

/** Administrative levels that are municipalities and regions in a country, the first that is there. */
export function levelsOf(country: string | null): Levels {
  return (country === null ? undefined : LEVELS.get(country)) ?? DEFAULT;
}

/** Kind of place that an administrative area without a tag for it is. */
export function placeOfLevel(level: number, country: string | null): string {
  if (level <= 2) return "country";
  if (levelsOf(country).municipality[0] === level) return "municipality";
  if (level <= 4) return "state";
  return level <= 7 ? "county" : level === 8 ? "municipality" : "suburb";
}
