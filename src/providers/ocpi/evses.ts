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
  type UnitState,
} from "#core/places/charging-facts.ts";
import { present } from "#kit/present.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { evseKey, toEvseId } from "#core/places/evse-id.ts";
import type { LivePoint } from "#core/places/live-state.ts";
import { type Row, toId, toList, toRow, toText } from "#kit/coerce.ts";
import { toConnector } from "#providers/ocpi/connector.ts";
import { GONE_STATUSES, STATES } from "#providers/ocpi/ocpi-tables.ts";
import { type RowNotes, toUtcTime_s } from "#providers/place-rows.ts";

export type Evse = {
  /** Of the live half; null: it has no id, or is a row that is none. */
  id: string | null;
  evse_id: string | null;
  unit: Unit;
  connectors: number;
  powers: ReadonlyMap<ConnectorType, number | null>;
};

/** Of one location; more are no EVSEs. */
const MAX_EVSES = 2_000;
/** Keys of one location. */
const MAX_KEYS = 200;

/** Reads the EVSEs that are there; null: there were some, and none of them is there now. */
export function readEvses(row: Row, external_id: string, trail: TrailRecorder): Evse[] | null {
  const wires = listEvses(row).map(toRow);
  const here = wires.filter((one) => !one || !isGone(one));
  if (wires.length > 0 && here.length === 0) return null;
  if (wires.includes(null)) trail.repair("evse_malformed", external_id);
  return here.map((one) => toEvse(one, { trail, id: external_id }));
}

/** 3.0 has them in the charging stations of a pool. */
export function listEvses(row: Row): unknown[] {
  const stations = [row, ...toList(row["charging_pool"]).slice(0, MAX_EVSES)];
  return stations.flatMap((one) => toList(toRow(one)?.["evses"])).slice(0, MAX_EVSES);
}

/** `is_live`: how they are is what the live half says, and their age would be that of the document. */
export function toCharging(evses: readonly Evse[], { is_live }: { is_live: boolean }): Row {
  const known = is_live ? evses.map(withoutState) : evses;
  return {
    ...present({ connector_count: countConnectors(evses) }),
    ...toAvailability(known.map(({ unit }) => unit)),
    connectors: toConnectors(known.flatMap(listOffers)),
  };
}

function withoutState(evse: Evse): Evse {
  return { ...evse, unit: { ...evse.unit, state: null } };
}

export function toPoint({ id, powers }: Evse): LivePoint {
  const connectors = [...powers].map(([type, max_kw]) => ({ type, max_kw }));
  // What has no id is there all the same: no state will meet it.
  return { id: id ?? "", connectors };
}

/** Under which other sources have the same points. */
export function evseKeys(evses: readonly Evse[]): string[] {
  const ids = new Set(evses.flatMap(({ evse_id }) => evse_id ?? []));
  return [...ids].slice(0, MAX_KEYS).map(evseKey);
}

/** A row that is none is an EVSE of which nothing is known but that it is there. */
function toEvse(row: Row | null, notes: RowNotes): Evse {
  const unit: Unit = {
    count: 1,
    state: row && toState(row),
    updated_s: toUtcTime_s(row?.["last_updated"]),
  };
  const connectors = toList(row?.["connectors"]).flatMap((one) => toConnector(one, notes) ?? []);
  const powers = powersOf(connectors);
  const evse_id = toEvseId(toText(row?.["evse_id"]));
  const uid = toId(row?.["uid"] ?? row?.["id"]);
  const id = evse_id ?? (uid === null ? null : `${notes.id}/${uid}`);
  return { id, evse_id, unit, connectors: connectors.length, powers };
}

/** The most that each type gives, kW; null: not known of any. */
export function powersOf(
  connectors: readonly { type: ConnectorType; max_kw: number | null }[],
): Map<ConnectorType, number | null> {
  const powers = new Map<ConnectorType, number | null>();
  for (const { type, max_kw } of connectors) {
    const known_power = powers.get(type) ?? null;
    powers.set(type, max_kw === null ? known_power : Math.max(max_kw, known_power ?? 0));
  }
  return powers;
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

/** How it is; null: it does not say, or in no word of the protocol. */
export function toState(row: Row): UnitState | null {
  return STATES.get(statusOf(row)) ?? null;
}

/** Not built yet, or taken away. */
export function isGone(row: Row): boolean {
  return GONE_STATUSES.has(statusOf(row));
}

/** Some end in a blank. */
function statusOf(row: Row): string {
  return toText(row["status"])?.toUpperCase() ?? "";
}
