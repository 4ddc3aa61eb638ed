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
import { keepUsable, type Wish } from "#core/places/usable-filter.ts";
import { mergeAll } from "./places.ts";

export type NaiveQuestion = {
  radius_m: number;
  limit: number;
  tokens: readonly ServiceToken[];
  wishes: readonly Wish<OpenItem>[];
  language: string | null;
};

export function naively(sources: readonly (readonly PlaceHit[])[], question: NaiveQuestion) {
  const { radius_m, limit, tokens, wishes, language } = question;
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
  const { items, unknown } = keepUsable(matches, wishes);
  return {
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
    unknown,
    ends: [],
    uncertain: items.filter(isUncertain).length,
    undrinkable: inside.filter(({ attributes }) => attributes["drinking_water"] === "no").length,
  };
}
