/** Ways on foot of a deployment: of the first base that covers a point and has streets. */
import type { Location } from "#kit/geo.ts";
import type { NoWalkBase, PinnedWalks, Walks, WaysBetween } from "#ports/walks.ts";
import type { HeldBase } from "./held-base.ts";
import type { Bases } from "./shelf.ts";

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
  return {
    pin: (circle, signal) => pinned(find(circle), circle, signal),
    pinBetween(from, to, { most_m, signal }) {
      const base = find(from, to);
      if (base !== "outside_bases") return pinned(base, { ...from, radius_m: most_m }, signal);
      const ends = [find(from), find(to)];
      if (ends.includes("outside_bases")) return none("outside_bases");
      return none(
        ends.includes("base_without_walking") ? "base_without_walking" : "different_bases",
      );
    },
  };
}

/** The streets of a base in a circle. A page that cannot be read has none at its points, and ends the base at its cell. */
async function pinned(
  base: HeldBase | NoWalkBase,
  circle: Location & { radius_m: number },
  signal?: AbortSignal,
): Promise<PinnedWalks> {
  if (typeof base === "string") return await none(base);
  const { statement, pages } = base;
  const own = await pages.pin(pages.around(circle), signal);
  const first = pages.at(circle);
  const walker = own.pages.find(({ number }) => number === first)?.page.walker ?? null;
  const isWhole = own.missing.length === 0;
  const coversCircle: HeldBase["coversCircle"] = (each) => isWhole && base.coversCircle(each);
  return {
    base: walker === null ? "base_without_walking" : { statement, walker, coversCircle },
    [Symbol.dispose]: () => own[Symbol.dispose](),
  };
}

function none<No extends string>(base: No): Promise<PinnedWalks<No>> {
  return Promise.resolve({ base, [Symbol.dispose]: () => undefined });
}
