/**
 * The records of a document of OICP, and which of them are points of one place. Where each record lies is
 * found in one walk; a record is parsed when it is read.
 */
import { toEvseId } from "#core/places/evse-id.ts";
import { type Row, toId, toName, toRow, toText } from "#kit/coerce.ts";
import type { Location } from "#kit/geo.ts";
import { Growing } from "#kit/growing.ts";
import { jsonStep, openJsonElements, parseJsonSpan, walkJson } from "#kit/json-elements.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { openJsonList } from "#providers/json-list.ts";
import { type Dropped, type RowNotes, toLocation } from "#providers/place-rows.ts";
import { NO_GROUP, rowsOfGroup, toGroups } from "#providers/row-groups.ts";

/** A record with the operator that lists it. */
type Listed = { row: Row; operator: string | null };

export type Records = {
  count: number;
  /** null: no row, though the document has something there. May be called again. */
  read(index: number): Listed | null;
};

export type RecordKind = "EvseData" | "EvseStatus";

/** Of one document. */
const MAX_RECORDS = 1_000_000;

/** null: the document has no such list. Letter case differs by publisher. */
export function openRecords(
  body: Uint8Array,
  kind: RecordKind,
  trail: TrailRecorder,
): Records | null {
  const plural = kind === "EvseData" ? ["EVSEData"] : ["EVSEStatuses", "EVSEStatus"];
  const names = [...plural, `${kind}es`, kind, "content"];
  const list = openJsonList(body, names);
  if (list) return list.member === null ? null : toRecords(body, kind, list.spans(), trail);
  // An envelope around the list of operators.
  const [[from, to] = [0, 0]] = openJsonElements(body, [jsonStep(names)])?.spans() ?? [];
  const envelope = body.subarray(from, to);
  const inner = openJsonList(envelope, [`Operator${kind}`]);
  return inner && inner.member !== null ? toRecords(envelope, kind, inner.spans(), trail) : null;
}

function toRecords(
  body: Uint8Array,
  kind: RecordKind,
  operators: Iterable<readonly [number, number]>,
  trail: TrailRecorder,
): Records {
  const step = [jsonStep([`${kind}Record`, `EVSE${kind.slice(4)}Record`])];
  const [starts, ends] = [new Growing(Uint32Array), new Growing(Uint32Array)];
  const lister = new Growing(Int32Array);
  const names: (string | null)[] = [];
  for (const operator of operators) {
    const inside = [...walkJson(body, operator[0], step)];
    // The pages of 2.3 list the records themselves, each with its operator.
    const isRecord = inside.length === 0;
    for (const [from, to] of isRecord ? [operator] : inside) {
      if (starts.length === MAX_RECORDS) trail.drop("too_many_records", `#${starts.length}`);
      if (starts.length === MAX_RECORDS) return { count: starts.length, read };
      starts.push(from);
      ends.push(to);
      lister.push(isRecord ? ITSELF : names.length);
    }
    if (!isRecord) names.push(nameOf(body, operator[0]));
  }
  return { count: starts.length, read };

  function read(index: number): Listed | null {
    const row = toRow(parseJsonSpan(body, [starts.at(index), ends.at(index)]));
    const number = lister.at(index);
    const operator = number === ITSELF ? toName(row?.["OperatorName"]) : names[number]!;
    return row && { row, operator };
  }
}

/** The record names its operator itself. */
const ITSELF = -1;

function nameOf(body: Uint8Array, at: number): string | null {
  const [span] = walkJson(body, at, [jsonStep(["OperatorName"])]);
  return span ? toName(parseJsonSpan(body, span)) : null;
}

/** The id of a point as both halves have it; null: it has none. */
export function idOf(row: Row): string | null {
  return toEvseId(toText(row["EvseID"])) ?? toId(row["EvseID"]);
}

/** Points of one place; `first` has what they share. */
export type Group = { first: Listed; location: Location; points: Map<string, Row> };

/**
 * Gives the places of a document: points by operator, position (0.1 m) and street; null instead of a
 * point that is dropped. Walks twice over the records, with a few numbers for each in between.
 */
export function* readGroups(records: Records, trail: TrailRecorder): Generator<Group | null, void> {
  const seen = new Set<string>();
  const numbers = new Map<string, number>();
  const locations: Location[] = [];
  const group_of = new Int32Array(records.count).fill(NO_GROUP);
  for (let index = 0; index < records.count; index++) {
    const listed = records.read(index);
    const id = listed && idOf(listed.row);
    const found = listed ? locate(listed.row, id, trail) : "row_malformed";
    const reason = id !== null && seen.has(id) ? "id_duplicate" : found;
    if (typeof reason === "string") {
      trail.drop(reason, id ?? `#${index}`);
      yield null;
      continue;
    }
    seen.add(id!);
    const key = keyOf(listed!, reason);
    const number = numbers.get(key) ?? locations.push(reason) - 1;
    numbers.set(key, number);
    group_of[index] = number;
  }
  const groups = toGroups(group_of, locations.length);
  for (const [number, location] of locations.entries()) {
    const listed = Array.from(rowsOfGroup(groups, number), (index) => records.read(index)!);
    const points = new Map(listed.map(({ row }) => [idOf(row)!, row]));
    yield { first: listed[0]!, location, points };
  }
}

function locate(row: Row, id: string | null, trail: TrailRecorder): Location | string {
  return id === null ? "id_missing" : toPosition(row["GeoCoordinates"], { trail, id });
}

function keyOf({ row, operator }: Listed, { lat, lon }: Location): string {
  const street = toText(toRow(row["Address"])?.["Street"]) ?? "";
  return JSON.stringify([operator, lat.toFixed(6), lon.toFixed(6), street]);
}

const PAIR = /^(-?\d{1,3}(?:\.\d{1,15})?)\s?[\s,;]\s?(-?\d{1,3}(?:\.\d{1,15})?)$/;
const DEGREES = /^(-?)(\d{1,3})°\s?(\d{1,2})'\s?(\d{1,2}(?:\.\d{1,6})?)(?:"|'')?$/;

/** "46.2 6.05" as one text, decimal degrees as two, or degrees with minutes and seconds. */
function toPosition(wire: unknown, notes: RowNotes): Location | Dropped {
  const row = toRow(wire);
  const [, lat, lon] = PAIR.exec(toText(row?.["Google"]) ?? "") ?? [];
  if (lat !== undefined) return toLocation(lat, lon);
  const decimal = toRow(row?.["DecimalDegree"]);
  if (decimal) return toLocation(decimal["Latitude"], decimal["Longitude"], notes);
  const parts = toRow(row?.["DegreeMinuteSeconds"]);
  return toLocation(fromMinutes(parts?.["Latitude"]), fromMinutes(parts?.["Longitude"]));
}

function fromMinutes(wire: unknown): number | null {
  const [, sign, degrees, minutes, seconds] = DEGREES.exec(toText(wire)?.trim() ?? "") ?? [];
  if (degrees === undefined) return null;
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3_600;
  return sign === "-" ? -value : value;
}
