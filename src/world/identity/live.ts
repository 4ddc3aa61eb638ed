/** What the members of a case say of this moment: who is shown, and who says otherwise. */
import { NO_STATUS_BIT } from "#core/nearby/bits.ts";
import { UNKNOWN } from "#core/shard/status.ts";
import type { Case, Member } from "./cases.ts";

/** A document this old says nothing certain any more (R7). */
export const DOCUMENT_OLD_S = 3600;
/** Puts whatever an old document says behind all that young ones say. */
const BEHIND_S = 1e10;

/** The member with the freshest counts (mobility.md 2.2): young documents first, then the report. */
export function findLive({ members }: Case, now_s: number): number {
  let best = -1;
  let best_s = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < members.length; i++) {
    const { entry, row } = members[i]!;
    const part = entry.shard!.status;
    const data = part?.data;
    if (!data || !part.live || data.state[row]! & NO_STATUS_BIT) continue;
    const { doc_s } = part.live;
    const reported_s = data.last_reported[row]!;
    const told_s = reported_s === 0 ? doc_s : reported_s;
    const at_s = now_s - doc_s > DOCUMENT_OLD_S ? told_s - BEHIND_S : told_s;
    if (at_s > best_s) {
      best_s = at_s;
      best = i;
    }
  }
  return best;
}

/** Does anybody else count otherwise than the member that is shown? Asked of every merged hit. */
export function hasCountConflict({ members }: Case, live: number): boolean {
  const shown = members[live];
  if (!shown) return false;
  for (let i = 0; i < members.length; i++)
    if (i !== live && differ(shown, members[i]!)) return true;
  return false;
}

function differ(a: Member, b: Member): boolean {
  const one = a.entry.shard!.status?.data;
  const other = b.entry.shard!.status?.data;
  if (!one || !other) return false;
  return (
    isOther(one.vehicles[a.row]!, other.vehicles[b.row]!) ||
    isOther(one.docks[a.row]!, other.docks[b.row]!)
  );
}

/** Unknown, and without a limit, are no numbers to differ from. */
function isOther(a: number, b: number): boolean {
  return a > UNKNOWN && b > UNKNOWN && a !== b;
}

/** The conflict of the counts, as an item of the conflicts. */
export function countConflict({ members, text }: Case, live: number): string {
  const shown = members[live]!;
  const { source_ids } = text();
  const others = members.flatMap((member, i) =>
    i !== live && differ(shown, member)
      ? [`{"source_id":${source_ids[i]},"value":${countsJson(member)}}`]
      : [],
  );
  return (
    `{"field":"availability","source_id":${source_ids[live]},"value":${countsJson(shown)},` +
    `"others":[${others.join(",")}]}`
  );
}

function countsJson({ entry, row }: Member): string {
  const { vehicles, docks } = entry.shard!.status!.data!;
  return `{"vehicles":${known(vehicles[row]!)},"docks":${known(docks[row]!)}}`;
}

function known(count: number): number | null {
  return count > UNKNOWN ? count : null;
}
