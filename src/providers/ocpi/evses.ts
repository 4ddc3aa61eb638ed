/**
 * The EVSEs of a location as what can be charged at (§2.5; places.md 7.2). An EVSE charges one car at
 * a time, whichever of its connectors it takes: connectors are counted as they are, places to charge
 * are counted by EVSE.
 */
import {
  type ConnectorType,
  type ConnectorOffer,
  toAvailability,
  toConnectors,
  type Unit,
} from "#core/places/charging-facts.ts";
import { present } from "#kit/present.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { type Row, toList, toRow, toText } from "#kit/coerce.ts";
import { toConnector } from "#providers/ocpi/connector.ts";
import { GONE_STATUSES, STATES } from "#providers/ocpi/ocpi-tables.ts";
import { toUtcTime_s } from "#providers/place-rows.ts";

type Evse = { unit: Unit; connectors: number; powers: ReadonlyMap<ConnectorType, number | null> };

/** Reads the EVSEs; null: there were some, and none of them is there now. */
export function ocpiCharging(row: Row, id: string, trail: TrailRecorder): Row | null {
  const wires = toList(row["evses"]).map(toRow);
  const here = wires.filter((one) => !one || !GONE_STATUSES.has(statusOf(one)));
  if (wires.length > 0 && here.length === 0) return null;
  if (wires.includes(null)) trail.repair("evse_malformed", id);
  const evses = here.map(toEvse);
  return {
    ...present({ connector_count: countConnectors(evses) }),
    ...toAvailability(evses.map(({ unit }) => unit)),
    connectors: toConnectors(evses.flatMap(listOffers)),
  };
}

/** A row that is none is an EVSE of which nothing is known but that it is there. */
function toEvse(row: Row | null): Evse {
  const unit: Unit = {
    count: 1,
    state: (row && STATES.get(statusOf(row))) ?? null,
    updated_s: toUtcTime_s(row?.["last_updated"]),
  };
  const connectors = toList(row?.["connectors"]).flatMap((one) => toConnector(one) ?? []);
  const powers = new Map<ConnectorType, number | null>();
  for (const { type, max_kw } of connectors) {
    const known_power = powers.get(type) ?? null;
    powers.set(type, max_kw === null ? known_power : Math.max(max_kw, known_power ?? 0));
  }
  return { unit, connectors: connectors.length, powers };
}

/** Once for each type, at the most that the EVSE can give through one of it. */
function listOffers({ unit, powers }: Evse): ConnectorOffer[] {
  return [...powers].map(([type, max_kw]) => ({ type, max_kw, unit }));
}

/** null unless each EVSE has some: one without any has lost them on the way. */
function countConnectors(evses: readonly Evse[]): number | null {
  if (evses.length === 0 || evses.some(({ connectors }) => connectors === 0)) return null;
  return evses.reduce((sum, { connectors }) => sum + connectors, 0);
}

/** Some end in a blank. */
function statusOf(row: Row): string {
  return toText(row["status"])?.toUpperCase() ?? "";
}
