/**
 * Identity over the world's systems (§4.9): when the static part of one changes, the stations of it
 * and of the systems that may observe the same ones are resolved again, elsewhere (GroupResolver),
 * and the result is put in place in one step with the new part. Never per query. Unconnected parts
 * do not affect one another (packages/stations/identity/match-stations), so the rest stays as it was.
 */
import { boxesTouch } from "#kit/geo.ts";
import {
  derivedIds,
  type GroupJob,
  type GroupResolver,
  type GroupResult,
} from "#stations/identity/group.ts";
import {
  DIFFERENT,
  kinshipOf,
  type PreparedFeed,
  prepareFeed,
} from "#stations/identity/kinship.ts";
import { areRivals } from "#stations/identity/succession.ts";
import { type IdTexts, packIds, readIds } from "#stations/identity/id-texts.ts";
import type { Overrides } from "#stations/identity/observed-station.ts";
import { openRoles, type ShownRows } from "#stations/identity/roles.ts";
import { feedOf } from "#stations/shard/observations.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { Statics } from "#stations/shard/shard-statics.ts";
import { dockStates, rentsOf } from "#stations/shard/shard-status.ts";
import type { Bridges } from "#ports.ts";
import { continueWith, type Eventual } from "#world/eventual.ts";
import { BorrowedIds } from "./borrowed-ids.ts";
import { Cases } from "./cases.ts";
import type { ResolvedSystem } from "./station-case.ts";

export type IdentityDeps = {
  bridges: Bridges;
  overrides: Overrides;
  now(): number;
  resolve: GroupResolver;
  /** Lets waiting requests have their turn, between two pieces of what is stored; absent: at once. */
  pause?: (() => Promise<void>) | undefined;
  /**
   * `unresolved`: no result in time, so its stations are shown as they are. `too_dense`: too
   * many stations at one place, so that they are compared with no others.
   */
  onTrouble?:
    | ((trouble: { source_id: string; reason: "unresolved" | "too_dense" }) => void)
    | undefined;
};

/** Result of resolution for one system's rows; null on the entry: every row is itself. */
export type Roles = {
  /** By row (packages/stations/identity/roles). */
  of: Uint32Array;
  /** The rows that no other system's row shows; null: all. */
  shown: ShownRows | null;
  /** Of its group. */
  cases: Cases;
};

/** A system whose roles are put in place here. */
export type IdentifiedSystem = ResolvedSystem & { roles: Roles | null };

/** The outcome for a new static part. */
type Settled = {
  /** Why it must not be shown; null: it may. */
  refused: "too_dense" | null;
  /**
   * Puts the roles in place; to be called in the step that shows the static part. What is stored may
   * take longer.
   */
  apply(): Eventual<void>;
};

export type Identity = {
  /**
   * Resolves the stations of `shard`, which is not shown yet, with those of the systems around it.
   * One call at a time; `others` are all systems of the world.
   */
  settle(
    entry: IdentifiedSystem,
    shard: Shard,
    others: readonly IdentifiedSystem[],
  ): Eventual<Settled>;
  /** Does it say now whether it has something to rent, and did not say so when it was resolved? */
  hasTurned(entry: IdentifiedSystem): boolean;
};

/** A system of a group, with the static part it is resolved by. */
type Part = { entry: IdentifiedSystem; shard: Shard };

const NO_PARTNERS: ReadonlySet<string> = new Set();

/** A station's length north of the box's edge: no two observations of one lie further apart. */
const MARGIN_DEG = 0.0025;

export function createIdentity(deps: IdentityDeps): Identity {
  return new Groups(deps);
}

class Groups implements Identity {
  readonly #deps: IdentityDeps;
  readonly #since = new Map<string, number>();
  readonly #ids = new Map<string, IdTexts>();
  readonly #borrowed = new BorrowedIds();
  readonly #feeds = new WeakMap<Statics, PreparedFeed>();
  /** Packs that are resolved with no other system's. */
  readonly #alone = new WeakSet<Statics>();
  /** By what each system of a group was resolved last: had it something to rent? null: it did not say. */
  readonly #rented = new Map<IdentifiedSystem, boolean | null>();
  /** And of a system with a rival in its group: which of its docks rented? */
  readonly #docks = new Map<IdentifiedSystem, Uint8Array>();

  constructor(deps: IdentityDeps) {
    this.#deps = deps;
  }

  settle(
    entry: IdentifiedSystem,
    shard: Shard,
    others: readonly IdentifiedSystem[],
  ): Eventual<Settled> {
    this.#register(entry.source_id);
    const before = entry.shard?.statics ?? null;
    const isNew = before !== shard.statics;
    const recalled = isNew ? this.#deps.bridges.recall(entry.source_id) : null;
    const past = isNew ? { statics: before?.buffer ?? null, recalled } : null;
    const group = this.#findGroup({ entry, shard }, others);
    return continueWith(this.#ask(group, past), (result) => {
      if (!result) return this.#settleApart(group, past);
      const refused = isNew && result.crowded.includes(0) ? "too_dense" : null;
      return { refused, apply: () => this.#place(group, result) };
    });
  }

  hasTurned(entry: IdentifiedSystem): boolean {
    const rents = rentsOf(entry.shard?.status?.data ?? null);
    const then = this.#rented.get(entry);
    if (rents !== null && then !== undefined && then !== rents) return true;
    const status = entry.shard?.status?.data;
    const docks = this.#docks.get(entry);
    return !!status && docks !== undefined && !areEqual(dockStates(status), docks);
  }

  /** Sources as they become known, so that the ids of the older ones hold. */
  #register(source_id: string): void {
    if (this.#since.has(source_id)) return;
    const { bridges, now } = this.#deps;
    for (const [id, ms] of bridges.meet([source_id], now())) this.#since.set(id, ms);
  }

  #idsOf(source_id: string): IdTexts {
    let known_id = this.#ids.get(source_id);
    if (!known_id) {
      known_id = packIds(this.#deps.bridges.listIds(source_id));
      this.#ids.set(source_id, known_id);
      this.#borrowed.note(source_id, known_id);
    }
    return known_id;
  }

  #feedIn({ statics }: Shard): PreparedFeed {
    let feed = this.#feeds.get(statics);
    if (!feed) this.#feeds.set(statics, (feed = prepareFeed(feedOf(statics))));
    return feed;
  }

  /**
   * The systems that may see the same stations as this one, or as one that may, and so on; those that
   * did until now, since their stations may have been shown by rows that are gone; and those of which
   * one has an id made of a key of the other.
   */
  #findGroup(first: Part, others: readonly IdentifiedSystem[]): Part[] {
    const group = [first];
    const left = new Set(others);
    left.delete(first.entry);
    for (const { source_id } of left) this.#idsOf(source_id);
    const partners = this.#partnersOf(first);
    for (const entry of left) {
      const { shard } = entry;
      if (!shard) continue;
      const isPartner = partners.has(entry.source_id) && !this.#alone.has(shard.statics);
      if (!isPartner && !haveCasesTogether(first.entry, entry)) continue;
      left.delete(entry);
      group.push({ entry, shard });
    }
    for (const one of group)
      for (const entry of this.#alone.has(one.shard.statics) ? [] : left) {
        const { shard } = entry;
        if (!shard || this.#alone.has(shard.statics) || !this.#mayShare(one.shard, shard)) continue;
        left.delete(entry);
        group.push({ entry, shard });
      }
    return group;
  }

  #partnersOf({ entry, shard: { statics } }: Part): ReadonlySet<string> {
    if (this.#alone.has(statics)) return NO_PARTNERS;
    return this.#borrowed.partnersOf(entry.source_id, () => derivedIds(statics));
  }

  #mayShare(a: Shard, b: Shard): boolean {
    const [here, other] = [a.statics.meta.box, b.statics.meta.box];
    if (!here || !other || !boxesTouch(here, other, MARGIN_DEG)) return false;
    return kinshipOf(this.#feedIn(a), this.#feedIn(b)) !== DIFFERENT;
  }

  /** While its live part is away, what it was resolved by last. */
  #rentsOf({ entry, shard }: Part): boolean | null {
    return rentsOf(shard.status?.data ?? null) ?? this.#rented.get(entry) ?? null;
  }

  /** While its live part is away, what it was resolved by last, if its docks are the same. */
  #docksOf({ entry, shard }: Part): Uint8Array | null {
    const status = shard.status?.data;
    if (status) return dockStates(status);
    const docks = this.#docks.get(entry);
    return docks?.length === shard.statics.count ? docks : null;
  }

  /** Another system that counts for itself, and claims the same network. */
  #hasRival({ shard }: Part, group: readonly Part[]): boolean {
    const feed = this.#feedIn(shard);
    return group.some(
      ({ shard: other }) => other !== shard && areRivals(feed, this.#feedIn(other)),
    );
  }

  #ask(group: readonly Part[], past: GroupJob["past"]): Eventual<GroupResult | null> {
    const { overrides, resolve, now } = this.#deps;
    const systems = group.map(({ entry, shard }) => ({
      source_id: entry.source_id,
      statics: shard.statics.buffer,
      since_ms: this.#since.get(entry.source_id) ?? 0,
      ids: this.#idsOf(entry.source_id),
      rents: this.#rentsOf({ entry, shard }),
      docks: this.#docksOf({ entry, shard }),
    }));
    return resolve({ systems, past, overrides, now_s: Math.floor(now() / 1000) });
  }

  /** Roles and ids of a group, in one step without a loop over its stations; then they are stored. */
  #place(group: readonly Part[], result: GroupResult): Eventual<void> {
    const roles = openRoles(result.roles);
    const parts = group.map(({ entry, shard: { statics } }) => ({ entry, statics }));
    const cases = new Cases(parts, roles);
    group.forEach(({ entry, shard }, system) => {
      const of = roles.of[system]!;
      entry.roles = of && { of, shown: roles.shown[system]!, cases };
      if (group.length < 2) this.#rented.delete(entry);
      else this.#rented.set(entry, this.#rentsOf({ entry, shard }));
      const docks = this.#hasRival({ entry, shard }, group)
        ? this.#docksOf({ entry, shard })
        : null;
      if (docks) this.#docks.set(entry, docks);
      else this.#docks.delete(entry);
      this.#ids.set(entry.source_id, result.ids[system] ?? this.#idsOf(entry.source_id));
      this.#borrowed.note(entry.source_id, result.changes[system]!);
    });
    // Whose ids are whose keys' from now on.
    if (result.changes.some(({ length }) => length > 0))
      for (const part of group) this.#partnersOf(part);
    for (const system of result.crowded) {
      const { entry, shard } = group[system]!;
      this.#alone.add(shard.statics);
      this.#deps.onTrouble?.({ source_id: entry.source_id, reason: "too_dense" });
    }
    const stored = group.flatMap(({ entry: { source_id } }, system) =>
      piecesOf(source_id, result.changes[system]!, system === 0 ? result.seen : null),
    );
    return this.#store(stored);
  }

  /** A piece at a time. */
  #store([first, ...rest]: readonly Piece[]): Eventual<void> {
    if (!first) return;
    const { bridges, pause } = this.#deps;
    const { source_id, text, seen } = first;
    bridges.save(source_id, { ids: new Map(text === null ? [] : readIds(text)), seen });
    if (rest.length === 0 || !pause) return this.#store(rest);
    return pause().then(() => this.#store(rest));
  }

  /** Nothing came: its stations are shown as they are, and its neighbours as if it were not there. */
  #settleApart(group: readonly Part[], past: GroupJob["past"]): Eventual<Settled> {
    const [first, ...rest] = group as [Part, ...Part[]];
    this.#deps.onTrouble?.({ source_id: first.entry.source_id, reason: "unresolved" });
    // Roles of a pack that stays are as right as they were.
    if (past === null) return { refused: null, apply: () => {} };
    this.#alone.add(first.shard.statics);
    return continueWith(this.#ask([first], past), (own) =>
      continueWith(rest.length > 0 ? this.#ask(rest, null) : null, (others) => ({
        refused: null,
        apply: () => {
          for (const { entry } of group) entry.roles = null;
          const stored = own ? this.#place([first], own) : undefined;
          const neighbours = others ? this.#place(rest, others) : undefined;
          return continueWith(stored, () => neighbours);
        },
      })),
    );
  }
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function haveCasesTogether(a: IdentifiedSystem, b: IdentifiedSystem): boolean {
  return a.roles !== null && a.roles.cases === b.roles?.cases;
}

type Piece = { source_id: string; text: string | null; seen: Uint8Array | null };

/**
 * What a source publishes is stored with the last of its ids: until then a restart finds the old keys
 * remembered, and hands their ids on once more.
 */
function piecesOf(source_id: string, texts: IdTexts, seen: Uint8Array | null): Piece[] {
  if (texts.length === 0) return seen ? [{ source_id, text: null, seen }] : [];
  return texts.map((text, i) => ({
    source_id,
    text,
    seen: i === texts.length - 1 ? seen : null,
  }));
}
