/**
 * Refuge Restrooms: toilets that are safe to use for everybody, added by those who use them.
 * Reference: RefugeRestrooms/refugerestrooms, app/controllers/api/v1/restrooms.rb (places.md 5). The
 * source's radius is fixed at 20 miles and its distances are in miles: the caller measures and cuts.
 */
import { type Place, toAddressParts } from "#core/places/place.ts";
import { type Row, toBool, toName, toText } from "#kit/coerce.ts";
import { readFacts } from "#providers/stated-facts.ts";
import { listIn } from "#providers/json-lists.ts";
import type { LookupSettings } from "#providers/lookup.ts";
import {
  type Dropped,
  joinAddress,
  readPlaces,
  toDegrees,
  toLocation,
} from "#providers/place-rows.ts";
import { address, lookupSettings } from "#providers/settings.ts";
import { type AroundReader, defineSource } from "#providers/source.ts";

/** All that one page may hold. */
const PER_PAGE = 100;
/** Eleven metres: what is nearest does not change within them. */
const KEY_DIGITS = 4;

/** Toilets around a point, nearest first (§4.6; places.md 11.2). */
export const refugeRestrooms: AroundReader<LookupSettings> = {
  operation: "getServicesNearby",
  keyOf: ({ lat, lon }) =>
    JSON.stringify([Number(lat.toFixed(KEY_DIGITS)), Number(lon.toFixed(KEY_DIGITS))]),
  // `ada` and `unisex` stay away: one counts as set however it is set.
  request: ({ lat, lon }, { url }) => ({
    url:
      `${url}/api/v1/restrooms/by_location?lat=${toDegrees(lat)}&lng=${toDegrees(lon)}` +
      `&page=1&per_page=${PER_PAGE}`,
    headers: { accept: "application/json" },
  }),
  read: (wire, _query, { trail }) =>
    readPlaces(wire, { list: (json) => listIn(json, null), id_member: "id", toPlace }, trail),
};

const refuge = defineSource({
  id: "refuge_restrooms",
  name: "Refuge Restrooms",
  kind: "lookup",
  operations: ["getServicesNearby"],
  terms: {
    attribution: "Data from Refuge Restrooms",
    attribution_url: "https://www.refugerestrooms.org/",
    // The project states none for its data.
    licence: null,
    licence_url: null,
    store: "all",
  },
  // A hundred rows with long comments are some 200 KiB.
  limits: { max_bytes: 2 * 1_024 * 1_024 },
  lifecycle: "active",
  config: lookupSettings("Refuge Restrooms: toilets that are safe to use.", {
    url: address("Base address, before /api/v1.", "https://www.refugerestrooms.org"),
  }),
  // Toilets change rarely, and a question a kilometre away is the same question.
  policy: { cache_s: 6 * 3_600, places: 4 },
  snaps: true,
  precedence: 30,
  around: [{ kind: "toilets", reader: refugeRestrooms }],
});
export default refuge;

function toPlace(row: Row, id: string): Place | Dropped {
  if (toBool(row["approved"]) === false) return "not_approved";
  const location = toLocation(row["latitude"], row["longitude"]);
  if (typeof location === "string") return location;
  return {
    kind: "toilets",
    ...location,
    source_id: refuge.id,
    source_type: "community",
    external_id: id,
    name: toName(row["name"]),
    provider: { id: refuge.id, name: refuge.name },
    attributes: toAttributes(row),
    address: toAddressParts({ street: toText(row["street"]), area: toText(row["city"]) }),
    keys: [],
  };
}

function toAttributes(row: Row): Record<string, unknown> {
  const [street, city, state] = ["street", "city", "state"].map((member) => [toText(row[member])]);
  return readFacts("toilets", {
    address: joinAddress(street!, city!, state!),
    wheelchair: ticked(row["accessible"]),
    unisex: ticked(row["unisex"]),
    changing_table: ticked(row["changing_table"]),
    location_note: toText(row["directions"]),
    description: toText(row["comment"]),
    upvotes: row["upvote"],
    downvotes: row["downvote"],
    updated_on: row["updated_at"],
  });
}

/** Each is a box of the form, false where it was left empty, which says nothing. */
function ticked(wire: unknown): true | null {
  return toBool(wire) === true ? true : null;
}
