/**
 * The text of a station of several observations, or with near misses: everything about it that does not
 * change from minute to minute (§2.9; decisions, Global nearby), rendered once, when identity is
 * resolved. What a question adds has its places:
 *
 *     {"id":…,"distance_meters": │ ,"provenance":[{"entity_id":…,"fields":[…]},…],"conflicts":[…],"resolution_status":…
 *                               head_bytes                               available_at         conflict_at
 */
import { distance_m } from "#kit/geo.ts";
import { readText } from "#kit/bytes.ts";
import { originJson } from "../shard/shard-origin.ts";
import { repeatsText } from "../shard/shard-repeats.ts";
import type { Statics } from "../shard/shard-statics.ts";
import type { ResolutionStatus } from "./resolve.ts";

/** One source's view of a station: a row of its system's static pack. */
export type StaticRow = { statics: Statics; row: number };

/** Facts that a text says in addition to what its members published; best member first. */
export type CaseSubject = {
  id: string;
  members: readonly StaticRow[];
  status: ResolutionStatus;
  /** 0..1; null: nothing but itself was found. */
  confidence: number | null;
};

/** A text in UTF-8, with places in it as bytes from its start. */
export type CaseText = {
  bytes: Uint8Array;
  /** Where the distance goes, and what follows the counts begins. */
  head_bytes: number;
  /** Where a conflict of the counts goes, and whether another precedes it. */
  conflict_at: number;
  follows: boolean;
  members: readonly MemberPlaces[];
};

/** Places of a member's provenance. */
export type MemberPlaces = {
  /** Its brace. */
  item_at: number;
  /** Its source id as JSON. */
  source_at: number;
  source_end: number;
  /** Where the field of the counts goes, if they are its. */
  available_at: number;
};

type StaticFields = {
  name: string;
  location: { lat: number; lon: number };
  capacity: number | null;
};
type FieldName = keyof StaticFields;
const FIELDS: readonly FieldName[] = ["name", "location", "capacity"];

/** Members that a source may leave out, and that are no claim about the dock that others contest. */
type Additions = Partial<
  Record<"address" | "opening_hours" | "rental_uris" | "vehicle_types", unknown>
>;
const ADDITIONS = ["address", "opening_hours", "rental_uris", "vehicle_types"] as const;

/** Pins further apart than this are worth saying. */
const APART_M = 25;

export function renderCase({ id, members, status, confidence }: CaseSubject): CaseText {
  const views = members.map(readStatic);
  const from = FIELDS.map((field) =>
    Math.max(
      0,
      views.findIndex((each) => each[field] !== null),
    ),
  );
  const chosen = Object.fromEntries(FIELDS.map((field, i) => [field, views[from[i]!]![field]]));
  const { name, location, capacity } = chosen as StaticFields;
  const item = { id, type: "station", name, location, capacity, ...additionsOf(views) };
  const head = Buffer.from(`${JSON.stringify(item).slice(0, -1)},"distance_meters":`);
  const provenance = renderProvenance(members, from, head.length);
  const conflicts = staticConflicts(members, views, from);
  const written = conflicts.map((conflict) => JSON.stringify(conflict)).join(",");
  const before = Buffer.from(`${provenance.text}],"conflicts":[${written}`);
  const sure = confidence === null ? "" : `,"resolution_confidence":${confidence}`;
  const rest = Buffer.from(`],"resolution_status":"${status}"${sure}`);
  return {
    bytes: Buffer.concat([head, before, rest]),
    head_bytes: head.length,
    conflict_at: head.length + before.length,
    follows: conflicts.length > 0,
    members: provenance.places,
  };
}

/** What does not change from minute to minute, as the source itself published it. */
export function readStatic({ statics, row }: StaticRow): StaticFields & Additions {
  const repeated = repeatsText(statics.repeats, row, readText(statics.ids, row));
  return JSON.parse(`${readText(statics.head, row)}0${repeated}}`) as StaticFields & Additions;
}

/** Each from the best source that states it. */
function additionsOf(views: readonly Additions[]): Additions {
  return Object.fromEntries(
    ADDITIONS.flatMap((name) => {
      const view = views.find((each) => each[name] !== undefined);
      return view ? [[name, view[name]]] : [];
    }),
  );
}

/** `,"provenance":[` and its items, the first of them at `start` bytes of the text. */
function renderProvenance(
  members: readonly StaticRow[],
  from: readonly number[],
  start: number,
): { text: string; places: MemberPlaces[] } {
  const places: MemberPlaces[] = [];
  let text = PROVENANCE;
  let at = start + PROVENANCE.length;
  members.forEach(({ statics, row }, i) => {
    const comma = i === 0 ? "" : ",";
    const entity_id = readText(statics.ids, row);
    const source_id = JSON.stringify(`${statics.meta.system_id}:${entity_id}`);
    const before = `{"entity_id":${JSON.stringify(entity_id)},"source_id":`;
    const fields = FIELDS.filter((_, field) => from[field] === i);
    const after = `,${originJson(statics.meta, fields)}}`;
    text += comma + before + source_id + after;
    const item_at = at + comma.length;
    const source_at = item_at + Buffer.byteLength(before);
    const source_end = source_at + Buffer.byteLength(source_id);
    at = source_end + Buffer.byteLength(after);
    places.push({ item_at, source_at, source_end, available_at: at - END_OF_FIELDS.length });
  });
  return { text, places };
}

const PROVENANCE = `,"provenance":[`;
/** An origin ends with its fields (packages/stations/shard/shard-origin). */
const END_OF_FIELDS = "]}";

/** Where sources differ about the dock itself: the value shown, and the others with their sources. */
function staticConflicts(
  members: readonly StaticRow[],
  views: readonly StaticFields[],
  from: readonly number[],
) {
  return FIELDS.flatMap((field, i) => {
    const stored = from[i]!;
    const value = views[stored]![field];
    const others = views.flatMap((each, other) =>
      other !== stored && each[field] !== null && differs(field, value, each[field])
        ? [{ source_id: sourceIdOf(members[other]!), value: each[field] }]
        : [],
    );
    return others.length ? [{ field, source_id: sourceIdOf(members[stored]!), value, others }] : [];
  });
}

/** `<system>:<key>`, as provenance names an observation. */
export function sourceIdOf({ statics, row }: StaticRow): string {
  return `${statics.meta.system_id}:${readText(statics.ids, row)}`;
}

function differs(field: FieldName, a: unknown, b: unknown): boolean {
  if (field !== "location") return a !== b;
  const [x, y] = [a as StaticFields["location"], b as StaticFields["location"]];
  return distance_m(x.lat, x.lon, y.lat, y.lon) > APART_M;
}
