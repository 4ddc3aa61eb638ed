/** A station that is more than its own row, as values: its facts, and the systems that observe it. */
import type { ScoredPair } from "#stations/identity/match-stations.ts";
import type { PackedRoles } from "#stations/identity/roles.ts";
import type { ResolutionStatus } from "#stations/identity/resolve.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { Statics } from "#stations/shard/shard-statics.ts";
import type { Closures } from "#world/closures.ts";
import type { StationHours } from "#world/station-hours.ts";

/** A system as identity sees it; an entry of the world (world.ts) is one. */
export type ResolvedSystem = {
  readonly source_id: string;
  shard: Shard | null;
  closures: Closures | null;
  hours: StationHours | null;
};

/** A system of a group, with the static pack that it was resolved by. */
export type CasePart = { entry: ResolvedSystem; statics: Statics };

/** One source's view of a station: a row of its system's static pack. */
export type Member = CasePart & {
  /** Place of its system in the group. */
  part: number;
  row: number;
};

/** Another station that may be this one, and what speaks for and against it. */
type NearMiss = { member: Member; score: number; reasons: ScoredPair["reasons"] };

/** A pair of members, by their places in `members`. */
type CasePair = Pick<ScoredPair, "score" | "reasons"> & { a: number; b: number };

export type StationCase = {
  id: string;
  status: ResolutionStatus;
  /** 0..1; null: nothing but itself was found. */
  confidence: number | null;
  /** Best source first: it says where the station is; the freshest one says what it holds. */
  members: readonly Member[];
  pairs: readonly CasePair[];
  near: readonly NearMiss[];
};

/** Systems that were resolved together, and their cases. */
export type CaseGroup = {
  readonly parts: readonly CasePart[];
  readonly roles: PackedRoles;
  /** Facts of a case. */
  caseAt(place: number): StationCase;
};
