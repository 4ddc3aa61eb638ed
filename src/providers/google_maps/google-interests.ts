/** Points of interest by class around a point (places.md 1.4, Nearby Search). */
import { PLACE_CLASSES, THING_KINDS } from "#api/place-classes.ts";
import type { Interest } from "#core/places/interest.ts";
import { type Row, toId, toName, toRow, toText, toTexts } from "#kit/coerce.ts";
import { present } from "#kit/present.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { cleanDeepLink } from "#kit/uris.ts";
import { FIELDS, HOURS, MAX_PLACES, toCircle } from "#providers/google_maps/around.ts";
import { listPlaces, readAnswer } from "#providers/google_maps/google-answer.ts";
import { findDescriptions, googleOpening } from "#providers/google_maps/google-hours.ts";
import { findAttributions } from "#providers/google_maps/google-place.ts";
import { type GoogleSettings, toPlacesRequest } from "#providers/google_maps/google-request.ts";
import {
  type DropReason,
  googleLocation,
  readRows,
  type RowReader,
} from "#providers/google_maps/google-rows.ts";
import type { InterestQuery } from "#providers/lookup.ts";
import type { Interests } from "#providers/source.ts";
import { readFacts } from "#providers/stated-facts.ts";

/** Types of each class; services are asked for by their own searches. */
const TYPES: ReadonlyMap<string, readonly string[]> = new Map(
  THING_KINDS.flatMap(({ place_class, google }): [string, readonly string[]][] =>
    place_class === null || google.length === 0 ? [] : [[place_class, google]],
  ),
);
/** Types of one call (places.md 1.4). */
const MAX_TYPES = 50;
/** How to reach a place, and by whom. */
const CONTACT = ["internationalPhoneNumber", "websiteUri", "accessibilityOptions"];

function typesOf(classes: readonly string[]): string[] {
  return classes.flatMap((each) => TYPES.get(each) ?? []);
}

export const googleInterests: Interests<GoogleSettings> = {
  most: MAX_PLACES,
  knownOf(classes) {
    const known: string[] = [];
    for (const each of classes)
      if (TYPES.has(each) && typesOf([...known, each]).length <= MAX_TYPES) known.push(each);
    return known;
  },
  reader: {
    operation: "getPlacesNearby",
    keyOf: ({ lat, lon, radius_m, limit, language, classes }) =>
      JSON.stringify([lat, lon, radius_m, limit, language, inOrder(classes)]),
    request: (query, settings) =>
      toPlacesRequest(settings, {
        method: "searchNearby",
        language: query.language,
        body: { includedTypes: typesOf(inOrder(query.classes)), ...toCircle(query) },
        fields: [...FIELDS, ...(settings.lean ? [] : [...HOURS, ...CONTACT]), "attributions"],
      }),
    read: (wire, { classes }, { trail }) =>
      readRows(readAnswer(wire, listPlaces), {
        id_member: "id",
        read: readerOf(inOrder(classes)),
        trail,
      }),
  },
};

/** So that a question does not depend on the order in which it names them. */
function inOrder(classes: InterestQuery["classes"]): readonly string[] {
  return PLACE_CLASSES.filter((each) => classes.includes(each));
}

/** Returns a reader that sees each id once, so each answer needs one of its own. */
function readerOf(classes: readonly string[]): RowReader<Interest> {
  const seen = new Set<string>();
  return (row, trail) => {
    const interest = toInterest(row, classes, trail);
    if (typeof interest === "string") return interest;
    if (seen.has(interest.external_id)) return "id_duplicate";
    seen.add(interest.external_id);
    return interest;
  };
}

/** The place, or why it is dropped. */
function toInterest(
  row: Row,
  classes: readonly string[],
  trail: TrailRecorder,
): Interest | DropReason {
  const id = toId(row["id"]);
  if (id === null) return "id_missing";
  if (row["businessStatus"] === "CLOSED_PERMANENTLY") return "closed_permanently";
  const at = toRow(row["location"]);
  const location = googleLocation(at?.["latitude"], at?.["longitude"]);
  if (typeof location === "string") return location;
  const types = [...new Set(toTexts(row["types"]))];
  const place_class = classOf(toText(row["primaryType"]), types, classes);
  if (place_class === null) return "of_another_type";
  const opening = googleOpening(row);
  return {
    place_class,
    ...location,
    source_id: "google_maps",
    external_id: id,
    name: toName(toRow(row["displayName"])?.["text"]),
    attributes: { ...toAttributes(row, id, trail), types },
    ...(opening && { opening }),
  };
}

/** The class that its primary type is of, else any of its types. */
function classOf(
  primary: string | null,
  types: readonly string[],
  classes: readonly string[],
): string | null {
  const isOf = (type: string) => (each: string) => TYPES.get(each)?.includes(type) === true;
  const first = primary === null ? undefined : classes.find(isOf(primary));
  return first ?? classes.find((each) => types.some((type) => isOf(type)(each))) ?? null;
}

function toAttributes(row: Row, id: string, trail: TrailRecorder): Row {
  const link = row["googleMapsUri"];
  const maps_uri = cleanDeepLink("web", link);
  if (maps_uri === null && link != null) trail.repair("deep_link_refused", id);
  const access = toRow(row["accessibilityOptions"])?.["wheelchairAccessibleEntrance"];
  return {
    ...present({ maps_place_id: id, maps_uri }),
    ...readFacts(null, {
      address: toText(row["formattedAddress"]),
      phone: toText(row["internationalPhoneNumber"]),
      website: row["websiteUri"],
      opening_hours: findDescriptions(row)?.join("; "),
      // An entrance without a step says nothing of the rest.
      wheelchair: access === false ? "no" : null,
      attributions: findAttributions(row),
    }),
  };
}
