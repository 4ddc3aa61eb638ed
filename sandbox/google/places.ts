// POST /v1/places:searchNearby and /v1/places:searchText: key, body and mask, the same for both
// (places.md 1.4, 1.5).
import type { Reply, SandboxRequest } from "../http.ts";
import { acceptedLanguages, languageOf } from "../world/say.ts";
import type { PlaceRequest, PlacesDeps } from "./asked.ts";
import { type Body, invalid, readBody, textIn } from "./body.ts";
import { readMask } from "./mask.ts";
import { answerNearby, NEARBY_MEMBERS } from "./nearby.ts";
import type { PlaceContext } from "./place.ts";
import { refuseKey } from "./rpc.ts";
import { answerText, TEXT_MEMBERS } from "./text-search.ts";

const MASK_MISSING =
  "FieldMask is a required parameter. See https://cloud.google.com/apis/docs/system-parameters on how to provide it. As an example, you can set the header 'X-Goog-FieldMask' with value 'places.displayName', or set the URL parameter 'fields' with value 'places.displayName'.";

/** Answers, with refusals in the order of the real one. */
export function answerPlaces(request: SandboxRequest, method: string, deps: PlacesDeps): Reply {
  const members = method === "searchNearby" ? NEARBY_MEMBERS : TEXT_MEMBERS;
  const { headers, query } = request;
  const refusedKey = refuseKey(one(headers["x-goog-api-key"]) ?? query.get("key"));
  if (refusedKey !== null) return refusedKey;
  const read = readBody(request.body, members);
  if ("refused" in read) return read.refused;
  const raw = one(headers["x-goog-fieldmask"]) ?? query.get("$fields") ?? query.get("fields");
  if (!raw) return invalid(MASK_MISSING);
  const mask = readMask(raw);
  if ("unknown" in mask)
    return invalid(
      `Request contains an invalid argument. Error expanding 'fields' parameter. Cannot find matching fields for path '${mask.unknown}'.`,
    );
  const region = textIn(read.body, "regionCode");
  if (region !== undefined && !/^[a-z]{2}$/i.test(region))
    return invalid("Invalid region code.", "regionCode");
  const place_request: PlaceRequest = {
    body: read.body,
    mask: mask.mask,
    context: contextOf(request, read.body, deps),
  };
  return method === "searchNearby"
    ? answerNearby(place_request, deps)
    : answerText(place_request, deps);
}

const one = (header: string | string[] | undefined): string | null =>
  (Array.isArray(header) ? header[0] : header) ?? null;

function contextOf(
  { headers }: SandboxRequest,
  body: Body,
  { now, old }: PlacesDeps,
): PlaceContext {
  const language = textIn(body, "languageCode") ?? acceptedLanguages(headers)[0] ?? "en";
  return { now_ms: now(), language: languageOf(language), old };
}
