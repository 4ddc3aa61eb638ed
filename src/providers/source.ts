/**
 * A source says everything about itself in one descriptor: its facts and terms, the members of its
 * configuration, how it is treated, what it serves and whom it leads, what to ask and what the answer
 * means. One loop a family composes them (main/sources.ts, main/places, main/transit, main/weather.ts).
 */
import type { Static, TObject, TProperties, TSchema } from "typebox";
import type { Candidate } from "#osm/geocoder/candidate.ts";
import type { Interest } from "#core/places/interest.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import type { TransitProvider, TransitStation } from "#transit/schedule/station.ts";
import type { CallKind } from "#transit/timetable/timetable.ts";
import type { Outlook } from "#core/weather/outlook.ts";
import type { Current, Forecast } from "#core/weather/weather-model.ts";
import { type Descriptor, defineProvider } from "#providers/define.ts";
import type { RegisteredLift } from "#providers/lift-register.ts";
import type {
  AroundQuery,
  BoxQuery,
  GeocodeQuery,
  InterestQuery,
  Lookup,
  LookupSettings,
  Registry,
  ReverseQuery,
} from "#providers/lookup.ts";
import type { SourceRequest } from "#providers/provider.ts";
import type { AskedBy, BoardPage, BoardQuery } from "#providers/transit-departures.ts";
import type { TransitPage, TransitQuery } from "#providers/transit-lookup.ts";
import type { WeatherQuery } from "#providers/weather-lookup.ts";

/** A request without its caps and its deadline, which come from the descriptor and the settings. */
export type BareRequest = Omit<SourceRequest, "timeout_ms" | "max_bytes" | "refusal_bytes">;

/** A lookup as a source declares it; `toLookup` makes it one that can be asked. */
export type Reader<Query, Settings, Value> = Omit<
  Lookup<Query, Settings, Value>,
  "id" | "provider" | "request"
> & {
  /** With the id of the source it names breaker, budget and cache entries. */
  operation: string;
  /** Seconds an answer is good, where that is not what the policy says. */
  cache_s?: number;
  /** Most seconds that an answer which is not good any more may be used, where that is not what the policy says. */
  stale_s?: number;
  request(query: Query, settings: Settings): BareRequest;
};

export type AroundReader<S> = Reader<AroundQuery, S, Place[]>;
export type TransitReader<S> = Reader<TransitQuery, S, TransitPage>;
export type BoardReader<S> = Reader<BoardQuery, S, BoardPage>;
/** All lifts of a register. */
export type LiftReader<S> = Reader<null, S, RegisteredLift[]>;
export type WeatherReader<S, V> = Reader<WeatherQuery, S, V>;
export type GeocodingSource<S> = {
  geocode: Reader<GeocodeQuery, S, Candidate[]>;
  search: Reader<GeocodeQuery, S, Candidate[]>;
  reverse: Reader<ReverseQuery, S, Candidate[]>;
};

/** A register as a source declares it; `toRegistry` makes it one that can be read. */
export type RegisterReader<S> = Omit<Registry<S>, "id" | "provider" | "requests" | "companions"> & {
  /** With the id of the source it names what is kept of it; null: the id alone does. */
  dataset: string | null;
  requests(settings: S): BareRequest[];
  companions?(settings: S): BareRequest[];
};

/** Points of interest by class around a point. */
export type Interests<S> = {
  reader: Reader<InterestQuery, S, Interest[]>;
  /** Those of some classes that it can be asked for at once; none: it knows none of them. */
  knownOf(classes: readonly string[]): readonly string[];
  /** Places that it names at most. */
  most: number;
};

/** Things of one kind around a point. */
export type Around<S> = {
  kind: PlaceKind;
  reader: AroundReader<S>;
  /** A refusal with this reason is asked again with other settings, and so is what follows within an hour. */
  fallback?: { reason: string; settings: Readonly<Record<string, unknown>> };
};

type Refined<S> = {
  /** Asked at the same time; what fails leaves its value null. */
  also?: readonly { reader: Reader<TransitQuery, S, unknown>; isWanted(settings: S): boolean }[];
  /** The stations with what the others know, in their order. */
  refine?(stations: TransitStation[], entries: readonly unknown[]): TransitStation[];
};

/** Public transport stations, under a token of `providers` (§4.7a). */
type Stations<S> = Refined<S> & { provider: TransitProvider; reader: TransitReader<S> };

/** Departures (docs/decisions/0029-departures.md), under the token of its stations. */
type Departures<S> = Refined<S> & {
  provider: TransitProvider;
  reader: BoardReader<S>;
  /** `station`: those of a circle come from `stations`. */
  asked_by: AskedBy;
  /** It is asked for what leaves from now on, and not for another time. */
  from_now?: true;
  /** Absent: both. */
  kinds?: readonly CallKind[];
};

/** Now and the steps of the forecast, each of its own answer or both of one series. */
type Weather<S> =
  | { current: WeatherReader<S, Current>; forecast: WeatherReader<S, Forecast> }
  | { series: WeatherReader<S, Outlook> };

/** How a source is treated, where its terms and the operator say nothing else. */
type Policy = {
  /** Seconds an answer is good where the terms allow keeping it. */
  cache_s: number;
  /** Calls at once. */
  places?: number;
  /** false: an attempt that failed is not repeated. */
  retry?: boolean;
  /** Most calls a second. */
  per_second?: number;
  /** At least this long it is left alone after it has said "too many". */
  cool_down_ms?: number;
  /** Most seconds that an answer which is not good any more may replace a failure. */
  stale_s?: number;
};

/**
 * Role of which the operator chooses one source: `maps` by `maps.adapter`, `geocoder` by
 * `maps.geocoder` where the adapter is the open map, `weather` by `weather.source`. Of `aed` every
 * enabled one is asked, and the one that `aed.registry` names leads. A `supplement` adds to what the
 * open adapter knows, where the file names it.
 */
export type Role = "maps" | "geocoder" | "aed" | "weather" | "supplement";

export type Source = Declared<LookupSettings> & {
  /** `sources.<id>` of the configuration file. */
  config: TSchema & { properties: TProperties };
  /** Settings that must not be null. Default: `url`. */
  needs?: readonly string[];
};

type Declared<S> = Descriptor & {
  /** What it is without them. Default: `failing`, i.e. asked, and a failure each time. */
  without?(settings: S): "failing" | "unasked" | "absent";
  /** Publishes whole systems (providers/protocols.ts). */
  systems?: true;
  /** The variable that switches it on and holds its key where no file was written. */
  key?: { variable: string; member: string };
  role?: Role;
  /** Calls cost money: a key without a bound a day is warned of. */
  paid?: true;
  /** Chosen by name only. */
  named_only?: true;
  /** Switched on without being named: without anything of its own to read it is not there. */
  always?: true;
  /** Addresses are used to the letter; others lose the slashes at their end. */
  verbatim?: true;
  /** The setting that is the deadline of a lookup, where `timeout_ms` is another one. */
  timeout?: string;
  policy?: Policy;

  geocoder?: GeocodingSource<S>;
  around?: readonly Around<S>[];
  interests?: Interests<S>;
  /** Open data in tiles: all kinds in one call. */
  tiles?: { reader: Reader<BoxQuery, S, Place[]>; kinds: readonly PlaceKind[] };
  /** Read whole, and again after this long. */
  registers?: { readers: readonly RegisterReader<S>[]; renew_s: number };
  stations?: Stations<S>;
  departures?: Departures<S>;
  weather?: Weather<S>;
  /** A register of lifts; its configuration has LIFT_MEMBERS. */
  lifts?: { reader: LiftReader<S> };

  /** Where sources see the same thing, the lowest leads. */
  precedence?: number;
  /** Whether it knows a country (two upper-case letters; null: unknown). Default: every one. */
  covers?(country: string | null, settings: S): boolean;
  /** Where it covers, tiles are not asked for its kinds. */
  instead_of_tiles?: true;
  /** Neighbouring questions are asked as one: the point rounded, the circle wider. */
  snaps?: true;
};

type SettingsOf<P extends TProperties, N extends string> = LookupSettings & {
  [K in keyof P]: K extends N | "url" ? NonNullable<Static<P[K]>> : Static<P[K]>;
};

/** A wrong descriptor is a programming error: it throws when the module loads. */
export function defineSource<const P extends TProperties, const N extends keyof P & string = never>(
  source: Declared<SettingsOf<P, N>> & { config: TObject<P>; needs?: readonly N[] },
): Readonly<Declared<SettingsOf<P, N>> & { config: TObject<P>; needs?: readonly N[] }> {
  return defineProvider(source);
}

/** Reports whether every setting that it needs is there. */
export function isConfigured({ needs = ["url"] }: Source, settings: object): boolean {
  const members = settings as Readonly<Record<string, unknown>>;
  return needs.every((name) => members[name] !== null);
}

/** The lookup that a source declares, under its name and within its limits. */
export function toLookup<Q, S extends LookupSettings, V>(
  source: Descriptor,
  { operation, ...reader }: Reader<Q, S, V>,
): Lookup<Q, S, V> {
  return {
    ...reader,
    id: `${source.id}.${operation}`,
    provider: source,
    request: (query, settings) => capped(source, reader.request(query, settings), settings),
  };
}

/** The register that a source declares, under its name and within its limits. */
export function toRegistry<S extends LookupSettings>(
  source: Descriptor,
  { dataset, requests, companions, ...reader }: RegisterReader<S>,
): Registry<S> {
  const { max_bytes } = source.limits;
  const toCapped = (list: BareRequest[], { timeout_ms }: S): SourceRequest[] =>
    list.map((request) => ({ ...request, max_bytes, timeout_ms }));
  return {
    ...reader,
    id: dataset === null ? source.id : `${source.id}.${dataset}`,
    provider: source,
    requests: (settings) => toCapped(requests(settings), settings),
    ...(companions && { companions: (settings: S) => toCapped(companions(settings), settings) }),
  };
}

/** Enough for an error body; it is looked at only to know that the refusal came from the source. */
const REFUSAL_BYTES = 4_096;

function capped(
  { limits }: Descriptor,
  request: BareRequest,
  { timeout_ms }: LookupSettings,
): SourceRequest {
  const { max_bytes, refusal_bytes = REFUSAL_BYTES } = limits;
  const caps = { max_bytes, timeout_ms };
  return refusal_bytes === 0 ? { ...request, ...caps } : { ...request, ...caps, refusal_bytes };
}
