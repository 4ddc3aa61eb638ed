/** Finds one station or vehicle in what a search has collected, without making objects of the others. */
import type { Blob } from "#kit/bytes.ts";
import { readId, startOfId } from "#world/head-id.ts";
import { caseOf, headOf, type Hits } from "#world/nearby-hits.ts";

/** Puts the nearest hit of this id first in `hits.order`; returns how many there are, 1 or 0. */
export function bringOnly(hits: Hits, id: string): 0 | 1 {
  const wanted = Buffer.from(id);
  let match = -1;
  for (let hit = 0; hit < hits.count; hit++) {
    if (match !== -1 && hits.decimetres[hit]! >= hits.decimetres[match]!) continue;
    const entry = caseOf(hits, hit);
    const isIt = entry
      ? entry.view.caseAt(entry.place).id === id
      : hasId(headOf(hits, hit), hits.row[hit]!, wanted);
    if (isIt) match = hit;
  }
  if (match === -1) return 0;
  hits.order[0] = match;
  return 1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Compares where the id lies; one with an escape is read first. */
function hasId(head: Blob, row: number, wanted: Buffer): boolean {
  const start = startOfId(head, row);
  for (let i = 0; i < wanted.length; i++) {
    const byte = head.bytes[start + i]!;
    if (byte === BACKSLASH) return readId(head, row).equals(wanted);
    if (byte !== wanted[i]) return false;
  }
  return head.bytes[start + wanted.length] === QUOTE;
}
