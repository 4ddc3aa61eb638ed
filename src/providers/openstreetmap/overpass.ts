/**
 * Urban services by Overpass (places.md 2.6): all kinds and boxes of a question in one call. An
 * answer of 200 may still be a failure, reported in `remark`; what it holds then is not the truth.
 */
import type { Box } from "#kit/geo.ts";
import { parseAnswer } from "#kit/json.ts";
import type { Failure } from "#kit/outcome.ts";
import { PLACE_KINDS, type Place, type PlaceKind } from "#core/places/place.ts";
import { toRow, toText } from "#kit/coerce.ts";
import type { BoxQuery, LookupSettings, ReadAnswer, WireAnswer } from "#providers/lookup.ts";
import type { Reader } from "#providers/source.ts";
import { toElement } from "./element.ts";
import { filtersOf } from "./osm-rules.ts";
import { placesOf } from "./tags.ts";

/** Declared, since the server admits a query by what it says it may cost. */
const MAX_BYTES_OF_SERVER = 33_554_432;

export const openMapServices: Reader<BoxQuery, LookupSettings, Place[]> = {
  operation: "services",
  keyOf: (query) => `${inOrder(query.kinds).join(",")} ${query.boxes.map(boxText).join(" ")}`,
  request: (query, settings) => ({
    url: `${settings.url}/interpreter`,
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ data: queryText(query, settings.timeout_ms) }).toString(),
  }),
  read(wire, { kinds }, { trail }) {
    const elements = readElements(wire);
    if (!elements.ok) return elements;
    const entries = elements.value.map((value, index) => toElement(value, index, trail));
    const value: Place[] = placesOf(
      entries.filter((element) => element !== null),
      inOrder(kinds),
      trail,
    );
    return { ok: true, value, raw: elements.raw };
  },
};

/** Kinds in another order are the same question. */
function inOrder(kinds: readonly PlaceKind[]): PlaceKind[] {
  return PLACE_KINDS.filter((kind) => kinds.includes(kind));
}

function queryText({ kinds, boxes }: BoxQuery, timeout_ms: number): string {
  const timeout_s = Math.max(1, Math.floor(timeout_ms / 1_000));
  const lines = inOrder(kinds)
    .flatMap(filtersOf)
    .flatMap((filter) => boxes.map((box) => `  nwr${filter}(${boxText(box)});`));
  return [
    `[out:json][timeout:${timeout_s}][maxsize:${MAX_BYTES_OF_SERVER}];`,
    "(",
    ...lines,
    ");",
    "out center tags qt;",
  ].join("\n");
}

function boxText({ south, west, north, east }: Box): string {
  return [south, west, north, east].map(degreesText).join(",");
}

/** Seven decimals, as the map has them, and no exponent: Overpass reads none. */
function degreesText(degrees: number): string {
  const text = degrees
    .toFixed(7)
    .replace(/(?<!0)0+$/, "")
    .replace(/\.$/, "");
  return text === "-0" ? "0" : text;
}

/** How a refusal is called that reaches us; others keep their number. */
const REFUSALS: Readonly<Record<number, Failure>> = {
  400: { status: "error", reason: "bad_request" },
  429: { status: "unavailable", reason: "http_429" },
  504: { status: "timeout", reason: "http_504" },
};

/** The first row that matches a `runtime error` counts. */
const RUNTIME_ERRORS: readonly (readonly [remark: RegExp, failure: Failure])[] = [
  [/timed out/i, { status: "timeout", reason: "query_timeout" }],
  [/out of memory/i, { status: "error", reason: "out_of_memory" }],
  [/rate_limited/i, { status: "unavailable", reason: "quota" }],
  [/(?:)/, { status: "error", reason: "runtime_error" }],
];

function readElements({ status, body }: WireAnswer): ReadAnswer<unknown[]> {
  if (status < 200 || status > 299) {
    const other: Failure = {
      status: status >= 500 ? "unavailable" : "error",
      reason: `http_${status}`,
    };
    return { ok: false, ...(REFUSALS[status] ?? other) };
  }
  const wire = parseAnswer(body);
  if (wire === undefined) return { ok: false, status: "error", reason: "not_json" };
  const failure = runtimeError(toText(toRow(wire)?.["remark"]) ?? "");
  if (failure) return { ok: false, ...failure };
  const elements = toRow(wire)?.["elements"];
  return Array.isArray(elements)
    ? { ok: true, value: elements, raw: elements.length }
    : { ok: false, status: "error", reason: "wrong_shape" };
}

/** Other remarks are remarks. */
function runtimeError(remark: string): Failure | null {
  if (!/^runtime error/i.test(remark)) return null;
  return RUNTIME_ERRORS.find(([pattern]) => pattern.test(remark))![1];
}
