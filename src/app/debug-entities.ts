/** Each listed entity with its observations, and those that were not merged into it (decisions, debug). */
import type { WeighedReason } from "#stations/identity/score.ts";
import { VEHICLE_CONFIDENCE } from "#stations/identity/vehicle-pairs.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { readText } from "#kit/bytes.ts";
import type { ShardPart, Shard } from "#stations/shard/shard.ts";
import type { StaticsMeta } from "#stations/shard/shard-statics.ts";
import { toRfc3339 } from "#kit/time.ts";
import { type FoundItem, itemId } from "#world/found.ts";
import { type CaseHit, isVehicle } from "#world/nearby-hits.ts";
import { readId } from "#world/head-id.ts";
import type { Member } from "#world/identity/station-case.ts";
import type { Sighting } from "#world/vehicles/sightings.ts";

type Entity = NonNullable<NearbyBodyValue["debug"]>["entities"][number];
/** An observation, however it came into its entity. */
type Described = Omit<Entity["observations"][number], keyof Joined>;

/** How the observation came into its entity; score null: it is the only one. */
type Joined = Pick<Entity["observations"][number], "merged" | "score" | "reasons">;
const ALONE: Joined = { merged: false, score: null, reasons: [] };

/** R11: of one brand and form, and next to it. */
const NEXT_TO_IT = { score: VEHICLE_CONFIDENCE.possible_match, reasons: ["distance"] };

const SAME_ID: Joined = { merged: true, score: VEHICLE_CONFIDENCE.merged, reasons: ["key_equal"] };

export function debugEntities(now_ms: number, items: readonly FoundItem[]): Entity[] {
  return items.map((item) => describeItem(now_ms, item));
}

function describeItem(now_ms: number, item: FoundItem): Entity {
  const { shard, row, merged } = item;
  if (merged) return describeCase(now_ms, merged);
  const id = itemId(item);
  if (!isVehicle(item.state)) {
    const observation = describeStation(now_ms, { statics: shard.statics, row }, shard);
    return { id, observations: [{ ...observation, ...ALONE }], near_misses: [] };
  }
  const joined = item.sightings.length === 0 ? ALONE : SAME_ID;
  const observations = [item, ...item.sightings].map((one) => ({
    ...describeVehicle(now_ms, one),
    ...joined,
  }));
  const near_misses = item.neighbours.map((one) => ({
    ...describeVehicle(now_ms, one),
    ...NEXT_TO_IT,
  }));
  return { id, observations, near_misses };
}

function describeVehicle(now_ms: number, { shard, row }: Sighting): Described {
  const { vehicles, statics } = shard;
  const { index, head } = vehicles!.data!;
  const id = readId(head, row).toString();
  return {
    ...namesOf(statics.meta, id.slice(`${statics.meta.system_id}:`.length)),
    location: { lat: index.lat[row]!, lon: index.lon[row]! },
    ...ageOf(vehicles, now_ms),
  };
}

function describeCase(now_ms: number, { view, place }: CaseHit): Entity {
  const { id, members, pairs, near } = view.caseAt(place);
  const { shards } = view;
  return {
    id,
    observations: members.map((member, i) => {
      const best = pairs
        .filter(({ a, b }) => a === i || b === i)
        .toSorted((x, y) => y.score - x.score)[0];
      const joined = best
        ? { merged: true, score: best.score, reasons: best.reasons.map(toReasonText) }
        : ALONE;
      return { ...describeStation(now_ms, member, shards[member.part]!), ...joined };
    }),
    near_misses: near.map(({ member, score, reasons }) => ({
      ...describeStation(now_ms, member, shards[member.part]!),
      score,
      reasons: reasons.map(toReasonText),
    })),
  };
}

/** `name_equal +6`: a finding and its weight (docs/identity.md). */
function toReasonText({ code, weight }: WeighedReason): string {
  return `${code} ${weight < 0 ? "" : "+"}${weight}`;
}

function describeStation(
  now_ms: number,
  { statics, row }: Pick<Member, "statics" | "row">,
  { status }: Shard,
): Described {
  const { index, ids, meta } = statics;
  return {
    ...namesOf(meta, readText(ids, row)),
    location: { lat: index.lat[row]!, lon: index.lon[row]! },
    ...ageOf(status, now_ms),
    report_age_s: secondsSince(status?.data?.last_reported[row] || null, now_ms),
  };
}

function namesOf({ system_id, network }: StaticsMeta, entity_id: string) {
  return { source_id: `${system_id}:${entity_id}`, network_id: network.id, entity_id };
}

/** Whole seconds since a moment in epoch seconds; null: it is not known. */
function secondsSince(at_s: number | null, now_ms: number): number | null {
  return at_s === null ? null : Math.max(0, Math.round(now_ms / 1000 - at_s));
}

function ageOf(part: ShardPart<unknown> | null, now_ms: number) {
  const doc_s = part?.live?.doc_s ?? null;
  return {
    observed_at: doc_s === null ? null : toRfc3339(doc_s),
    age_s: secondsSince(doc_s, now_ms),
  };
}
