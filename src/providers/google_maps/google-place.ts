/** A place of a nearby search as an urban service (§2.3 to 2.5; places.md 1.4, 1.6). */
import type { Opening } from "#core/places/opening.ts";
import { type AddressParts, type Place, toAddressParts } from "#core/places/place.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { cleanDeepLink } from "#kit/uris.ts";
import { type Row, toId, toList, toName, toRow, toText, toTexts } from "#kit/coerce.ts";
import { present } from "#kit/present.ts";
import { GOOGLE_CHARGING_TYPE, toCharging } from "#providers/google_maps/google-charging.ts";
import { findDescriptions, googleOpening } from "#providers/google_maps/google-hours.ts";
import { feeOf, PARKING_TYPES, toParking } from "#providers/google_maps/google-parking.ts";
import { toAddress, toComponents } from "#providers/google_maps/google-address.ts";
import { readFacts } from "#providers/stated-facts.ts";
import { type DropReason, googleLocation } from "#providers/google_maps/google-rows.ts";

export type AroundKind = "parking" | "charging";

type Item = { row: Row; id: string; opening: Opening | null; trail: TrailRecorder };

/** The place, or why it is dropped. */
export function toPlace(row: Row, kind: AroundKind, trail: TrailRecorder): Place | DropReason {
  const id = toId(row["id"]);
  if (id === null) return "id_missing";
  if (row["businessStatus"] === "CLOSED_PERMANENTLY") return "closed_permanently";
  const at = toRow(row["location"]);
  const location = googleLocation(at?.["latitude"], at?.["longitude"]);
  if (typeof location === "string") return location;
  const opening = googleOpening(row);
  const parking = kind === "parking" ? toParking(row) : null;
  const item = { row, id, opening, trail };
  return {
    kind,
    ...location,
    source_id: "google_maps",
    source_type: "partner_api",
    external_id: id,
    name: toName(toRow(row["displayName"])?.["text"]),
    attributes: {
      ...toCommon(item, kind),
      ...(parking ? { parking } : { charging: toCharging(row, id, trail) }),
      ...readFacts(kind, {
        fee: parking && feeOf(parking),
        attributions: findAttributions(row),
      }),
    },
    address: toParts(row),
    ...(opening && { opening }),
    keys: [`google_maps:${id}`],
  };
}

function toParts(row: Row): AddressParts {
  const { street, city } = toAddress(toComponents(row["addressComponents"]), null);
  return toAddressParts({ street, area: city });
}

function toCommon({ row, id, opening, trail }: Item, kind: AroundKind): Row {
  const link = row["googleMapsUri"];
  const maps_uri = cleanDeepLink("web", link);
  if (maps_uri === null && link != null) trail.repair("deep_link_refused", id);
  const primary = toText(row["primaryType"]);
  return present({
    maps_place_id: id,
    address: toText(row["formattedAddress"]),
    primary_type:
      kind === "charging"
        ? GOOGLE_CHARGING_TYPE
        : (PARKING_TYPES.find((one) => one === primary) ?? null),
    types: [...new Set(toTexts(row["types"]))],
    open_status: opening?.now?.state ?? "unknown",
    opening_hours: findDescriptions(row),
    maps_uri,
  });
}

/** Third parties that must be named wherever the place is shown. */
export function findAttributions(row: Row): Row[] | null {
  const list = toList(row["attributions"]).flatMap((value) => {
    const wire = toRow(value);
    const provider = toText(wire?.["provider"]);
    if (provider === null) return [];
    return [present({ provider, provider_uri: cleanDeepLink("web", wire?.["providerUri"]) })];
  });
  return list.length > 0 ? list : null;
}
