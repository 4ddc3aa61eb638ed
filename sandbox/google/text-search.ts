// Text Search: names and addresses, near a bias first, page by page.
import type { Point } from "../geo.ts";
import type { Reply } from "../http.ts";
import { answerWith, type PlaceRequest, countIn, PAGE, type PlacesDeps } from "./asked.ts";
import {
  type Body,
  invalid,
  type Members,
  memberOf,
  readCircle,
  readLatLng,
  textIn,
} from "./body.ts";
import { toSpotPlace } from "./place.ts";

const RESULTS_MAX = 60;

export const TEXT_MEMBERS: Members = {
  textQuery: "text",
  pageSize: "integer",
  maxResultCount: "integer",
  pageToken: "text",
  locationBias: "object",
  locationRestriction: "object",
  rankPreference: "text",
  includedType: "text",
  strictTypeFiltering: "boolean",
  openNow: "boolean",
  minRating: "number",
  priceLevels: "texts",
  languageCode: "text",
  regionCode: "text",
  evOptions: "object",
  includePureServiceAreaBusinesses: "boolean",
  includeFutureOpeningBusinesses: "boolean",
};

export function answerText(request: PlaceRequest, { addresses }: PlacesDeps): Reply {
  const { body, context } = request;
  const text = textIn(body, "textQuery") ?? "";
  if (text.trim() === "") return invalid("Empty text_query.", "textQuery");
  if (countIn(body, "maxResultCount") === null)
    return invalid("Max result count must be between 1 and 20.", "maxResultCount");
  const size = (body["pageSize"] as number | undefined) ?? 0;
  if (size < 0) return invalid("Page size must not be negative.", "pageSize");
  const bias = readBias(body);
  if ("refused" in bias) return bias.refused;
  const [, page = "0"] = /^sandbox-page-(\d{1,4})$/.exec(textIn(body, "pageToken") ?? "") ?? [];
  if (body["pageToken"] !== undefined && page === "0")
    return invalid("Invalid page token.", "pageToken");
  const hits = addresses
    .search(text, { prefix: true, ...(bias.near ? { near: bias.near } : {}) })
    .slice(0, RESULTS_MAX);
  const [from, length] = [Number(page), size === 0 ? PAGE : Math.min(size, PAGE)];
  const places = hits.slice(from, from + length).map(({ spot }) => toSpotPlace(spot, context));
  const next =
    from + length < hits.length ? { nextPageToken: `sandbox-page-${from + length}` } : {};
  return answerWith(places, request, next);
}

function readBias(body: Body): { near?: Point } | { refused: Reply } {
  const [bias, restriction] = [body["locationBias"], body["locationRestriction"]];
  if (bias !== undefined && restriction !== undefined)
    return { refused: invalid("Only one of location_bias and location_restriction may be set.") };
  const rectangle = memberOf(bias ?? restriction, "rectangle");
  if (rectangle !== undefined) {
    const [low, high] = [
      readLatLng(memberOf(rectangle, "low")),
      readLatLng(memberOf(rectangle, "high")),
    ];
    if (!low || !high) return { refused: invalid("Invalid rectangle.", "locationBias.rectangle") };
    return { near: { lat: (low.lat + high.lat) / 2, lon: (low.lon + high.lon) / 2 } };
  }
  if (restriction !== undefined)
    return { refused: invalid("Only a rectangle may restrict.", "locationRestriction") };
  if (bias === undefined) return {};
  const read = readCircle(bias, "locationBias");
  return "refused" in read ? read : { near: read.circle };
}
