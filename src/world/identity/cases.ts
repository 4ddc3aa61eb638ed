/**
 * Stations that are more than their own row: seen by several sources, a near miss of one, or known
 * by an id that is not made of its key. The cases of one group of systems, with their state as the
 * sources report it now (./case-view).
 */
import type { PackedRoles, RowRef } from "#stations/identity/roles.ts";
import { resolutionStatus } from "#stations/identity/resolve.ts";
import { readId } from "#world/head-id.ts";
import { CaseView } from "./case-view.ts";
import type { CaseGroup, CasePart, Member, StationCase } from "./station-case.ts";

/** The cases of a group of systems that were resolved together. */
export class Cases implements CaseGroup {
  readonly parts: readonly CasePart[];
  readonly roles: PackedRoles;
  readonly #made: (StationCase | undefined)[] = [];
  #view: CaseView | null = null;
  #bridged: ReadonlyMap<string, number> | null = null;
  #sharing: ReadonlyMap<string, ReadonlySet<string>> | null = null;

  constructor(parts: readonly CasePart[], roles: PackedRoles) {
    this.parts = parts;
    this.roles = roles;
  }

  /** Facts of a case, made when they are first asked for, and kept. */
  caseAt(place: number): StationCase {
    return (this.#made[place] ??= this.#make(place));
  }

  /** Places of the cases whose id is made of no key of theirs, by that id; read once, when asked for. */
  bridged(): ReadonlyMap<string, number> {
    return (this.#bridged ??= this.#findBridged());
  }

  /** Ids of the other systems that observe a station of this one; read once, when asked for. */
  listSharing(source_id: string): Iterable<string> {
    return (this.#sharing ??= this.#findSharing()).get(source_id) ?? [];
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

  #findBridged(): ReadonlyMap<string, number> {
    const bridged = new Map<string, number>();
    for (let place = 0; place < this.roles.count; place++) {
      const { id, members } = this.roles.caseAt(place);
      const isOwn = members.some(
        ([part, row]) => readId(this.parts[part]!.statics.head, row).toString() === id,
      );
      if (!isOwn) bridged.set(id, place);
    }
    return bridged;
  }

  #findSharing(): ReadonlyMap<string, ReadonlySet<string>> {
    const { count, refs, refs_at } = this.roles;
    const idOf = (ref: number): string => this.parts[refs[2 * ref]!]!.entry.source_id;
    const of = new Map(this.parts.map(({ entry }) => [entry.source_id, new Set<string>()]));
    for (let place = 0; place < count; place++)
      for (let a = refs_at[place]!; a < refs_at[place + 1]!; a++)
        for (let b = refs_at[place]!; b < refs_at[place + 1]!; b++)
          if (refs[2 * a] !== refs[2 * b]) of.get(idOf(a))!.add(idOf(b));
    return of;
  }

  #make(place: number): StationCase {
    const { members, near, ...facts } = this.roles.caseAt(place);
    return {
      ...facts,
      status: resolutionStatus(members.length, near.length),
      members: members.map((ref) => this.#memberAt(ref)),
      near: near.map(({ of, ...evidence }) => ({ member: this.#memberAt(of), ...evidence })),
    };
  }

  #memberAt([part, row]: RowRef): Member {
    return { ...this.parts[part]!, part, row };
  }
}
