/**
 * OICP: charging points and their states as Hubject's partners exchange them, and as countries publish
 * them openly. Each point is a record of its own; those of one operator at one position and address are
 * one place, since many publishers give each point a station id of its own. Reference: Hubject, OICP
 * 2.3, eRoamingEVSEData and eRoamingEVSEStatus.
 */
import type { ConnectorType } from "#core/places/charging-facts.ts";
import { powerOf_kw, toKw } from "#core/places/charging-facts.ts";
import { toEvseId } from "#core/places/evse-id.ts";
import type { PointState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import type { Location } from "#kit/geo.ts";
import { parseJsonBytes } from "#kit/json.ts";
import { type Row, toBool, toId, toList, toName, toNumber, toRow, toText } from "#kit/coerce.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import {
  type StatedHours,
  type StatedStation,
  toChargingStation,
  toHours,
  toStatedEvse,
} from "#providers/charging-station.ts";
import { ACCESS, PLUGS, STATES } from "#providers/oicp/oicp-words.ts";
import {
  type Dropped,
  type RowNotes,
  toDecimal,
  toLocation,
  toUtcTime_s,
} from "#providers/place-rows.ts";
import type { RegisterSettings, RegisterShape } from "#providers/register-shape.ts";

export const oicp: RegisterShape = {
  id: "oicp",
  name: "OICP charging points",
  kind: "charging",
  renew_s: 86_400,
  refresh_s: 300,
  readPlaces(body, { settings, trail }) {
    const records = listRecords(body, "EvseData", trail);
    return records && toPlaces(groupRecords(records, trail), settings, trail);
  },
  readStates(body, { trail }) {
    const records = listRecords(body, "EvseStatus", trail);
    return records && toStates(records, trail);
  },
};

/** A record with the operator that lists it. */
type Listed = { row: Row; operator: string | null };

/** Of one document. */
const MAX_RECORDS = 1_000_000;

/** null: the document has no such list. `what`: of data or of statuses; letter case differs by publisher. */
function listRecords(
  body: Uint8Array,
  what: "EvseData" | "EvseStatus",
  trail: TrailRecorder,
): Listed[] | null {
  const document = toRow(parseJsonBytes(body));
  const plural = what === "EvseData" ? ["EVSEData"] : ["EVSEStatuses", "EVSEStatus"];
  const names = [...plural, `${what}es`, what, "content"];
  const found = names.map((name) => document?.[name]).find((value) => value !== undefined);
  const operators = Array.isArray(found) ? found : toRow(found)?.[`Operator${what}`];
  if (!Array.isArray(operators)) return null;
  const records: Listed[] = [];
  for (const [index, wire] of operators.entries()) {
    const row = toRow(wire);
    const own = row?.[`${what}Record`] ?? row?.[`EVSE${what.slice(4)}Record`];
    // The pages of 2.3 list the records themselves, each with its operator.
    const rows = own === undefined ? [wire] : toList(own);
    for (const one of rows) {
      if (records.length === MAX_RECORDS) trail.drop("too_many_records", `#${index}`);
      if (records.length >= MAX_RECORDS) return records;
      const record = toRow(one);
      if (record)
        records.push({ row: record, operator: toName((own ? row : record)?.["OperatorName"]) });
      else trail.drop("row_malformed", `#${index}`);
    }
  }
  return records;
}

type Group = { first: Listed; location: Location; points: Map<string, Row> };

/** By operator, position (0.1 m) and street; what has no usable position is dropped. */
function groupRecords(records: readonly Listed[], trail: TrailRecorder): Iterable<Group> {
  const groups = new Map<string, Group>();
  const seen = new Set<string>();
  for (const [index, listed] of records.entries()) {
    const { row, operator } = listed;
    const id = toEvseId(toText(row["EvseID"])) ?? toId(row["EvseID"]);
    const location = id === null ? "id_missing" : toPosition(row["GeoCoordinates"], { trail, id });
    const reason = id !== null && seen.has(id) ? "id_duplicate" : location;
    if (typeof reason === "string") {
      trail.drop(reason, id ?? `#${index}`);
      continue;
    }
    seen.add(id!);
    const { lat, lon } = reason;
    const street = toText(toRow(row["Address"])?.["Street"]) ?? "";
    const key = JSON.stringify([operator, lat.toFixed(6), lon.toFixed(6), street]);
    const group = groups.get(key) ?? { first: listed, location: reason, points: new Map() };
    groups.set(key, group);
    group.points.set(id!, row);
  }
  return groups.values();
}

function* toPlaces(
  groups: Iterable<Group>,
  settings: RegisterSettings,
  trail: TrailRecorder,
): Generator<Place, void> {
  for (const group of groups) yield toChargingStation(toStated(group, trail), settings);
}

function toStated(
  { first: { row, operator }, location, points }: Group,
  trail: TrailRecorder,
): StatedStation {
  const address = toRow(row["Address"]);
  const of = (name: string): string | null => toText(address?.[name]);
  // The pool, where the publisher names it; else the least id, which stays while others come and go.
  const [least = ""] = [...points.keys()].sort();
  return {
    id: toId(row["ChargingPoolID"]) ?? least,
    location,
    name: nameOf(row["ChargingStationNames"]),
    operator: toName(row["SuboperatorName"]) ?? operator,
    street: of("Street"),
    post_code: of("PostalCode"),
    city: of("City"),
    ...toOpeningTimes(row),
    wheelchair: null,
    access: ACCESS.get(toText(row["Accessibility"])?.toLowerCase() ?? "") ?? null,
    evses: [...points].map(([id, point]) =>
      toStatedEvse({ id, evse_id: toEvseId(id) }, connectorsOf(point, { trail, id })),
    ),
  };
}

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const SPANS: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ["everyday", [0, 1, 2, 3, 4, 5, 6]],
  ["workdays", [0, 1, 2, 3, 4]],
  ["weekend", [5, 6]],
  ...WEEKDAYS.map((name, day) => [name, [day]] as [string, number[]]),
]);
/** Of one point; more are no hours. */
const MAX_PERIODS = 100;

function toOpeningTimes(row: Row): StatedHours {
  const is_always_open = toBool(row["IsOpen24Hours"]);
  const times = toList(row["OpeningTimes"]).slice(0, MAX_PERIODS).map(toRow);
  if (is_always_open === true || times.length === 0) return { is_always_open };
  return toHours(
    times.flatMap((one) => {
      const days = SPANS.get(toText(one?.["on"])?.toLowerCase() ?? "") ?? [-1];
      const periods = toList(one?.["Period"]).slice(0, MAX_PERIODS).map(toRow);
      return periods.map((period) => ({
        days,
        from: toText(period?.["begin"]),
        until: toText(period?.["end"]),
      }));
    }),
  );
}

/** English where there is one, since the others are mostly the same. */
function nameOf(wire: unknown): string | null {
  const names = toList(wire)
    .map(toRow)
    .filter((one) => one !== null);
  const english = names.find((name) => toText(name["lang"]) === "en") ?? names[0];
  return toName(english?.["value"] ?? wire);
}

/** Which facility feeds which plug is not published: the strongest of its kind of current. */
function connectorsOf(row: Row, notes: RowNotes): { type: ConnectorType; max_kw: number | null }[] {
  const facilities = toList(row["ChargingFacilities"]).map(toRow);
  const powers = facilities.filter((one) => one !== null).map((one) => toPower(one, notes));
  return toList(row["Plugs"])
    .slice(0, MAX_PLUGS)
    .map((wire) => {
      const plug = PLUGS.get(toText(wire)?.toLowerCase() ?? "") ?? {
        type: "Other" as const,
        dc: null,
      };
      const fitting = powers.filter(({ dc }) => dc === null || plug.dc === null || dc === plug.dc);
      const known = fitting.flatMap(({ kw }) => kw ?? []);
      return { type: plug.type, max_kw: known.length > 0 ? Math.max(...known) : null };
    });
}
const MAX_PLUGS = 32;

function toPower(row: Row, notes: RowNotes): { kw: number | null; dc: boolean | null } {
  const kind = toText(row["powertype"] ?? row["PowerType"])?.toUpperCase() ?? "";
  const current =
    kind === "DC" ? "dc" : kind === "AC_3_PHASE" ? "ac_3" : kind === "AC_1_PHASE" ? "ac_1" : null;
  const stated = toKw(toDecimal(row["power"] ?? row["Power"], notes));
  const volts = toNumber(row["Voltage"] ?? row["voltage"]);
  const amperes = toNumber(row["Amperage"] ?? row["amperage"]);
  const kw = stated ?? powerOf_kw(volts, amperes, current);
  return { kw, dc: current === null ? null : current === "dc" };
}

const PAIR = /^(-?\d{1,3}(?:\.\d{1,15})?)\s?[\s,;]\s?(-?\d{1,3}(?:\.\d{1,15})?)$/;
const DEGREES = /^(-?)(\d{1,3})°\s?(\d{1,2})'\s?(\d{1,2}(?:\.\d{1,6})?)(?:"|'')?$/;

/** "46.2 6.05" as one text, decimal degrees as two, or degrees with minutes and seconds. */
function toPosition(wire: unknown, notes: RowNotes): Location | Dropped {
  const row = toRow(wire);
  const [, lat, lon] = PAIR.exec(toText(row?.["Google"]) ?? "") ?? [];
  if (lat !== undefined) return toLocation(lat, lon);
  const decimal = toRow(row?.["DecimalDegree"]);
  if (decimal) return toLocation(decimal["Latitude"], decimal["Longitude"], notes);
  const parts = toRow(row?.["DegreeMinuteSeconds"]);
  return toLocation(fromMinutes(parts?.["Latitude"]), fromMinutes(parts?.["Longitude"]));
}

function fromMinutes(wire: unknown): number | null {
  const [, sign, degrees, minutes, seconds] = DEGREES.exec(toText(wire)?.trim() ?? "") ?? [];
  if (degrees === undefined) return null;
  const value = Number(degrees) + Number(minutes) / 60 + Number(seconds) / 3_600;
  return sign === "-" ? -value : value;
}

function* toStates(
  records: readonly Listed[],
  trail: TrailRecorder,
): Generator<PointState | null, void> {
  for (const [index, { row }] of records.entries()) {
    const id = toEvseId(toText(row["EvseID"])) ?? toId(row["EvseID"]);
    if (id === null) {
      trail.drop("id_missing", `#${index}`);
      yield null;
      continue;
    }
    const state = STATES.get(toText(row["EVSEStatus"] ?? row["EvseStatus"])?.toLowerCase() ?? "");
    const observed_s = toUtcTime_s(row["lastUpdate"] ?? row["LastUpdate"]);
    yield { kind: "point", id, observed_s, state: state ?? null };
  }
}
