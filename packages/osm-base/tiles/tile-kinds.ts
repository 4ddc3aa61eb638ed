/** What of an extract is drawn, on which layer, and from which zoom: the rules of kinds.json. */
import type { OsmTags } from "../base/base-features.ts";
import rules from "./kinds.json" with { type: "json" };

export type TileShape = "point" | "line" | "area";

export type Kind = {
  /** Its number, which is kept with each feature. */
  number: number;
  layer: string;
  class: string;
  shape: TileShape;
  /** From this zoom on, however large it is. */
  zoom: number;
  /** Where a tile has no room for all, those with the least are kept; below 16. */
  keep: number;
  /** Importance of a name, below 9; the least is the greatest. */
  rank: number;
  /** Class of the point at which the name of an area is written; null: it is not written. */
  label: string | null;
  /** Joins two roads. */
  ramp: boolean;
};

export const KINDS: readonly Kind[] = rules.map((rule, number) => ({
  number,
  layer: rule.layer,
  class: rule.class,
  shape: rule.shape as TileShape,
  zoom: rule.zoom,
  keep: rule.keep,
  rank: "rank" in rule ? rule.rank : 0,
  label: "label" in rule ? rule.label : null,
  ramp: "ramp" in rule,
}));

/** What a tile says of a kind. */
export type DrawnKind = Pick<Kind, "layer" | "class" | "shape" | "ramp">;

export function toDrawnKind({ layer, class: name, shape, ramp }: Kind): DrawnKind {
  return { layer, class: name, shape, ramp };
}

/** Of what is assembled, or written at an area. */
export function getKind(layer: string, name: string): Kind {
  const kind = KINDS.find((each) => each.layer === layer && each.class === name);
  if (kind === undefined) throw new TypeError(`no kind ${name} of ${layer}`);
  return kind;
}

/** Shape → key → value → kind. */
const BY_TAG: ReadonlyMap<TileShape, ReadonlyMap<string, ReadonlyMap<string, Kind>>> = new Map(
  (["point", "line", "area"] as const).map((shape) => [shape, indexTags(shape)]),
);

function indexTags(shape: TileShape): Map<string, Map<string, Kind>> {
  const byKey = new Map<string, Map<string, Kind>>();
  for (const kind of KINDS.filter((each) => each.shape === shape))
    for (const [key, values] of Object.entries<string[]>(rules[kind.number]!.tags)) {
      const byValue = byKey.get(key) ?? new Map<string, Kind>();
      byKey.set(key, byValue);
      for (const value of values) if (!byValue.has(value)) byValue.set(value, kind);
    }
  return byKey;
}

/** The keys of all rules for a shape. */
export function listKeys(...shapes: TileShape[]): string[] {
  return [...new Set(shapes.flatMap((shape) => [...BY_TAG.get(shape)!.keys()]))];
}

/** The first rule that fits; null: it is not drawn in this shape. */
export function findKind(shape: TileShape, tags: OsmTags): Kind | null {
  const byKey = BY_TAG.get(shape)!;
  let result: Kind | null = null;
  for (const [key, value] of tags) {
    const byValue = byKey.get(key);
    if (byValue === undefined || value === "no") continue;
    const kind = byValue.get(value) ?? byValue.get("*");
    if (kind && (result === null || kind.number < result.number)) result = kind;
  }
  return result;
}

/** What a closed way encloses; a street that ends where it begins encloses nothing. */
export function findArea(tags: OsmTags): Kind | null {
  const kind = findKind("area", tags);
  if (kind === null || tags.get("area") === "no") return null;
  const isWay = tags.has("highway") || tags.get("leisure") === "track";
  const isSquare = tags.get("area") === "yes" || kind.class === "square";
  return isWay && !isSquare && kind.class !== "building" ? null : kind;
}
