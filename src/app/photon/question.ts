/** Questions in Photon's parameters (places.md 2.1): read as it reads them, refused as it refuses. */
import { hasControls } from "#kit/text/controls.ts";
import type { Box, Location } from "#kit/geo.ts";
import { isLanguage, preferredLanguage } from "./language.ts";
import { LAYERS } from "./layers.ts";
import { readTagFilter } from "./tag-filter.ts";

type Common = {
  limit: number;
  /** A tag, or LOCAL. */
  language: string;
  /** Empty: any. */
  layers: readonly string[];
  tags: readonly NonNullable<ReturnType<typeof readTagFilter>>[];
};
export type PhotonSearch = Common & {
  q: string;
  near: Location | null;
  box: Box | null;
  /** ISO 3166-1 alpha-2, upper case; empty: any. */
  countries: readonly string[];
};
export type PhotonReverse = Common & { at: Location; radius_m: number };
export type ReadQuestion<T> = { ok: true; value: T } | { ok: false; message: string };

type Asked = { query: URLSearchParams; accepted_languages: string | undefined };

const COMMON =
  "lang limit lat lon layer osm_tag include exclude dedupe geometry countrycode debug token";
const SEARCH_NAMES = new Set(
  `${COMMON} q zoom location_bias_scale bbox suggest_addresses`.split(" "),
);
const REVERSE_NAMES = new Set(`${COMMON} radius distance_sort query_string_filter`.split(" "));

const LIMIT_MAX = 50;
const DEFAULT_LIMITS = { search: 15, reverse: 1 };
const RADIUS_KM = { default: 1, max: 5_000 };
/** Each is compared with each thing that was found. */
const MOST_FILTERS = 32;

export function readSearch(asked: Asked): ReadQuestion<PhotonSearch> {
  const { query } = asked;
  const from = createReader(query);
  from.knows(SEARCH_NAMES);
  const common = readCommon(asked, from, DEFAULT_LIMITS.search);
  const q = (query.get("q") ?? "").trim();
  if (q === "") from.refuse("missing search term 'q': /api?q=berlin");
  const near = readPoint(from);
  // A base weighs distance and importance in a way of its own.
  for (const name of ["zoom", "location_bias_scale"]) from.number(name, -Infinity, Infinity);
  const box = readBox(from);
  const countries = from.all("countrycode").map((code) => code.toUpperCase());
  return from.end({ ...common, q, near, box, countries });
}

export function readReverse(asked: Asked): ReadQuestion<PhotonReverse> {
  const from = createReader(asked.query);
  from.knows(REVERSE_NAMES);
  const common = readCommon(asked, from, DEFAULT_LIMITS.reverse);
  const at = readPoint(from);
  if (at === null) from.refuse("missing search term 'lat' and/or 'lon': /reverse?lat=51.5&lon=8.0");
  const radius_km = from.number("radius", 0, Infinity) ?? RADIUS_KM.default;
  const radius_m = Math.min(radius_km, RADIUS_KM.max) * 1_000;
  return from.end({ ...common, at: at ?? { lat: 0, lon: 0 }, radius_m });
}

function readCommon({ query, accepted_languages }: Asked, from: Reader, usual: number): Common {
  const lang = query.get("lang");
  if (lang !== null && !isLanguage(lang))
    from.refuse("Language is not supported: 'lang' must be default or a tag such as de.");
  for (const name of ["include", "exclude"])
    if (query.has(name)) from.refuse(`Categories are not available here: leave out '${name}'.`);
  if (query.get("geometry") === "true")
    from.refuse("Geometry output requested but not available in database.");
  const limit = from.number("limit", -Infinity, Infinity) ?? usual;
  if (!Number.isInteger(limit)) from.refuse("Invalid parameter 'limit': must be a number");
  const layers = from.all("layer");
  if (!layers.every((layer) => LAYERS.includes(layer)))
    from.refuse(`Unknown layer type. Available layers: [${LAYERS.join(", ")}]`);
  const tags = from.all("osm_tag").flatMap((text) => {
    const filter = readTagFilter(text);
    if (!filter) from.refuse("Invalid parameter 'osm_tag': bad syntax for tag filter.");
    return filter ?? [];
  });
  return {
    limit: Math.max(1, Math.min(LIMIT_MAX, limit)),
    language: lang ?? preferredLanguage(accepted_languages),
    layers,
    tags,
  };
}

/** null: none is given. */
function readPoint(from: Reader): Location | null {
  const lat = from.number("lat", -90, 90);
  const lon = from.number("lon", -180, 180);
  if (lat === null && lon === null) return null;
  if (lat === null) from.refuse("Missing parameter 'lat'.");
  if (lon === null) from.refuse("Missing parameter 'lon'.");
  return { lat: lat ?? 0, lon: lon ?? 0 };
}

/** Reads two corners, whichever they are; null: none are given. */
function readBox(from: Reader): Box | null {
  const [text] = from.all("bbox");
  if (text === undefined) return null;
  const [a, b, c, d, ...more] = text.split(",").map(toNumber);
  if (a == null || b == null || c == null || d == null || more.length > 0) {
    from.refuse(
      "Invalid number of supplied coordinates for parameter 'bbox', expected format is: minLon,minLat,maxLon,maxLat",
    );
    return null;
  }
  const [west, east, south, north] = [
    Math.min(a, c),
    Math.max(a, c),
    Math.min(b, d),
    Math.max(b, d),
  ];
  if (west < -180 || east > 180 || south < -90 || north > 90)
    from.refuse("Invalid bounds for parameter 'bbox'.");
  return { south, west, north, east };
}

type Reader = {
  /** Refuses names that are not among these. */
  knows(names: ReadonlySet<string>): void;
  /** The number, within these bounds; null: it is not given. */
  number(name: string, min: number, max: number): number | null;
  /** Every value of a parameter that may be repeated. */
  all(name: string): string[];
  refuse(message: string): void;
  /** The value, unless something was refused: the first refusal. */
  end<T>(value: T): ReadQuestion<T>;
};

function createReader(query: URLSearchParams): Reader {
  let problem: string | null = null;
  const refuse = (message: string): void => void (problem ??= message);
  return {
    refuse,
    knows(names) {
      const spoiled = [...query].find(([, value]) => hasControls(value.trim()));
      const other = [...query.keys()].find((name) => !names.has(name));
      if (other === undefined && spoiled)
        refuse(`Invalid parameter '${spoiled[0]}': a control character`);
      if (other === undefined) return;
      const allowed = [...names].sort().join(", ");
      refuse(`Unknown query parameter '${other}'.  Allowed parameters are: [${allowed}]`);
    },
    number(name, min, max) {
      // Of a parameter that is repeated the first counts, and an empty one does not.
      const text = query.get(name) ?? "";
      if (text === "") return null;
      const value = toNumber(text);
      if (value === null) refuse(`Invalid parameter '${name}': must be a number`);
      else if (value < min || value > max) refuse(`Invalid value for '${name}' parameter.`);
      return value ?? 0;
    },
    all(name) {
      const values = query.getAll(name).filter((value) => value !== "");
      if (values.length > MOST_FILTERS)
        refuse(`Invalid parameter '${name}': at most ${MOST_FILTERS} of it`);
      return values.slice(0, MOST_FILTERS);
    },
    end: (value) => (problem === null ? { ok: true, value } : { ok: false, message: problem }),
  };
}

const NUMBER = /^[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d{1,3})?$/;

/** null: it is none. */
function toNumber(text: string): number | null {
  const trimmed = text.trim();
  return NUMBER.test(trimmed) && Number.isFinite(Number(trimmed)) ? Number(trimmed) : null;
}
