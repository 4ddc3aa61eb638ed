/**
 * Urban services from elements of the open map (places.md 3; §2.3 to §2.5): one element may be
 * several, such as toilets with Wi-Fi. Overpass and OpenAEDMap both end here.
 */
import { listChargingKeys } from "#core/places/evse-id.ts";
import { Crowd, CROWDED } from "#core/places/crowd.ts";
import type { Place, PlaceKind } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { taggedAddress, taggedAttributes } from "./osm-attributes.ts";
import { settleDuplicates, type Thing } from "./duplicates.ts";
import type { Element, Tags } from "./element.ts";
import { exclusionOf } from "./exclusions.ts";
import { namingOf } from "./osm-names.ts";
import { POINTS_TAG } from "./osm-charging.ts";
import { isKind } from "./osm-rules.ts";

/** Every service of the wanted kinds, kind by kind; the trail knows what was left out, and why. */
export function placesOf(
  elements: readonly Element[],
  kinds: readonly PlaceKind[],
  trail: TrailRecorder,
): Place[] {
  for (const { id, tags } of elements)
    if (!kinds.some((kind) => isKind(tags, kind))) trail.drop("not_a_service", id);
  return [...new Set(kinds)].flatMap((kind) => {
    const fitting = elements.filter(
      (element) => isKind(element.tags, kind) && isShown(element, kind, trail),
    );
    const crowd = new Crowd();
    return settleDuplicates(kind, fitting, trail)
      .filter(({ element }) => crowd.admits(element) || leaveOut(element, trail))
      .map((thing) => placeOfTags(thing, kind, "openstreetmap"));
  });
}

function leaveOut({ id }: Element, trail: TrailRecorder): false {
  trail.drop(CROWDED, id);
  return false;
}

/** false: excluded, with its reason in the trail. */
export function isShown({ id, tags }: Element, kind: PlaceKind, trail: TrailRecorder): boolean {
  const reason = exclusionOf(tags, kind);
  if (reason !== null) trail.drop(reason, id);
  return reason === null;
}

/** One service; parking and charging become the maps provider's own later. */
export function placeOfTags({ element, also }: Thing, kind: PlaceKind, source_id: string): Place {
  const { id, lat, lon, tags } = element;
  return {
    kind,
    source_id,
    source_type: "community",
    external_id: id,
    lat,
    lon,
    ...namingOf(tags, kind),
    attributes: taggedAttributes(element, kind),
    ...openingOf(tags),
    ...taggedAddress(tags),
    keys: [
      ...[id, ...also].map((each) => `osm:${each}`),
      ...registerKeys(element),
      ...(kind === "charging" ? listChargingKeys(tags.get(POINTS_TAG) ?? null) : []),
    ],
  };
}

function openingOf(tags: Tags): Pick<Place, "opening"> {
  const text = tags.get("opening_hours");
  return text === undefined ? {} : { opening: { text } };
}

/** Numbers of the French register, where the map knows them. */
function registerKeys({ tags }: Element): string[] {
  const numbers = (tags.get("ref:FR:GeoDAE") ?? "").split(";").map((number) => number.trim());
  return numbers.filter((number) => number !== "").map((number) => `geodae:${number}`);
}
