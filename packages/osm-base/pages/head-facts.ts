/** What the head of a base says of the sections of its pages. */
import { type BaseMeta, CELLS_COLUMN } from "../base/base-layout.ts";
import type { BasePack } from "../base/open-base.ts";
import { type BaseMap, openMap } from "../tiles/open-tiles.ts";
import type { MapMeta } from "../tiles/tiles-section.ts";

/** Of one page, or of all. */
export type PartFacts = Pick<BaseMeta, "section_counts"> & {
  /** Names of sections, and the box of the map in degrees; null: nothing is drawn. */
  sections: Readonly<Record<string, { box?: BaseMap["box"] }>>;
};

/** A page has no coverage of its own, and needs the column all the same. */
export const NO_CELLS = { [CELLS_COLUMN]: new Uint32Array(0) };

export function factsOfPage({ meta, columns }: Pick<BasePack, "meta" | "columns">): PartFacts {
  const map = meta.sections["map"] as MapMeta | undefined;
  const box = map ? openMap(columns, map).box : null;
  const names = Object.keys(meta.sections);
  const entries = names.map((name) => [name, name === "map" ? { box } : {}]);
  return {
    sections: Object.fromEntries(entries) as PartFacts["sections"],
    section_counts: meta.section_counts,
  };
}

/** Counts are summed: what two pages have, each section counts in one of them. */
export function mergeFacts(parts: readonly PartFacts[]): PartFacts {
  const sections: Record<string, { box?: BaseMap["box"] }> = {};
  const section_counts: Record<string, Record<string, number>> = {};
  for (const part of parts) {
    for (const [name, { box = null }] of Object.entries(part.sections))
      sections[name] = name === "map" ? { box: unite(sections[name]?.box ?? null, box) } : {};
    for (const [name, counts] of Object.entries(part.section_counts)) {
      const own = (section_counts[name] ??= {});
      for (const [what, many] of Object.entries(counts)) own[what] = (own[what] ?? 0) + many;
    }
  }
  return { sections, section_counts };
}

function unite(a: BaseMap["box"], b: BaseMap["box"]): BaseMap["box"] {
  if (a === null || b === null) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
