/**
 * ParkAPI 3: car parks of many publishers behind one server, each with its static and its live members
 * in one row. Reference: ParkenDD/park-api-v3, its parking model and public interface.
 */
import { type Row, toBool, toCount, toId, toList, toName, toRow, toText } from "#kit/coerce.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import type { SpaceCount, SpaceGroup, SpacesState } from "#core/places/live-state.ts";
import type { Place } from "#core/places/place.ts";
import {
  keepEach,
  keepStates,
  type ReadRow,
  type StatedCarPark,
  toCarPark,
  toSpaces,
} from "#providers/car-park.ts";
import { openJsonList } from "#providers/json-list.ts";
import { type Dropped, toLocation, toUtcTime_s } from "#providers/place-rows.ts";
import type { RegisterShape } from "#providers/register-shape.ts";

export const parkapi: RegisterShape = {
  id: "parkapi",
  name: "ParkAPI 3",
  kind: "parking",
  renew_s: 86_400,
  refresh_s: 120,
  readPlaces(body, { settings, trail }) {
    const sites = openSites(body);
    const toPlace = (row: Row, id: string): Place | Dropped => {
      const stated = toStated(row, id, trail);
      return typeof stated === "string" ? stated : toCarPark(stated, settings);
    };
    return sites && keepEach(Iterator.from(sites).map(readWith(toPlace)), trail);
  },
  readStates(body, { trail }) {
    const isLive = (row: unknown): boolean => toBool(toRow(row)?.["has_realtime_data"]) !== false;
    const sites = openSites(body);
    const states = sites && Iterator.from(sites).filter(isLive).map(readWith(toState));
    return states && keepStates(states, trail);
  },
  nextPage: (body) => toText(openJsonList(body, ["items"])?.others.get("next_path")),
};

/** The rows of a list of sites; null: it is another document, or a server's error. */
function openSites(body: Uint8Array): Iterable<unknown> | null {
  const list = openJsonList(body, ["items"]);
  if (!list || list.member === null) return null;
  const isSite = (row: unknown): boolean => toRow(row)?.["lat"] !== undefined;
  return list.count === 0 || Iterator.from(list.rows()).some(isSite) ? list.rows() : null;
}

function readWith<T extends object>(read: (row: Row, id: string) => T | Dropped) {
  return (wire: unknown): ReadRow<T> => {
    const row = toRow(wire);
    const id = row && idOf(row);
    return {
      id,
      value: row === null ? "row_malformed" : id === null ? "id_missing" : read(row, id),
    };
  };
}

/** Of the publisher, whose ids outlive those of the server's database; unique within a source. */
function idOf(row: Row): string | null {
  const own = toId(row["original_uid"]) ?? toId(row["uid"]);
  const source = toId(row["source_uid"]) ?? toId(row["source_id"]);
  if (own === null) return toId(row["id"]);
  return source === null ? own : `${source}/${own}`;
}

const LAYOUTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CAR_PARK: "multi-storey",
    BUILDING: "multi-storey",
    UNDERGROUND: "underground",
    OFF_STREET_PARKING_GROUND: "surface",
    ON_STREET: "street_side",
  }),
);

function toStated(row: Row, id: string, trail: TrailRecorder): StatedCarPark | Dropped {
  const purpose = toText(row["purpose"]) ?? "CAR";
  if (purpose !== "CAR") return "not_for_cars";
  // A list of single bays has rows of nearly the same members.
  if ("realtime_status" in row || "parking_site_id" in row) return "single_space";
  if (row["duplicate_of_parking_site_id"] != null) return "duplicate_of_another";
  const location = toLocation(row["lat"], row["lon"], { trail, id });
  if (typeof location === "string") return location;
  return {
    id,
    live_id: id,
    location,
    name: toName(row["name"]),
    layout: LAYOUTS.get(toText(row["type"]) ?? "") ?? null,
    fee: toBool(row["has_fee"]),
    charge: toText(row["fee_description"]),
    capacity: toCount(row["capacity"]),
    access: accessOf(row),
    operator: toName(row["operator_name"]),
    address: toText(row["address"]),
    hours: toText(row["opening_hours"]),
  };
}

function toState(row: Row, id: string): SpacesState | Dropped {
  const time = row["realtime_data_updated_at"] ?? null;
  const observed_s = toUtcTime_s(time);
  if (time !== null && observed_s === null) return "time_unusable";
  const capacity = toCount(row["realtime_capacity"]);
  const { free, contradictions } = toSpaces({
    free: toCount(row["realtime_free_capacity"]),
    capacity: capacity ?? toCount(row["capacity"]),
    occupied: null,
    occupied_percent: null,
  });
  const status = toText(row["realtime_opening_status"]);
  return {
    kind: "spaces",
    id,
    observed_s,
    free,
    capacity: capacity === 0 ? null : capacity,
    by_group: groupsOf(row),
    trend: null,
    is_open: status === "OPEN" ? true : status === "CLOSED" ? false : null,
    ...(contradictions ? { contradictions } : {}),
  };
}

/** Audience of a restriction, the ending of the older members for it, and its name with us. */
const GROUPS: readonly (readonly [audience: string, ending: string, group: SpaceGroup])[] = [
  ["DISABLED", "disabled", "disabled"],
  ["WOMEN", "woman", "women"],
  ["FAMILY", "family", "family"],
  ["CHARGING", "charging", "electric"],
  ["CARSHARING", "carsharing", "carsharing"],
  ["TRUCK", "truck", "truck"],
  ["BUS", "bus", "bus"],
  ["RESIDENT", "resident", "residents"],
];

const restrictionsOf = (row: Row): Row[] =>
  toList(row["restrictions"] ?? row["restricted_to"])
    .map(toRow)
    .filter((restriction) => restriction !== null);

function groupsOf(row: Row): SpacesState["by_group"] {
  const restrictions = restrictionsOf(row);
  const groups: Partial<Record<SpaceGroup, SpaceCount>> = {};
  for (const [audience, ending, group] of GROUPS) {
    const part = restrictions.find(({ type }) => type === audience) ?? {};
    const free = toCount(part["realtime_free_capacity"] ?? row[`realtime_free_capacity_${ending}`]);
    const capacity = toCount(part["realtime_capacity"] ?? row[`realtime_capacity_${ending}`]);
    if (free !== null || capacity !== null) groups[group] = { free, capacity };
  }
  return groups;
}

/** Spaces that all are for one audience, at all hours, are not for everybody. */
function accessOf(row: Row): StatedCarPark["access"] {
  const whole = restrictionsOf(row).filter(
    ({ type, hours, capacity }) => type != null && hours == null && capacity == null,
  );
  if (whole.length === 0) return null;
  return whole.every(({ type }) => type === "CUSTOMER") ? "customers" : "restricted";
}
