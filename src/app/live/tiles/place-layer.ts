/** Services that are held, as `include=places` of GET /v1/nearby shows them. */
import type { PropertyValue } from "#osm/tiles/mvt.ts";
import type { FindRetained } from "#app/places/held.ts";
import type { OpenStates, StatesAt } from "#app/places/open-states.ts";
import type { OpenItem } from "#core/places/place-results.ts";
import type { LookUp } from "./looked-up.ts";

export function createPlaceLookUp(findRetained: FindRetained, openStates: StatesAt): LookUp {
  return async (circle, { now_ms, signal }) => {
    const places = await findRetained(circle, { now_ms, signal });
    if (places === null) return NO_PLACES;
    const { items, counted_m, unheld, partly } = places;
    const states = items.length > 0 ? await openStates({ at_ms: now_ms, is_now: true }) : null;
    return {
      things: items.map((item) => ({
        location: item.location,
        properties: propertiesOf(item, states!),
      })),
      isWhole: counted_m === null && partly.length === 0,
      lacks:
        counted_m !== null || unheld.length > 0 || partly.some(({ status }) => status !== "ok"),
      until_ms: states?.ends_ms() ?? Infinity,
    };
  };
}

const NO_PLACES = { things: [], isWhole: true, lacks: false, until_ms: Infinity };

function propertiesOf(item: OpenItem, states: OpenStates): (readonly [string, PropertyValue])[] {
  const { state } = states.of(item);
  return [
    ["id", item.id],
    ["type", item.service_type],
    ["name", item.name],
    ...(state === "unknown" ? [] : [["open_state", state] as const]),
  ];
}
