/** Ways on foot of a deployment: of the first base that covers a point and has streets. */
import type { Location } from "#kit/geo.ts";
import type { Walks, WaysBetween } from "#ports/walks.ts";
import type { Bases } from "./shelf.ts";

export function createWalks(bases: Pick<Bases, "list" | "listUnread">): Walks & WaysBetween {
  const find = (...points: readonly Location[]) => {
    const covering = bases
      .list()
      .filter((base) => points.every(({ lat, lon }) => base.covers(lat, lon)));
    const base = covering.find(({ walker }) => walker !== null);
    if (base) {
      const { statement, coversCircle } = base;
      return { statement, walker: base.walker!, coversCircle };
    }
    // One of another version needs a new import, too; of a damaged one the place is not known.
    const unread = bases
      .listUnread()
      .some(({ covers }) => points.every(({ lat, lon }) => covers(lat, lon)));
    return covering.length > 0 || unread ? "base_without_walking" : "outside_bases";
  };
  return {
    at: (point) => find(point),
    between(from, to) {
      const base = find(from, to);
      if (base !== "outside_bases") return base;
      const ends = [find(from), find(to)];
      if (ends.includes("outside_bases")) return "outside_bases";
      return ends.includes("base_without_walking") ? "base_without_walking" : "different_bases";
    },
  };
}
