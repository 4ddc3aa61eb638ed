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
import { type Row, toBool, toId, toList, toName, toNumber, toRow, toText } from "#kit/coerce.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import {
  alwaysOpen,
  type StatedHours,
  type StatedStation,
  toChargingStation,
  toHours,
  toStatedEvse,
} from "#providers/charging-station.ts";
import {
  type Group,
  idOf,
  openRecords,
  readGroups,
  type Records,
} from "#providers/oicp/oicp-records.ts";
import { ACCESS, PLUGS, STATES } from "#providers/oicp/oicp-words.ts";
import { type RowNotes, toDecimal, toUtcTime_s } from "#providers/place-rows.ts";
import type { RegisterSettings, RegisterShape } from "#providers/register-shape.ts";

export const oicp: RegisterShape = {
  id: "oicp",
  name: "OICP charging points",
  kind: "charging",
  renew_s: 86_400,
  refresh_s: 300,
  readPlaces(body, { settings, trail }) {
    const records = openRecords(body, "EvseData", trail);
    return records && toPlaces(records, settings, trail);
  },
  readStates(body, { trail }) {
    const records = openRecords(body, "EvseStatus", trail);
    return records && toStates(records, trail);
  },
};

function* toPlaces(
  records: Records,
  settings: RegisterSettings,
  trail: TrailRecorder,
): Generator<Place | null, void> {
  for (const group of readGroups(records, trail))
    yield group && toChargingStation(toStated(group, trail), settings);
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
    facts: { access: ACCESS.get(toText(row["Accessibility"])?.toLowerCase() ?? "") },
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
  if (is_always_open === true || times.length === 0) return alwaysOpen(is_always_open);
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

function* toStates(records: Records, trail: TrailRecorder): Generator<PointState | null, void> {
  for (let index = 0; index < records.count; index++) {
    const row = records.read(index)?.row;
    const id = row ? idOf(row) : null;
    if (!row || id === null) {
      trail.drop(row ? "id_missing" : "row_malformed", `#${index}`);
      yield null;
      continue;
    }
    const state = STATES.get(toText(row["EVSEStatus"] ?? row["EvseStatus"])?.toLowerCase() ?? "");
    const observed_s = toUtcTime_s(row["lastUpdate"] ?? row["LastUpdate"]);
    yield { kind: "point", id, observed_s, state: state ?? null };
  }
}
