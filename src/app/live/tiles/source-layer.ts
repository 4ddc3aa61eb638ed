/**
 * The systems that may have something in a tile, each one point in its middle: their state and the time
 * of what is shown of them, so that a map can say how old it is, and what is missing.
 */
import type { LiveSourceValue } from "#api/live.ts";
import { LayerWriter } from "#osm/tiles/mvt.ts";
import { EXTENT } from "./tile-place.ts";

const MIDDLE = { x: EXTENT / 2, y: EXTENT / 2 };

/** null: there are none. */
export function drawSources(sources: readonly LiveSourceValue[]): LayerWriter | null {
  if (sources.length === 0) return null;
  const writer = new LayerWriter("sources", EXTENT);
  const shared = writer.tagsOf([]);
  for (const { source_id, network, color, state, as_of } of sources)
    writer.point(MIDDLE, shared, [
      ["source_id", source_id],
      ["state", state],
      ...(as_of === null ? [] : [["as_of", as_of] as const]),
      ...(network === null
        ? []
        : [["network_id", network.id] as const, ["name", network.name] as const]),
      ...(color === null ? [] : [["color", color] as const]),
    ]);
  return writer;
}
