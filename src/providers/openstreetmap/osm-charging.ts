/**
 * Charging of the open map as §2.5 wants it (places.md 3.2). The map has no live state: members of
 * availability never appear.
 */
import { type Tags, valuesOf } from "./element.ts";

/** EVSE ids of its points, or the pool id of the station; a list. */
export const POINTS_TAG = "ref:EU:EVSE";

const CHARGING_TYPE = "electric_vehicle_charging_station";

const SOCKETS: ReadonlyMap<string, string> = new Map([
  ["type1", "J1772"],
  ["type1_cable", "J1772"],
  ["type2", "Type 2"],
  ["type2_cable", "Type 2"],
  ["type1_combo", "CCS1"],
  ["type2_combo", "CCS2"],
  ["tesla_supercharger_ccs", "CCS2"],
  ["chademo", "CHAdeMO"],
  ["nacs", "NACS"],
  ["tesla_supercharger", "Tesla"],
  ["tesla_standard", "Tesla"],
  ["tesla_destination", "Tesla"],
  ["tesla_roadster", "Tesla"],
  ["gb_t", "GB/T"],
  ["gb_dc", "GB/T"],
  ["gbt_ac", "GB/T"],
  ["gbt_dc", "GB/T"],
]);
/** Household, camping and industrial plugs, and whatever the map comes up with next. */
const OTHER = "Other";

const SOCKET_KEY = /^socket:([^:]+)$/i;
/** For telephones and bicycles. */
const NOT_FOR_CARS = /^(usb|bosch)/;
/** Written in place of a type. */
const NO_TYPES: ReadonlySet<string> = new Set(
  ["output", "voltage", "current", "amperage", "power", "count", "authentication"].concat(
    "unknown",
  ),
);

type Socket = { type: string; count: number | null; max_kw: number | null };
type Connector = { type: string; max_kw?: number; count?: number };
export type ChargingTags = {
  primary_type: typeof CHARGING_TYPE;
  types: string[];
  charging: { connector_count?: number; connectors: Connector[] };
};

export function chargingOf(tags: Tags): ChargingTags {
  const sockets = socketsOf(tags);
  const count = countOf(sockets, tags);
  return {
    primary_type: CHARGING_TYPE,
    types: [CHARGING_TYPE],
    charging: {
      ...(count === null ? {} : { connector_count: count }),
      connectors: sockets.map(toConnector),
    },
  };
}

/** Bicycles alone: said so, or they are named and nothing that fits a car is. */
export function isForCars(tags: Tags): boolean {
  const motorcar = valuesOf(tags, "motorcar");
  if (motorcar.some((value) => value !== "no")) return true;
  const bicycles = valuesOf(tags, "bicycle").some((v) => v === "yes" || v === "designated");
  const fits = socketsOf(tags).length > 0;
  if (bicycles) return motorcar.length === 0 && fits;
  return fits || !hasOnlyOtherSockets(tags);
}

/** Has sockets, but none of them is a car's. */
function hasOnlyOtherSockets(tags: Tags): boolean {
  return [...tags].some(([key, value]) => isPresent(value) && NOT_FOR_CARS.test(typeOf(key) ?? ""));
}

/** Those of cars, in the order of their keys. */
function socketsOf(tags: Tags): Socket[] {
  const sockets: Socket[] = [];
  for (const key of [...tags.keys()].sort()) {
    const type = typeOf(key);
    const value = tags.get(key)!;
    if (type === null || NOT_FOR_CARS.test(type) || !isPresent(value)) continue;
    const max_kw = powerOf(tags.get(`${key}:output`));
    sockets.push({ type: SOCKETS.get(type) ?? OTHER, count: toWhole(value), max_kw });
  }
  return sockets;
}

/** `socket:type2` and not `socket:type2:output`; null: no type of socket. */
function typeOf(key: string): string | null {
  const type = SOCKET_KEY.exec(key)?.[1]?.toLowerCase();
  return type === undefined || NO_TYPES.has(type) ? null : type;
}

function isPresent(value: string): boolean {
  return value.toLowerCase() !== "no" && Number(value) !== 0;
}

function toConnector({ type, count, max_kw }: Socket): Connector {
  return {
    type,
    ...(max_kw === null ? {} : { max_kw }),
    ...(count === null ? {} : { count }),
  };
}

/** The sum when every socket is counted, else what the station holds. */
function countOf(sockets: readonly Socket[], tags: Tags): number | null {
  const counts = sockets.map(({ count }) => count);
  const defined = counts.filter((count) => count !== null);
  if (defined.length > 0 && defined.length === counts.length)
    return defined.reduce((a, b) => a + b);
  return toWhole(tags.get("capacity"));
}

const WHOLE = /^\d{1,4}$/;

/** Reads a count; none at all would not be tagged. */
function toWhole(value: string | undefined): number | null {
  return value !== undefined && WHOLE.test(value) ? Number(value) || null : null;
}

const POWER = /^([0-9.,]+)\s*(kW|kVA)?$/i;
/** A bare number from here on is watts. */
const WATTS_FROM = 1_000;
/** Lorries draw 3.75 megawatts; more is a slip. */
const MAX_KW = 4_000;

/** Reads `22 kW`, `11 kVA`, `50`, `50000`, `22 kW;11 kW`: the most of a list; null: not stated. */
export function powerOf(value: string | undefined): number | null {
  const parts = (value ?? "").split(";").map((part) => toKilowatts(part.trim()));
  const defined = parts.filter((part) => part !== null);
  return defined.length > 0 ? Math.max(...defined) : null;
}

function toKilowatts(text: string): number | null {
  const [, digits, unit] = POWER.exec(text) ?? [];
  if (digits === undefined || digits.length > 12) return null;
  const number = Number(digits.replace(",", "."));
  const kw = unit === undefined && number >= WATTS_FROM ? number / 1_000 : number;
  return kw > 0 && kw <= MAX_KW ? kw : null;
}
