/** The connections of a point as what can be charged at (§2.5; places.md 7.1, 11.3). */
import {
  type ConnectorOffer,
  powerOf_kw,
  sumOfConnectors,
  toAvailability,
  toConnectors,
  toKw,
  type Unit,
} from "#core/places/charging-facts.ts";
import { present } from "#kit/present.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type Row, toList, toMeasure, toNumber, toRow } from "#kit/coerce.ts";
import {
  AUTOMATED,
  CLOSED_SITES,
  CONNECTION_TYPES,
  CURRENTS,
  GONE_STATUSES,
  LIVE_STATES,
} from "#providers/openchargemap/openchargemap-tables.ts";
import { toPlainCount, toUtcTime_s } from "#providers/place-rows.ts";

/** A row that is none is a unit of which nothing is known. */
const UNREADABLE: Unit = { count: null, state: null, updated_s: null };

/**
 * Reads the connections; null: there were some, and none of them is there now, or nothing is known
 * of a site that is closed for a time.
 */
export function openChargeMapCharging(row: Row, id: string, trail: TrailRecorder): Row | null {
  const wires = toList(row["Connections"]);
  const rows = wires.map(toRow);
  const here = rows.filter((one) => !one || !GONE_STATUSES.has(numberOf(one, "StatusTypeID")));
  const isClosed = CLOSED_SITES.has(numberOf(row, "StatusTypeID"));
  if (here.length === 0 && (wires.length > 0 || isClosed)) return null;
  if (rows.includes(null)) trail.repair("connection_malformed", id);
  const reported_s = toUtcTime_s(row["DateLastStatusUpdate"]);
  const offers = here.map((one) => {
    const offer = one && toOffer(one, reported_s);
    return offer && isClosed ? { ...offer, unit: toClosed(offer.unit) } : offer;
  });
  const units = offers.map((offer) => offer?.unit ?? UNREADABLE);
  // The number of points is of all of them, whatever became of some.
  const points = here.length === wires.length ? toQuantity(row["NumberOfPoints"]) : null;
  return {
    ...present({ connector_count: sumOfConnectors(units) ?? points }),
    ...toAvailability(units),
    connectors: toConnectors(offers.filter((offer) => offer !== null)),
  };
}

function toOffer(row: Row, reported_s: number | null): ConnectorOffer {
  const status = numberOf(row, "StatusTypeID");
  const volts = toMeasure(row["Voltage"]);
  const current = CURRENTS.get(numberOf(row, "CurrentTypeID")) ?? null;
  return {
    type: CONNECTION_TYPES.get(numberOf(row, "ConnectionTypeID")) ?? "Other",
    max_kw: toKw(toNumber(row["PowerKW"])) ?? powerOf_kw(volts, toMeasure(row["Amps"]), current),
    unit: {
      count: toQuantity(row["Quantity"]),
      state: LIVE_STATES.get(status) ?? null,
      updated_s: AUTOMATED.has(status) ? reported_s : null,
    },
  };
}

/** Of a site that is closed; a connection that says it can be used contradicts it: unknown. */
function toClosed(unit: Unit): Unit {
  const isContrary = unit.state === "available" || unit.state === "occupied";
  return { ...unit, state: isContrary ? null : "out_of_service" };
}

/** -1 is in no list. */
function numberOf(row: Row, member: string): number {
  return toNumber(row[member]) ?? -1;
}

/** A connection of which there is none is not listed: 0 means "not known". */
function toQuantity(wire: unknown): number | null {
  return toPlainCount(wire) || null;
}
