/**
 * Result of resolution for the rows of a group of systems, as flat bytes: a number for each row, and
 * for each station that is more than its own row the rows that observe it, its rendered text, and the
 * facts that explain it.
 */
import { type Blob, readText, toBlob } from "#kit/bytes.ts";
import { type BandIndex, bandStarts } from "../shard/band-index.ts";
import { type FlatColumn, openFlat, writeFlat } from "../shard/flat.ts";
import type { Statics } from "../shard/shard-statics.ts";
import { renderCase } from "./case-text.ts";
import { type CaseTexts, createCaseTextWriter, openCaseTexts } from "./case-texts.ts";
import type { Matching, ScoredPair } from "./match-stations.ts";
import { resolutionStatus } from "./resolve.ts";

const KIND = "roles/3";

/** Role of a row: it is itself, or one more than the place of its case, with a bit where another row shows that. */
export const PLAIN = 0;
const HIDDEN_BIT = 0x8000_0000;

/** Reports whether another row shows the station of a row with this role. */
export function isHidden(role: number): boolean {
  return role >= HIDDEN_BIT;
}

/** Place of the case of a role that is not PLAIN. */
export function caseOfRole(role: number): number {
  return (role >= HIDDEN_BIT ? role - HIDDEN_BIT : role) - 1;
}

/** A row of a system of the group. */
export type RowRef = readonly [system: number, row: number];

type Evidence = Pick<ScoredPair, "score" | "reasons">;

/** A station of several observations, a near miss, or one whose id is not made of its key. */
type CaseFacts = {
  id: string;
  /** 0..1; null: nothing but itself was found. */
  confidence: number | null;
  /** Best source first. */
  members: RowRef[];
  /** Pairs of members, by their places in `members`. */
  pairs: (Evidence & { a: number; b: number })[];
  /** Rows of other stations that may be this one. */
  near: (Evidence & { of: RowRef })[];
};

export type PackedRoles = {
  /** By system; null: each of its rows is itself. */
  of: readonly (Uint32Array | null)[];
  /** Number of cases. */
  count: number;
  /** Members as pairs of system and row; those of case i: refs_at[i] to refs_at[i + 1], best source first. */
  refs: Uint32Array;
  refs_at: Uint32Array;
  /** By system: the rows that are shown; null: all. */
  shown: readonly (ShownRows | null)[];
  texts: CaseTexts;
  /** Reads the facts of a case. */
  caseAt(place: number): CaseFacts;
};

/** Rows that no row of another system shows, with an index of their own. */
export type ShownRows = { rows: Uint32Array; index: BandIndex };

type Resolved = {
  matching: Matching;
  stations: readonly (readonly number[])[];
  ids: readonly string[];
  rows: readonly { system: number; row: number; derived: string }[];
};

/** Packs the roles of the rows of systems, by their static packs. */
export function packRoles(systems: readonly Statics[], resolved: Resolved): SharedArrayBuffer {
  const { matching, stations, ids, rows } = resolved;
  const of: (Uint32Array | null)[] = systems.map(() => null);
  const roleOf = (i: number, role: number): void => {
    const { system, row } = rows[i]!;
    (of[system] ??= new Uint32Array(systems[system]!.count))[row] = role;
  };
  const refTo = (i: number): RowRef => [rows[i]!.system, rows[i]!.row];
  const near = findNear(rows.length, resolved);
  const cases: string[] = [];
  const refs: number[] = [];
  const refs_at = [0];
  const texts = createCaseTextWriter();
  stations.forEach((station, n) => {
    const cluster = matching.clusters[n];
    const misses = near.get(n) ?? [];
    if (!cluster && misses.length === 0 && ids[n] === rows[station[0]!]!.derived) return;
    const facts: CaseFacts = {
      id: ids[n]!,
      confidence: confidenceOf(cluster?.confidence, misses),
      members: station.map(refTo),
      pairs: cluster ? pairsWithin(station, cluster.pairs) : [],
      near: misses.map(({ other, ...evidence }) => ({ of: refTo(other), ...evidence })),
    };
    cases.push(JSON.stringify(facts));
    for (const [system, row] of facts.members) refs.push(system, row);
    refs_at.push(refs.length / 2);
    texts.add(renderFacts(systems, facts));
    station.forEach((i, place) =>
      roleOf(i, place === 0 ? cases.length : HIDDEN_BIT + cases.length),
    );
  });
  const facts = toBlob(cases);
  const listed = systems.map(({ index }, place) => packShown(index, of[place]!, place));
  const columns = of.flatMap((column, place) => (column ? [[`of_${place}`, column] as const] : []));
  return writeFlat(
    KIND,
    { systems: systems.length, first_bands: listed.map((each) => each?.first_band ?? null) },
    {
      ...Object.fromEntries(columns),
      ...Object.assign({}, ...listed.map((each) => each?.columns)),
      ...texts.finish(),
      refs: Uint32Array.from(refs),
      refs_at: Uint32Array.from(refs_at),
      cases: facts.bytes,
      cases_at: facts.offsets,
    },
  );
}

/** null: all rows are shown. */
function packShown(
  { lat, lon }: BandIndex,
  roles: Uint32Array | null,
  place: number,
): { first_band: number; columns: Record<string, FlatColumn> } | null {
  if (!roles?.some(isHidden)) return null;
  const rows = Uint32Array.from(roles.keys().filter((row) => !isHidden(roles[row]!)));
  const lats = Float64Array.from(rows, (row) => lat[row]!);
  const { first_band, starts } = bandStarts(lats);
  return {
    first_band,
    columns: {
      [`shown_${place}`]: rows,
      [`lat_${place}`]: lats,
      [`lon_${place}`]: Float64Array.from(rows, (row) => lon[row]!),
      [`starts_${place}`]: starts,
    },
  };
}

function openShown(
  columns: Record<string, FlatColumn>,
  place: number,
  first_band: number | null,
): ShownRows | null {
  if (first_band === null) return null;
  const column = <T>(name: string): T => columns[`${name}_${place}`] as T;
  const index = { lat: column("lat"), lon: column("lon"), first_band, starts: column("starts") };
  return { rows: column("shown"), index: index as BandIndex };
}

function renderFacts(
  systems: readonly Statics[],
  { id, confidence, members, near }: CaseFacts,
): ReturnType<typeof renderCase> {
  return renderCase({
    id,
    confidence,
    members: members.map(([system, row]) => ({ statics: systems[system]!, row })),
    status: resolutionStatus(members.length, near.length),
  });
}

/** `first_bands`: by system, of the index of its shown rows; null: all rows are shown. */
type RolesMeta = { systems: number; first_bands: (number | null)[] };

export function openRoles(buffer: SharedArrayBuffer): PackedRoles {
  const { meta, columns } = openFlat<RolesMeta>(KIND, buffer);
  const blob = { bytes: columns["cases"], offsets: columns["cases_at"] } as Blob;
  return {
    count: blob.offsets.length - 1,
    refs: columns["refs"] as Uint32Array,
    refs_at: columns["refs_at"] as Uint32Array,
    shown: meta.first_bands.map((first_band, place) => openShown(columns, place, first_band)),
    texts: openCaseTexts(columns),
    of: Array.from(
      { length: meta.systems },
      (_, place) => (columns[`of_${place}`] as Uint32Array | undefined) ?? null,
    ),
    caseAt: (place) => JSON.parse(readText(blob, place)) as CaseFacts,
  };
}

function pairsWithin(station: readonly number[], pairs: readonly ScoredPair[]): CaseFacts["pairs"] {
  return pairs.map(({ a, b, score, reasons }) => ({
    a: station.indexOf(a),
    b: station.indexOf(b),
    score: round(score),
    reasons,
  }));
}

type Miss = Evidence & { other: number };

function confidenceOf(merged: number | undefined, near: readonly Miss[]): number | null {
  if (merged !== undefined) return round(merged);
  return near.length > 0 ? Math.max(...near.map(({ score }) => score)) : null;
}

/** Near misses by station, both ways; a conflict within one station is none. */
function findNear(count: number, { matching, stations }: Resolved): Map<number, Miss[]> {
  const near = new Map<number, Miss[]>();
  if (matching.possible.length === 0) return near;
  const stationOf = new Uint32Array(count);
  stations.forEach((station, n) => station.forEach((i) => (stationOf[i] = n)));
  const add = (of: number, other: number, { score, reasons }: ScoredPair): void => {
    const misses = near.get(stationOf[of]!) ?? [];
    misses.push({ other, score: round(score), reasons });
    near.set(stationOf[of]!, misses);
  };
  for (const pair of matching.possible) {
    if (stationOf[pair.a] === stationOf[pair.b]) continue;
    add(pair.a, pair.b, pair);
    add(pair.b, pair.a, pair);
  }
  return near;
}

function round(probability: number): number {
  return Math.round(probability * 1000) / 1000;
}
