/**
 * Stations that are more than their own row: seen by several sources, a near miss of one, or known
 * by an id that is not made of its key. The cases of one group of systems, with their state as the
 * sources report it now (./case-view).
 */
import type { ScoredPair } from "#core/identity/match.ts";
import type { PackedRoles, RowRef } from "#core/identity/roles.ts";
import { type ResolutionStatus, statusOf } from "#core/identity/resolve.ts";
import type { Shard } from "#core/shard/shard.ts";
import type { Statics } from "#core/shard/statics.ts";
import type { Closures } from "#world/closures.ts";
import { CaseView } from "./case-view.ts";

/** A system as identity sees it; an entry of the world (world.ts) is one. */
export type ResolvedSystem = {
  readonly source_id: string;
  shard: Shard | null;
  closures: Closures | null;
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

/** The cases of a group of systems that were resolved together. */
export class Cases {
  readonly parts: readonly CasePart[];
  readonly roles: PackedRoles;
  readonly #made: (StationCase | undefined)[] = [];
  #view: CaseView | null = null;

  constructor(parts: readonly CasePart[], roles: PackedRoles) {
    this.parts = parts;
    this.roles = roles;
  }

  /** Facts of a case, made when they are first asked for, and kept. */
  caseAt(place: number): StationCase {
    return (this.#made[place] ??= this.#make(place));
  }

  /** The cases as the shards shown now report them. */
  viewAt(now_s: number): CaseView {
    if (!this.#view?.holdsAt(now_s)) this.#view = new CaseView(this, now_s);
    return this.#view;
  }

  /** To be called whenever a system of the group has another shard. */
  renew(): void {
    this.#view = null;
  }

  #make(place: number): StationCase {
    const { members, near, ...facts } = this.roles.caseAt(place);
    return {
      ...facts,
      status: statusOf(members.length, near.length),
      members: members.map((ref) => this.#memberAt(ref)),
      near: near.map(({ of, ...evidence }) => ({ member: this.#memberAt(of), ...evidence })),
    };
  }

  #memberAt([part, row]: RowRef): Member {
    return { ...this.parts[part]!, part, row };
  }
}
