/** Imported bases as `/v1/sources` shows them. */
import type { SourceItem } from "#app/answer-types.ts";
import { explainFailure } from "#core/failure-words.ts";
import type { TileFile } from "#ports/base-maps.ts";
import openbase from "#providers/openbase.ts";
import { describeSource } from "#app/source-items.ts";
import type { HeldBase } from "#upstream/bases/held-base.ts";
import type { Bases, UnreadBase } from "#upstream/bases/shelf.ts";

const NO_TERMS = { attribution: null, licence: null };

/** One line a base, and one for each file that cannot be read. */
export function listBases(bases: Bases, now_ms: number): SourceItem[] {
  const stored = bases.list().map((base) => toItem(base, now_ms));
  const ids = new Set(stored.map(({ id }) => id));
  const unread = bases.listUnread().filter(({ id }) => !ids.has(toId(id)));
  return [...stored, ...unread.map((base) => toUnread(base, now_ms))];
}

function toItem({ id, bytes, meta, pages, listFailed }: HeldBase, now_ms: number): SourceItem {
  const failed = listFailed();
  const reason = failed[0]?.reason;
  const { box, data_at_s, imported_at_ms, section_counts, counts } = meta;
  const item = describeSource(openbase, NO_TERMS, now_ms, {
    id: toId(id),
    name: `${openbase.name}: ${id}`,
    kind: "feed",
    state: reason === undefined ? "ok" : "error",
    entity_count: counts.nodes + counts.ways + counts.relations,
    problem: reason === undefined ? null : explainFailure({ status: "error", reason }),
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
      pages: { total: pages.rows.length, failed: failed.length },
    },
  };
}

/** The file of map tiles. It answers no operation: the pages alone draw it. */
export function toTileItem(file: TileFile, now_ms: number): SourceItem {
  const { name, box, bytes, tiles, modified_ms, attribution } = file;
  const [south, west, north, east] = box;
  const damaged = file.isDamaged();
  const item = describeSource(openbase, NO_TERMS, now_ms, {
    id: toId("pmtiles"),
    name: `Map tiles: ${name}`,
    kind: "feed",
    state: damaged ? "error" : "ok",
    entity_count: tiles,
    problem: damaged ? explainFailure({ status: "error", reason: "unreadable" }) : null,
    last_success_at_ms: modified_ms,
  });
  return {
    ...item,
    operations: [],
    ...(attribution === null ? {} : { attribution, attribution_url: null }),
    bbox: { south, west, north, east },
    base: {
      data_at: null,
      imported_at: new Date(modified_ms).toISOString(),
      bytes,
      holds: tiles === null ? {} : { map: { tiles } },
    },
  };
}

function toUnread({ id, reason, box }: UnreadBase, now_ms: number): SourceItem {
  const item = describeSource(openbase, NO_TERMS, now_ms, {
    id: toId(id),
    name: `${openbase.name}: ${id}`,
    kind: "feed",
    state: "error",
    entity_count: null,
    problem: explainFailure({ status: "error", reason }),
    last_success_at_ms: null,
  });
  const [south, west, north, east] = box ?? [];
  return { ...item, bbox: box && { south: south!, west: west!, north: north!, east: east! } };
}

function toId(id: string): string {
  return `${openbase.id}:${id}`;
}
