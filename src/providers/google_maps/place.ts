/** A place of a nearby search as an urban service (§2.3 to 2.5; places.md 1.4, 1.6). */
import type { AddressParts, Place } from "#core/places/place.ts";
import type { TrailRecorder } from "#core/trail.ts";
import { cleanDeepLink } from "#core/uris.ts";
import {
  type Row,
  toBool,
  toId,
  toList,
  toName,
  toRow,
  toText,
  toTexts,
} from "#providers/coerce.ts";
import { present, CHARGING_TYPE, toCharging } from "#providers/google_maps/charging.ts";
import { PARKING_TYPES, toParking } from "#providers/google_maps/parking.ts";
import { toAddress, toComponents } from "#providers/google_maps/address.ts";
import { readFacts } from "#providers/facts.ts";
import { type DropReason, toLocation } from "#providers/google_maps/rows.ts";

export type AroundKind = "parking" | "charging";

type Item = { row: Row; id: string; trail: TrailRecorder };

/** The place, or why it is dropped. */
export function toPlace(row: Row, kind: AroundKind, trail: TrailRecorder): Place | DropReason {
  const id = toId(row["id"]);
  if (id === null) return "id_missing";
  if (row["businessStatus"] === "CLOSED_PERMANENTLY") return "closed_permanently";
  const at = toRow(row["location"]);
  const location = toLocation(at?.["latitude"], at?.["longitude"]);
  if (typeof location === "string") return location;
  const item = { row, id, trail };
  return {
    kind,
    ...location,
    source_id: "google_maps",
    source_type: "partner_api",
    external_id: id,
    name: toName(toRow(row["displayName"])?.["text"]),
    attributes: {
      ...toCommon(item, kind),
      ...(kind === "parking"
        ? { parking: toParking(row) }
        : { charging: toCharging(row, id, trail) }),
      ...readFacts(kind, { attributions: findAttributions(row) }),
    },
    address: toParts(row),
    keys: [`google_maps:${id}`],
  };
}

function toParts(row: Row): AddressParts {
  const { street, city } = toAddress(toComponents(row["addressComponents"]), null);
  return { ...(street === null ? {} : { street }), ...(city === null ? {} : { area: city }) };
}

function toCommon({ row, id, trail }: Item, kind: AroundKind): Row {
  const link = row["googleMapsUri"];
  const maps_uri = cleanDeepLink("web", link);
  if (maps_uri === null && link != null) trail.repair("deep_link_refused", id);
  const primary = toText(row["primaryType"]);
  return present({
    maps_place_id: id,
    address: toText(row["formattedAddress"]),
    primary_type:
      kind === "charging" ? CHARGING_TYPE : (PARKING_TYPES.find((one) => one === primary) ?? null),
    types: [...new Set(toTexts(row["types"]))],
    open_status: toOpenStatus(row),
    opening_hours: findDescriptions(row),
    maps_uri,
  });
}

/** Hours of this week, holidays included, before those of any week. */
function listHours(row: Row): Row[] {
  const hours = [row["currentOpeningHours"], row["regularOpeningHours"]].map(toRow);
  return hours.filter((one) => one !== null);
}

function toOpenStatus(row: Row): "open" | "closed" | "unknown" {
  if (/^CLOSED_|^FUTURE_OPENING$/.test(toText(row["businessStatus"]) ?? "")) return "closed";
  const hours = listHours(row);
  const is_open = hours.map((one) => toBool(one["openNow"])).find((one) => one !== null);
  if (is_open !== undefined) return is_open ? "open" : "closed";
  return hours.some(isAlwaysOpen) ? "open" : "unknown";
}

/** One period that begins on Sunday at 0:00 and has no end; these zeros are always written. */
function isAlwaysOpen(hours: Row): boolean {
  const periods = toList(hours["periods"]).map(toRow);
  const open = toRow(periods[0]?.["open"]);
  if (periods.length !== 1 || !open || periods[0]?.["close"] != null) return false;
  return open["day"] === 0 && open["hour"] === 0 && open["minute"] === 0;
}

function findDescriptions(row: Row): string[] | null {
  const lists = listHours(row).map((hours) => toTexts(hours["weekdayDescriptions"]));
  return lists.find((list) => list.length > 0) ?? null;
}

/** Third parties that must be named wherever the place is shown. */
function findAttributions(row: Row): Row[] | null {
  const list = toList(row["attributions"]).flatMap((value) => {
    const wire = toRow(value);
    const provider = toText(wire?.["provider"]);
    if (provider === null) return [];
    return [present({ provider, provider_uri: cleanDeepLink("web", wire?.["providerUri"]) })];
  });
  return list.length > 0 ? list : null;
}
