/** Ways on foot of a deployment: of the first base that covers a point and has streets. */
import type { Walks } from "#ports/walks.ts";
import type { Bases } from "./shelf.ts";

export function createWalks(bases: Pick<Bases, "list">): Walks {
  return {
    at({ lat, lon }) {
      const covering = bases.list().filter((base) => base.covers(lat, lon));
      const base = covering.find(({ walker }) => walker !== null);
      if (base) return { statement: base.statement, walker: base.walker! };
      return covering.length > 0 ? "base_without_walking" : "outside_bases";
    },
  };
}
