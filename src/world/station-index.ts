/**
 * Stations by their public ids (R11). The order of the ids of a pack is made when a station of it is
 * first looked up, and kept as long as the pack.
 */
import { caseOfRole, PLAIN } from "#stations/identity/roles.ts";
import type { Blob } from "#kit/bytes.ts";
import type { Statics } from "#stations/shard/shard-statics.ts";
import { startOfId } from "#world/head-id.ts";
import type { StationCase } from "#world/identity/station-case.ts";
import type { Roles } from "#world/identity/world-identity.ts";
import type { SystemEntry } from "#world/system-entry.ts";

/** Where a station is shown: the row of the system that says where it is. */
export type StationPlace = {
  entry: SystemEntry;
  statics: Statics;
  row: number;
  roles: Roles | null;
  /** Systems that observe it, `entry` first. */
  observers: readonly SystemEntry[];
};

/** Returns the coordinates of a station. */
export function pointOfRow({ statics: { index }, row }: StationPlace): {
  lat: number;
  lon: number;
} {
  return { lat: index.lat[row]!, lon: index.lon[row]! };
}

export class StationIndex {
  /** Rows in the order of their ids. */
  readonly #orders = new WeakMap<Statics, Uint32Array>();

  /**
   * Finds the station that answers show under this id; null: none of these systems has it. `first`:
   * where it was before, or undefined.
   */
  find(entries: readonly SystemEntry[], id: string, first?: SystemEntry): StationPlace | null {
    const bytes = Buffer.from(id);
    for (const entry of first ? [first, ...entries] : entries) {
      const place = this.#findOwn(entries, entry, bytes);
      if (place) return place;
    }
    return findBridged(entries, id);
  }

  /** By an id that is made of a key of the system. */
  #findOwn(entries: readonly SystemEntry[], entry: SystemEntry, id: Buffer): StationPlace | null {
    const { shard, roles } = entry;
    if (shard === null) return null;
    const { statics } = shard;
    const row = findRow(statics, this.#orderOf(statics), id);
    if (row === -1) return null;
    const role = roles?.of[row] ?? PLAIN;
    if (role === PLAIN) return { entry, statics, row, roles, observers: [entry] };
    const of = roles!.cases.caseAt(caseOfRole(role));
    // Else it is shown under another id.
    return of.id === id.toString() ? toPlace(of, entries) : null;
  }

  #orderOf(statics: Statics): Uint32Array {
    const known_order = this.#orders.get(statics);
    if (known_order) return known_order;
    const order = new Uint32Array(statics.count);
    statics.rank.forEach((rank, row) => (order[rank] = row));
    this.#orders.set(statics, order);
    return order;
  }
}

/** -1: it is not there. */
function findRow({ head }: Statics, order: Uint32Array, id: Buffer): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = order[middle]!;
    const compared = compareId(head, row, id);
    if (compared === 0) return row;
    if (compared < 0) low = middle + 1;
    else high = middle;
  }
  return -1;
}

/** Compares where it lies, since a search over many systems reads many; ids of stations have one length. */
function compareId(head: Blob, row: number, id: Uint8Array): number {
  const start = startOfId(head, row);
  for (let i = 0; i < id.length; i++) {
    const difference = head.bytes[start + i]! - id[i]!;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** By an id that a station has kept from a key that is gone (packages/stations/identity/inherit). */
function findBridged(entries: readonly SystemEntry[], id: string): StationPlace | null {
  // Systems that were resolved together share them.
  const read = new Set<ReadonlyMap<string, number>>();
  for (const { roles } of entries) {
    const bridged = roles?.cases.bridged();
    if (!bridged || read.has(bridged)) continue;
    read.add(bridged);
    const place = bridged.get(id);
    if (place !== undefined) return toPlace(roles!.cases.caseAt(place), entries);
  }
  return null;
}

function toPlace({ members }: StationCase, entries: readonly SystemEntry[]): StationPlace | null {
  const systems = members.map((member) => entries.find((entry) => entry === member.entry)!);
  const [entry] = systems;
  const [lead] = members;
  if (!entry || !lead) return null;
  const { statics, row } = lead;
  return { entry, statics, row, roles: entry.roles, observers: [...new Set(systems)] };
}
