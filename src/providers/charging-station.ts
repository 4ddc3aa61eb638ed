/** A charging station of a register as a place, whatever the format it comes in. */
import { CHARGING_TYPE, type ConnectorType } from "#core/places/charging-facts.ts";
import { ALWAYS, type Opening, toDays } from "#core/places/opening.ts";
import { type Place, toAddressParts } from "#core/places/place.ts";
import type { Location } from "#kit/geo.ts";
import { present } from "#kit/present.ts";
import { type Evse, evseKeys, powersOf, toCharging, toPoint } from "#providers/ocpi/evses.ts";
import { joinAddress } from "#providers/place-rows.ts";
import type { RegisterSettings } from "#providers/register-shape.ts";
import { readFacts } from "#providers/stated-facts.ts";

/** `opening`: absent where it is always open, or states no hours. */
export type StatedHours = { is_always_open: boolean | null; opening?: Opening };

/** As its register has it; null: not stated. */
export type StatedStation = StatedHours & {
  id: string;
  location: Location;
  name: string | null;
  operator: string | null;
  street: string | null;
  post_code: string | null;
  city: string | null;
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
  const opening = is_always_open === true ? ALWAYS : stated.opening;
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
    ...(opening && { opening }),
    live: { kind: "points", points: evses.map(toPoint) },
    keys: [`${settings.id}:${id}`, ...evseKeys(evses)],
  };
}

/** Hours of days (0: Monday), `HH:MM` at its clock. */
export type StatedPeriod = { days: readonly number[]; from: string | null; until: string | null };

const CLOCK = /^([01]?\d|2[0-4]):([0-5]\d)(?::\d\d)?$/;

/** One period that cannot be read makes the week unreadable; a clock with an offset is none of the place. */
export function toHours(periods: readonly StatedPeriod[]): StatedHours {
  const days = periods.flatMap(({ days: named, from, until }) => {
    const [from_min, until_min] = [toMinutes(from), toMinutes(until)];
    if (from_min === null || until_min === null) return [null];
    const end_min = until_min > from_min ? until_min : until_min + 1_440;
    return named.map((day) => toDays(day, from_min, end_min));
  });
  const weekly = days.filter((day) => day !== null);
  const isReadable = weekly.length > 0 && weekly.length === days.length;
  return { is_always_open: null, opening: isReadable ? { weekly: weekly.flat() } : {} };
}

function toMinutes(clock: string | null): number | null {
  const [, hours, minutes] = CLOCK.exec(clock?.trim() ?? "") ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}
