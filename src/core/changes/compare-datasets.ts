/**
 * What entered, left and changed between two answers of one search (docs/agents.md, Changes). What
 * one of them cannot know is neither: it is beyond its reach, or unknown.
 */
import { distance_m } from "#kit/geo.ts";

type Point = { lat: number; lon: number };
type Value = string | number | boolean | null;
/** The compared members of an object; null: not known. */
export type ChangedMembers = Readonly<Record<string, Value>>;

/** An object as one answer has it. `T` is what it was made of. */
export type Compared<T> = {
  id: string;
  /** From the point of the search; null: nothing but its id was kept. */
  distance_m: number | null;
  location: Point | null;
  members: ChangedMembers;
  /** Sources that its members and its presence are known by. */
  sources: readonly string[];
  of: T;
};

/** How far an answer has everything: up to a distance, or to just below the farthest it kept. */
export type ComparedReach = { radius_m: number; isCut: boolean };

export type Side<T> = {
  reach: ComparedReach;
  objects: readonly Compared<T>[];
  /** Sources that answered with data of their time: what they do not name is not there. */
  reliable: ReadonlySet<string>;
};

type Difference = { before: Value | Point; after: Value | Point };
/** One of which more than its id was kept. */
export type Placed<T> = Compared<T> & { distance_m: number; location: Point };
type Changed<T> = {
  before: Placed<T>;
  after: Placed<T>;
  members: Readonly<Record<string, Difference>>;
};

export type Changes<T> = {
  /** Up to where both have everything. */
  reach: ComparedReach;
  entered: Placed<T>[];
  left: Placed<T>[];
  changed: Changed<T>[];
  unchanged: number;
  /** Not comparable, since a source of theirs is not reliable in one of the two. */
  unknown: Compared<T>[];
  /** Objects that lie beyond the reach. */
  beyond: number;
};

/** A parked vehicle is seen a few metres from where it was. */
const MOVED_M = 25;
/** Percentage points: a smaller step of a battery decides nothing. */
const BATTERY_STEP = 5;

export function compare<T>(before: Side<T>, after: Side<T>): Changes<T> {
  const reach = nearerOf(before.reach, after.reach);
  const changes: Changes<T> = {
    ...{ reach, entered: [], left: [], changed: [], unchanged: 0, unknown: [], beyond: 0 },
  };
  const earlier = new Map(before.objects.map((object) => [object.id, object]));
  const later = new Map(after.objects.map((object) => [object.id, object]));
  for (const object of before.objects) {
    const now = later.get(object.id);
    if (now) judgePair({ before, after }, object, now, changes);
    else judgeAlone({ before, after }, object, changes.left, changes);
  }
  for (const object of after.objects)
    if (!earlier.has(object.id)) judgeAlone({ before, after }, object, changes.entered, changes);
  return changes;
}

function nearerOf(a: ComparedReach, b: ComparedReach): ComparedReach {
  if (a.radius_m === b.radius_m) return { radius_m: a.radius_m, isCut: a.isCut || b.isCut };
  return a.radius_m < b.radius_m ? a : b;
}

/** Of an object as far away as the farthest that was kept, another may have been dropped. */
function isWithin(
  { distance_m: at_m }: Compared<unknown>,
  { radius_m, isCut }: ComparedReach,
): boolean {
  return at_m === null || at_m < radius_m || (at_m === radius_m && !isCut);
}

type Sides<T> = { before: Side<T>; after: Side<T> };

function judgeAlone<T>(
  { before, after }: Sides<T>,
  object: Compared<T>,
  list: Placed<T>[],
  changes: Changes<T>,
): void {
  if (!isWithin(object, changes.reach)) changes.beyond++;
  else if (isPlaced(object) && isKnown(object, before) && isKnown(object, after)) list.push(object);
  else changes.unknown.push(object);
}

/** One that has moved across the edge of the reach is in both, and known of both. */
function judgePair<T>(
  sides: Sides<T>,
  before: Compared<T>,
  after: Compared<T>,
  changes: Changes<T>,
): void {
  if (!isWithin(before, changes.reach) && !isWithin(after, changes.reach)) {
    changes.beyond++;
    return;
  }
  const isComparable = isKnown(before, sides.before) && isKnown(after, sides.after);
  if (!isPlaced(before) || !isPlaced(after) || !isComparable) {
    changes.unknown.push(after);
    return;
  }
  const members = differencesOf(before, after);
  if (Object.keys(members).length === 0) changes.unchanged++;
  else changes.changed.push({ before, after, members });
}

function isPlaced<T>(object: Compared<T>): object is Placed<T> {
  return object.distance_m !== null && object.location !== null;
}

function isKnown({ sources }: Compared<unknown>, { reliable }: Side<unknown>): boolean {
  return sources.length > 0 && sources.every((source) => reliable.has(source));
}

function differencesOf(
  before: Placed<unknown>,
  after: Placed<unknown>,
): Record<string, Difference> {
  const differences: Record<string, Difference> = {};
  for (const name of new Set([...Object.keys(before.members), ...Object.keys(after.members)])) {
    const [was, is] = [before.members[name] ?? null, after.members[name] ?? null];
    if (!isSame(name, was, is)) differences[name] = { before: was, after: is };
  }
  const [from, to] = [before.location, after.location];
  if (distance_m(from.lat, from.lon, to.lat, to.lon) > MOVED_M)
    differences["location"] = { before: from, after: to };
  return differences;
}

function isSame(name: string, was: Value, is: Value): boolean {
  if (name === "battery" && typeof was === "number" && typeof is === "number")
    return Math.abs(is - was) < BATTERY_STEP;
  return was === is;
}
