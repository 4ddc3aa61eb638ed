/** Which pages need a feature, by going through all features for each page: what a split is compared with. */
import { METRES_PER_DEGREE } from "#kit/geo.ts";
import type { NodeFeature, RelationFeature, WayFeature } from "../../../base/base-features.ts";
import { isPointInRing } from "../../../base/ring-assembly.ts";
import { wordsOf } from "../../../geocoder/fold-words.ts";
import { isArea, isInterest, isStreetLike } from "../../../geocoder/intake.ts";
import { readNameTags } from "../../../geocoder/name-texts.ts";
import { rankOf } from "../../../geocoder/settlements.ts";
import { boxOfCell, type GridBox, PAGE_LEVELS, WHOLE } from "../../../pages/page-cell.ts";
import type { PageRun } from "../../../reader/split/split-types.ts";
import { FULL_BITS, toLat, toLon, toX, toY } from "../../../tiles/grid.ts";
import { mapReachOf } from "../../../tiles/map-needs.ts";
import { MapSurvey } from "../../../tiles/map-survey.ts";
import { findArea } from "../../../tiles/tile-kinds.ts";

export type Feature = NodeFeature | RelationFeature | WayFeature;
export type Page = Pick<PageRun, "level" | "cell">;
/** Reports whether a page needs a feature. */
type Rule = (feature: Feature, page: Page) => boolean;

const WORLD = 2 ** FULL_BITS;
const METRES_AROUND = METRES_PER_DEGREE * 360;

/** Rules by the name of the section. `all`: every feature that the geocoder and the map are given. */
export function createRules(all: readonly Feature[]): Record<string, Rule> {
  return {
    services: (feature, page) => isGround(page) && isAt(page, middleOf(boxOf(feature))),
    walk: (feature, page) => {
      if (!isGround(page)) return false;
      const isBuilding = feature.type !== "node" && feature.tags.has("building");
      if (isBuilding && touches(page, gridBox(boxOf(feature)), 0)) return true;
      // A building is entered by doors of which the furthest is 150 m away.
      if (feature.type === "node" && feature.tags.has("entrance"))
        return isNear(page, boxOf(feature), 160);
      return linesOf(feature).some((line) => pairs(line).some((at) => isAt(page, at)));
    },
    collected: (feature, page) => isGround(page) && isTouched(feature, page, 0),
    geocoder: geocoderRule(all),
    map: mapRule(all),
  };
}

function mapRule(all: readonly Feature[]): Rule {
  const survey = new MapSurvey();
  const zooms = new Map<Feature, number | null>();
  const members = new Set<number>();
  for (const feature of all)
    if (feature.type === "relation")
      for (const { type, id } of feature.members) if (type === "way") members.add(id);
  for (const type of ["relation", "way", "node"])
    for (const feature of all) if (feature.type === type) zooms.set(feature, survey.look(feature));
  return (feature, page) => {
    const zoom = zooms.get(feature) ?? Infinity;
    if (zoom > PAGE_LEVELS[page.level].map.to) return false;
    if (feature.type === "relation")
      return isTouched(feature, page, mapReachOf(page.level, WHOLE, feature));
    const isDrawn =
      feature.type === "way" &&
      feature.closed &&
      findArea(feature.tags) !== null &&
      !members.has(feature.id) &&
      !feature.tags.has("boundary") &&
      feature.tags.get("natural") !== "coastline";
    const like = isDrawn ? all.find(({ type }) => type === "node")! : feature;
    return touches(page, gridBox(boxOf(feature)), mapReachOf(page.level, WHOLE, like));
  };
}

function geocoderRule(all: readonly Feature[]): Rule {
  const areas = all.filter((feature) => feature.type !== "node" && isAreaOf(feature));
  const ownRule: Rule = (feature, page) => {
    const { tags } = feature;
    if (feature.type === "node") {
      const place = tags.get("place");
      const radius_m = place === undefined ? 0 : (rankOf(place)?.radius_m ?? 0);
      return isNear(page, boxOf(feature), 1000 + radius_m);
    }
    const level = tags.get("boundary") === "administrative" ? Number(tags.get("admin_level")) : 99;
    const reach_m = isAreaOf(feature) && level <= 8 ? 16_000 : 1000;
    const edge = linesOf(feature).some((line) =>
      pieces(line).some((piece) => isNear(page, piece, reach_m)),
    );
    const isHeld = edge || holdsMiddle(feature, page);
    if (feature.type === "way") return isHeld || isAt(page, middleOf(boxOf(feature)));
    const box = boxOf(feature);
    if (["associatedStreet", "street"].includes(tags.get("type") ?? "") && isNear(page, box, 1000))
      return true;
    if (!isArea(tags) && !isStreetLike(tags) && !isInterest(tags)) return false;
    const middle = middleOf(box);
    if (isHeld || isNear(page, [...middle, ...middle], 1000)) return true;
    return (
      isArea(tags) &&
      centresOf(feature).some((id) => {
        const node = all.find((each) => each.type === "node" && each.id === id);
        return node !== undefined && isAt(page, middleOf(boxOf(node)));
      })
    );
  };
  return (feature, page) => {
    if (!isGround(page)) return false;
    if (ownRule(feature, page)) return true;
    if (feature.type !== "node" || !feature.tags.has("place")) return false;
    return areas.some((area) => {
      if (!ownRule(area, page)) return false;
      if (area.type === "relation" && centresOf(area).includes(feature.id)) return true;
      const shares = namesOf(area).some((name) => namesOf(feature).includes(name));
      const box = gridBox(boxOf(area));
      const [x, y] = [toX(feature.lon7), toY(feature.lat7)];
      const isIn = x >= box.west && x <= box.east && y >= box.north && y <= box.south;
      return shares && isIn;
    });
  };
}

function centresOf({ members }: RelationFeature): number[] {
  const roles = new Set(["label", "admin_centre", "admin_center"]);
  return members.flatMap(({ type, id, role }) => (type === "node" && roles.has(role) ? [id] : []));
}

function isAreaOf(feature: Feature): boolean {
  return isArea(feature.tags) && (feature.type === "relation" || (feature as WayFeature).closed);
}

function namesOf({ tags }: Feature): string[] {
  return readNameTags(tags).map(({ text }) => wordsOf(text).join(" "));
}

function isGround({ level }: Page): boolean {
  return level === "ground";
}

/** Lines of a feature: of a relation its rings. */
function linesOf(feature: Feature): Int32Array[] {
  if (feature.type === "relation") return feature.rings.map(({ points }) => points);
  return [feature.type === "way" ? feature.points : Int32Array.of(feature.lat7, feature.lon7)];
}

/** Its pieces, widened, touch the page, or it has the page's middle. */
function isTouched(feature: Feature, page: Page, by: number): boolean {
  const edge = linesOf(feature).some((line) =>
    pieces(line).some((piece) => touches(page, gridBox(piece), by)),
  );
  if (feature.type === "relation" && by === 0) return touches(page, gridBox(boxOf(feature)), 0);
  return edge || holdsMiddle(feature, page);
}

function holdsMiddle(feature: Feature, { cell }: Page): boolean {
  if (feature.type === "node" || (feature.type === "way" && !feature.closed)) return false;
  const { west, north, east, south } = boxOfCell(cell);
  const [lat7, lon7] = [toLat((north + south) / 2) * 1e7, toLon((west + east) / 2) * 1e7];
  return linesOf(feature).filter((ring) => isPointInRing(ring, lat7, lon7)).length % 2 === 1;
}

type Box7 = readonly [south: number, west: number, north: number, east: number];

function isNear(page: Page, box7: Box7, metres: number): boolean {
  const box = gridBox(box7);
  const far = Math.max(Math.abs(WORLD / 2 - box.north), Math.abs(WORLD / 2 - box.south));
  const cosine = Math.max(0.01, 1 / Math.cosh((2 * Math.PI * far) / WORLD));
  const by = Math.ceil((metres / METRES_AROUND) * (WORLD / cosine));
  return [-WORLD, 0, WORLD].some((shift) => {
    const moved = { ...box, west: box.west + shift, east: box.east + shift };
    const reaches = shift === 0 || (moved.east + by >= 0 && moved.west - by <= WORLD);
    return reaches && touches(page, moved, by);
  });
}

function touches({ cell }: Page, { west, north, east, south }: GridBox, by: number): boolean {
  const own = boxOfCell(cell);
  return (
    Math.min(WORLD - 1, west - by) < own.east &&
    east + by >= own.west &&
    Math.min(WORLD - 1, north - by) < own.south &&
    south + by >= own.north
  );
}

function isAt(page: Page, [lat7, lon7]: readonly [number, number]): boolean {
  const own = boxOfCell(page.cell);
  const [x, y] = [Math.min(WORLD - 1, toX(lon7)), Math.min(WORLD - 1, toY(lat7))];
  return x >= own.west && x < own.east && y >= own.north && y < own.south;
}

function gridBox([south, west, north, east]: Box7): GridBox {
  return { west: toX(west), north: toY(north), east: toX(east), south: toY(south) };
}

function middleOf([south, west, north, east]: Box7): [number, number] {
  return [Math.round((south + north) / 2), Math.round((west + east) / 2)];
}

function boxOf(feature: Feature): Box7 {
  if (feature.type === "relation") return feature.box!;
  const all = linesOf(feature).flatMap(pairs);
  const [lats, lons] = [all.map(([lat]) => lat), all.map(([, lon]) => lon)];
  return [Math.min(...lats), Math.min(...lons), Math.max(...lats), Math.max(...lons)];
}

function pairs(points: Int32Array): [number, number][] {
  return Array.from({ length: points.length / 2 }, (_, i) => [points[2 * i]!, points[2 * i + 1]!]);
}

function pieces(points: Int32Array): Box7[] {
  const all = pairs(points);
  if (all.length === 1) return [[...all[0]!, ...all[0]!]];
  return all.slice(1).map(([lat, lon], i) => {
    const [before_lat, before_lon] = all[i]!;
    return [
      Math.min(lat, before_lat),
      Math.min(lon, before_lon),
      Math.max(lat, before_lat),
      Math.max(lon, before_lon),
    ];
  });
}
