/** A station of the French register from the rows of its points. */
import { type ConnectorType, toKw } from "#core/places/charging-facts.ts";
import { toEvseId } from "#core/places/evse-id.ts";
import type { Place } from "#core/places/place.ts";
import { toList, toName, toNumber, toRow, toText } from "#kit/coerce.ts";
import type { Location } from "#kit/geo.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import {
  alwaysOpen,
  type StatedHours,
  type StatedStation,
  toChargingStation,
  toStatedEvse,
} from "#providers/charging-station.ts";
import { isFrench } from "#providers/french-land.ts";
import type { Evse } from "#providers/ocpi/evses.ts";
import type { Cells } from "#providers/open-table.ts";
import { type Dropped, type RowNotes, toLocation } from "#providers/place-rows.ts";
import type { RegisterSettings } from "#providers/register-shape.ts";
import {
  COLUMNS,
  toAccess,
  toFlag,
  toPlainId,
  toPower,
  toStated,
  toWheelchair,
} from "#providers/irve/irve-columns.ts";

type Context = { settings: RegisterSettings; trail: TrailRecorder };

/** Reads a station, or why it is dropped; `rows` are its points, the first one has what they share. */
export function toStation(id: string, rows: readonly Cells[], context: Context): Place | Dropped {
  const { settings, trail } = context;
  const location = locate(id, rows, trail);
  if (typeof location === "string") return location;
  const [first] = rows as readonly [Cells, ...Cells[]];
  const evses = rows.map((cells) => toEvse(cells, id, trail));
  const counts = rows.map((cells) => toNumber(cells(COLUMNS.points)) ?? evses.length);
  if (counts.some((count) => count !== evses.length)) trail.repair("point_count_differs", id);
  const stated: StatedStation = {
    ...{ id, location, evses, post_code: null, city: null },
    name: toName(toStated(first(COLUMNS.station_name))),
    operator: toName(toStated(first(COLUMNS.operator))) ?? settings.name,
    street: toStated(first(COLUMNS.street)),
    ...toHours(id, rows, trail),
    facts: {
      brand: toStated(first(COLUMNS.brand)),
      access: agreed(rows.map(toAccess)),
      wheelchair: toWheelchairOf(rows),
      fee: toFee(rows),
      charge: toStated(first(COLUMNS.price)),
    },
  };
  return toChargingStation(stated, settings);
}

/** The value that all have that state one; null: none does, or they differ. */
function agreed<T>(values: readonly (T | null)[]): T | null {
  const stated = new Set(values.filter((value) => value !== null));
  return stated.size === 1 ? [...stated][0]! : null;
}

function toWheelchairOf(rows: readonly Cells[]): string | null {
  const stated = new Set(rows.map(toWheelchair));
  return stated.has("yes")
    ? stated.has("no")
      ? "limited"
      : "yes"
    : stated.has("no")
      ? "no"
      : null;
}

/** One point that costs something makes the station cost something; null: no row says so. */
function toFee(rows: readonly Cells[]): boolean | null {
  const free = rows.map((cells) => toFlag(cells(COLUMNS.free_of_charge)));
  return free.includes(false) ? true : free.every((one) => one === true) ? false : null;
}

/** Of the first point that has one. */
function locate(id: string, rows: readonly Cells[], trail: TrailRecorder): Location | Dropped {
  let reason: Dropped = "coordinates_missing";
  for (const cells of rows) {
    const location = toPosition(cells, { trail, id });
    if (typeof location === "string") reason = location;
    else if (isFrench(location)) return location;
    else {
      const swapped = { lat: location.lon, lon: location.lat };
      if (!isFrench(swapped)) return location;
      trail.repair("coordinates_swapped", id);
      return swapped;
    }
  }
  return reason;
}

const PAIR = /^\[?\s*([-+]?[\d.]+)\s*[,;]\s*([-+]?[\d.]+)\s*\]?$/;

/** `[lon, lat]` as a text or a list, a geometry, or two columns. */
function toPosition(cells: Cells, notes: RowNotes): ReturnType<typeof toLocation> {
  const pair = cells(COLUMNS.coordinates);
  const text = typeof pair === "string" && pair.length < 100 ? PAIR.exec(pair) : null;
  const [lon, lat] = text ? text.slice(1) : toList(toRow(pair)?.["coordinates"] ?? pair);
  const stated = toLocation(lat, lon, notes);
  if (typeof stated !== "string") return stated;
  const apart = toLocation(cells(COLUMNS.lat), cells(COLUMNS.lon), notes);
  return typeof apart === "string" && pair !== undefined ? asReason(pair, stated) : apart;
}

/** A text that is no pair is not a missing one. */
function asReason(pair: unknown, reason: Dropped): Dropped {
  return typeof pair === "string" && reason === "coordinates_missing"
    ? "coordinates_unusable"
    : reason;
}

const PLUGS: readonly (readonly [names: readonly string[], word: RegExp, type: ConnectorType])[] = [
  [COLUMNS.plug_ef, /\bef\b|e\/f/i, "Other"],
  [COLUMNS.plug_2, /\bt(ype ?)?2\b/i, "Type 2"],
  [COLUMNS.plug_ccs, /combo|ccs/i, "CCS2"],
  [COLUMNS.plug_chademo, /chademo/i, "CHAdeMO"],
  [COLUMNS.plug_other, /autre/i, "Other"],
];

/** What alternating current gives at the most through these plugs, kilowatts. */
const MOST_KW: Readonly<Partial<Record<ConnectorType, number>>> = { Other: 4, "Type 2": 44 };
/** A charging point of more is none that is built: its power is in watts. */
const MOST_STATED_KW = 1_000;

function toEvse(cells: Cells, station: string, trail: TrailRecorder): Evse {
  const listed = toText(cells(COLUMNS.plugs)) ?? "";
  const types = PLUGS.filter(
    ([names, word]) => toFlag(cells(names)) ?? (listed !== "" && word.test(listed)),
  ).map(([, , type]) => type);
  const stated = toPower(cells(COLUMNS.power), { trail, id: station });
  const in_watts = stated !== null && stated >= MOST_STATED_KW;
  if (in_watts) trail.repair("power_in_watts", station);
  const max_kw = toKw(in_watts ? stated / 1_000 : stated);
  // What is stated is of the strongest plug; the others may give less.
  const strongest = Math.max(...types.map((type) => MOST_KW[type] ?? Infinity));
  const connectors = [...new Set(types)].map((type) => {
    const most = MOST_KW[type] ?? Infinity;
    return { type, max_kw: max_kw !== null && max_kw > most && most < strongest ? null : max_kw };
  });
  const id = toPointId(cells);
  return toStatedEvse({ id, evse_id: toEvseId(id) }, connectors);
}

/** As the live half has it; null: it is in no register of points. */
export function toPointId(cells: Cells): string | null {
  const id = toPlainId(cells(COLUMNS.point));
  return toEvseId(id) ?? id;
}

/** Opens for a minute on Mondays: a way of not saying. */
const NEVER = /^mo 00:00-00:01$/i;
const ALL_DAY = /^(24 ?\/ ?7|7j?\/7j? ?[,;-]? ?24h?\/24h?|24h?\/24h? ?[,;-]? ?7j?\/7j?)$/i;

function toHours(id: string, rows: readonly Cells[], trail: TrailRecorder): StatedHours {
  const stated = new Set(rows.map((cells) => toStated(cells(COLUMNS.hours))));
  if (stated.size > 1) trail.repair("hours_differ", id);
  const [text = null] = stated.size === 1 ? stated : [];
  if (text === null || NEVER.test(text)) return alwaysOpen(null);
  return ALL_DAY.test(text) ? alwaysOpen(true) : { opening: { text }, hours: [text] };
}
