// Charging stations as operators list them, one EVSE a plug, with the slips of real feeds.
import { evseIdOf, ocpiIdOf, partyOf } from "../listing.ts";
import { around, type Point } from "../geo.ts";
import { dayOf } from "../registry.ts";
import { hash, hashText, pick, unit } from "../rng.ts";
import { listPlugs } from "../world/chargers.ts";
import { countryOf } from "../world/countries.ts";
import { tariffIdOf } from "./tariffs.ts";
import type { City } from "../world/model.ts";
import type { Plug, ServiceThing } from "../world/service-model.ts";

export type LocationRow = { readonly last_updated: string; readonly [member: string]: unknown };
export type Location = { toRow(now_ms: number): LocationRow };

const OFF_M = 6;

export function listLocations(
  cities: readonly City[],
  stations: readonly ServiceThing[],
): readonly Location[] {
  return [
    ...stations.map((thing) => ({ toRow: (now_ms: number) => toRow(thing, now_ms) })),
    ...cities.map((city) => ({ toRow: () => hidden(city) })),
  ];
}

function toRow(thing: ServiceThing, now_ms: number): LocationRow {
  const { key, name, street, street_number, operator, opening_hours, city, post_code } = thing;
  const { country, party } = partyOf(thing);
  const plugs = listPlugs(thing, now_ms);
  const updated = newest(thing, plugs);
  return {
    country_code: country,
    party_id: party,
    id: ocpiIdOf(thing),
    publish: true,
    ...(name === "" ? {} : { name }),
    address: `${street} ${street_number}`,
    city: city.name,
    ...(post_code === "" ? {} : { postal_code: post_code }),
    // Some write the country as they say it.
    country: country === "PL" && key % 2 === 0 ? "Polska" : countryOf(country).alpha_3,
    coordinates: coordinatesOf(around(thing, unit(key, 281), OFF_M * unit(key, 282))),
    evses: [...plugs.map((plug, n) => toEvse(thing, plug, n)), ...goneOf(thing)],
    ...(unit(key, 283) < 0.8 ? { operator: { name: operator } } : {}),
    ...(opening_hours === null ? {} : { opening_times: timesOf(opening_hours) }),
    time_zone: city.timezone,
    last_updated: key % 5 === 0 ? updated.replace("Z", "") : updated,
  };
}

const coordinatesOf = ({ lat, lon }: Point): Record<string, string> => ({
  latitude: lat.toFixed(6),
  longitude: lon.toFixed(6),
});

/** A station without live reports was last updated long ago. */
const newest = (thing: ServiceThing, plugs: readonly Plug[]): string =>
  thing.charging?.live === true
    ? new Date(Math.max(...plugs.map(({ since_s }) => since_s)) * 1000).toISOString()
    : dayOf(thing.key);

function toEvse(thing: ServiceThing, plug: Plug, n: number): Record<string, unknown> {
  const { key, charging } = thing;
  const live = charging?.live === true;
  const since = live ? new Date(plug.since_s * 1000).toISOString() : dayOf(key);
  const own = plug.status === "OUTOFORDER" && key % 2 === 0 ? "INOPERATIVE" : plug.status;
  const busy = plug.status === "CHARGING" && (key + n) % 5 === 0 ? "RESERVED" : own;
  return {
    uid: `${ocpiIdOf(thing)}-${n + 1}`,
    ...(unit(key, n, 284) < 0.8 ? { evse_id: evseIdOf(thing, n) } : {}),
    status: live ? busy : "UNKNOWN",
    capabilities: ["RFID_READER", "REMOTE_START_STOP_CAPABLE"],
    connectors: [{ ...connectorOf(plug, key, since), tariff_ids: [tariffIdOf(thing)] }],
    last_updated: since,
  };
}

const DIRECT = /COMBO|CHADEMO|J3400/;

/** The power in watts, in kilowatts by mistake, or only as volts and amperes. */
function connectorOf(
  { standard, power_kw }: Plug,
  key: number,
  since: string,
): Record<string, unknown> {
  const direct = DIRECT.test(standard);
  const phases = direct ? 1 : power_kw > 8 ? 3 : 1;
  const volts = direct ? 400 : 230;
  const power = [{ max_electric_power: power_kw * 1000 }, { max_electric_power: power_kw }, {}];
  return {
    id: "1",
    standard: standard,
    format: pick(["SOCKET", "CABLE", "socket", null], hash(key, 285)),
    power_type: direct ? "DC" : phases === 3 ? "AC_3_PHASE" : "AC_1_PHASE",
    max_voltage: key % 3 === 0 ? String(volts) : volts,
    max_amperage: Math.round((power_kw * 1000) / (volts * phases)),
    ...pick<Record<string, number>>(power, hash(key, 286)),
    last_updated: since,
  };
}

/** Taken away, not yet built, or without a plug: none of them is to be counted. */
function goneOf(thing: ServiceThing): unknown[] {
  const { key } = thing;
  const gone = { status: "REMOVED", connectors: [], last_updated: dayOf(key) };
  const uid = ocpiIdOf(thing);
  const plug = { standard: "IEC_62196_T2", power_kw: 11, status: "AVAILABLE", since_s: 0 } as const;
  return [
    ...(unit(key, 287) < 0.3 ? [{ uid: `${uid}-8`, ...gone }] : []),
    ...(unit(key, 288) < 0.2
      ? [
          {
            uid: `${uid}-9`,
            ...gone,
            status: "PLANNED",
            connectors: [connectorOf(plug, key, dayOf(key))],
          },
        ]
      : []),
  ];
}

function timesOf(opening_hours: string): unknown {
  if (opening_hours === "24/7") return { twentyfourseven: true };
  const daily = opening_hours.startsWith("Mo-Su");
  const days = daily ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5];
  const [period_begin, period_end] = daily ? ["06:00", "22:00"] : ["08:00", "20:00"];
  const saturday = { weekday: 6, period_begin: "09:00", period_end: "18:00" };
  return {
    twentyfourseven: false,
    regular_hours: [
      ...days.map((weekday) => ({ weekday, period_begin, period_end })),
      ...(daily ? [] : [saturday]),
    ],
  };
}

/** An operator's own yard, which is not to be published. */
function hidden(city: City): LocationRow {
  const key = hashText(city.id);
  const at = around(city, unit(key, 289), 200);
  return {
    country_code: city.country,
    party_id: "YRD",
    id: `YARD-${city.id}`,
    publish: false,
    name: "Yard",
    address: "Gate 1",
    city: city.name,
    country: countryOf(city.country).alpha_3,
    coordinates: coordinatesOf(at),
    evses: [],
    time_zone: city.timezone,
    last_updated: dayOf(key),
  };
}
