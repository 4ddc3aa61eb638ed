/**
 * A search for places as it was before it had bounds: every place within the circle is an object,
 * merged, named and sorted, and the list is cut at the end. What the bounded one must answer.
 */
import { displayNameOf } from "#core/places/place-naming.ts";
import type { PlaceHit } from "#core/places/place-hits.ts";
import { PLACE_KINDS } from "#core/places/place.ts";
import {
  byStatedDistance,
  type OpenItem,
  placeId,
  toDraft,
  toVisible,
} from "#core/places/place-results.ts";
import type { ServiceToken } from "#core/places/place-tokens.ts";
import type { Wish } from "#core/places/usable-filter.ts";
import { mergeAll } from "./places.ts";

export type NaiveQuestion = {
  radius_m: number;
  limit: number;
  tokens: readonly ServiceToken[];
  wishes: readonly Wish<OpenItem>[];
  strict?: boolean;
  language: string | null;
};

export function naively(sources: readonly (readonly PlaceHit[])[], question: NaiveQuestion) {
  const { radius_m, limit, tokens, wishes, strict = false, language } = question;
  const options = { tokens, language, toId: placeId, toName: displayNameOf };
  const metres = new Map(
    sources.flat().map(({ place, distance_m }) => [place, distance_m] as const),
  );
  const inside = PLACE_KINDS.flatMap((kind) =>
    mergeAll(
      sources.map((source) =>
        source.map(({ place }) => place).filter((place) => place.kind === kind),
      ),
    )
      .filter(({ lead }) => metres.get(lead)! <= radius_m)
      .map(({ place, lead }) => toVisible(toDraft(place, metres.get(lead)!, tokens), options)),
  ).sort(byStatedDistance);
  // With drinking water alone what is not known to be potable comes last, and counts as no type.
  const isForDrinking = tokens.includes("drinking_water") && !tokens.includes("fountain");
  const isUncertain = ({ service_type, attributes }: OpenItem): boolean =>
    isForDrinking &&
    service_type === "fountain" &&
    attributes["drinking_water"] !== "yes" &&
    attributes["drinking_water"] !== "no";
  const matches = inside.filter((item) => tokens.includes(item.service_type) || isUncertain(item));
  const possible = matches.filter((item) => wishes.every(({ fits }) => fits(item) !== false));
  const isKnown = (item: OpenItem): boolean => wishes.every(({ fits }) => fits(item) === true);
  const items = strict ? possible.filter(isKnown) : possible;
  const left_out = strict && wishes.length > 0 ? { left_out: possible.length - items.length } : {};
  const nearest = items.find((item) => isKnown(item) && !isUncertain(item));
  if (wishes.length > 0)
    for (const item of items)
      Object.assign(item, {
        match: isKnown(item) ? "known" : "unknown",
        unknown: wishes
          .filter(({ fits }) => fits(item) === null)
          .map(({ count }) => (count === "hours" ? "usable" : count)),
      });
  return {
    nearest_known:
      wishes.length > 0 && nearest
        ? {
            id: nearest.id,
            distance_meters: nearest.distance_meters,
            location: nearest.location,
          }
        : null,
    items: [...items.filter((item) => !isUncertain(item)), ...items.filter(isUncertain)].slice(
      0,
      limit,
    ),
    total: items.length,
    by_token: Object.fromEntries(
      tokens.map((token) => [
        token,
        items.filter(({ service_type }) => service_type === token).length,
      ]),
    ),
    unknown: {
      ...Object.fromEntries(
        wishes.map(({ count, fits }) => [
          count,
          items.filter((item) => fits(item) === null).length,
        ]),
      ),
      ...left_out,
    },
    ends: [],
    uncertain: items.filter(isUncertain).length,
    undrinkable: inside.filter(({ attributes }) => attributes["drinking_water"] === "no").length,
  };
}
