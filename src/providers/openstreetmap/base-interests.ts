/**
 * Points of interest of a base: what of an extract is of a class (packages/api/place-classes.ts), with
 * its name, address, hours and how to reach it. The geocoder of a base finds the same things by name.
 */
import type {
  BaseSection,
  NodeFeature,
  RelationFeature,
  WayFeature,
} from "#osm/base/base-features.ts";
import { isInCell, type PageCell, WHOLE } from "#osm/pages/page-cell.ts";
import { PLACE_CLASSES, THING_KINDS } from "#api/place-classes.ts";
import type { Columns } from "#kit/pack.ts";
import { createTrail, droppedCount, type Trail } from "#kit/trail.ts";
import { Crowd, CROWDED } from "#core/places/crowd.ts";
import type { BaseInterests, Interest } from "#core/places/interest.ts";
import { settleDuplicates } from "./duplicates.ts";
import { type Element, elementId, placed, type Tags, toTags } from "./element.ts";
import { hasClosedAccess, isNotInUse, isOutOfOrder } from "./exclusions.ts";
import { interestAttributes } from "./osm-attributes.ts";
import { namingOf } from "./osm-names.ts";
import { boxOf, centreOf, openThings, packThings } from "./packed-things.ts";

const NAME = "interests";

/** Tag → number of its class; services have a section of their own. */
const BY_TAG: ReadonlyMap<string, number> = new Map(
  THING_KINDS.flatMap(({ tags, place_class, service }) =>
    place_class === null || service !== null
      ? []
      : tags.map((tag): [string, number] => [tag, PLACE_CLASSES.indexOf(place_class)]),
  ),
);
const KEYS: readonly string[] = [
  ...new Set([...BY_TAG.keys()].map((tag) => tag.slice(0, tag.indexOf("=")))),
];
const NAMED_ONLY: ReadonlySet<string> = new Set(
  THING_KINDS.flatMap(({ needs_name, place_class }) => (needs_name ? (place_class ?? []) : [])),
);
/** What one may not enter is there all the same, and is asked for. */
const INSTITUTIONS: ReadonlySet<string> = new Set([
  ...["school", "kindergarten", "university", "hospital", "police", "fire_station"],
  ...["embassy", "courthouse", "town_hall", "castle"],
]);
/** Classes of which a further tag must say that it is one: a map on a pole is no tourist office. */
const ONLY: ReadonlyMap<string, readonly string[]> = new Map(
  THING_KINDS.flatMap(({ only, place_class }): [string, readonly string[]][] =>
    only.length > 0 && place_class !== null ? [[place_class, only]] : [],
  ),
);
/** Longer texts are left out; the open map has none. */
const MOST_CHARS = 255;
/** Names of one thing in further languages. */
const MOST_NAMES = 16;

type Counts = Readonly<Record<string, number>>;
/** `classes`: those of the program that imported it, in the order of their numbers. */
type Meta = { classes: readonly string[]; counts: Counts; trail: Trail };

/** Collects the points of interest of an extract; `cell`: those alone whose point lies in it. */
export function createInterestsSection({ cell = WHOLE }: { cell?: PageCell } = {}): BaseSection {
  const trail = createTrail();
  /** By number of the class. */
  const elements = PLACE_CLASSES.map((): Element[] => []);
  const take = (
    { type, id, tags }: NodeFeature | WayFeature | RelationFeature,
    centre: readonly [lat7: number, lon7: number] | null,
  ): void => {
    const classes = classesOf(tags);
    const name = classes.length === 0 ? null : elementId(type, id);
    if (name === null || centre === null || !isInCell(cell, centre[0], centre[1])) return;
    const at = { lat: centre[0] / 1e7, lon: centre[1] / 1e7 };
    const element = placed(name, at, { tags: toTags(Object.fromEntries(tags)), trail });
    if (!element) return;
    for (const number of classes) {
      const reason = exclusionOf(element.tags, PLACE_CLASSES[number]!);
      if (reason === null) elements[number]!.push(element);
      else trail.drop(reason, name);
    }
  };
  return {
    name: NAME,
    keys: { node: KEYS, way: KEYS, relation: KEYS },
    node: (node) => take(node, [node.lat7, node.lon7]),
    way: (way) => take(way, centreOf(boxOf(way.points))),
    relation: (relation) => take(relation, centreOf(relation.box)),
    *finish() {
      const counts: Record<string, number> = {};
      const interests: Interest[] = [];
      for (const [number, place_class] of PLACE_CLASSES.entries()) {
        const crowd = new Crowd();
        for (const { element } of settleDuplicates(null, elements[number]!, trail)) {
          if (!crowd.admits(element)) trail.drop(CROWDED, element.id);
          else interests.push(toInterest(element, place_class));
        }
        yield;
      }
      for (const { place_class } of interests) counts[place_class] = (counts[place_class] ?? 0) + 1;
      const meta: Meta = { classes: PLACE_CLASSES, counts, trail: trail.toTrail() };
      const { columns } = yield* packThings(interests, ({ place_class }) =>
        PLACE_CLASSES.indexOf(place_class),
      );
      return {
        columns,
        meta,
        counts: { points_of_interest: interests.length, left_out: droppedCount(meta.trail) },
      };
    },
  };
}

/** Numbers of the classes of a thing: a café that bakes is two. */
function classesOf(tags: Tags): readonly number[] {
  const classes = KEYS.flatMap((key) => {
    const value = tags.get(key);
    return value === undefined ? [] : (BY_TAG.get(`${key}=${value}`) ?? []);
  });
  return classes.length > 1 ? [...new Set(classes)] : classes;
}

/** Why it is not shown; null: it is. */
function exclusionOf(tags: Tags, place_class: string): string | null {
  if (isNotInUse(tags)) return "not_in_use";
  if (isOutOfOrder(tags)) return "out_of_order";
  if (!INSTITUTIONS.has(place_class) && hasClosedAccess(tags, null)) return "not_public";
  const only = ONLY.get(place_class);
  const holds = (tag: string): boolean => {
    const [key, value] = tag.split("=");
    return tags.get(key!) === value;
  };
  if (only && !only.some(holds)) return "of_another_kind";
  return NAMED_ONLY.has(place_class) && !tags.has("name") ? "without_name" : null;
}

function toInterest({ id, lat, lon, tags }: Element, place_class: string): Interest {
  const { name, names } = namingOf(tags, null);
  const text = tags.get("opening_hours");
  const opening = text === undefined || text.length > MOST_CHARS ? {} : { opening: { text } };
  // Its hours are in `opening`, and are shown as they are there.
  const attributes = Object.entries(interestAttributes(tags)).filter(
    ([fact, value]) =>
      fact !== "opening_hours" && (typeof value !== "string" || value.length <= MOST_CHARS),
  );
  return {
    place_class,
    source_id: "openstreetmap",
    external_id: id,
    lat,
    lon,
    name,
    ...(names && { names: Object.fromEntries(Object.entries(names).slice(0, MOST_NAMES)) }),
    attributes: Object.fromEntries(attributes),
    ...opening,
  };
}

/** The points of interest of an open base; null: it was imported before there were any. */
export function openInterests(columns: Columns, meta: unknown): BaseInterests | null {
  if (meta === undefined) return null;
  const { classes } = meta as Meta;
  return {
    rows: openThings(columns, NAME, { facts: false, cells: true }),
    numbersOf: (wanted) => wanted.flatMap((each) => numberIn(classes, each)),
    classOf: (number) => classes[number]!,
  };
}

function numberIn(classes: readonly string[], place_class: string): number[] {
  const number = classes.indexOf(place_class);
  return number < 0 ? [] : [number];
}
