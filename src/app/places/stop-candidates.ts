/**
 * Stops of timetables among the candidates of the geocoder: those that are called as the question has it,
 * where no settlement is.
 */
import type { TermsOf } from "#app/capabilities/search-observation.ts";
import { type FindStops, type NamedStop, toPlain } from "#app/transit/stop-names.ts";
import { countryAt, type FindCountries } from "#app/country.ts";
import { SEARCH_CUT } from "#core/places/geocode-notices.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import type { Candidate, CandidateType } from "#osm/geocoder/candidate.ts";
import type { GeocodeQuery } from "#providers/lookup.ts";
import type { Ask } from "#upstream/lookup/ask-source.ts";
import type { GeocodingDeps } from "./geocoding.ts";

export type StopCandidateDeps = {
  findStops: FindStops;
  termsOf: TermsOf;
  countries(): Promise<FindCountries>;
};

type GeocodingAsk = NonNullable<GeocodingDeps["ask"]>;

/** Of one answer. */
const MOST = 3;
/** Pins of one stop, or of a stop and its station on the map. */
const SAME_PLACE_M = 300;
/** How far from the middle of a town its stops lie at most. */
const TOWN_M = 40_000;

const SETTLEMENTS: ReadonlySet<CandidateType> = new Set([
  ...(["city", "locality", "neighborhood", "region", "country"] as const),
]);
const STOPS: ReadonlySet<CandidateType> = new Set([
  ...(["transit_station", "railway_station", "station"] as const),
]);

/** Adds stops to what the geocoder answers by name. */
export function withStops(ask: GeocodingAsk, deps: StopCandidateDeps): GeocodingAsk {
  return { ...ask, geocode: extend(ask.geocode, deps), search: extend(ask.search, deps) };
}

function extend(
  ask: Ask<GeocodeQuery, Candidate[]>,
  deps: StopCandidateDeps,
): Ask<GeocodeQuery, Candidate[]> {
  return async (query, options) => {
    const reply = await ask(query, options);
    if (reply.status !== "ok") return reply;
    const { stored } = reply;
    const readings = readNames(query.q, stored.value);
    const { stops, isCut } = await deps.findStops(readings.map(({ name }) => name));
    const called = keepCalled(stops, readings);
    const found = query.country === null ? called : await keepIn(called, query.country, deps);
    if (found.length === 0 && !isCut) return reply;
    const value = addStops(stored.value, pick(found, query.near), query.q, deps.termsOf);
    const { notices = [] } = stored;
    const cut = isCut && !notices.includes(SEARCH_CUT) ? [SEARCH_CUT] : [];
    const reported = [...notices, ...cut];
    return {
      ...reply,
      stored: { ...stored, value, ...(reported.length > 0 ? { notices: reported } : {}) },
    };
  };
}

/** A name that the question may have; `towns`: where it must be near one, empty: anywhere. */
type Reading = { name: string; towns: readonly Location[] };

/** The whole text; and what a town follows, after a comma or as its last words. */
function readNames(text: string, candidates: readonly Candidate[]): Reading[] {
  const towns = candidates.filter(({ type }) => SETTLEMENTS.has(type));
  const whole = toPlain(text);
  const readings: Reading[] = [{ name: whole, towns: [] }];
  const at = text.indexOf(",");
  if (at > 0) {
    const rest = toPlain(text.slice(at + 1));
    const meant = towns.filter((town) => rest !== "" && hasWords(town, rest));
    if (meant.length > 0) readings.push({ name: toPlain(text.slice(0, at)), towns: places(meant) });
    return readings;
  }
  for (const town of towns) {
    const end = ` ${toPlain(town.name)}`;
    if (whole.endsWith(end))
      readings.push({ name: whole.slice(0, -end.length), towns: places([town]) });
  }
  return readings;
}

function places(candidates: readonly Candidate[]): Location[] {
  return candidates.map(({ location }) => location);
}

/** Each word is one of its name, its label or its address. */
function hasWords(candidate: Candidate, plain: string): boolean {
  const own = wordsOf(candidate);
  return plain.split(" ").every((word) => own.has(word));
}

/** Words of its name, its label and its address. */
function wordsOf({ name, label, address }: Candidate): ReadonlySet<string> {
  const texts = [name, label, address.city, address.region, address.country];
  return new Set(toPlain(texts.filter((each) => each !== null).join(" ")).split(" "));
}

/**
 * A settlement of which the question is a part of the name; or that was found by none of the words that
 * are shown of it, and so by its name in another language.
 */
function isMeantTown(candidate: Candidate, plain: string): boolean {
  if (!SETTLEMENTS.has(candidate.type)) return false;
  const words = plain.split(" ");
  const name = new Set(toPlain(candidate.name).split(" "));
  if (words.every((word) => name.has(word))) return true;
  const own = wordsOf(candidate);
  return !words.some((word) => own.has(word));
}

function keepCalled(stops: readonly NamedStop[], readings: readonly Reading[]): NamedStop[] {
  return stops.filter(({ name, location }) => {
    const plain = toPlain(name);
    return readings.some(
      (reading) =>
        reading.name === plain &&
        (reading.towns.length === 0 ||
          reading.towns.some((town) => metres(town, location) <= TOWN_M)),
    );
  });
}

async function keepIn(
  stops: readonly NamedStop[],
  country: string,
  { countries }: StopCandidateDeps,
): Promise<NamedStop[]> {
  if (stops.length === 0) return [];
  const find = await countries();
  return stops.filter(({ location: { lat, lon } }) => countryAt(find, lat, lon) === country);
}

/** The nearest to a point, else those that most routes call at; each place once. */
function pick(stops: readonly NamedStop[], near: Location | null): NamedStop[] {
  const ordered = stops.toSorted(
    (a, b) =>
      (near ? metres(near, a.location) - metres(near, b.location) : b.routes - a.routes) ||
      (a.id < b.id ? -1 : 1),
  );
  const picked: NamedStop[] = [];
  for (const stop of ordered) {
    if (picked.length === MOST) break;
    if (picked.some((other) => metres(other.location, stop.location) <= SAME_PLACE_M)) continue;
    picked.push(stop);
  }
  return picked;
}

/**
 * Behind what else is called so, or may be, and before what is not. Where a settlement is called so there
 * are none: it is what a name alone means.
 */
function addStops(
  candidates: readonly Candidate[],
  stops: readonly NamedStop[],
  text: string,
  termsOf: TermsOf,
): Candidate[] {
  const whole = toPlain(text);
  const isNamed = ({ name }: Candidate): boolean => toPlain(name) === whole;
  if (candidates.some((each) => SETTLEMENTS.has(each.type) && isNamed(each)))
    return [...candidates];
  const added = stops
    .filter(({ location }) => !candidates.some((each) => isStopAt(each, location)))
    .map((stop) => toCandidate(stop, termsOf));
  const first = candidates.findIndex((each) => !isNamed(each) && !isMeantTown(each, whole));
  const at = first === -1 ? candidates.length : first;
  return [...candidates.slice(0, at), ...added, ...candidates.slice(at)];
}

function isStopAt({ type, location }: Candidate, at: Location): boolean {
  return STOPS.has(type) && metres(location, at) <= SAME_PLACE_M;
}

function toCandidate(stop: NamedStop, termsOf: TermsOf): Candidate {
  const { id, feed_id, name, location, modes, operator } = stop;
  const source_id = `gtfs:${feed_id}`;
  const { licence, attribution } = termsOf(source_id);
  return {
    name,
    label: operator === null ? name : `${name}, ${operator}`,
    type: modes.includes("rail") ? "railway_station" : "transit_station",
    location,
    address: NO_ADDRESS,
    source_place_id: id,
    match_quality: "geometric_center",
    base: { id: source_id, data_at: null, licence, attribution },
  };
}

const NO_ADDRESS = {
  ...{ formatted: null, street: null, street_number: null, city: null },
  ...{ postal_code: null, region: null, country: null },
};

function metres(a: Location, b: Location): number {
  return distance_m(a.lat, a.lon, b.lat, b.lon);
}
