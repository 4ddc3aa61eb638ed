/**
 * Layers of things that other parts of the service look up around a point: stops of timetables, services of
 * bases. The circle around the tile is asked for; where it has more than one question answers, or the data
 * end in it, the quarters of the tile are asked for in its place.
 */
import { type LayerWriter, type PropertyValue } from "#osm/tiles/mvt.ts";
import { ByteWriter } from "#osm/tiles/tile-bytes.ts";
import type { Location } from "#kit/geo.ts";
import type { Turn } from "#kit/run/turn.ts";
import type { Circle } from "#world/system-entry.ts";
import type { DrawnLayer } from "./thing-layers.ts";
import { circleOfTile, quartersOf, TileGrid, type TilePlace } from "./tile-place.ts";

export type LookUpQuery = { now_ms: number; deadline_ms: number; signal: AbortSignal; turn: Turn };

/** A thing to be drawn. */
type LookedUpThing = {
  location: Location;
  properties: readonly (readonly [key: string, value: PropertyValue])[];
};

/** What a circle has. */
export type LookedUp = {
  things: readonly LookedUpThing[];
  /** false: there is more than was looked at, or another question has to be asked for a part of it. */
  isWhole: boolean;
  /** Something that belongs here could not be read, or is not known yet. */
  lacks: boolean;
  /** Until when it is as it is, epoch ms; Infinity: until something is imported. */
  until_ms: number;
};

export type LookUp = (circle: Circle, query: LookUpQuery) => Promise<LookedUp>;

/** `lacks`: something of it is missing, so that it is not to be kept. */
export type LookedUpLayer = DrawnLayer & { lacks: boolean; until_ms: number };

/** A tile is asked for in at most 64 parts. */
const MOST_DEPTH = 3;

export async function drawLookedUp(
  lookUp: LookUp,
  writer: LayerWriter,
  place: TilePlace,
  query: LookUpQuery,
): Promise<LookedUpLayer> {
  const layer: LookedUpLayer = { writer, objects: 0, lacks: false, until_ms: Infinity };
  const grid = new TileGrid(place);
  const ask = async (part: TilePlace, depth: number): Promise<void> => {
    const { things, isWhole, lacks, until_ms } = await lookUp(circleOfTile(part), query);
    await query.turn();
    if (!isWhole && depth < MOST_DEPTH) {
      for (const quarter of quartersOf(part)) await ask(quarter, depth + 1);
      return;
    }
    layer.lacks ||= lacks;
    layer.until_ms = Math.min(layer.until_ms, until_ms);
    const own = new TileGrid(part);
    for (const { location, properties } of things) {
      if (!own.take(location.lat, location.lon) || !grid.take(location.lat, location.lon)) continue;
      writer.point(grid, NO_TAGS, properties);
      layer.objects++;
    }
  };
  await ask(place, 0);
  return layer;
}

const NO_TAGS = new ByteWriter(0);
