/** Ways on foot of a deployment: of the first base that covers a point and has streets. */
import type { Location } from "#kit/geo.ts";
import type { LostBase } from "#osm/base/other-version.ts";
import { MAX_SNAP_M, SearchMemories, Walker } from "#osm/walking.ts";
import type { NoWalkBase, PinnedWalks, Walks, WaysBetween } from "#ports/walks.ts";
import type { HeldBase } from "./held-base.ts";
import type { Bases } from "./shelf.ts";

type Circle = Location & { radius_m: number };

type Reading = { memories: SearchMemories; signal?: AbortSignal | undefined };

export function createWalks(bases: Pick<Bases, "list" | "listUnread">): Walks & WaysBetween {
  /** Those with streets that cover all of the points, or why there is none. */
  const find = (...points: readonly Location[]): readonly HeldBase[] | NoWalkBase => {
    const covering = bases
      .list()
      .filter((base) => points.every(({ lat, lon }) => base.covers(lat, lon)));
    const walked = covering.filter(({ hasWalking }) => hasWalking);
    if (walked.length > 0) return walked;
    // One of another version needs a new import, too; of a damaged one the place is not known.
    const unread = bases
      .listUnread()
      .some(({ covers }) => points.every(({ lat, lon }) => covers(lat, lon)));
    return covering.length > 0 || unread ? "base_without_walking" : "outside_bases";
  };
  // The memory of searches: one takes no turns with another.
  const memories = new SearchMemories();
  return {
    pin: (circle, signal) => pinFirst(find(circle), [withStreets(circle)], { memories, signal }),
    pinBetween(from, to, { most_m, signal }) {
      const found = find(from, to);
      const circles = [
        { ...from, radius_m: most_m },
        { ...to, radius_m: 0 },
      ] as const;
      const [around, end] = circles.map(withStreets) as [Circle, Circle];
      if (found !== "outside_bases") return pinFirst(found, [around, end], { memories, signal });
      const ends = [find(from), find(to)];
      if (ends.includes("outside_bases")) return Promise.resolve(none("outside_bases"));
      return Promise.resolve(
        none(ends.includes("base_without_walking") ? "base_without_walking" : "different_bases"),
      );
    },
  };
}

/** The first base that can be read at the start; else why the first of them cannot. */
async function pinFirst(
  found: readonly HeldBase[] | NoWalkBase,
  circles: readonly [Circle, ...Circle[]],
  reading: Reading,
): Promise<PinnedWalks> {
  if (typeof found === "string") return none(found);
  let first: PinnedWalks | null = null;
  for (const base of found) {
    const own = await pinned(base, circles, reading);
    if (typeof own.base !== "string") return own;
    first ??= own;
  }
  return first!;
}

/**
 * The streets of a base in circles, the first around the start. A page that cannot be read has none at
 * its points, and ends the base at its cell.
 */
async function pinned(
  base: HeldBase,
  circles: readonly [Circle, ...Circle[]],
  { memories, signal }: Reading,
): Promise<PinnedWalks> {
  const { id, statement, pages } = base;
  const numbers = circles.flatMap((circle) => [...pages.around(circle)]);
  const own = await pages.pin(
    [...new Set(numbers)].sort((a, b) => a - b),
    signal,
  );
  const { missing } = own;
  const lostOf = (near: readonly number[]): LostBase | null => {
    const page = missing.find(({ number }) => near.includes(number));
    return page ? { id, reason: page.reason } : null;
  };
  const first = pages.at(circles[0]);
  const lost = first === null ? null : lostOf([first]);
  const isWithout = own.pages.some(({ number, page }) => number === first && page.walker === null);
  if (lost !== null || isWithout) {
    own[Symbol.dispose]();
    return lost === null ? none("base_without_walking") : { ...none("base_unreadable"), lost };
  }
  const walkers = own.pages.flatMap(({ page: { walker } }) => walker ?? []);
  const [only, more] = walkers;
  const walker = only && more === undefined ? only : new Walker(walkers, memories);
  const isWhole = missing.length === 0;
  return {
    base: {
      ...{ statement, walker },
      coversCircle: (circle) => isWhole && base.coversCircle(circle),
      lostAt: (point) =>
        isWhole ? null : lostOf(pages.around(withStreets({ ...point, radius_m: 0 }))),
    },
    ...(missing[0] && { lost: { id, reason: missing[0].reason } }),
    [Symbol.dispose]: () => own[Symbol.dispose](),
  };
}

/** The circle in which a way may be, with the streets next to it. */
function withStreets({ radius_m, ...at }: Circle): Circle {
  return { ...at, radius_m: radius_m + MAX_SNAP_M + 1 };
}

function none<No extends string>(base: No): PinnedWalks<No> {
  return { base, [Symbol.dispose]: () => undefined };
}
