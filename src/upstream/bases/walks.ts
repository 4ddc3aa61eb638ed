/** Ways on foot of a deployment: of the first base that covers a point and has streets. */
import type { Location } from "#kit/geo.ts";
import { MAX_SNAP_M, SearchMemories, Walker } from "#osm/walking.ts";
import type { NoWalkBase, PinnedWalks, Walks, WaysBetween } from "#ports/walks.ts";
import type { HeldBase } from "./held-base.ts";
import type { Bases } from "./shelf.ts";

type Circle = Location & { radius_m: number };

export function createWalks(bases: Pick<Bases, "list" | "listUnread">): Walks & WaysBetween {
  const find = (...points: readonly Location[]): HeldBase | NoWalkBase => {
    const covering = bases
      .list()
      .filter((base) => points.every(({ lat, lon }) => base.covers(lat, lon)));
    const base = covering.find(({ hasWalking }) => hasWalking);
    if (base) return base;
    // One of another version needs a new import, too; of a damaged one the place is not known.
    const unread = bases
      .listUnread()
      .some(({ covers }) => points.every(({ lat, lon }) => covers(lat, lon)));
    return covering.length > 0 || unread ? "base_without_walking" : "outside_bases";
  };
  // The memory of searches: one takes no turns with another.
  const memories = new SearchMemories();
  return {
    pin: (circle, signal) => pinned(find(circle), [withStreets(circle)], { memories, signal }),
    pinBetween(from, to, { most_m, signal }) {
      const base = find(from, to);
      const circles = [
        { ...from, radius_m: most_m },
        { ...to, radius_m: 0 },
      ] as const;
      const [around, end] = circles.map(withStreets) as [Circle, Circle];
      if (base !== "outside_bases") return pinned(base, [around, end], { memories, signal });
      const ends = [find(from), find(to)];
      if (ends.includes("outside_bases")) return none("outside_bases");
      return none(
        ends.includes("base_without_walking") ? "base_without_walking" : "different_bases",
      );
    },
  };
}

/**
 * The streets of a base in circles, the first around the start. A page that cannot be read has none at
 * its points, and ends the base at its cell.
 */
async function pinned(
  base: HeldBase | NoWalkBase,
  circles: readonly [Circle, ...Circle[]],
  { memories, signal }: { memories: SearchMemories; signal?: AbortSignal | undefined },
): Promise<PinnedWalks> {
  if (typeof base === "string") return await none(base);
  const { statement, pages } = base;
  const numbers = circles.flatMap((circle) => [...pages.around(circle)]);
  const own = await pages.pin(
    [...new Set(numbers)].sort((a, b) => a - b),
    signal,
  );
  const first = pages.at(circles[0]);
  const has = own.pages.some(({ number, page }) => number === first && page.walker !== null);
  const walkers = own.pages.flatMap(({ page: { walker } }) => walker ?? []);
  const [only, more] = walkers;
  const walker = only && (more === undefined ? only : new Walker(walkers, memories));
  const isWhole = own.missing.length === 0;
  const coversCircle: HeldBase["coversCircle"] = (each) => isWhole && base.coversCircle(each);
  return {
    base: has && walker ? { statement, walker, coversCircle } : "base_without_walking",
    [Symbol.dispose]: () => own[Symbol.dispose](),
  };
}

/** The circle in which a way may be, with the streets next to it. */
function withStreets({ radius_m, ...at }: Circle): Circle {
  return { ...at, radius_m: radius_m + MAX_SNAP_M + 1 };
}

function none<No extends string>(base: No): Promise<PinnedWalks<No>> {
  return Promise.resolve({ base, [Symbol.dispose]: () => undefined });
}
