/** Imported bases as `/v1/sources` shows them. */
import type { SourceItem } from "#app/types.ts";
import { explainFailure } from "#core/failure-words.ts";
import openbase from "#providers/openbase.ts";
import { describeSource } from "../places/health.ts";
import type { Bases, HeldBase } from "./shelf.ts";

const NO_TERMS = { attribution: null, licence: null };

/** One line a base, and one for each file that cannot be read. */
export function listBases(bases: Bases, now_ms: number): SourceItem[] {
  const held = bases.list().map((base) => toItem(base, now_ms));
  const ids = new Set(held.map(({ id }) => id));
  const unread = bases.listUnread().filter(({ id }) => !ids.has(toId(id)));
  return [...held, ...unread.map(({ id }) => toUnread(id, now_ms))];
}

function toItem({ id, bytes, meta }: HeldBase, now_ms: number): SourceItem {
  const { box, data_at_s, imported_at_ms, section_counts, counts } = meta;
  const item = describeSource(openbase, NO_TERMS, now_ms, {
    id: toId(id),
    name: `${openbase.name}: ${id}`,
    kind: "feed",
    state: "ok",
    entity_count: counts.nodes + counts.ways + counts.relations,
    problem: null,
    last_success_at_ms: imported_at_ms,
  });
  const [south, west, north, east] = box ?? [];
  return {
    ...item,
    ...(meta.terms ?? { licence: null, attribution: null }),
    bbox: box && { south: south!, west: west!, north: north!, east: east! },
    base: {
      data_at: data_at_s === null ? null : new Date(data_at_s * 1000).toISOString(),
      imported_at: new Date(imported_at_ms).toISOString(),
      bytes,
      holds: section_counts,
    },
  };
}

function toUnread(id: string, now_ms: number): SourceItem {
  return describeSource(openbase, NO_TERMS, now_ms, {
    id: toId(id),
    name: `${openbase.name}: ${id}`,
    kind: "feed",
    state: "error",
    entity_count: null,
    problem: explainFailure({ status: "error", reason: "unreadable" }),
    last_success_at_ms: null,
  });
}

function toId(id: string): string {
  return `${openbase.id}:${id}`;
}
