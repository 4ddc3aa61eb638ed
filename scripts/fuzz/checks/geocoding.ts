/** What an answer of geocoding means (contract 2.2, 4.3 to 4.5; decisions, Geocoding). */
import { CITIES } from "../../../sandbox/world/cities.ts";
import type { GeocodingQuestion } from "../oracle/search.ts";
import { greatCircle, type Point } from "./geo.ts";

export type GeocodingAnswer = {
  results: { name: string; label: string; location: Point }[];
  meta: { total: number; query?: string; origin?: Point };
};

export function findGeocodingProblem(
  question: GeocodingQuestion,
  { results, meta }: GeocodingAnswer,
): string | null {
  if (meta.total !== results.length) return `total ${meta.total} of ${results.length} results`;
  return (
    queryProblem(question, meta) ??
    originProblem(question, meta) ??
    countryProblem(question, results)
  );
}

/** The text as it was understood: trimmed and composed. */
function queryProblem({ q }: GeocodingQuestion, { query }: GeocodingAnswer["meta"]): string | null {
  const told = `meta.query is ${JSON.stringify(query)}`;
  if (q === null) return query === undefined ? null : told;
  return query !== undefined && q.includes(query) ? null : `${told}, not ${JSON.stringify(q[0])}`;
}

/** On reverse and biased search. */
function originProblem(
  question: GeocodingQuestion,
  { origin }: GeocodingAnswer["meta"],
): string | null {
  const { lat, lon } = question.origin ?? {};
  return origin?.lat === lat && origin?.lon === lon
    ? null
    : `meta.origin is ${JSON.stringify(origin)}`;
}

/** Well within the country of a simulated city. */
const IN_TOWN_M = 5_000;

/** `country` is a filter, not a preference. */
function countryProblem(
  { country }: GeocodingQuestion,
  results: GeocodingAnswer["results"],
): string | null {
  if (country === null) return null;
  for (const { label, location } of results) {
    const city = CITIES.find((one) => greatCircle(one, location) < IN_TOWN_M);
    if (city !== undefined && city.country !== country)
      return `${label} is in ${city.country}, not in ${country}`;
  }
  return null;
}
