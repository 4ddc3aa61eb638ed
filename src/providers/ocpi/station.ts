/** An OCPI location as a charging station (§2.3, §2.5; places.md 7.2, 11.3). */
import { CHARGING_TYPE } from "#core/places/charging.ts";
import { KIND_NAMES, type Place } from "#core/places/place.ts";
import { present } from "#core/places/present.ts";
import type { TrailRecorder } from "#core/trail.ts";
import { type Row, toBool, toId, toName, toRow, toText } from "#providers/coerce.ts";
import { toCharging } from "#providers/ocpi/evses.ts";
import { isAlwaysOpen, toOpeningHours } from "#providers/ocpi/hours.ts";
import descriptor, { type OcpiSettings } from "#providers/ocpi/index.ts";
import { type Dropped, joinAddress, toLocation } from "#providers/place-rows.ts";

type Context = { settings: OcpiSettings; trail: TrailRecorder };

/** The place, or why it is dropped. */
export function toStation(row: Row, { settings, trail }: Context): Place | Dropped {
  const id = toId(row["id"]);
  if (id === null) return "id_missing";
  if (toBool(row["publish"]) === false) return "not_published";
  const location = toCoordinates(row);
  if (typeof location === "string") return location;
  const external_id = toExternalId(row, id, settings);
  const charging = toCharging(row, external_id, trail);
  if (charging === null) return "no_evse_left";
  const name = toName(row["name"]);
  const operator = toName(toRow(row["operator"])?.["name"]) ?? settings.name;
  return {
    ...{ kind: "charging", ...location, source_id: descriptor.id, source_type: "partner_api" },
    external_id,
    ...{ name: name ?? (operator || KIND_NAMES.charging), named: name !== null },
    provider: { id: descriptor.id, name: operator || descriptor.name },
    attributes: { ...toPlaceMembers(row, external_id), charging, ...toAttribution(settings) },
    keys: [`${descriptor.id}:${external_id}`],
  };
}

/** Exactly 1,1 is what somebody types who has no coordinates; it lies in the sea. */
function toCoordinates(row: Row): ReturnType<typeof toLocation> {
  const at = toRow(row["coordinates"]);
  const location = toLocation(at?.["latitude"], at?.["longitude"]);
  if (typeof location === "string") return location;
  return location.lat === 1 && location.lon === 1 ? "coordinates_placeholder" : location;
}

/**
 * `CC/PARTY/ID` names a location in all of OCPI. 2.1.1 has neither code and some leave the party out:
 * the endpoint's name stands in, so that the "1" of two operators are two stations.
 */
function toExternalId(row: Row, id: string, { name }: OcpiSettings): string {
  const country = toText(row["country_code"]) ?? toCountryCode(toText(row["country"])) ?? "";
  const party = toText(row["party_id"])?.toUpperCase() ?? name;
  return [country.toUpperCase(), party, id].filter((part) => part !== "").join("/");
}

/** "NLD" is a code, "Polska" is none. */
function toCountryCode(country: string | null): string | null {
  return country !== null && /^[A-Za-z]{2,3}$/.test(country) ? country : null;
}

function toPlaceMembers(row: Row, maps_place_id: string): Row {
  const of = (member: string): string | null => toText(row[member]);
  const times = toRow(row["opening_times"]);
  return present({
    maps_place_id,
    address: joinAddress([of("address")], [of("postal_code"), of("city")]),
    primary_type: CHARGING_TYPE,
    types: [CHARGING_TYPE],
    // Whether regular hours hold now depends on the clock at the station.
    open_status: isAlwaysOpen(times) ? "open" : "unknown",
    opening_hours: toOpeningHours(times),
  });
}

/** As §2.6 has it, for the one endpoint. */
function toAttribution({ name, attribution }: OcpiSettings): Row {
  if (attribution === null) return {};
  return { attribution: { provider: name, display_name: attribution, required: true } };
}
