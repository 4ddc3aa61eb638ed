/**
 * Generated requests with a verdict: `{url, valid, why}`. Written from the contract's grammar, not
 * from the decoder, and used by the test of generated requests.
 */
import fc from "fast-check";

export type GeneratedRequest = {
  url: string;
  valid: boolean;
  /** Invalid: the parameter at fault. Valid: what is special about the request. */
  why: string;
};

type Pair = [name: string, value: string];
type Fault = { name: string; values: readonly string[] };

const plain = (value: number): string => String(value === 0 ? 0 : value);
const degrees = (bound: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.double({ min: -bound, max: bound, noNaN: true }).map(plain),
    fc.integer({ min: -bound, max: bound }).map(plain),
    fc.constantFrom(`${bound}`, `-${bound}`, "0", "-0", "00.5", "1e-7", "-1E+1", "2.50e0"),
  );

const listOf = (items: readonly string[]): fc.Arbitrary<string> =>
  fc
    .array(
      fc
        .tuple(fc.constantFrom(...items), fc.constantFrom("", " ", "  "))
        .map(([a, b]) => b + a + b),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => parts.join(","));

const NUMERIC_FAULTS = [
  ...["", " ", "Infinity", "-Infinity", "NaN", "1e999", "-1e999", "0x10", "0b1", "+1", "1.", ".5"],
  ...["1,5", "1_0", " 1", "1 ", "true", "null", "1e", "1e1234", "--1", "١", "1;", "1\u0000", "[]"],
];
const INTEGER_FAULTS = [...NUMERIC_FAULTS, "5.5", "1e2", "1.0", "9".repeat(400), "-1"];

const MODES = ["bicycle", "scooter", "moped", "car"];
const FAMILIES = ["places", "lines", "stations", "vehicles", "alerts"];
const LIST_FAULTS = [
  ",",
  "other",
  "Bicycle",
  "bicycle;car",
  "bicycle,,car",
  "car,",
  "",
  " ",
  "bike",
];

const NEARBY_OPTIONAL: Record<string, fc.Arbitrary<string>> = {
  radius: fc.oneof(
    fc.double({ min: 1, max: 1e6, noNaN: true }).map(plain),
    fc.constantFrom("1", "400", "401", "1.0", "1e3", "1e100"),
  ),
  modes: listOf(MODES),
  include: listOf(FAMILIES),
  limit: fc.oneof(
    fc.integer({ min: 1, max: 1_000_000 }).map(plain),
    fc.constantFrom("1", "007", "9007199254740993", "1".repeat(30)),
  ),
  offset: fc.oneof(fc.integer({ min: 0, max: 1_000_000 }).map(plain), fc.constantFrom("0", "-0")),
  format: fc.constantFrom("json", "geojson"),
  debug: fc.constantFrom("true", "false"),
};

const POINT_FAULTS: Fault[] = [
  { name: "lat", values: [...NUMERIC_FAULTS, "90.0001", "-91", "1e3"] },
  { name: "lon", values: [...NUMERIC_FAULTS, "180.0001", "-181", "1e3"] },
];
const NEARBY_FAULTS: Fault[] = [
  ...POINT_FAULTS,
  { name: "radius", values: [...NUMERIC_FAULTS, "0", "0.99", "-1", "-0"] },
  { name: "limit", values: [...INTEGER_FAULTS, "0", "-0"] },
  { name: "offset", values: INTEGER_FAULTS },
  { name: "modes", values: [...LIST_FAULTS, "stations"] },
  { name: "include", values: [...LIST_FAULTS, "Stations", "station"] },
  { name: "format", values: ["", "JSON", "xml", "json,geojson", " json"] },
  { name: "debug", values: ["", "1", "0", "TRUE", "yes", " true"] },
];
const SOURCES_FAULTS: Fault[] = [
  ...POINT_FAULTS,
  { name: "radius", values: [...NUMERIC_FAULTS, "0", "0.5", "-1"] },
];

/** Names that no operation knows; they may carry anything, even broken escapes. */
const unknown: fc.Arbitrary<string> = fc.constantFrom(
  ...[
    "utm_source=x",
    "Lat=91",
    "LON=",
    "x",
    "=",
    "%zz=1",
    "%ff=%ff",
    "radius%20=0",
    "a=%",
    "_=1&_=2",
  ],
);

export function nearbyRequests(): fc.Arbitrary<GeneratedRequest> {
  const optional = fc.record(NEARBY_OPTIONAL, { requiredKeys: [] });
  const point = fc.tuple(degrees(90), degrees(180), fc.constantFrom("lon", "lng", "both"));
  const base = fc
    .tuple(point, optional)
    .map(([[lat, lon, name], others]) => [
      ["lat", lat] as Pair,
      ...toLongitudes(lon, name),
      ...Object.entries(others as Record<string, string>),
    ]);
  return requests("/v1/nearby", base, NEARBY_FAULTS, ["lat", "lon"]);
}

export function sourcesRequests(): fc.Arbitrary<GeneratedRequest> {
  const point = fc
    .tuple(degrees(90), degrees(180), fc.constantFrom("lon", "lng", "both"))
    .map(([lat, lon, name]) => [["lat", lat] as Pair, ...toLongitudes(lon, name)]);
  const radius = fc
    .option(fc.constantFrom("1", "400", "1e9"))
    .map((value) => (value === null ? [] : [["radius", value] as Pair]));
  const base = fc
    .tuple(fc.oneof(point, fc.constant<Pair[]>([])), radius)
    .map(([pairs, rest]) => [...pairs, ...rest]);
  return requests("/v1/sources", base, SOURCES_FAULTS, []);
}

function toLongitudes(lon: string, name: string): Pair[] {
  if (name !== "both") return [[name, lon]];
  return [
    ["lon", lon],
    ["lng", lon],
  ];
}

function requests(
  path: string,
  base: fc.Arbitrary<Pair[]>,
  faults: readonly Fault[],
  required: readonly string[],
): fc.Arbitrary<GeneratedRequest> {
  const valid = base.chain((pairs) => toUrl(path, pairs, true, "valid"));
  const wrong = fc
    .tuple(base, fc.constantFrom(...faults))
    .chain(([pairs, fault]) =>
      fc
        .constantFrom(...fault.values)
        .chain((value) =>
          toUrl(path, [...without(pairs, fault.name), [fault.name, value]], false, fault.name),
        ),
    );
  const repeated = base
    .filter((pairs) => pairs.length > 0)
    .chain((pairs) =>
      fc.constantFrom(...pairs).chain((pair) => toUrl(path, [...pairs, pair], false, pair[0])),
    );
  const differ = base.chain((pairs) => {
    const both: Pair[] = [...without(pairs, "lon"), ["lat", "1"], ["lon", "2"], ["lng", "2.5"]];
    return toUrl(
      path,
      both.filter(([name], at) => name !== "lat" || at === both.length - 3),
      false,
      "lon",
    );
  });
  const broken = fc
    .tuple(base, fc.constantFrom("lat=%", "lat=%4", "lat=%zz", "lat=%ff", "lat=%c3%28"))
    .map(([pairs, text]) => ({
      url: `${path}?${[...without(pairs, "lat").map(write), text].join("&")}`,
      valid: false,
      why: "lat",
    }));
  const missing =
    required.length === 0
      ? []
      : [
          fc
            .tuple(base, fc.constantFrom(...required))
            .chain(([pairs, name]) => toUrl(path, without(pairs, name), false, name)),
        ];
  return fc.oneof(
    { arbitrary: valid, weight: 5 },
    { arbitrary: wrong, weight: 5 },
    repeated,
    differ,
    broken,
    ...missing,
  );
}

/** Removes a parameter under each of its names. */
function without(pairs: readonly Pair[], name: string): Pair[] {
  const names = name === "lon" ? ["lon", "lng"] : [name];
  return pairs.filter(([one]) => !names.includes(one));
}

/** Shuffled, with unknown parameters in between, some characters needlessly escaped. */
function toUrl(
  path: string,
  pairs: readonly Pair[],
  valid: boolean,
  why: string,
): fc.Arbitrary<GeneratedRequest> {
  const written = pairs.map((pair) =>
    fc.boolean().map((all) => (all ? escapeAll(pair) : write(pair))),
  );
  return fc
    .tuple(fc.tuple(...written), fc.array(unknown, { maxLength: 2 }))
    .chain(([parts, extra]) => {
      const all = [...parts, ...extra];
      return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
    })
    .map((parts) => ({
      url: parts.length === 0 ? path : `${path}?${parts.join("&")}`,
      valid,
      why,
    }));
}

function write([name, value]: Pair): string {
  return `${name}=${encodeURIComponent(value).replaceAll("%20", "+").replaceAll("%2C", ",")}`;
}

function escapeAll([name, value]: Pair): string {
  return `${hex(name)}=${hex(value)}`;
}

function hex(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
