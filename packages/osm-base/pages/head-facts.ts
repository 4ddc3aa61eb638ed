/** What the head of a base says of the sections of its pages. */
import { type BaseMeta, CELLS_COLUMN } from "../base/base-layout.ts";
import type { BasePack } from "../base/open-base.ts";
import type { PageLevel } from "./page-cell.ts";
import type { Columns } from "#kit/pack.ts";
import { type BaseMap, openMap } from "../tiles/open-tiles.ts";
import { type MapMeta, SECTION as MAP } from "../tiles/tiles-section.ts";
import { joinWalkMetas } from "../walk/islands.ts";
import { SECTION as WALK, type WalkMeta } from "../walk/walk-layout.ts";

/** Of one page, or of all. */
export type PartFacts = Pick<BaseMeta, "section_counts"> & {
  /** By name. Of the map its box in degrees (null: nothing is drawn), of ways on foot what joins them. */
  sections: Readonly<Record<string, SectionFacts>>;
};
type SectionFacts = { box?: BaseMap["box"] } | WalkMeta;

/** A page has no coverage of its own, and needs the column all the same. */
export function noCells(): Columns {
  return { [CELLS_COLUMN]: new Uint32Array(0) };
}

/** Counts are those of the ground: what pages of small zooms have, is there too. */
export function factsOfPage(
  { meta, columns }: Pick<BasePack, "meta" | "columns">,
  level: PageLevel,
): PartFacts {
  const factsOf = (name: string, section: unknown): SectionFacts => {
    if (name === MAP) return { box: openMap(columns, section as MapMeta).box };
    return name === WALK ? (section as WalkMeta) : {};
  };
  const entries = Object.entries(meta.sections).map(([name, own]) => [name, factsOf(name, own)]);
  return {
    sections: Object.fromEntries(entries) as PartFacts["sections"],
    section_counts: level === "ground" ? meta.section_counts : {},
  };
}

/** Counts are summed: what two pages have, each section counts in one of them. */
export function mergeFacts(parts: readonly PartFacts[]): PartFacts {
  const of = <T extends SectionFacts>(name: string): T[] =>
    parts.flatMap(({ sections }) => (sections[name] as T | undefined) ?? []);
  const sections: Record<string, SectionFacts> = {};
  for (const name of new Set(parts.flatMap((part) => Object.keys(part.sections))))
    sections[name] = {};
  if (sections[WALK]) sections[WALK] = joinWalkMetas(of<WalkMeta>(WALK));
  if (sections[MAP]) {
    const boxes = of<{ box?: BaseMap["box"] }>(MAP).map(({ box = null }) => box);
    sections[MAP] = { box: boxes.reduce(unite, null) };
  }
  const section_counts: Record<string, Record<string, number>> = {};
  for (const part of parts)
    for (const [name, counts] of Object.entries(part.section_counts)) {
      const own = (section_counts[name] ??= {});
      for (const [what, many] of Object.entries(counts)) own[what] = (own[what] ?? 0) + many;
    }
  return { sections, section_counts };
}

function unite(a: BaseMap["box"], b: BaseMap["box"]): BaseMap["box"] {
  if (a === null || b === null) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}
