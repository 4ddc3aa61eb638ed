/**
 * The town that an airport is called after (decisions, Unknown names): the gazetteer has no airports, and
 * the words for one are no part of a town's name.
 */
import type { Word } from "#osm/geocoder/fold-words.ts";

const AIRPORT: ReadonlySet<string> = new Set([
  ...["airport", "airfield", "airstrip", "aerodrome", "flughafen", "flugplatz", "aeroport"],
  ...["aeropuerto", "aeroporto", "aerodromo", "lotnisko", "luchthaven", "flygplats", "lufthavn"],
  ...["flyplass", "lentoasema", "letiste", "letisko", "repuloter", "havalimani", "havaalani"],
]);
const KINDS: ReadonlySet<string> = new Set([
  ...["international", "internacional", "internazionale", "internationale", "regional"],
  ...["municipal", "domestic", "national", "nacional"],
]);

/** Returns the words of the town; null: no airport is asked for, or it is called after nothing. */
export function townOfAirport(words: readonly Word[]): Word[] | null {
  const town = words.filter(({ text }) => !AIRPORT.has(text));
  if (town.length === words.length) return null;
  const names = town.filter(({ text }) => !KINDS.has(text));
  return names.length > 0 ? names : null;
}
