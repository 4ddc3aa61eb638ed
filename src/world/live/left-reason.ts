/** Why a map does not show a row of a system any more. */
import type { LeftReason } from "#api/live.ts";
import type { Blob } from "#kit/bytes.ts";
import { caseOfRole, isHidden, PLAIN } from "#stations/identity/roles.ts";
import type { Shard } from "#stations/shard/shard.ts";
import { readId } from "#world/head-id.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { linksAt, resolveRow, SHOWN_ELSEWHERE } from "#world/vehicles/sightings.ts";
import { areLost } from "./live-source.ts";
import type { LiveRow } from "./live-rows.ts";

type Reason = Exclude<LeftReason, "moved">;
/** A pack whose rows are found by their ids; `rank`: the place of each in the order of them. */
type Ranked = { head: Blob; rank: Uint32Array };

export class LeftReasons {
  /** Rows in the order of their ids. */
  readonly #orders = new WeakMap<Uint32Array, Uint32Array>();

  /**
   * Says why a row that a system showed is not shown by it now. That a vehicle has moved is not
   * known here: it is shown, elsewhere.
   */
  of(entry: SystemEntry, left: Pick<LiveRow, "id" | "vehicle">, now_ms: number): Reason {
    const { shard } = entry;
    if (shard === null) return "source_lost";
    if (!left.vehicle) return this.#isStationElsewhere(entry, shard, left.id) ? "merged" : "gone";
    const vehicles = shard.vehicles?.data;
    if (!vehicles || areLost(shard, now_ms)) return "source_lost";
    const links = linksAt(entry, now_ms);
    const row = links === null ? NOT_FOUND : this.#find(vehicles, left.id);
    if (row === NOT_FOUND) return "gone";
    return resolveRow(shard, row, links!, now_ms) === SHOWN_ELSEWHERE ? "merged" : "gone";
  }

  #isStationElsewhere({ roles }: SystemEntry, { statics }: Shard, id: string): boolean {
    if (roles === null) return false;
    const row = this.#find(statics, id);
    // Its id may be one that a station has kept from a key that is gone.
    if (row === NOT_FOUND) return roles.cases.bridged().has(id);
    const role = roles.of[row]!;
    if (role === PLAIN) return false;
    return isHidden(role) || roles.cases.caseAt(caseOfRole(role)).id !== id;
  }

  #find({ head, rank }: Ranked, id: string): number {
    const order = this.#orderOf(rank);
    const bytes = Buffer.from(id);
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const compared = readId(head, order[middle]!).compare(bytes);
      if (compared === 0) return order[middle]!;
      if (compared < 0) low = middle + 1;
      else high = middle;
    }
    return NOT_FOUND;
  }

  #orderOf(rank: Uint32Array): Uint32Array {
    let order = this.#orders.get(rank);
    if (!order) {
      order = new Uint32Array(rank.length);
      for (let row = 0; row < rank.length; row++) order[rank[row]!] = row;
      this.#orders.set(rank, order);
    }
    return order;
  }
}

const NOT_FOUND = -1;
