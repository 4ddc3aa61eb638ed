/**
 * Common parts of the sources of places around a point: what an HTTP status means, rows one by
 * one, coordinates, counts and times (places.md 0.1). A bad row drops itself and nothing else.
 */
import type { Location } from "#kit/geo.ts";
import { parseAnswer } from "#kit/json.ts";
import type { Failure, FailureStatus } from "#kit/outcome.ts";
import type { Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type Row, toId, toNumber, toRow, toTime_s } from "#kit/coerce.ts";
import type { ReadAnswer, WireAnswer } from "#providers/lookup.ts";

const STATUSES: readonly (readonly [
  codes: RegExp,
  status: FailureStatus,
  reason: string | null,
])[] = [
  [/^400$/, "error", "bad_request"],
  [/^40[13]$/, "unauthorized", null],
  [/^(404|410)$/, "unavailable", "http_404"],
  [/^(408|504)$/, "timeout", null],
  [/^(429|5\d\d)$/, "unavailable", null],
];

/** Reason for dropping a row: a short token of ours. */
export type Dropped = string;

export type PlaceReader = {
  /** The rows of a good body; null: it has another shape. */
  list(json: unknown): readonly unknown[] | null;
  /** The member that identifies a row. */
  id_member: string;
  toPlace(row: Row, id: string): Place | Dropped;
};

/** The places of an answer, or what it failed with. Each place once. */
export function readPlaces(
  { status, body }: WireAnswer,
  { list, id_member, toPlace }: PlaceReader,
  trail: TrailRecorder,
): ReadAnswer<Place[]> {
  if (status < 200 || status > 299) return { ok: false, ...failureOf(status) };
  const json = parseAnswer(body);
  if (json === undefined) return { ok: false, status: "error", reason: "not_json" };
  const rows = list(json);
  // A list in which nothing is a row of this source is no empty list: it is another protocol.
  if (rows === null || (rows.length > 0 && !rows.some((row) => hasMember(row, id_member))))
    return { ok: false, status: "error", reason: "wrong_shape" };
  const value = new Map<string, Place>();
  rows.forEach((wire, index) => {
    const row = toRow(wire);
    const id = toId(row?.[id_member]);
    const place = !row ? "row_malformed" : id === null ? "id_missing" : toPlace(row, id);
    if (typeof place === "string") trail.drop(place, id ?? `#${index}`);
    else if (value.has(place.external_id)) trail.drop("id_duplicate", place.external_id);
    else value.set(place.external_id, place);
  });
  return { ok: true, value: [...value.values()], raw: rows.length };
}

function hasMember(wire: unknown, member: string): boolean {
  const row = toRow(wire);
  return row !== null && Object.hasOwn(row, member);
}

function failureOf(code: number): Failure {
  const line = STATUSES.find(([codes]) => codes.test(String(code)));
  return { status: line?.[1] ?? "error", reason: line?.[2] ?? `http_${code}` };
}

/** Where what was put right in a row is noted, and under which id. */
export type RowNotes = { trail: Pick<TrailRecorder, "repair">; id: string };

/**
 * A number, in a register that may write its decimals behind a comma. Three digits behind one may be
 * thousands as well (`22,000`): then it is unknown, unless it would be more than `most`.
 */
export function toDecimal(wire: unknown, { trail, id }: RowNotes, most = Infinity): number | null {
  const number = toNumber(wire);
  if (number !== null || typeof wire !== "string") return number;
  const [, whole, part] = WITH_COMMA.exec(wire.slice(0, LONGEST_NUMBER).trim()) ?? [];
  if (whole === undefined || part === undefined) return null;
  const isClear = part.length !== 3 || Number(whole) === 0 || Number(`${whole}${part}`) > most;
  trail.repair(isClear ? "decimal_comma" : "decimal_comma_unclear", id);
  return isClear ? toNumber(`${whole}.${part}`) : null;
}
/** A sign is one of coordinates: no power or price has one. */
const WITH_COMMA = /^(-?\d{1,9}),(\d{1,20})$/;
const LONGEST_NUMBER = 40;
const MOST_DEGREES = 180;

/**
 * A place on the globe, or why there is none. Exactly 0,0 is where lost places go. `notes`: decimal
 * commas are read, and noted; absent: they are none of this source.
 */
export function toLocation(
  lat_wire: unknown,
  lon_wire: unknown,
  notes?: RowNotes,
): Location | Dropped {
  if (lat_wire == null || lon_wire == null) return "coordinates_missing";
  const [lat, lon] = [lat_wire, lon_wire].map((wire) =>
    notes ? toDecimal(wire, notes, MOST_DEGREES) : toNumber(wire),
  ) as [number | null, number | null];
  if (lat === null || lon === null) return "coordinates_unusable";
  if (Math.abs(lat) > 90 || Math.abs(lon) > 180)
    return Math.abs(lon) <= 90 && Math.abs(lat) <= 180
      ? "coordinates_swapped"
      : "coordinates_out_of_range";
  return lat === 0 && lon === 0 ? "coordinates_zero" : { lat, lon };
}

/** A negative, broken or enormous number is no count, and not zero either. */
export function toPlainCount(wire: unknown): number | null {
  const number = toNumber(wire);
  return number !== null && Number.isSafeInteger(number) && number >= 0 && number <= 99_998
    ? number
    : null;
}

/** Epoch seconds; a time without an offset is one of UTC, which these sources leave out at times. */
export function toUtcTime_s(wire: unknown): number | null {
  return toTime_s(wire) ?? (typeof wire === "string" ? toTime_s(`${wire.trim()}Z`) : null);
}

/** "Main Street 1, 12345 Town" of what there is, a city that is its own state once. */
export function joinAddress(...parts: readonly (readonly (string | null)[])[]): string | null {
  const words = parts.map((part) => part.filter((text) => text !== null).join(" "));
  return [...new Set(words)].filter((text) => text !== "").join(", ") || null;
}

/** What has to be shown with its places, as §2.6 has it; null: nothing. */
export function toAttribution(source: { name: string; attribution: string | null }): Row | null {
  const { name, attribution } = source;
  return attribution === null
    ? null
    : { provider: name, display_name: attribution, required: true };
}

/** Degrees as text, never with an exponent; a millionth is 0.1 m. */
export function toDegrees(degrees: number): string {
  return String(Number(degrees.toFixed(6)) + 0);
}
