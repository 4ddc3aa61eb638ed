/**
 * What feeds say otherwise of one vehicle, as items of its `conflicts` (§2.9): the same form as of merged
 * stations. Unknown contradicts nothing.
 */
import { type Field, getField, TRI } from "#stations/shard/bits.ts";
import { readId } from "#world/head-id.ts";
import type { Sighting } from "./sightings.ts";

/** Members of a feed that a question's answer depends on, and their fields of the state. */
const FLAGS: readonly (readonly [member: string, field: Field])[] = [
  ["is_reserved", "reserved"],
  ["is_disabled", "disabled"],
];

/** JSON of the items, with commas between them; empty: there are none. `shown`: the row that leads. */
export function vehicleConflicts(listed: Sighting, others: readonly Sighting[]): string {
  return FLAGS.flatMap(([field, bits]) => {
    const value = flagOf(listed, bits);
    if (value === null) return [];
    const differing = others.flatMap((each) => {
      const flag = flagOf(each, bits);
      return flag === null || flag === value ? [] : [{ source_id: sourceIdOf(each), value: flag }];
    });
    if (differing.length === 0) return [];
    return JSON.stringify({ field, source_id: sourceIdOf(listed), value, others: differing });
  }).join(",");
}

function flagOf({ shard, row }: Sighting, bits: Field): boolean | null {
  const flag = getField(shard.vehicles!.data!.state[row]!, bits);
  return flag === TRI.unknown ? null : flag === TRI.yes;
}

function sourceIdOf({ shard, row }: Sighting): string {
  return readId(shard.vehicles!.data!.head, row).toString();
}
