/**
 * What a packed feed of another version still says: why it cannot be opened, where it is, and which
 * file it was made of. So only answers about its own part of the world miss it.
 */
import type { Box } from "#kit/geo.ts";
import { findColumnPlace, numbersAt, peekPack, type PeekedPack, whyUnopened } from "#kit/pack.ts";
import { FEED_FORMAT } from "./feed-layout.ts";

export type UnopenedFeed = {
  reason: ReturnType<typeof whyUnopened>;
  /** All of its stations; null: unknown. */
  box: Box | null;
  imported_from: string | null;
  /** The box that its import was for; null: it was the whole feed. */
  imported_box: Box | null;
};

/** Names of the reasons for which a feed in the store cannot be used until it is imported again. */
export const UNOPENED: readonly string[] = [
  "earlier_version",
  "later_version",
  "damaged",
] satisfies UnopenedFeed["reason"][];

export function describeUnopened(bytes: Uint8Array): UnopenedFeed {
  const pack = peekPack(FEED_FORMAT.magic, bytes);
  const reason = whyUnopened(FEED_FORMAT, bytes);
  if (pack === null) return { reason, box: null, imported_from: null, imported_box: null };
  const header = membersOf(pack.header);
  const meta = membersOf(header["meta"]);
  const from = meta["imported_from"];
  return {
    reason,
    box: boxOf(pack, header),
    imported_from: typeof from === "string" ? from : null,
    imported_box: toBox(meta["imported_box"]),
  };
}

function toBox(value: unknown): Box | null {
  const { south, west, north, east } = membersOf(value);
  if (typeof south !== "number" || typeof west !== "number") return null;
  if (typeof north !== "number" || typeof east !== "number") return null;
  return { south, west, north, east };
}

type Members = Readonly<Record<string, unknown>>;

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}

function boxOf(pack: PeekedPack, header: Members): Box | null {
  const [lats, lons] = [findNumbers(pack, header, "lats"), findNumbers(pack, header, "lons")];
  if (lats === null || lons === null || lats.length === 0 || lats.length !== lons.length)
    return null;
  const span = (values: Float64Array): [number, number] => [
    values.reduce((least, value) => Math.min(least, value), Infinity),
    values.reduce((most, value) => Math.max(most, value), -Infinity),
  ];
  const [[south, north], [west, east]] = [span(lats), span(lons)];
  return south >= -90 && north <= 90 && west >= -180 && east <= 180
    ? { south, west, north, east }
    : null;
}

function findNumbers(pack: PeekedPack, header: Members, wanted: string): Float64Array | null {
  const place = findColumnPlace(pack, columnsOf(header), wanted);
  return place?.type === "f64" ? numbersAt(pack, place.at, place.length, Float64Array) : null;
}

/** Of the first version, whose columns had a fixed order, these two came first. */
function columnsOf(header: Members): readonly (readonly unknown[])[] {
  const { columns, lengths } = header;
  if (Array.isArray(columns)) return columns.filter((row): row is unknown[] => Array.isArray(row));
  const first = membersOf(lengths);
  return ["lats", "lons"].map((name) => [name, "f64", first[name]]);
}
