/** One point of the list as a place (places.md 6.1): what is no usable locker is dropped again. */
import type { Place } from "#core/places/place.ts";
import { present } from "#core/places/present.ts";
import { cleanDeepLink } from "#core/uris.ts";
import { type Row, toBool, toName, toRow, toText, toTexts } from "#providers/coerce.ts";
import { toOpeningHours } from "#providers/inpost/hours.ts";
import descriptor from "#providers/inpost/index.ts";
import { type Dropped, joinAddress, toLocation } from "#providers/place-rows.ts";

const LOCKER_TYPES: ReadonlySet<string> = new Set(["parcel_locker", "parcel_locker_only"]);

/**
 * Rows for the source's own tests, in capitals; "TESTOWE" is the Polish province for them. A word of
 * its own: LA TESTE-DE-BUCH and TESTICO are towns.
 */
const TEST_PLACE = /(?<!\p{L})TEST(OW[AEY])?(?!\p{L})/u;
const TEST_NAME = /^TEST|(?<!\p{L})TEST(?!\p{L})/u;

/** The place, or why it is dropped. `id`: the point's `name`, which is a code. */
export function toLocker(row: Row, id: string): Place | Dropped {
  const types = Array.isArray(row["type"]) ? toTexts(row["type"]) : toTexts([row["type"]]);
  if (!types.some((type) => LOCKER_TYPES.has(type))) return "not_a_locker";
  // Without a status it has passed the filter that was asked for.
  if ((toText(row["status"]) ?? "Operating") !== "Operating") return "not_operating";
  const details = toRow(row["address_details"]);
  if (isTest(id, details)) return "test_row";
  const at = toRow(row["location"]);
  const location = toLocation(at?.["latitude"], at?.["longitude"]);
  if (typeof location === "string") return location;
  return {
    ...{ kind: "locker", ...location, source_id: descriptor.id, source_type: "partner_api" },
    ...{ external_id: id, ...toNaming(row, id, details) },
    provider: { id: "inpost", name: "InPost" },
    attributes: toAttributes(row, details),
    keys: [`${descriptor.id}:${id}`],
  };
}

function isTest(id: string, details: Row | null): boolean {
  const places = [toText(details?.["province"]), toText(details?.["city"])];
  return TEST_NAME.test(id) || places.some((place) => place !== null && TEST_PLACE.test(place));
}

/**
 * British points hide their name behind the building number: "24/7 InPost Locker - Corner Shop".
 * Where they stand and what they are called by the source names nothing (`named`).
 */
function toNaming(row: Row, id: string, details: Row | null): Pick<Place, "name" | "named"> {
  const building = toText(details?.["building_number"]);
  const name = toName(building === null ? null : behindDash(building));
  if (name !== null) return { name, named: true };
  return { name: toName(row["location_description"]) ?? `InPost ${id}`, named: false };
}

/** What stands behind the first dash, if there is a letter in it. */
function behindDash(text: string): string | null {
  const at = text.indexOf(" - ");
  const rest = at === -1 ? "" : text.slice(at + 3);
  return /\p{L}/u.test(rest) ? rest : null;
}

function toAttributes(row: Row, details: Row | null): Record<string, unknown> {
  const functions = toTexts(row["functions"]);
  return present({
    address: toAddress(row, details),
    opening_hours: toOpeningHours(row),
    location_type: toText(row["location_type"]),
    description: toText(row["location_description"]),
    payment_available: toBool(row["payment_available"]),
    open_24_7: toBool(row["location_247"]),
    functions: functions.length > 0 ? functions : null,
    image_url: cleanDeepLink("web", row["image_url"]),
  });
}

function toAddress(row: Row, details: Row | null): string | null {
  const lines = toRow(row["address"]);
  const of = (member: string): string | null => toText(details?.[member]);
  return (
    joinAddress([toText(lines?.["line1"])], [toText(lines?.["line2"])]) ??
    joinAddress([of("street"), of("building_number")], [of("post_code"), of("city")])
  );
}
