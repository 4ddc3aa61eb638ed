/** Identity's view of a static pack: who publishes it, and its stations as observations. */
import {
  type Feed,
  type KeyName,
  type Observation,
  SOURCE_KINDS,
  type SourceKind,
} from "#core/identity/observation.ts";
import { readText } from "#core/shard/bytes.ts";
import { type Statics, ZONE } from "#core/shard/statics.ts";
import { MODES_MASK } from "#core/nearby/bits.ts";

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
  const names = [system?.name, system?.short_name, system?.operator, system?.brand, network.name];
  return {
    id: system_id.startsWith(`${source}:`) ? system_id : `${source}:${system_id}`,
    kind: kindOf(source),
    system_id,
    names: [
      ...new Set(names.filter((name) => typeof name === "string" && name !== "")),
    ] as string[],
    urls: meta.urls ?? [],
    places: meta.places ?? [],
  };
}

function kindOf(source: string): SourceKind {
  return source in SOURCE_KINDS ? (source as SourceKind) : "gbfs";
}

/** `feed`: the place of its feed among those it is compared with. */
export function observationOf(statics: Statics, row: number, feed: number): Observation {
  const extras = JSON.parse(readText(statics.extras, statics.extras_of[row]!)) as Extras;
  const { name } = JSON.parse(`${readText(statics.head, row)}0}`) as { name: string };
  const capacity = statics.capacity[row]!;
  return {
    feed,
    id: readText(statics.ids, row),
    name,
    lat: statics.index.lat[row]!,
    lon: statics.index.lon[row]!,
    modes: statics.state[row]! & MODES_MASK,
    capacity: capacity < 0 ? null : capacity,
    virtual: virtualOf(statics.flags[row]!, extras),
    keys: keysOf(extras),
  };
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
