/**
 * Toilets around a point, nearest first (§4.6; places.md 5, 11.2). The source's radius is fixed at 20
 * miles, and its distances are in miles: whoever asks measures and cuts.
 */
import { KIND_NAMES, type Place } from "#core/places/place.ts";
import { present } from "#core/places/present.ts";
import { toRfc3339 } from "#core/time.ts";
import { type Row, toBool, toName, toText, toTime_s } from "#providers/coerce.ts";
import type { AroundLookup, LookupSettings } from "#providers/lookup.ts";
import {
  type Dropped,
  joinAddress,
  readPlaces,
  REFUSAL_BYTES,
  toDegrees,
  toLocation,
  toPlainCount,
} from "#providers/place-rows.ts";
import descriptor from "#providers/refuge_restrooms/index.ts";

/** All that one page may hold. */
const PER_PAGE = 100;
/** Eleven metres: what is nearest does not change within them. */
const KEY_DIGITS = 4;

/** Toilets of Refuge Restrooms around a point. */
export const refugeRestrooms: AroundLookup<LookupSettings> = {
  id: `${descriptor.id}.getServicesNearby`,
  provider: descriptor,
  keyOf: ({ lat, lon }) =>
    JSON.stringify([Number(lat.toFixed(KEY_DIGITS)), Number(lon.toFixed(KEY_DIGITS))]),
  // `ada` and `unisex` stay away: one counts as set however it is set.
  request: ({ lat, lon }, { url, timeout_ms }) => ({
    url:
      `${url}/api/v1/restrooms/by_location?lat=${toDegrees(lat)}&lng=${toDegrees(lon)}` +
      `&page=1&per_page=${PER_PAGE}`,
    headers: { accept: "application/json" },
    ...{ max_bytes: descriptor.limits.max_bytes, refusal_bytes: REFUSAL_BYTES, timeout_ms },
  }),
  read: (wire, _query, { trail }) =>
    readPlaces(
      wire,
      { list: (json) => (Array.isArray(json) ? json : null), id_member: "id", toPlace },
      trail,
    ),
};

function toPlace(row: Row, id: string): Place | Dropped {
  if (toBool(row["approved"]) === false) return "not_approved";
  const location = toLocation(row["latitude"], row["longitude"]);
  if (typeof location === "string") return location;
  const name = toName(row["name"]);
  return {
    ...{ kind: "toilets", ...location, source_id: descriptor.id, source_type: "community" },
    external_id: id,
    ...{ name: name ?? KIND_NAMES.toilets, named: name !== null },
    provider: { id: "refuge", name: descriptor.name },
    attributes: toAttributes(row),
    keys: [],
  };
}

function toAttributes(row: Row): Record<string, unknown> {
  const updated_s = toTime_s(row["updated_at"]);
  const [street, city, state] = ["street", "city", "state"].map((member) => [toText(row[member])]);
  return present({
    address: joinAddress(street!, city!, state!),
    accessible: toBool(row["accessible"]),
    unisex: toBool(row["unisex"]),
    changing_table: toBool(row["changing_table"]),
    directions: toText(row["directions"]),
    comment: toText(row["comment"]),
    upvotes: toPlainCount(row["upvote"]),
    downvotes: toPlainCount(row["downvote"]),
    updated_at: updated_s === null ? null : toRfc3339(updated_s),
  });
}
