/**
 * What a packed base that cannot be opened still says: why, what it held, and which places it covers. So
 * only answers about these places miss it.
 */
import { coversOfBase } from "./covers.ts";
import { BASE_FORMAT, CELLS_COLUMN } from "./base-layout.ts";
import type { Failure } from "#kit/outcome.ts";
import {
  findColumnPlace,
  numbersAt,
  type PackFormat,
  peekPack,
  type PeekedPack,
  whyUnopened,
} from "#kit/pack.ts";

type Corners = readonly [south: number, west: number, north: number, east: number];

export type UnopenedPack = {
  reason: ReturnType<typeof whyUnopened>;
  /** null: unknown. */
  box: Corners | null;
  /** Names of its sections. */
  sections: readonly string[];
  /** Whether it covers a point: a damaged one covers none, since its place is unknown. */
  covers(lat: number, lon: number): boolean;
};

/** A base of the deployment that cannot be opened. */
export type UnopenedBase = UnopenedPack & { id: string };

export const DAMAGED: UnopenedPack = {
  reason: "damaged",
  box: null,
  sections: [],
  covers: () => false,
};

/** `format`: of the head of a paged base, where it is one; `reason`: where that is known. */
export function describeUnopenedBase(
  bytes: Uint8Array,
  format: PackFormat = BASE_FORMAT,
  reason: UnopenedPack["reason"] = whyUnopened(format, bytes),
): UnopenedPack {
  const pack = peekPack(format.magic, bytes);
  // Of a damaged one nothing is believed.
  if (pack === null || reason === "damaged") return DAMAGED;
  const header = membersOf(pack.header);
  const { box, sections } = membersOf(header["meta"]);
  const corners = isCorners(box) ? box : null;
  const cells = cellsOf(pack, header["columns"]);
  return {
    reason,
    box: corners,
    sections: Object.keys(membersOf(sections)),
    covers: cells ? coversOfBase(corners, cells) : () => false,
  };
}

/** The first of these that holds such a section of this place; null: none does. */
export function findUnopened(
  bases: readonly UnopenedBase[],
  section: string,
  { lat, lon }: { lat: number; lon: number },
): UnopenedBase | null {
  const match = bases.find((each) => each.sections.includes(section) && each.covers(lat, lon));
  return match ?? null;
}

/** A base that is open, and misses what a page of it has at some places. */
export type LostBase = { id: string; reason: string };

/** The base as a source that failed, at least here. */
export function toUnopenedSource({
  id,
  reason,
}: LostBase): { source_id: string; name: string } & Pick<Failure, "status" | "reason"> {
  const source_id = `openbase:${id}`;
  const status = LATE.has(reason) ? "timeout" : "unavailable";
  return { source_id, name: `the base ${id}`, status, reason };
}

/** Reasons of what would have been read, had there been time. */
const LATE: ReadonlySet<string> = new Set(["deadline", "aborted"]);

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

function isCorners(value: unknown): value is Corners {
  return Array.isArray(value) && value.length === 4 && value.every(Number.isFinite);
}

function cellsOf(pack: PeekedPack, columns: unknown): Set<number> | null {
  const rows = Array.isArray(columns) ? columns.filter((row) => Array.isArray(row)) : [];
  const place = findColumnPlace(pack, rows as unknown[][], CELLS_COLUMN);
  const cells = place?.type === "u32" ? numbersAt(pack, place.at, place.length, Uint32Array) : null;
  return cells && new Set(cells);
}
