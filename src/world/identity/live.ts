/** What the members of a case say of this moment: the counts shown, and who says otherwise. */
import { UNKNOWN, UNKNOWN_AVAILABILITY } from "#core/shard/status.ts";
import { type Case, type Member, sourceIdOf } from "./cases.ts";

const PROVENANCE = Buffer.from(`,"provenance":[`);
const NOTHING = Buffer.from(`,"availability":${JSON.stringify(UNKNOWN_AVAILABILITY)}`);

/** `,"availability":{…}` of the member that tells it; -1: nobody does, and all of it is unknown. */
export function availabilityOf({ members }: Case, live: number): Uint8Array {
  const member = members[live];
  if (!member) return NOTHING;
  const { bytes, offsets } = member.entry.shard!.status!.data!.middle;
  const start = offsets[member.row]!;
  const middle = Buffer.from(
    bytes.buffer,
    bytes.byteOffset + start,
    offsets[member.row + 1]! - start,
  );
  return middle.subarray(0, middle.lastIndexOf(PROVENANCE));
}

type Counts = { vehicles: number | null; docks: number | null };

/** The last item of the conflicts, with the comma it needs; empty where nobody differs. */
export function countConflict({ members }: Case, live: number, before: Buffer): string {
  const shown = members[live];
  if (!shown || members.length < 2) return "";
  const value = countsOf(shown)!;
  const others = members.flatMap((member) => {
    const counts = member === shown ? null : countsOf(member);
    return counts && differ(value, counts)
      ? [{ source_id: sourceIdOf(member), value: counts }]
      : [];
  });
  if (others.length === 0) return "";
  const conflict = { field: "availability", source_id: sourceIdOf(shown), value, others };
  const first = before.at(-1) === OPENING;
  return `${first ? "" : ","}${JSON.stringify(conflict)}`;
}

const OPENING = "[".charCodeAt(0);

function countsOf({ entry, row }: Member): Counts | null {
  const data = entry.shard!.status?.data;
  return data ? { vehicles: known(data.vehicles[row]!), docks: known(data.docks[row]!) } : null;
}

/** Unknown, and without a limit, are no numbers. */
function known(count: number): number | null {
  return count <= UNKNOWN ? null : count;
}

function differ(a: Counts, b: Counts): boolean {
  return isOther(a.vehicles, b.vehicles) || isOther(a.docks, b.docks);
}

function isOther(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && a !== b;
}
