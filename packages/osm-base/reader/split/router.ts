/** Which pages need a feature, and which of their sections (docs/lab/pages.md, What a page holds). */
import type {
  NodeFeature,
  OsmTags,
  RelationFeature,
  WayFeature,
} from "../../base/base-features.ts";
import { isArea, isInterest, isStreetLike } from "../../geocoder/intake.ts";
import { FARTHEST_M } from "../../geocoder/locality.ts";
import { rankOf } from "../../geocoder/settlements.ts";
import { type GridBox, PAGE_LEVELS, WHOLE } from "../../pages/page-cell.ts";
import { toX, toY } from "../../tiles/grid.ts";
import { type MapFeature, mapReachOf } from "../../tiles/map-needs.ts";
import type { MapSurvey } from "../../tiles/map-survey.ts";
import { findArea } from "../../tiles/tile-kinds.ts";
import { DOOR_REACH_M } from "../../walk/doors.ts";
import { UNKNOWN7 } from "../../base/positions.ts";
import {
  aroundArea,
  aroundBox,
  aroundLine,
  type Box7,
  box7Of,
  metres,
  onlyAround,
  roughUnitsAt,
  type GridPoints,
  toGridBox,
  toGridPoints,
  toRoughBox,
  units,
  unitsAt,
  widened,
} from "./grid-shape.ts";
import type { PageGrid } from "./page-grid.ts";
import { PlaceAreas } from "./place-areas.ts";
import type { SplitSection } from "./split-types.ts";
import { Targets } from "./targets.ts";

/** How far beyond its cell a page has what is near it, for its geocoder. */
const NEAR_M = 1_000;
/** The same of doors: a building is entered within this (`walk/doors.ts`). */
const DOOR_NEAR_M = DOOR_REACH_M + 10;
/** The same of administrative areas: settlements are within, and these reach far. */
const AREA_NEAR_M = NEAR_M + FARTHEST_M;
const LEAST_AREA_LEVEL = 8;
/** Of countries and regions, which the head has. */
const BORDER_LEVEL = 4;
const CENTRE_ROLES: ReadonlySet<string> = new Set(["label", "admin_centre", "admin_center"]);

export type Layout = {
  ground: PageGrid;
  /** Pages of the map alone. */
  far: readonly PageGrid[];
  /** Number of the head, behind those of all pages. */
  head: number;
};

/** `services`: of sections whose things lie where their middle does. */
type Bits = { services: number; geocoder: number; map: number; walk: number; others: number };

export class Router {
  readonly targets: Targets;
  readonly #layout: Layout;
  readonly #bits: Bits;
  readonly #isWhole: boolean;
  readonly #areas: PlaceAreas;
  readonly #survey: MapSurvey;
  readonly #spend: (work: number) => void;

  constructor(
    layout: Layout,
    sections: readonly SplitSection[],
    { survey, spend }: { survey: MapSurvey; spend: (work: number) => void },
  ) {
    this.targets = new Targets(layout.head + 1);
    this.#layout = layout;
    this.#bits = bitsOf(sections);
    this.#isWhole = layout.ground.cells.length === 1;
    this.#survey = survey;
    this.#spend = spend;
    this.#areas = new PlaceAreas(spend);
  }

  /** Those of the sections that want a relation which make something of it. */
  wanted(tags: OsmTags, mask: number): number {
    const { geocoder } = this.#bits;
    if (!(mask & geocoder)) return mask;
    const type = tags.get("type");
    const isTaken =
      type === "associatedStreet" ||
      type === "street" ||
      isArea(tags) ||
      isStreetLike(tags) ||
      isInterest(tags);
    return isTaken ? mask : mask & ~geocoder;
  }

  /** Whether there are several pages with maps. */
  get isMapped(): boolean {
    return !this.#isWhole && this.#bits.map !== 0;
  }

  /**
   * `mask`: sections that want the feature; `isMember`: of a relation. Who is to have it is in `targets`
   * until the next one comes.
   */
  way(way: WayFeature, mask: number, isMember: boolean): void {
    const { targets } = this;
    const { geocoder } = this.#bits;
    const { ground, head } = this.#layout;
    targets.clear();
    if (mask & geocoder && way.closed && isBorder(way.tags)) targets.add(head, geocoder);
    if (this.#isWhole) {
      targets.add(0, mask);
      return;
    }
    const box7 = box7Of(way.points);
    const rough = toRoughBox(box7);
    const isCoast = way.tags.get("natural") === "coastline";
    const isWide = isCoast || (way.closed && (mask & geocoder) !== 0 && isArea(way.tags));
    const reach = Math.max(LINE_REACH, roughUnitsAt(NEAR_M, rough));
    const inner = isWide ? -1 : onlyAround(ground, widened(rough, reach));
    if (inner !== -1) {
      targets.add(inner, mask & ~this.#bits.map);
      if (mask & this.#bits.map) this.#wayInside(way, inner, { box7, isMember });
      return;
    }
    const box = toGridBox(box7);
    const near = widened(box, unitsAt(NEAR_M, box));
    const only = way.closed && mask & geocoder && isArea(way.tags) ? -1 : onlyAround(ground, near);
    if (only !== -1) targets.add(only, mask & ~this.#bits.map);
    else this.#wayAcross(way, mask, box7);
    if (mask & this.#bits.map) this.#wayOnMap(way, box, isMember);
  }

  /** `points`: of the members that are nodes, lat7, lon7, …; those that are missing are `UNKNOWN7`. */
  relation(relation: RelationFeature, mask: number, points: Int32Array): void {
    const { targets } = this;
    const { services, geocoder, map, walk, others } = this.#bits;
    const { ground, head } = this.#layout;
    const { tags, box } = relation;
    targets.clear();
    if (mask & geocoder && isBorder(tags)) targets.add(head, geocoder);
    if (this.#isWhole) targets.add(0, mask);
    if (this.#isWhole || box === null) return;
    const rough = toRoughBox(box);
    const wide = widened(rough, Math.max(LINE_REACH, roughUnitsAt(NEAR_M, rough)));
    const inner = mask & geocoder && isArea(tags) ? -1 : onlyAround(ground, wide);
    if (inner !== -1) {
      this.#relationInside(relation, mask, inner);
      return;
    }
    const rings = relation.rings.map((ring) => toGridPoints(ring.points));
    targets.add(this.#pageOf(middleOf(box)), mask & services);
    if (mask & walk) for (const ring of rings) this.#pagesOfPoints(ring, walk);
    if (mask & walk && tags.has("building"))
      ground.touching(toGridBox(box), (page) => targets.add(page, walk));
    if (mask & geocoder) this.#relationOfGeocoder(relation, rings, points);
    if (mask & map) this.#relationOnMap(relation, rings);
    if (mask & others) ground.touching(toGridBox(box), (page) => targets.add(page, mask & others));
  }

  /** To be called when all areas have been: some settlements go where these do. */
  node(node: NodeFeature, mask: number): void {
    const { targets } = this;
    const { geocoder, map, walk } = this.#bits;
    const { ground } = this.#layout;
    targets.clear();
    if (this.#isWhole) {
      targets.add(0, mask);
      return;
    }
    const [x, y] = [toX(node.lon7), toY(node.lat7)];
    const box = { west: x, north: y, east: x, south: y };
    targets.add(ground.at(x, y), mask & ~map);
    if (mask & walk && node.tags.has("entrance")) {
      const wide = widened(box, unitsAt(DOOR_NEAR_M, box));
      aroundBox(ground, wide, (page) => targets.add(page, walk));
    }
    if (mask & geocoder) {
      const place = node.tags.get("place");
      const reach = NEAR_M + (place === undefined ? 0 : (rankOf(place)?.radius_m ?? 0));
      const wide = widened(box, unitsAt(reach, box));
      aroundBox(ground, wide, (page) => targets.add(page, geocoder));
      if (place !== undefined)
        for (const page of this.#areas.pagesOf(node, x, y)) targets.add(page, geocoder);
    }
    if (!(mask & map)) return;
    const zoom = this.#survey.look(node);
    if (zoom !== null) this.#boxOnMap(node, zoom, box);
  }

  /** A way of several pages, or an area. */
  #wayAcross(way: WayFeature, mask: number, box7: readonly [number, number, number, number]): void {
    const { targets } = this;
    const { services, geocoder, walk, others } = this.#bits;
    const { ground } = this.#layout;
    targets.add(this.#pageOf(middleOf(box7)), mask & services);
    const line = toGridPoints(way.points);
    if (mask & walk) this.#pagesOfPoints(line, walk);
    if (mask & walk && way.tags.has("building"))
      ground.touching(toGridBox(box7), (page) => targets.add(page, walk));
    const spend = this.#spend;
    if (mask & geocoder) {
      const area = way.closed && isArea(way.tags);
      const reach = metres(area ? reachOfArea(way.tags) : NEAR_M);
      const pages: number[] = [];
      const see = (page: number): void => {
        pages.push(page);
      };
      if (way.closed) aroundArea(ground, [line], { reach, spend }, see);
      else aroundLine(ground, line, reach, see);
      pages.push(this.#pageOf(middleOf(box7)));
      for (const page of pages) targets.add(page, geocoder);
      if (area) this.#noteArea(way.tags, [], { box: toGridBox(box7), pages });
    }
    if (mask & others) {
      const see = (page: number): void => targets.add(page, mask & others);
      if (way.closed) aroundArea(ground, [line], { reach: units(0), spend }, see);
      else aroundLine(ground, line, units(0), see);
    }
  }

  /** A relation whose page of the ground is known. */
  #relationInside(relation: RelationFeature, mask: number, page: number): void {
    const { walk, map } = this.#bits;
    // What has no rings is not walked.
    const isWalked = relation.rings.length > 0;
    this.targets.add(page, mask & ~map & (isWalked ? -1 : ~walk));
    if (!(mask & map)) return;
    const zoom = this.#survey.look(relation);
    if (zoom === null) return;
    this.targets.add(page, map);
    if (zoom < PAGE_LEVELS.ground.map.from)
      this.#ringsOnMap(
        relation,
        relation.rings.map((ring) => toGridPoints(ring.points)),
        zoom,
      );
  }

  /** A way whose page of the ground is known. */
  #wayInside(
    way: WayFeature,
    page: number,
    { box7, isMember }: { box7: Box7; isMember: boolean },
  ): void {
    const zoom = this.#survey.look(way);
    if (zoom === null) return;
    if (zoom >= PAGE_LEVELS.ground.map.from) this.targets.add(page, this.#bits.map);
    else this.#boxOnMap(isDrawnAsArea(way, isMember) ? AN_AREA : way, zoom, toGridBox(box7));
  }

  #wayOnMap(way: WayFeature, box: GridBox, isMember: boolean): void {
    const zoom = this.#survey.look(way);
    if (zoom !== null) this.#boxOnMap(isDrawnAsArea(way, isMember) ? AN_AREA : way, zoom, box);
  }

  /** `feature`: how far it reaches. */
  #boxOnMap(feature: MapFeature, zoom: number, box: GridBox): void {
    const { ground, far } = this.#layout;
    for (const grid of [ground, ...far])
      if (zoom <= PAGE_LEVELS[grid.level].map.to)
        grid.touching(widened(box, mapReachOf(grid.level, WHOLE, feature)), (page) =>
          this.targets.add(page, this.#bits.map),
        );
  }

  #relationOfGeocoder(
    { tags, members, box, rings: drawn }: RelationFeature,
    rings: readonly GridPoints[],
    points: Int32Array,
  ): void {
    const { targets } = this;
    const { geocoder } = this.#bits;
    const { ground } = this.#layout;
    const type = tags.get("type");
    const see = (page: number): void => targets.add(page, geocoder);
    const around = toGridBox(box!);
    if (type === "associatedStreet" || type === "street")
      aroundBox(ground, widened(around, unitsAt(NEAR_M, around)), see);
    const area = isArea(tags);
    if (!area && !isStreetLike(tags) && !isInterest(tags)) return;
    const reach = metres(area ? reachOfArea(tags) : NEAR_M);
    const pages = new Set<number>();
    aroundArea(ground, rings, { reach, spend: this.#spend }, (page) => pages.add(page));
    const middle = toGridBox([...middleOf(box!), ...middleOf(box!)]);
    aroundBox(ground, widened(middle, unitsAt(NEAR_M, middle)), (page) => pages.add(page));
    const centres: number[] = [];
    let node = 0;
    for (const { type: kind, id, role } of members) {
      if (kind !== "node") continue;
      const [lat7, lon7] = [points[2 * node]!, points[2 * node + 1]!];
      node += 1;
      if (!area || !CENTRE_ROLES.has(role) || lat7 === UNKNOWN7) continue;
      centres.push(id);
      pages.add(this.#pageOf([lat7, lon7]));
    }
    for (const page of pages) see(page);
    if (area && drawn.length + centres.length > 0)
      this.#noteArea(tags, centres, { box: around, pages: [...pages] });
  }

  #relationOnMap(relation: RelationFeature, rings: readonly GridPoints[]): void {
    const zoom = this.#survey.look(relation);
    if (zoom !== null) this.#ringsOnMap(relation, rings, zoom);
  }

  #ringsOnMap(relation: RelationFeature, rings: readonly GridPoints[], zoom: number): void {
    const { ground, far } = this.#layout;
    for (const grid of [ground, ...far]) {
      if (zoom > PAGE_LEVELS[grid.level].map.to) continue;
      const reach = units(mapReachOf(grid.level, WHOLE, relation));
      aroundArea(grid, rings, { reach, spend: this.#spend }, (page) =>
        this.targets.add(page, this.#bits.map),
      );
    }
  }

  #noteArea(
    tags: OsmTags,
    centres: readonly number[],
    entry: { box: GridBox; pages: number[] },
  ): void {
    if (new Set(entry.pages).size > 1) this.#areas.add(tags, centres, entry);
  }

  #pagesOfPoints(line: GridPoints, bits: number): void {
    for (let i = 0; i < line.length; i += 2)
      this.targets.add(this.#layout.ground.at(line[i]!, line[i + 1]!), bits);
  }

  #pageOf([lat7, lon7]: readonly [number, number]): number {
    return this.#layout.ground.at(toX(lon7), toY(lat7));
  }
}

/** Bit of a section; 0: there is none of this name. */
export function bitOf(sections: readonly SplitSection[], name: string): number {
  const at = sections.findIndex((section) => section.name === name);
  return at < 0 ? 0 : 1 << at;
}

function bitsOf(sections: readonly SplitSection[]): Bits {
  const bits: Bits = { services: 0, geocoder: 0, map: 0, walk: 0, others: 0 };
  for (const [i, { name }] of sections.entries()) {
    const part = name === "interests" ? "services" : name in bits ? (name as keyof Bits) : "others";
    bits[part] |= 1 << i;
  }
  return bits;
}

/** Middle of a box, as services and the geocoder have it. */
function middleOf([south, west, north, east]: readonly [number, number, number, number]): [
  lat7: number,
  lon7: number,
] {
  return [Math.round((south + north) / 2), Math.round((west + east) / 2)];
}

/** Whether an area is that of a country or a region. */
function isBorder(tags: OsmTags): boolean {
  if (tags.get("boundary") !== "administrative") return false;
  const hasCode = ["ISO3166-1", "ISO3166-1:alpha2", "ISO3166-2"].some((key) => tags.has(key));
  return hasCode && Number(tags.get("admin_level") ?? Number.NaN) <= BORDER_LEVEL;
}

function reachOfArea(tags: OsmTags): number {
  const level = Number(tags.get("admin_level") ?? Number.NaN);
  const isLarge = tags.get("boundary") === "administrative" && level <= LEAST_AREA_LEVEL;
  return isLarge ? AREA_NEAR_M : NEAR_M;
}

/** Only lines are joined to others, which is why they reach farther than they are drawn. */
function isDrawnAsArea({ tags, closed }: WayFeature, isMember: boolean): boolean {
  const isLine = isMember || tags.has("boundary") || tags.get("natural") === "coastline";
  return !isLine && closed && findArea(tags) !== null;
}

/** For how far areas reach. */
const AN_AREA: RelationFeature = {
  type: "relation",
  id: 0,
  tags: new Map(),
  rings: [],
  whole: true,
  members: [],
  box: null,
};

/** How far a line may reach on the map of the ground that is no coastline. */
const LINE_REACH = mapReachOf("ground", WHOLE, {
  type: "way",
  id: 0,
  tags: new Map(),
  points: new Int32Array(0),
  nodes: new Float64Array(0),
  closed: false,
});
