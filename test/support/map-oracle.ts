/**
 * What a map of an extract must show, by nothing but the table of kinds: a second, slow reading of
 * the features, with geometry in fractions of a tile.
 */
import type { BaseSection } from "#osm/index.ts";
import type { NodeFeature, OsmTags, RelationFeature, WayFeature } from "#osm/sections.ts";
import kinds from "#osm/tiles/kinds.json" with { type: "json" };

export type XY = [x: number, y: number];
/** x and y as shares of the whole map; rings are closed by their first point. */
export type MapFeature = {
  layer: string;
  class: string;
  zoom: number;
  name: string | null;
  /** Of an area: the outer ring, then the inner ones. */
  shape: "point" | "line" | "area";
  parts: XY[][];
};

type Recorded = { nodes: NodeFeature[]; relations: RelationFeature[]; ways: WayFeature[] };

/** A section that keeps what the map section is given. */
export function createRecorder(like: BaseSection): { section: BaseSection; features: Recorded } {
  const features: Recorded = { nodes: [], relations: [], ways: [] };
  const section: BaseSection = {
    ...like,
    name: "recorder",
    node: (feature) => void features.nodes.push({ ...feature, tags: new Map(feature.tags) }),
    way: (feature) =>
      void features.ways.push({
        ...feature,
        tags: new Map(feature.tags),
        points: feature.points.slice(),
      }),
    relation: (feature) =>
      void features.relations.push({
        ...feature,
        tags: new Map(feature.tags),
        rings: feature.rings.map(({ points, inner }) => ({ points: points.slice(), inner })),
      }),
    // oxlint-disable-next-line require-yield -- the interface wants steps
    *finish() {
      return { columns: {}, meta: {}, counts: {} };
    },
  };
  return { section, features };
}

/** Everything but the sea and the names of areas. */
export function listShown({ nodes, ways, relations }: Recorded): MapFeature[] {
  const outlines = new Map<number, string>();
  for (const { tags, members, rings } of relations) {
    const kind = kindOf("area", tags);
    if (!kind || !rings.some(({ points }) => isRing(points))) continue;
    for (const { type, id, role } of members)
      if (type === "way" && role !== "inner") outlines.set(id, JSON.stringify(kind));
  }
  return [
    ...nodes.flatMap((node) => ofNode(node)),
    ...relations.flatMap((relation) => ofRelation(relation)),
    ...ways.flatMap((way) => ofWay(way, outlines)),
  ];
}

type Rule = (typeof kinds)[number];

function kindOf(shape: string, tags: OsmTags): Rule | undefined {
  return kinds.find(
    (rule) =>
      rule.shape === shape &&
      Object.entries<string[] | undefined>(rule.tags).some(([key, values]) => {
        const value = tags.get(key);
        if (value === undefined || value === "no") return false;
        return values!.includes(value) || values!.includes("*");
      }),
  );
}

function toVisible(rule: Rule, tags: OsmTags, parts: XY[][]): MapFeature {
  const { layer, class: name, zoom, shape } = rule;
  return {
    layer,
    class: name,
    zoom,
    shape: shape as MapFeature["shape"],
    name: tags.get("name") ?? null,
    parts,
  };
}

function ofNode({ lat7, lon7, tags }: NodeFeature): MapFeature[] {
  const rule = kindOf("point", tags);
  const isNamed = (tags.get("name") ?? "").trim() !== "";
  return rule && isNamed ? [toVisible(rule, tags, [[project(lat7, lon7)]])] : [];
}

function ofRelation({ tags, rings }: RelationFeature): MapFeature[] {
  const rule = kindOf("area", tags);
  const areas: XY[][][] = [];
  for (const { points, inner } of rings) {
    if (inner) areas.at(-1)?.push(toXY(points));
    else areas.push([toXY(points)]);
  }
  return rule ? areas.map((parts) => toVisible(rule, tags, parts)) : [];
}

function ofWay(
  { id, tags, points, closed }: WayFeature,
  outlines: Map<number, string>,
): MapFeature[] {
  const area = closed && tags.get("area") !== "no" ? kindOf("area", tags) : undefined;
  const isWay = tags.has("highway") || tags.get("leisure") === "track";
  const isLine =
    isWay && tags.get("area") !== "yes" && !["square", "building"].includes(area?.class ?? "");
  if (area && !isLine)
    return outlines.get(id) === JSON.stringify(area) ? [] : [toVisible(area, tags, [toXY(points)])];
  const line = kindOf("line", tags);
  if (!line || points.length < 4) return [];
  const listed = toVisible(line, tags, [toXY(points)]);
  return [line.layer === "rail" && tags.has("service") ? { ...listed, zoom: 13 } : listed];
}

function isRing(points: Int32Array): boolean {
  return points.length >= 8;
}

function toXY(points: Int32Array): XY[] {
  return Array.from({ length: points.length / 2 }, (_, i) =>
    project(points[2 * i]!, points[2 * i + 1]!),
  );
}

/** Web Mercator by its textbook formula. */
function project(lat7: number, lon7: number): XY {
  const lat = (Math.max(-85.0511287, Math.min(85.0511287, lat7 / 1e7)) * Math.PI) / 180;
  const y = (1 - Math.log(Math.tan(lat) + 1 / Math.cos(lat)) / Math.PI) / 2;
  return [lon7 / 3.6e9 + 0.5, y];
}
