/** A charging station of a register as a place, whatever the format it comes in. */
import { CHARGING_TYPE, type ConnectorType } from "#core/places/charging-facts.ts";
import { type Place, toAddressParts } from "#core/places/place.ts";
import type { Location } from "#kit/geo.ts";
import { present } from "#kit/present.ts";
import { type Evse, evseKeys, powersOf, toCharging, toPoint } from "#providers/ocpi/evses.ts";
import { joinAddress } from "#providers/place-rows.ts";
import type { RegisterSettings } from "#providers/register-shape.ts";
import { readFacts } from "#providers/stated-facts.ts";

/** As its register has it; null: not stated. */
export type StatedStation = {
  id: string;
  location: Location;
  name: string | null;
  operator: string | null;
  street: string | null;
  post_code: string | null;
  city: string | null;
  is_always_open: boolean | null;
  wheelchair: "yes" | "no" | null;
  access: "yes" | "customers" | "restricted" | null;
  evses: readonly Evse[];
};

type Connector = { type: ConnectorType; max_kw: number | null };

/** `id`: under which the live half has it; null: none, so that no state will meet it. */
export function toStatedEvse(
  { id, evse_id }: { id: string | null; evse_id: string | null },
  connectors: readonly Connector[],
): Evse {
  const unit = { count: 1, state: null, updated_s: null };
  return { id, evse_id, unit, connectors: connectors.length, powers: powersOf(connectors) };
}

export function toChargingStation(stated: StatedStation, settings: RegisterSettings): Place {
  const { id, location, name, evses, street, city, is_always_open } = stated;
  const operator = stated.operator ?? settings.name;
  const attribution = settings.attribution && {
    ...{ provider: settings.name, display_name: settings.attribution, required: true },
  };
  return {
    kind: "charging",
    ...location,
    source_id: settings.id,
    source_type: "partner_api",
    external_id: id,
    name,
    provider: { id: settings.id, name: operator },
    attributes: {
      ...present({
        maps_place_id: id,
        address: joinAddress([street], [stated.post_code, city]),
        primary_type: CHARGING_TYPE,
        types: [CHARGING_TYPE],
        open_status: is_always_open === true ? "open" : "unknown",
        opening_hours: is_always_open === true ? ["24/7"] : null,
      }),
      ...readFacts("charging", {
        operator: stated.operator,
        wheelchair: stated.wheelchair,
        access: stated.access,
        attribution,
      }),
      charging: toCharging(evses, { is_live: true }),
    },
    address: toAddressParts({ street, area: city }),
    ...(is_always_open === true ? { opening: { text: "24/7" } } : {}),
    live: { kind: "points", points: evses.map(toPoint) },
    keys: [`${settings.id}:${id}`, ...evseKeys(evses)],
  };
}
