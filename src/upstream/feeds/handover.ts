/**
 * Handover of a system from one replica to the others (architecture, Scale): all that the runtime
 * remembers of it, as text, and its packs, as the bytes they are made of, named by their content.
 * Whatever is not to the byte what was written is no handover, and never a fault.
 */
import { hash } from "node:crypto";
import { parseJson } from "#kit/json.ts";
import { type Alerts, openAlerts } from "#stations/shard/shard-alerts.ts";
import { type ShardPart, type Shard, shardBox } from "#stations/shard/shard.ts";
import { openStatics, type Statics } from "#stations/shard/shard-statics.ts";
import { openStatus, type StatusPack } from "#stations/shard/shard-status.ts";
import { openZones, type Zones } from "#stations/shard/shard-zones.ts";
import { openVehicles, type Vehicles } from "#stations/shard/shard-vehicles.ts";
import { toShared } from "#kit/shared-bytes.ts";
import type { PublishedFeed } from "#ports.ts";
import { guard } from "#kit/guard.ts";
import type { FeedSystem } from "#upstream/feeds/feed-types.ts";
import {
  type FeedDiscovery,
  type FeedRecord,
  type FeedView,
  PART_FILES,
  PART_KEYS,
  type PartFile,
  partOf,
} from "#upstream/feeds/feed-view.ts";

/**
 * Version of the text, and of what lies in the packs: raised whenever a replica of the release
 * before could not read them, or would render other answers from them (test/unit/feeds/handover
 * holds it to that).
 */
export const FORMAT = 11;

/**
 * The name of a system at the exchange. It holds all that packs depend on besides what the publisher
 * says: replicas of other formats or configurations exchange among themselves, under another name.
 */
export function exchangeName(system: FeedSystem, protocol: string): string {
  const { id, url, mode_hint, name, network } = system;
  const facts = JSON.stringify([FORMAT, protocol, url, mode_hint, name, network]);
  return `${id}@${hash("sha256", facts, "base64url").slice(0, 12)}`;
}

/** Handed over as they are. */
const FACTS = [
  "files",
  "info",
  "statics_key",
  "loaded_at_ms",
  "memo",
  "survey",
  "paused_until_ms",
  "last_success_at_ms",
  "last_attempt_at_ms",
] as const satisfies readonly (keyof FeedRecord)[];

export type HandoverFacts = Pick<FeedRecord, (typeof FACTS)[number]>;

type Packs = {
  statics: Statics;
  status: StatusPack;
  vehicles: Vehicles;
  alerts: Alerts;
  zones: Zones;
};
type Slot = keyof Packs;
const SLOTS = ["statics", "status", "vehicles", "alerts", "zones"] as const;
const LIVE_SLOTS = ["status", "vehicles", "alerts"] as const satisfies readonly Slot[];

type LiveSlot = (typeof LIVE_SLOTS)[number];

type Written = {
  /** Of the writer's clock. */
  at_ms: number;
  facts: HandoverFacts;
  errors: ReturnType<FeedView["errors"]["steps"]>;
  discovery: (Omit<FeedDiscovery, "feeds"> & { feeds: [string, string][] }) | null;
  /** null: it has never been loaded. */
  shard: {
    packs: Partial<Record<Slot, string>>;
    live: Partial<Record<LiveSlot, ShardPart<unknown>["live"]>>;
  } | null;
};

export type Handover = Pick<Written, "at_ms" | "facts" | "errors"> & {
  discovery: FeedDiscovery | null;
  shard: Shard | null;
};

type HashedPack = { hash: string; bytes: Uint8Array };

/** Packs are immutable: each is hashed once. */
const byName = new WeakMap<object, HashedPack>();

/** Opens a pack of verified bytes. What it throws of is not one. */
const OPEN: { [S in Slot]: (bytes: Uint8Array) => Packs[S] } = {
  statics: (bytes) => openStatics(toBuffer(bytes)),
  status: (bytes) => openStatus(toBuffer(bytes)),
  vehicles: (bytes) => openVehicles(toBuffer(bytes)),
  alerts: (bytes) => openAlerts(toBuffer(bytes)),
  zones: (bytes) => openZones(toBuffer(bytes)),
};

/** The bytes of a pack, as they lie in memory where they do. */
const BYTES: { [S in Slot]: (pack: Packs[S]) => Uint8Array } = {
  statics: ({ buffer }) => new Uint8Array(buffer),
  status: ({ state }) => new Uint8Array(state.buffer),
  vehicles: ({ state }) => new Uint8Array(state.buffer),
  alerts: ({ buffer }) => new Uint8Array(buffer),
  zones: ({ buffer }) => new Uint8Array(buffer),
};

/** Hashes of the packs that are held. */
export function heldPacks(shard: Shard | null): Set<string> {
  return new Set(Array.from(listPacks(shard).values(), (pack) => pack.hash));
}

/** Writes a handover. `packs`: all that the text refers to, new or not, without a copy. */
export function writeHandover(
  view: FeedView,
  now_ms: number,
): { state: string; packs: Map<string, Uint8Array> } {
  const { shard, discovery } = view;
  const packs = listPacks(shard);
  const live = LIVE_SLOTS.map((slot) => [slot, shard?.[slot]?.live ?? null] as const);
  const offered = live.filter(([slot]) => shard?.[slot]);
  const written: Written = {
    at_ms: now_ms,
    facts: Object.fromEntries(FACTS.map((fact) => [fact, view[fact]])) as HandoverFacts,
    errors: view.errors.steps(),
    discovery: discovery && { ...discovery, feeds: [...discovery.feeds] },
    shard: shard && {
      packs: Object.fromEntries([...packs].map(([slot, pack]) => [slot, pack.hash])),
      live: Object.fromEntries(offered),
    },
  };
  const text = JSON.stringify(written, (_key, value) => (value === Infinity ? NEVER : value));
  const bytes = Array.from(packs.values(), (pack) => [pack.hash, pack.bytes] as const);
  return { state: `${FORMAT} ${hashOf(text)} ${text}`, packs: new Map(bytes) };
}

/**
 * Reads a handover. `held`: the shard of the reader, whose packs stay the objects they are where
 * they are spoken of. null: of another format, incomplete, or damaged. Times are of our clock,
 * which says `now_ms`.
 */
export async function readHandover(
  published: PublishedFeed,
  { source_id, stored, now_ms }: { source_id: string; stored: Shard | null; now_ms: number },
): Promise<Handover | null> {
  const written = readText(published.state, now_ms);
  if (!written) return null;
  const { discovery, shard, ...rest } = written;
  const opened = shard && (await openShard(shard, published.packs, stored));
  if (opened === undefined) return null;
  return {
    ...rest,
    discovery: discovery && { ...discovery, feeds: new Map(discovery.feeds) },
    shard: opened && { source_id, ...opened },
  };
}

function readText(text: string, now_ms: number): Written | null {
  const [format, sum] = text.split(" ", 2);
  const rest = text.slice(`${format} ${sum} `.length);
  if (format !== String(FORMAT) || sum !== hashOf(rest)) return null;
  const written = parseJson(rest) as Written;
  toOurTime(written, Math.max(0, written.at_ms - now_ms));
  return written;
}

/**
 * Nothing can have been written after it is read: what seems to be was written by a clock ahead of
 * ours, and is taken to have been written just now. A clock behind ours looks like a late notice: its
 * times seem older than they are, so that what they are of is asked for sooner.
 */
function toOurTime(value: unknown, ahead_ms: number): void {
  if (typeof value !== "object" || value === null) return;
  const members = value as Record<string, unknown>;
  for (const [name, member] of Object.entries(members)) {
    if (member === NEVER) members[name] = Infinity;
    else if (typeof member === "number" && TIME.test(name)) members[name] = member - ahead_ms;
    else toOurTime(member, ahead_ms);
  }
}

const TIME = /^at_ms$|_at_ms$|_until_ms$/u;
/** JSON has no infinity, and what is due may be never. */
const NEVER = "\u0000never";

/** undefined: a pack is missing, or is not what its name says. */
async function openShard(
  { packs: hashes, live }: NonNullable<Written["shard"]>,
  packs: PublishedFeed["packs"],
  shard: Shard | null,
): Promise<Omit<Shard, "source_id"> | undefined> {
  const entry = listPacks(shard);
  const open = <S extends Slot>(slot: S): Packs[S] | null => {
    const wanted = hashes[slot];
    if (wanted === undefined) return null;
    const present = entry.get(slot);
    if (present?.hash === wanted) return present.pack as Packs[S];
    const bytes = packs.get(wanted);
    if (!bytes || hashOf(bytes) !== wanted) throw new Error(`no pack ${slot}`);
    return remembered(slot, OPEN[slot](bytes), wanted);
  };
  const part = <S extends LiveSlot>(slot: S): ShardPart<Packs[S]> | null => {
    const state = live[slot];
    return state === undefined ? null : { data: open(slot), live: state };
  };
  const toShard = (): Omit<Shard, "source_id"> | undefined => {
    const statics = open("statics");
    const parts = { status: part("status"), vehicles: part("vehicles"), alerts: part("alerts") };
    const rows = parts.status?.data?.state.length;
    if (!statics || (rows !== undefined && rows !== statics.count)) return undefined;
    const box = shardBox(statics, parts.vehicles?.data ?? null);
    return { box, statics, ...parts, zones: open("zones") };
  };
  return guard(toShard, () => undefined);
}

type Listed = HashedPack & { pack: Packs[Slot] };

function listPacks(shard: Shard | null): Map<Slot, Listed> {
  const listed = new Map<Slot, Listed>();
  for (const slot of SLOTS) {
    const pack = shard && packOf(shard, slot);
    if (pack) listed.set(slot, { pack, ...nameOf(slot, pack) });
  }
  return listed;
}

function packOf(shard: Shard, slot: Slot): Packs[Slot] | null {
  return slot === "statics" || slot === "zones" ? shard[slot] : (shard[slot]?.data ?? null);
}

function nameOf<S extends Slot>(slot: S, pack: Packs[S]): HashedPack {
  const entry = byName.get(pack);
  if (entry) return entry;
  const bytes = BYTES[slot](pack);
  const own = { hash: hashOf(bytes), bytes };
  byName.set(pack, own);
  return own;
}

function remembered<S extends Slot>(slot: S, pack: Packs[S], name: string): Packs[S] {
  byName.set(pack, { hash: name, bytes: BYTES[slot](pack) });
  return pack;
}

/** Aligned, and readable by the parsing thread. */
function toBuffer(bytes: Uint8Array): SharedArrayBuffer {
  return toShared(bytes).buffer as SharedArrayBuffer;
}

function hashOf(data: string | Uint8Array): string {
  return hash("sha256", data, "base64url");
}

/**
 * Merges for a replica that has read something it has not published: the handover with those live
 * files that were read here later, as long as they lie against the same static pack. Of two packs
 * the one made later holds, with all that lies against it. `kept`: there is something of ours;
 * handover null: all.
 */
export function mergeNewer(
  view: FeedView,
  handover: Handover,
): { handover: Handover | null; kept: boolean } {
  const { shard: own_shard } = view;
  const { shard, facts } = handover;
  if (!shard || !own_shard) return { handover, kept: own_shard !== null };
  if (own_shard.statics !== shard.statics) {
    const kept = view.loaded_at_ms > facts.loaded_at_ms;
    return { handover: kept ? null : handover, kept };
  }
  const later = PART_FILES.filter((file) => isLater(file, own_shard, shard));
  const parts = later.map((file) => [PART_KEYS[file], own_shard[PART_KEYS[file]]]);
  const records = later.map((file) => [file, view.files[file]]);
  const newest: Shard = { ...shard, ...Object.fromEntries(parts) };
  const box = shardBox(newest.statics, newest.vehicles?.data ?? null);
  const merged = {
    ...handover,
    shard: { ...newest, box },
    facts: { ...facts, files: { ...facts.files, ...Object.fromEntries(records) } },
  };
  return { handover: merged, kept: later.length > 0 };
}

function isLater(file: PartFile, own_shard: Shard, other: Shard): boolean {
  const [mine, theirs] = [own_shard, other].map(
    (shard) => partOf(shard, file)?.live?.validated_at_ms,
  );
  return mine !== undefined && theirs !== undefined && mine > theirs;
}
