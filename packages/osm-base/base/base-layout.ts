/** What a packed base holds in addition to the columns of its sections. */
import type { PackFormat } from "#kit/pack.ts";
import type { TrailEntry } from "#kit/trail.ts";

/** "VVB1"; the version is raised with every change of the columns of any section. */
export const BASE_FORMAT: PackFormat = { magic: 0x31425656, version: 3 };

/** Coverage of the base: see `packages/osm-base/base/cover-cells.ts`. */
export const CELLS_COLUMN = "cells";

export type BaseCounts = { nodes: number; ways: number; relations: number };

export type BaseMeta = {
  id: string;
  /** Country code that the caller gave. */
  region: string | null;
  /** State of the map that the extract shows, in seconds; null: unknown. */
  data_at_s: number | null;
  imported_at_ms: number;
  /** South, west, north, east in degrees, over all nodes; null: there is none. */
  box: readonly [number, number, number, number] | null;
  /** Objects of the extract. */
  counts: BaseCounts;
  /** Of its data; null: unknown. */
  terms: { licence: string; attribution: string } | null;
  /** What each section put into the header, by its name. */
  sections: Readonly<Record<string, unknown>>;
  /** What each section counts, by its name. */
  section_counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  dropped: readonly TrailEntry[];
  repaired: readonly TrailEntry[];
};

/** Name of a section's column in the pack. */
export function columnName(section: string, column: string): string {
  return `${section}.${column}`;
}

const ID = /^[a-z0-9][a-z0-9_-]{0,39}$/;
/** Rule for the id of a base, which names its file, in words for messages. */
export const BASE_ID_RULE = "1 to 40 of a-z, 0-9, - and _, the first a letter or digit";

export function isBaseId(text: string): boolean {
  return ID.test(text);
}

/** How the name of a base's file ends, after its id. */
export const BASE_END = ".vbase";

/** Sections of an extract that an import may leave out: a base serves without them. */
export const OPTIONAL_SECTIONS = ["map", "walk"] as const;
export type OptionalSection = (typeof OPTIONAL_SECTIONS)[number];

/**
 * Whether a base of an extract has no ways on foot, by what its sections count: it was imported before
 * there were any, or without them. A list of addresses never has them.
 */
export function lacksWalking(section_counts: BaseMeta["section_counts"]): boolean {
  return section_counts["services"] !== undefined && section_counts["walk"] === undefined;
}

/** Lists of addresses that become bases. */
export const ADDRESS_FORMATS = ["ban", "bano", "openaddresses"] as const;
export type AddressFormatName = (typeof ADDRESS_FORMATS)[number];
