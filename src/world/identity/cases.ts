/**
 * Stations that are more than their own row: seen by several sources, a near miss of one, or known
 * by an id that is not made of their key. Everything about them that does not change from minute to
 * minute is rendered here, once, when identity is resolved (§2.9; decisions, Global nearby).
 */
import type { ScoredPair } from "#core/identity/match.ts";
import type { ResolutionStatus } from "#core/identity/resolve.ts";
import { distance_m } from "#core/geo.ts";
import { readText } from "#core/shard/bytes.ts";
import { repeatsText } from "#core/shard/repeats.ts";
import { originJson } from "#core/shard/origin.ts";
import { middleOf } from "#core/shard/status.ts";
import type { Statics } from "#core/shard/statics.ts";
import type { Shard } from "#core/shard/shard.ts";
import type { Closures } from "#world/closures.ts";

/** A system as identity sees it; an entry of the world (world.ts) is one. */
export type ResolvedSystem = {
  readonly source_id: string;
  shard: Shard | null;
  closures: Closures | null;
};

/** One source's view of a station: a row of its system's static pack. */
export type Member = { entry: ResolvedSystem; statics: Statics; row: number };

/** Another station that may be this one, and what speaks for and against it. */
type NearMiss = { member: Member; score: number; reasons: ScoredPair["reasons"] };

/** A pair of members, by their places in `members`. */
type CasePair = Pick<ScoredPair, "score" | "reasons"> & { a: number; b: number };

export type StationCase = {
  id: string;
  status: ResolutionStatus;
  /** 0..1; null: nothing but itself was found. */
  confidence: number | null;
  /** Best source first: it says where the station is; the freshest one says what it holds. */
  members: readonly Member[];
  pairs: readonly CasePair[];
  near: readonly NearMiss[];
  /** Rendered on first use, and kept. */
  text(): CaseText;
};

type CaseText = {
  /** Start of the item, up to its distance. */
  head: Buffer;
  /** By the member that reports the counts: what follows them, up to the members of the state. */
  after(live: number): After;
  /** By member: bytes at the end of its rendered counts that are the provenance of one source. */
  suffix: readonly number[];
  /** By member: its source id as JSON. */
  source_ids: readonly string[];
};

type After = {
  bytes: Buffer;
  /** Where in them a conflict of the counts goes, and whether another precedes it. */
  conflict_at: number;
  follows: boolean;
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

export function buildCase(
  made: Pick<StationCase, "id" | "members" | "pairs" | "near" | "confidence">,
): StationCase {
  const { members, near } = made;
  const status = members.length > 1 ? "merged" : near.length > 0 ? "possible_match" : "unresolved";
  let text: CaseText | null = null;
  const built: StationCase = { ...made, status, text: () => (text ??= renderCase(built)) };
  return built;
}

function renderCase({ id, members, status, confidence }: StationCase): CaseText {
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
  const conflicts = staticConflicts(members, views, from);
  const sure = confidence === null ? "" : `,"resolution_confidence":${confidence}`;
  const rest = `],"resolution_status":"${status}"${sure}`;
  const afters: After[] = [];
  return {
    head: Buffer.from(`${JSON.stringify(item).slice(0, -1)},"distance_meters":`),
    // -1 (no member reports them) is kept in the first place.
    after: (live) =>
      (afters[live + 1] ??= renderAfter(middleText(members, from, live, conflicts), rest, {
        follows: conflicts.length > 0,
      })),
    suffix: members.map(suffixOf),
    source_ids: members.map((member) => JSON.stringify(sourceIdOf(member))),
  };
}

function renderAfter(middle: string, rest: string, { follows }: { follows: boolean }): After {
  const bytes = Buffer.from(middle + rest);
  return { bytes, conflict_at: bytes.length - Buffer.byteLength(rest), follows };
}

/** See core/shard/status: its middle ends with the beginning of a provenance of its own. */
function suffixOf({ statics, row }: Member): number {
  const whole = middleOf("", readText(statics.ids, row), statics.meta.system_id);
  return Buffer.byteLength(whole) - middleOf("", "", "").indexOf(PROVENANCE);
}

const PROVENANCE = `,"provenance":`;

/** What does not change from minute to minute, as the source itself published it. */
export function readStatic({
  statics,
  row,
}: Pick<Member, "statics" | "row">): StaticFields & Additions {
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

/** `<system>:<key>`, as provenance names an observation. */
function sourceIdOf({ statics, row }: Member): string {
  return `${statics.meta.system_id}:${readText(statics.ids, row)}`;
}

function middleText(
  members: readonly Member[],
  from: readonly number[],
  live: number,
  conflicts: readonly object[],
): string {
  const items = members.map((member, i) => {
    const fields: string[] = FIELDS.filter((_, field) => from[field] === i);
    if (live === i) fields.push("availability");
    const entity_id = JSON.stringify(readText(member.statics.ids, member.row));
    const source_id = JSON.stringify(sourceIdOf(member));
    const origin = originJson(member.statics.meta, fields);
    return `{"entity_id":${entity_id},"source_id":${source_id},${origin}}`;
  });
  const written = conflicts.map((conflict) => JSON.stringify(conflict)).join(",");
  return `,"provenance":[${items.join(",")}],"conflicts":[${written}`;
}

/** Where sources differ about the dock itself: the value shown, and the others with their sources. */
function staticConflicts(
  members: readonly Member[],
  views: readonly StaticFields[],
  from: readonly number[],
): object[] {
  return FIELDS.flatMap((field, i) => {
    const kept = from[i]!;
    const value = views[kept]![field];
    const others = views.flatMap((each, other) =>
      other !== kept && each[field] !== null && differs(field, value, each[field])
        ? [{ source_id: sourceIdOf(members[other]!), value: each[field] }]
        : [],
    );
    return others.length ? [{ field, source_id: sourceIdOf(members[kept]!), value, others }] : [];
  });
}

function differs(field: FieldName, a: unknown, b: unknown): boolean {
  if (field !== "location") return a !== b;
  const [x, y] = [a as StaticFields["location"], b as StaticFields["location"]];
  return distance_m(x.lat, x.lon, y.lat, y.lon) > APART_M;
}
