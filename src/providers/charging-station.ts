/** A charging station of a register as a place, whatever the format it comes in. */
import { CHARGING_TYPE, type ConnectorType } from "#core/places/charging-facts.ts";
import { ALWAYS, type Opening, toDays } from "#core/places/opening.ts";
import { type Place, toAddressParts } from "#core/places/place.ts";
import type { Location } from "#kit/geo.ts";
import { present } from "#kit/present.ts";
import { type Evse, evseKeys, powersOf, toCharging, toPoint } from "#providers/ocpi/evses.ts";
import { joinAddress, toAttribution } from "#providers/place-rows.ts";
import { readFacts, type StatedFacts } from "#providers/stated-facts.ts";

/** Hours for evaluation, and as they are shown; null: none are stated. */
export type StatedHours = { opening: Opening | null; hours: string[] | null };

const NO_HOURS: StatedHours = { opening: null, hours: null };
const ALL_HOURS: StatedHours = { opening: ALWAYS, hours: ["24/7"] };

/** Hours of a station that says only whether it is always open. */
export function alwaysOpen(is_always_open: boolean | null): StatedHours {
  return is_always_open === true ? ALL_HOURS : NO_HOURS;
}

/** As its register has it; null: not stated. */
export type StatedStation = StatedHours & {
  id: string;
  location: Location;
  name: string | null;
  operator: string | null;
  street: string | null;
  post_code: string | null;
  city: string | null;
  /** What else it states. */
  facts: StatedFacts;
  evses: readonly Evse[];
  /** Under which other sources have it, besides its points. */
  keys?: readonly string[];
};

/** Whose stations they are. */
type StationRegister = {
  id: string;
  name: string;
  attribution: string | null;
  /** In the place of a name that is empty. */
  label?: string;
  /** The document says where the points are, and not how; absent: it does. */
  is_live?: boolean;
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

export function toChargingStation(stated: StatedStation, register: StationRegister): Place {
  const { id, location, name, evses, street, city, opening, hours, facts, keys = [] } = stated;
  const { label = "", is_live = true } = register;
  return {
    kind: "charging",
    ...location,
    source_id: register.id,
    source_type: "partner_api",
    external_id: id,
    name,
    provider: { id: register.id, name: (stated.operator ?? register.name) || label },
    attributes: {
      ...present({
        maps_place_id: id,
        address: joinAddress([street], [stated.post_code, city]),
        primary_type: CHARGING_TYPE,
        types: [CHARGING_TYPE],
        // Others are evaluated with the answer, where the moment and the time zone are known.
        open_status: hours?.[0] === "24/7" ? "open" : "unknown",
        opening_hours: hours,
      }),
      ...readFacts("charging", {
        operator: stated.operator,
        ...facts,
        attribution: toAttribution(register),
      }),
      charging: toCharging(evses, { is_live }),
    },
    address: toAddressParts({ street, area: city }),
    ...(opening && { opening }),
    ...(is_live && { live: { kind: "points", points: evses.map(toPoint) } }),
    keys: [`${register.id}:${id}`, ...keys, ...evseKeys(evses)],
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
  return { opening: isReadable ? { weekly: weekly.flat() } : {}, hours: null };
}

function toMinutes(clock: string | null): number | null {
  const [, hours, minutes] = CLOCK.exec(clock?.trim() ?? "") ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}
