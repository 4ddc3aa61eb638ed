/** Reads the ids of a search's result back from the packs, as an answer would show them. */
import type { Blob } from "#kit/bytes.ts";
import { readText } from "#kit/bytes.ts";
import type { Hits } from "#world/nearby-hits.ts";
import { isVehicle } from "#world/nearby-hits.ts";

/** Ids of each pack, read once. */
const cache = new WeakMap<Uint8Array, string[]>();

/** Ids in the order of the answer. */
export function idsOf(hits: Hits): string[] {
  const ids: string[] = [];
  for (let position = 0; position < hits.count; position++) {
    const hit = hits.order[position]!;
    const shard = hits.systems[hits.system[hit]!]!.shard!;
    const head = isVehicle(hits.state[hit]!) ? shard.vehicles!.data!.head : shard.statics.head;
    ids.push(idsIn(head)[hits.row[hit]!]!);
  }
  return ids;
}

function idsIn(head: Blob): string[] {
  const read = cache.get(head.bytes);
  if (read) return read;
  const ids = Array.from({ length: head.offsets.length - 1 }, (_, row) =>
    idIn(readText(head, row)),
  );
  cache.set(head.bytes, ids);
  return ids;
}

/** The first member of an item, which is its id. */
function idIn(item: string): string {
  const quoted = /^\{"[a-z_]+":("(?:[^"\\]|\\.)*")/.exec(item)![1]!;
  return JSON.parse(quoted) as string;
}
