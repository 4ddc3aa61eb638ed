/**
 * Geofencing zones of a tile, with the rules that a map draws. Of zones that overlap the first of a system
 * holds: it is written last, and so drawn over the others.
 */
import { LayerWriter, type PropertyValue } from "#osm/tiles/mvt.ts";
import type { ZoneRule } from "#stations/entities.ts";
import { readZoneFacts } from "#stations/shard/shard-zones.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import type { DrawnLayer } from "./thing-layers.ts";
import { EXTENT, type TilePlace } from "./tile-place.ts";
import { ZoneOutlines } from "./zone-outlines.ts";

const DRAWN = [
  "ride_start_allowed",
  "ride_end_allowed",
  "ride_through_allowed",
  "maximum_speed_kph",
  "station_parking",
] as const satisfies readonly (keyof ZoneRule)[];

type Property = [key: string, value: PropertyValue];

export class ZoneLayer {
  readonly #outlines = new ZoneOutlines();

  /** In steps; of the zones that the systems have when it begins. */
  *draw(systems: readonly SystemEntry[], place: TilePlace): Generator<void, DrawnLayer> {
    const writer = new LayerWriter("zones", EXTENT);
    let objects = 0;
    const shards = systems.flatMap(({ shard }) => (shard?.zones ? [shard] : []));
    for (const { zones, statics } of shards) {
      const { network, system } = statics.meta;
      const theirs: Property[] = [["network_id", network.id]];
      if (system?.color !== undefined) theirs.push(["color", system.color]);
      const shapes = yield* this.#outlines.inTile(zones!, place);
      for (const { zone, parts } of shapes) {
        const { name, rules } = readZoneFacts(zones!, zone);
        const named: Property[] = name === null ? [] : [["name", name]];
        writer.add(-zone, [...named, ...rulesOf(rules), ...theirs], { shape: "area", parts });
        objects++;
      }
      yield;
    }
    return { writer, objects };
  }
}

/** What all rules of a zone state alike; `by_type`: they differ, or hold for some types of vehicle only. */
function rulesOf(rules: readonly ZoneRule[]): Property[] {
  const [first] = rules;
  if (!first) return [];
  const properties: Property[] = [];
  let by_type = rules.some(({ type_ids }) => type_ids.length > 0);
  for (const key of DRAWN) {
    const value = first[key];
    if (rules.some((rule) => rule[key] !== value)) by_type = true;
    else if (value !== null) properties.push([key, value]);
  }
  return by_type ? [...properties, ["by_type", true]] : properties;
}
