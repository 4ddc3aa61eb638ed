/**
 * The zones pack: geofencing zones of a system in the order in which they hold (the first wins), with
 * their outlines as flat columns.
 */
import type { GeofencingZones, ZoneRule } from "../entities.ts";
import { type Blob, internAll, readText, toBlob } from "#kit/bytes.ts";
import { openFlat, writeFlat } from "./flat.ts";

const KIND = "zones/2";

export type ZoneFacts = { name: string | null; rules: ZoneRule[] };

export type Zones = {
  count: number;
  /** Rules where no zone has one (GBFS 3). */
  global_rules: readonly ZoneRule[];
  /** JSON of the facts of each zone. */
  facts: Blob;
  /** Rules of zone i: rules_at[i] to rules_at[i + 1]. */
  rules_at: Uint32Array;
  /** Types of rule j, as places in `type_ids`: types_at[j] to types_at[j + 1]; none: it is of all. */
  types_at: Uint32Array;
  types: Uint32Array;
  type_ids: readonly string[];
  /** South, west, north, east of each zone. */
  boxes: Float64Array;
  /** Rings of zone i: rings_at[i] to rings_at[i + 1]. A hole is a ring like any other (even-odd). */
  rings_at: Uint32Array;
  /** Polygon of each ring, as a number within the system. */
  polygon: Uint32Array;
  /** Corners of ring j: corners_at[j] to corners_at[j + 1]; the last is the first. */
  corners_at: Uint32Array;
  lat: Float64Array;
  lon: Float64Array;
  buffer: SharedArrayBuffer;
};

export function packZones({ zones, global_rules }: GeofencingZones): SharedArrayBuffer {
  const listed = zones.filter(({ polygons }) => polygons.length > 0);
  const facts = toBlob(listed.map(({ name, rules }) => JSON.stringify({ name, rules })));
  const rings_at = new Uint32Array(listed.length + 1);
  const boxes = new Float64Array(listed.length * 4);
  const polygon: number[] = [];
  const corners_at = [0];
  const lat: number[] = [];
  const lon: number[] = [];
  let polygons = 0;
  listed.forEach((zone, i) => {
    const from = lat.length;
    for (const rings of zone.polygons) {
      for (const ring of rings) {
        polygon.push(polygons);
        for (const [x, y] of ring) {
          lon.push(x!);
          lat.push(y!);
        }
        corners_at.push(lat.length);
      }
      polygons++;
    }
    rings_at[i + 1] = polygon.length;
    boxes.set(boxFrom({ lat, lon }, from), i * 4);
  });
  const { type_ids, ...rules } = packRules(listed.map((zone) => zone.rules));
  return writeFlat(
    KIND,
    { global_rules, type_ids },
    {
      ...rules,
      boxes,
      rings_at,
      polygon: Uint32Array.from(polygon),
      corners_at: Uint32Array.from(corners_at),
      lat: Float64Array.from(lat),
      lon: Float64Array.from(lon),
      facts: facts.bytes,
      facts_at: facts.offsets,
    },
  );
}

type Packed = Pick<Zones, "rules_at" | "types_at" | "types" | "type_ids">;

/** Which types rules are of, so that a question need not read the facts of every zone for that. */
function packRules(zones: readonly (readonly ZoneRule[])[]): Packed {
  const rules = zones.flat();
  const texts = rules.flatMap((rule) => rule.type_ids);
  const { unique, index } = internAll(texts);
  return {
    rules_at: toOffsets(zones),
    types_at: toOffsets(rules.map((rule) => rule.type_ids)),
    types: index,
    type_ids: unique,
  };
}

function toOffsets(lists: readonly (readonly unknown[])[]): Uint32Array {
  const offsets = new Uint32Array(lists.length + 1);
  lists.forEach(({ length }, i) => (offsets[i + 1] = offsets[i]! + length));
  return offsets;
}

export function openZones(buffer: SharedArrayBuffer): Zones {
  const { meta, columns } = openFlat<{ global_rules: ZoneRule[]; type_ids: string[] }>(
    KIND,
    buffer,
  );
  const column = <T>(name: string): T => columns[name] as T;
  const rings_at = column<Uint32Array>("rings_at");
  return {
    count: rings_at.length - 1,
    global_rules: meta.global_rules,
    type_ids: meta.type_ids,
    rules_at: column("rules_at"),
    types_at: column("types_at"),
    types: column("types"),
    facts: { bytes: column("facts"), offsets: column("facts_at") },
    boxes: column("boxes"),
    rings_at,
    polygon: column("polygon"),
    corners_at: column("corners_at"),
    lat: column("lat"),
    lon: column("lon"),
    buffer,
  };
}

export function readZoneFacts({ facts }: Zones, zone: number): ZoneFacts {
  return JSON.parse(readText(facts, zone)) as ZoneFacts;
}

function boxFrom({ lat, lon }: { lat: number[]; lon: number[] }, from: number): number[] {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = from; i < lat.length; i++) {
    box[0] = Math.min(box[0]!, lat[i]!);
    box[1] = Math.min(box[1]!, lon[i]!);
    box[2] = Math.max(box[2]!, lat[i]!);
    box[3] = Math.max(box[3]!, lon[i]!);
  }
  return box;
}
