/** Questions in Photon's parameters (places.md 2.1): read as it reads them, refused as it refuses. */
import type { Box, Location } from "#kit/geo.ts";
import {
  choiceRule,
  fromText,
  numberRule,
  readBy,
  type Rule,
  textBy,
  textThat,
} from "#kit/rule.ts";
import { hasControls } from "#kit/text/controls.ts";
import { isLanguage, preferredLanguage } from "./language.ts";
import { PHOTON_LAYERS } from "./layers.ts";
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

type PhotonRequest = { query: URLSearchParams; accepted_languages: string | undefined };

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

export function readSearch(request: PhotonRequest): ReadQuestion<PhotonSearch> {
  const { query } = request;
  const form = new Form(query);
  form.knows(SEARCH_NAMES);
  const common = readCommon(request, form, DEFAULT_LIMITS.search);
  const q = (query.get("q") ?? "").trim();
  if (q === "") form.refuse("missing search term 'q': /api?q=berlin");
  const near = readPoint(form);
  // A base weighs distance and importance in a way of its own.
  for (const name of ["zoom", "location_bias_scale"]) form.one(name, number(name));
  const box = readBox(form);
  const countries = form.all("countrycode").map((code) => code.toUpperCase());
  return form.end({ ...common, q, near, box, countries });
}

export function readReverse(request: PhotonRequest): ReadQuestion<PhotonReverse> {
  const form = new Form(request.query);
  form.knows(REVERSE_NAMES);
  const common = readCommon(request, form, DEFAULT_LIMITS.reverse);
  const at = readPoint(form);
  if (at === null) form.refuse("missing search term 'lat' and/or 'lon': /reverse?lat=51.5&lon=8.0");
  const radius_km =
    form.one("radius", number("radius"), within("radius", 0, Infinity)) ?? RADIUS_KM.default;
  const radius_m = Math.min(radius_km, RADIUS_KM.max) * 1_000;
  return form.end({ ...common, at: at ?? { lat: 0, lon: 0 }, radius_m });
}

function readCommon(
  { query, accepted_languages }: PhotonRequest,
  form: Form,
  usual: number,
): Common {
  const lang = query.get("lang");
  if (lang !== null) form.judge(lang, LANGUAGE);
  for (const name of ["include", "exclude"])
    if (query.has(name)) form.refuse(`Categories are not available here: leave out '${name}'.`);
  if (query.get("geometry") === "true")
    form.refuse("Geometry output requested but not available in database.");
  const limit = form.one("limit", number("limit", Number.isInteger)) ?? usual;
  const layers = form.all("layer").flatMap((text) => form.judge(text, LAYER) ?? []);
  const tags = form.all("osm_tag").flatMap((text) => form.judge(text, TAG_FILTER) ?? []);
  return {
    limit: Math.max(1, Math.min(LIMIT_MAX, limit)),
    language: lang ?? preferredLanguage(accepted_languages),
    layers,
    tags,
  };
}

/** null: none is given. */
function readPoint(form: Form): Location | null {
  const lat = form.one("lat", number("lat"), within("lat", -90, 90));
  const lon = form.one("lon", number("lon"), within("lon", -180, 180));
  if (lat === null && lon === null) return null;
  if (lat === null) form.refuse("Missing parameter 'lat'.");
  if (lon === null) form.refuse("Missing parameter 'lon'.");
  return { lat: lat ?? 0, lon: lon ?? 0 };
}

/** Reads two corners, whichever they are; null: none are given. */
function readBox(form: Form): Box | null {
  const [text] = form.all("bbox");
  return text === undefined ? null : form.judge(text, CORNERS, BOX);
}

/** The rules: as Photon refuses a value, their words are the whole sentence. */
const LANGUAGE = textThat(
  isLanguage,
  "Language is not supported: 'lang' must be default or a tag such as de.",
);
const LAYER: Rule<string> = {
  ...choiceRule(PHOTON_LAYERS),
  words: `Unknown layer type. Available layers: [${PHOTON_LAYERS.join(", ")}]`,
};
const TAG_FILTER = textBy(
  "Invalid parameter 'osm_tag': bad syntax for tag filter.",
  (text) => readTagFilter(text) ?? undefined,
);
const CORNERS: Rule<Box> = textBy(
  "Invalid number of supplied coordinates for parameter 'bbox', expected format is: minLon,minLat,maxLon,maxLat",
  (text) => {
    const values = text.split(",").map((each) => toNumber(each) ?? NaN);
    const [a = NaN, b = NaN, c = NaN, d = NaN] = values;
    const [west, east] = [Math.min(a, c), Math.max(a, c)];
    const [south, north] = [Math.min(b, d), Math.max(b, d)];
    return values.length > 4 || Number.isNaN(west + south)
      ? undefined
      : { south, west, north, east };
  },
);
const BOX: Rule<Box> = {
  words: "Invalid bounds for parameter 'bbox'.",
  read(value) {
    const box = value as Box;
    const isOnEarth = box.west >= -180 && box.east <= 180 && box.south >= -90 && box.north <= 90;
    return isOnEarth ? box : undefined;
  },
};

function number(name: string, fits?: (value: number) => boolean): Rule<number> {
  const words = `Invalid parameter '${name}': must be a number`;
  return fromText(numberRule(words, {}, fits), toNumber);
}

function within(name: string, minimum: number, maximum: number): Rule<number> {
  return numberRule(`Invalid value for '${name}' parameter.`, { minimum, maximum });
}

const NUMBER = /^[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d{1,3})?$/;

function toNumber(text: string): number | undefined {
  const trimmed = text.trim();
  return NUMBER.test(trimmed) && Number.isFinite(Number(trimmed)) ? Number(trimmed) : undefined;
}

/** The parameters of one question, and the first thing that is wrong with them. */
class Form {
  readonly #query: URLSearchParams;
  #problem: string | null = null;

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  refuse(message: string): void {
    this.#problem ??= message;
  }

  /** Refuses names that are not among these. */
  knows(names: ReadonlySet<string>): void {
    const other = [...this.#query.keys()].find((name) => !names.has(name));
    if (other !== undefined) {
      const allowed = [...names].sort().join(", ");
      this.refuse(`Unknown query parameter '${other}'.  Allowed parameters are: [${allowed}]`);
    }
    const spoiled = [...this.#query].find(([, value]) => hasControls(value.trim()));
    if (spoiled) this.refuse(`Invalid parameter '${spoiled[0]}': a control character`);
  }

  /** Returns a value as the rules read it; null: it was refused. */
  judge<T>(value: string, ...rules: readonly Rule<T>[]): T | null {
    const read = readBy(value, ...rules);
    if (read.ok) return read.value;
    this.refuse(read.words);
    return null;
  }

  /** Reads a parameter; null: it is not given. Of one that is repeated the first counts, unless empty. */
  one<T>(name: string, ...rules: readonly Rule<T>[]): T | null {
    const text = this.#query.get(name) ?? "";
    return text === "" ? null : this.judge(text, ...rules);
  }

  /** Returns every value of a parameter that may be repeated. */
  all(name: string): string[] {
    const values = this.#query.getAll(name).filter((value) => value !== "");
    if (values.length > MOST_FILTERS)
      this.refuse(`Invalid parameter '${name}': at most ${MOST_FILTERS} of it`);
    return values.slice(0, MOST_FILTERS);
  }

  /** Returns the value, unless something was refused: then the first refusal. */
  end<T>(value: T): ReadQuestion<T> {
    return this.#problem === null ? { ok: true, value } : { ok: false, message: this.#problem };
  }
}
