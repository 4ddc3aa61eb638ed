/**
 * Connectors of a place (§2.5; places.md 1.4). Absent is never zero: availability is optional in
 * the protocol, so that a 0 in it is a real one, while `count`, `connectorCount` and
 * `maxChargeRateKw` are left out by the protocol when they are zero or not known.
 */
import { present } from "#kit/present.ts";
import { toRfc3339 } from "#kit/time.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import {
  type Row,
  toCount,
  toList,
  toMeasure,
  toNumber,
  toRow,
  toText,
  toTime_s,
} from "#kit/coerce.ts";

/** The only primary type of the contract. */
export const GOOGLE_CHARGING_TYPE = "electric_vehicle_charging_station";

const CONNECTORS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EV_CONNECTOR_TYPE_J1772: "J1772",
    EV_CONNECTOR_TYPE_TYPE_2: "Type 2",
    EV_CONNECTOR_TYPE_CHADEMO: "CHAdeMO",
    EV_CONNECTOR_TYPE_CCS_COMBO_1: "CCS1",
    EV_CONNECTOR_TYPE_CCS_COMBO_2: "CCS2",
    EV_CONNECTOR_TYPE_NACS: "NACS",
    EV_CONNECTOR_TYPE_TESLA: "Tesla",
    EV_CONNECTOR_TYPE_UNSPECIFIED_GB_T: "GB/T",
  }),
);

type Connector = {
  type: string;
  max_kw: number | null;
  count: number | null;
  available_count: number | null;
  out_of_service_count: number | null;
  updated_s: number | null;
};

/** Returns one item per connector type and power; `{connectors: []}` where nothing is stated. */
export function toCharging(row: Row, id: string, trail: TrailRecorder): Row {
  const options = toRow(row["evChargeOptions"]);
  const wires = toList(options?.["connectorAggregation"]);
  const connectors = wires.map(toRow).map((one) => one && toConnector(one));
  const defined = connectors.filter((one) => one !== null);
  if (defined.length < wires.length) trail.repair("connector_malformed", id);
  const times = defined.flatMap(({ updated_s }) => updated_s ?? []);
  return {
    ...present({
      connector_count: readCount(options?.["connectorCount"]) ?? sum(connectors, "count"),
      available_count: sum(connectors, "available_count"),
      out_of_service_count: sum(connectors, "out_of_service_count"),
      // The whole is no fresher than its oldest part.
      availability_updated_at: times.length > 0 ? toRfc3339(Math.min(...times)) : null,
    }),
    connectors: defined.map(toItem),
  };
}

function toConnector(row: Row): Connector {
  return {
    type: CONNECTORS.get(toText(row["type"]) ?? "") ?? "Other",
    max_kw: toMeasure(row["maxChargeRateKw"]),
    count: readCount(row["count"]),
    available_count: readCount(row["availableCount"]),
    out_of_service_count: readCount(row["outOfServiceCount"]),
    updated_s: toTime_s(row["availabilityLastUpdateTime"]),
  };
}

function toItem({ updated_s, ...members }: Connector): Row {
  const availability_updated_at = updated_s === null ? null : toRfc3339(updated_s);
  return present({ ...members, availability_updated_at });
}

/** null unless every aggregation says it: a partial sum would be read as the whole. */
function sum(
  connectors: readonly (Connector | null)[],
  member: "count" | "available_count" | "out_of_service_count",
): number | null {
  const counts = connectors.flatMap((one) => one?.[member] ?? []);
  if (counts.length === 0 || counts.length < connectors.length) return null;
  return counts.reduce((total, count) => total + count, 0);
}

/** A negative or broken number is no count, and not zero either. */
function readCount(wire: unknown): number | null {
  const number = toNumber(wire);
  return number !== null && number >= 0 && Number.isInteger(number) ? toCount(number) : null;
}
