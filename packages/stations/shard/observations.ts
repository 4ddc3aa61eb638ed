/** Identity's view of a static pack: who publishes it, and its stations as observations. */
import {
  type Feed,
  type KeyName,
  type Observation,
  SOURCE_KINDS,
  type SourceKind,
} from "../identity/observed-station.ts";
import { readTexts } from "#kit/bytes.ts";
import { type Statics, ZONE } from "./shard-statics.ts";
import { MODES_MASK } from "./bits.ts";

/** What of a row's extras is a key (§2.9; mobility.md 2.2). */
const KEYS: readonly KeyName[] = [
  "short_name",
  "external_id",
  "legacy_id",
  "uid",
  "station_id",
  "ref",
];

export function feedOf({ meta }: Statics): Feed {
  const { system, source, system_id, network } = meta;
  const own = [system?.name, system?.short_name, system?.operator, system?.brand, network.name];
  const names = [...own, ...(meta.names ?? [])];
  return {
    id: system_id.startsWith(`${source}:`) ? system_id : `${source}:${system_id}`,
    kind: kindOf(source),
    system_id,
    names: [
      ...new Set(names.filter((name) => typeof name === "string" && name !== "")),
    ] as string[],
    urls: meta.urls ?? [],
    places: meta.places ?? [],
    operator: system?.operator ?? null,
  };
}

function kindOf(source: string): SourceKind {
  return Object.hasOwn(SOURCE_KINDS, source) ? (source as SourceKind) : "gbfs";
}

/** Returns all stations of a pack. `feed`: the place of its feed among those it is compared with. */
export function observationsOf(statics: Statics, feed: number): Observation[] {
  const { index, capacity, state, flags, extras_of } = statics;
  const heads = readTexts(statics.head);
  const extras = readTexts(statics.extras).map((text) => JSON.parse(text) as Extras);
  const keys = extras.map(keysOf);
  return readTexts(statics.ids).map((id, row) => ({
    feed,
    id,
    name: nameIn(heads[row]!),
    lat: index.lat[row]!,
    lon: index.lon[row]!,
    modes: state[row]! & MODES_MASK,
    capacity: capacity[row]! < 0 ? null : capacity[row]!,
    virtual: virtualOf(flags[row]!, extras[extras_of[row]!]!),
    keys: keys[extras_of[row]!]!,
  }));
}

const NAME = `,"name":`;
const LOCATION = `,"location":`;

/** The head as packages/stations/shard/shard-statics renders it; no text within a name holds a bare quote. */
function nameIn(head: string): string {
  const start = head.indexOf(NAME) + NAME.length;
  return JSON.parse(head.slice(start, head.lastIndexOf(LOCATION))) as string;
}

/** Reports whether two packs of one system describe the same stations, by their keys. */
export function haveSameKeys(a: Statics, b: Statics): boolean {
  if (a.count !== b.count) return false;
  if (isEqual(a.ids.bytes, b.ids.bytes) && isEqual(a.ids.offsets, b.ids.offsets)) return true;
  const keys = new Set(readTexts(a.ids));
  return readTexts(b.ids).every((key) => keys.has(key));
}

function isEqual(a: Uint8Array | Uint32Array, b: Uint8Array | Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

type Extras = Partial<Record<string, unknown>>;

/** Not saying so is not saying no. */
function virtualOf(flags: number, extras: Extras): boolean | null {
  if (flags & ZONE) return true;
  return extras["is_virtual"] === false ? false : null;
}

function keysOf(extras: Extras): Observation["keys"] {
  const keys: Partial<Record<KeyName, string>> = {};
  for (const key of KEYS) {
    const value = extras[key];
    if (typeof value === "string") keys[key] = value;
  }
  return keys;
}
