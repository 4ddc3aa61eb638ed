/**
 * The world of one thread as another one shows it: which systems there are, their snapshots in shared memory,
 * and what was found of their stations and vehicles. The one that takes it over resolves and compares nothing.
 */
import type { Box } from "#kit/geo.ts";
import { type PackedRoles, openRoles } from "#stations/identity/roles.ts";
import { openAlerts } from "#stations/shard/shard-alerts.ts";
import { openStatics, type Statics } from "#stations/shard/shard-statics.ts";
import { openStatus } from "#stations/shard/shard-status.ts";
import { openVehicles } from "#stations/shard/shard-vehicles.ts";
import { openZones } from "#stations/shard/shard-zones.ts";
import type { LiveState, Shard, ShardPart } from "#stations/shard/shard.ts";
import { Cases } from "./identity/cases.ts";
import type { Standing, SystemEntry } from "./system-entry.ts";
import type { World } from "./world.ts";

/** A pack in shared memory; two of one number are the same. */
type HandedPack = { id: number; buffer: SharedArrayBuffer };
type HandedPart = { data: HandedPack | null; live: LiveState | null };
type HandedShard = {
  box: Box | null;
  statics: HandedPack;
  status: HandedPart | null;
  vehicles: HandedPart | null;
  alerts: HandedPart | null;
  zones: HandedPack | null;
};

type HandedLink = { other: string; yields: boolean; same: Int32Array; near: Int32Array };
type HandedSystem = Standing & {
  shard: HandedShard | null;
  /** Of its stations, and its place there; null: each of them is itself. */
  group: { id: number; part: number } | null;
  links: HandedLink[] | null;
};
/** Systems that were resolved together, with the packed roles of their rows. */
type HandedGroup = {
  id: number;
  parts: { source_id: string; statics: HandedPack }[];
  roles: SharedArrayBuffer;
};
export type HandedChange = { systems: HandedSystem[]; groups: HandedGroup[] };

/** Says what has changed in a world since it was last said. */
export class WorldGiver {
  readonly #world: Pick<World, "list">;
  readonly #numbers = new WeakMap<object, number>();
  #next = 1;
  /** Entries as they were when they were last handed over. */
  readonly #given = new Map<string, SystemEntry>();
  #groups = new WeakSet<Cases>();

  constructor(world: Pick<World, "list">) {
    this.#world = world;
  }

  /** All of it, for a thread that has nothing yet. */
  all(): HandedChange {
    return this.#toChange(this.#world.list(), new WeakSet());
  }

  /** What has changed since this was last called; null: nothing. */
  changes(): HandedChange | null {
    const changed = this.#world
      .list()
      .filter((entry) => !isAs(entry, this.#given.get(entry.source_id)));
    if (changed.length === 0) return null;
    for (const entry of changed) this.#given.set(entry.source_id, { ...entry });
    return this.#toChange(changed, this.#groups);
  }

  #toChange(entries: readonly SystemEntry[], given: WeakSet<Cases>): HandedChange {
    const groups = new Set(entries.flatMap(({ roles }) => (roles ? [roles.cases] : [])));
    const fresh = [...groups].filter((cases) => !given.has(cases));
    for (const cases of fresh) given.add(cases);
    return {
      systems: entries.map((entry) => this.#toSystem(entry)),
      groups: fresh.map((cases) => this.#toGroup(cases)),
    };
  }

  #toSystem(entry: SystemEntry): HandedSystem {
    const { source_id, country, unread, box, surveyed, lost, shard, roles } = entry;
    const links = entry.vehicle_links?.map(({ other, yields, same, near }) => ({
      ...{ other: other.source_id, yields, same, near },
    }));
    const part = roles?.cases.parts.findIndex((each) => each.entry === entry) ?? -1;
    return {
      ...{ source_id, country, unread, box, surveyed, lost },
      shard: shard && this.#toShard(shard),
      group: roles && part >= 0 ? { id: this.#numberOf(roles.cases), part } : null,
      links: links ?? null,
    };
  }

  #toShard({ box, statics, zones, ...shard }: Shard): HandedShard {
    const { status, vehicles, alerts } = shard;
    return {
      box,
      statics: this.#toPack(statics, statics.buffer),
      zones: zones && this.#toPack(zones, zones.buffer),
      status: status && this.#toPart(status, ({ state }) => state.buffer),
      vehicles: vehicles && this.#toPart(vehicles, ({ state }) => state.buffer),
      alerts: alerts && this.#toPart(alerts, ({ buffer }) => buffer),
    };
  }

  #toPart<T extends object>(
    { data, live }: ShardPart<T>,
    bufferOf: (data: T) => ArrayBufferLike,
  ): HandedPart {
    return { data: data && this.#toPack(data, bufferOf(data)), live };
  }

  #toPack(pack: object, buffer: ArrayBufferLike): HandedPack {
    return { id: this.#numberOf(pack), buffer: buffer as SharedArrayBuffer };
  }

  #toGroup(cases: Cases): HandedGroup {
    return {
      id: this.#numberOf(cases),
      parts: cases.parts.map(({ entry, statics }) => ({
        source_id: entry.source_id,
        statics: this.#toPack(statics, statics.buffer),
      })),
      // All columns of them lie in one.
      roles: cases.roles.refs.buffer as unknown as SharedArrayBuffer,
    };
  }

  #numberOf(value: object): number {
    const known_number = this.#numbers.get(value) ?? this.#next++;
    this.#numbers.set(value, known_number);
    return known_number;
  }
}

const COMPARED = [
  ...(["country", "unread", "box", "surveyed", "lost"] as const),
  ...(["shard", "roles", "vehicle_links"] as const),
] as const;

function isAs(entry: SystemEntry, before: SystemEntry | undefined): boolean {
  return before !== undefined && COMPARED.every((member) => entry[member] === before[member]);
}

type Packs = Map<number, object>;

/** Shows in this world what another thread's world has. */
export class WorldTaker {
  readonly #world: World;
  /** Packs of each system by their numbers, so that those that stay are the same objects. */
  readonly #packs = new Map<string, Packs>();
  readonly #groups = new Map<number, { cases: Cases; roles: PackedRoles }>();

  constructor(world: World) {
    this.#world = world;
  }

  /** In one step. Returns the ids of the systems. */
  take({ systems, groups }: HandedChange): string[] {
    for (const system of systems) this.#show(system);
    for (const group of groups) this.#open(group);
    for (const { source_id, group } of systems) this.#setRoles(source_id, group);
    for (const { source_id, links } of systems) this.#setLinks(source_id, links);
    this.#forget();
    return systems.map(({ source_id }) => source_id);
  }

  #show({ shard, group: _group, links: _links, ...standing }: HandedSystem): void {
    const before = this.#packs.get(standing.source_id) ?? new Map();
    const packs: Packs = new Map();
    this.#packs.set(standing.source_id, packs);
    const open = <T extends object>(pack: HandedPack, make: (bytes: SharedArrayBuffer) => T): T => {
      const opened = (before.get(pack.id) as T | undefined) ?? make(pack.buffer);
      packs.set(pack.id, opened);
      return opened;
    };
    this.#world.show(standing, shard && toShard(standing.source_id, shard, open));
  }

  #open({ id, parts, roles: packed }: HandedGroup): void {
    if (this.#groups.has(id)) return;
    const roles = openRoles(packed);
    const found = parts.flatMap(({ source_id, statics }) => {
      const entry = this.#world.find(source_id);
      if (!entry) return [];
      const opened = this.#packs.get(source_id)?.get(statics.id) as Statics | undefined;
      return [{ entry, statics: opened ?? openStatics(statics.buffer) }];
    });
    if (found.length === parts.length)
      this.#groups.set(id, { roles, cases: new Cases(found, roles) });
  }

  #setRoles(source_id: string, group: HandedSystem["group"]): void {
    const entry = this.#world.find(source_id)!;
    const opened = group === null ? undefined : this.#groups.get(group.id);
    const of = opened?.roles.of[group?.part ?? -1];
    if (!opened || !of) entry.roles = null;
    else if (entry.roles?.cases !== opened.cases)
      entry.roles = { of, shown: opened.roles.shown[group!.part] ?? null, cases: opened.cases };
  }

  #setLinks(source_id: string, links: HandedLink[] | null): void {
    const linked = (links ?? []).flatMap(({ other: other_id, ...side }) => {
      const other = this.#world.find(other_id);
      return other ? [{ ...side, other }] : [];
    });
    this.#world.find(source_id)!.vehicle_links = linked.length > 0 ? linked : null;
  }

  /** Groups that no system is in. */
  #forget(): void {
    const used = new Set(this.#world.list().map(({ roles }) => roles?.cases));
    for (const [id, { cases }] of this.#groups) if (!used.has(cases)) this.#groups.delete(id);
  }
}

type Open = <T extends object>(pack: HandedPack, make: (bytes: SharedArrayBuffer) => T) => T;

function toShard(source_id: string, handed: HandedShard, open: Open): Shard {
  const { box, statics, status, vehicles, alerts, zones } = handed;
  const openPart = <T extends object>(
    { data, live }: HandedPart,
    make: (bytes: SharedArrayBuffer) => T,
  ): ShardPart<T> => ({ data: data && open(data, make), live });
  return {
    ...{ source_id, box },
    statics: open(statics, openStatics),
    status: status && openPart(status, openStatus),
    vehicles: vehicles && openPart(vehicles, openVehicles),
    alerts: alerts && openPart(alerts, openAlerts),
    zones: zones && open(zones, openZones),
  };
}
