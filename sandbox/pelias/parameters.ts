// The parameters of Pelias: what is out of range is bent with a warning, what is wrong is an error.
import type { Point } from "../geo.ts";
import { findCountry } from "../world/countries.ts";

export type Parameters = {
  readonly text: string;
  /** The focus of a search; the point of a reverse question. */
  readonly near: Point | null;
  readonly countries: readonly string[] | null;
  readonly layers: readonly string[] | null;
  readonly size: number;
  readonly radius_m: number;
};

/** Null where there are errors. */
export type Read = {
  readonly parameters: Parameters | null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** What it understood, repeated in the answer. */
  readonly echo: Readonly<Record<string, unknown>>;
};

const LAYERS = [
  ...["address", "venue", "street", "intersection", "neighbourhood", "macrohood", "borough"],
  ...["locality", "localadmin", "postalcode", "county", "macrocounty", "region", "macroregion"],
  ...["country", "dependency", "ocean", "marinearea", "continent", "empire", "coarse"],
];
const SIZE = 10;
const SIZE_MAX = 40;
const RADIUS_KM = 1;
const RADIUS_MAX_KM = 5;

type Notes = { readonly errors: string[]; readonly warnings: string[] };

export function readSearch(query: URLSearchParams): Read {
  const notes: Notes = { errors: [], warnings: [] };
  const text = (query.get("text") ?? "").trim();
  if (text === "") notes.errors.push("invalid param 'text': text length, must be >0");
  const near = readPoint(query, "focus.point", notes, false);
  const size = readSize(query, notes);
  const shared = { text, near, size, radius_m: 0 };
  const rest = { countries: readCountries(query, notes), layers: readLayers(query, notes) };
  return finish({ ...shared, ...rest }, notes, { text, size });
}

export function readReverse(query: URLSearchParams): Read {
  const notes: Notes = { errors: [], warnings: [] };
  const near = readPoint(query, "point", notes, true);
  const size = readSize(query, notes);
  const radius_m = readRadius(query, notes) * 1000;
  const rest = { countries: readCountries(query, notes), layers: readLayers(query, notes) };
  const echo = { size, "point.lat": near?.lat, "point.lon": near?.lon };
  return finish({ text: "", near, size, radius_m, ...rest }, notes, echo);
}

const finish = (parameters: Parameters, notes: Notes, echo: Read["echo"]): Read => ({
  ...notes,
  parameters: notes.errors.length > 0 ? null : parameters,
  echo: { ...echo, private: false, querySize: 20 },
});

function readSize(query: URLSearchParams, { warnings }: Notes): number {
  const raw = query.get("size");
  if (raw === null) return SIZE;
  const size = Number.parseInt(raw, 10);
  if (Number.isNaN(size)) warnings.push("invalid integer 'size', using DEFAULT_SIZE");
  if (size > SIZE_MAX) warnings.push("out-of-range integer 'size', using MAX_SIZE");
  if (size < 1) warnings.push("out-of-range integer 'size', using MIN_SIZE");
  return Number.isNaN(size) ? SIZE : Math.max(1, Math.min(SIZE_MAX, size));
}

function readRadius(query: URLSearchParams, { warnings }: Notes): number {
  const raw = query.get("boundary.circle.radius");
  if (raw === null) return RADIUS_KM;
  const radius = Number.parseFloat(raw);
  if (Number.isNaN(radius)) return RADIUS_KM;
  if (radius > RADIUS_MAX_KM) warnings.push("boundary.circle.radius is out of range, using 5");
  return Math.max(0, Math.min(RADIUS_MAX_KM, radius));
}

function readPoint(
  query: URLSearchParams,
  name: string,
  { errors }: Notes,
  required: boolean,
): Point | null {
  const [lat, lon] = [query.get(`${name}.lat`), query.get(`${name}.lon`)];
  if (lat === null && lon === null) {
    if (required) errors.push(`missing param '${name}.lat'`, `missing param '${name}.lon'`);
    return null;
  }
  const at = { lat: toNumber(lat), lon: toNumber(lon) };
  if (lat === null || lon === null)
    errors.push(`parameters ${name}.lat and ${name}.lon must both be specified`);
  else if (Number.isNaN(at.lat)) errors.push(`invalid param '${name}.lat'`);
  else if (Number.isNaN(at.lon)) errors.push(`invalid param '${name}.lon'`);
  return errors.length === 0 ? at : null;
}

const toNumber = (raw: string | null): number => {
  const value = raw === null || raw.trim() === "" ? Number.NaN : Number(raw);
  return Number.isFinite(value) ? value : Number.NaN;
};

function readCountries(query: URLSearchParams, { errors }: Notes): string[] | null {
  const raw = query.get("boundary.country");
  if (raw === null) return null;
  return raw.split(",").flatMap((text) => {
    const code = text.trim();
    // Codes of countries that the simulated Earth does not have are filters that nothing passes.
    if (/^[a-z]{2,3}$/i.test(code)) return [findCountry(code)?.code ?? code.toUpperCase()];
    errors.push(`${code} is not a valid ISO2/ISO3 country code`);
    return [];
  });
}

const COARSE = LAYERS.filter((name) => !["address", "venue", "street"].includes(name));

function readLayers(query: URLSearchParams, { errors }: Notes): string[] | null {
  const raw = query.get("layers");
  if (raw === null || raw === "") return null;
  const names = raw.split(",").map((name) => name.trim());
  const bad = names.find((name) => !LAYERS.includes(name));
  if (bad !== undefined)
    errors.push(`'${bad}' is an invalid layers parameter. Valid options: ${LAYERS.join(",")}`);
  return names.flatMap((name) => (name === "coarse" ? COARSE : [name]));
}
