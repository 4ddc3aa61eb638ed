/**
 * Ids of charging points and stations as all sources write the same one: `DE*EBW*E914082*2`,
 * `DE-EBW-E914082-2` and `DEEBWE9140822` name one point (docs/registers.md; after docs/identity.md,
 * "Car parks and charging stations").
 */

/** Country, operator, the letter E, and up to thirty-one characters behind it (eMI3 ID syntax). */
const EVSE_ID = /^[A-Z]{2}[A-Z0-9]{3}E[A-Z0-9]{1,31}$/;
/** The same with the letter P: a pool, which is what registers call a station. */
const POOL_ID = /^[A-Z]{2}[A-Z0-9]{3}P[A-Z0-9]{1,31}$/;
const OPERATOR_ID = /^[A-Z]{2}[A-Z0-9]{3}$/;
const OPERATOR_CHARS = 5;
const LONGEST = 64;
/** Ids in one tag or member, and its characters. */
const MOST_IDS = 64;
const LONGEST_LIST = 2_048;

/** Reads an id without its separators, in capitals; null: it is no EVSE id. */
export function toEvseId(wire: string | null): string | null {
  return toId(wire, EVSE_ID);
}

function toId(wire: string | null, pattern: RegExp): string | null {
  if (wire === null || wire.length > LONGEST) return null;
  const id = wire.replaceAll(/[\s*\-_.]/g, "").toUpperCase();
  return pattern.test(id) ? id : null;
}

/** The operator of an EVSE id: `DEEBW`. */
export function operatorOf(evse_id: string): string {
  return evse_id.slice(0, OPERATOR_CHARS);
}

const EVSE = "evse:";

/** The key under which two sources have the same charging point (Place.keys). */
export function evseKey(evse_id: string): string {
  return EVSE + evse_id;
}

/** The EVSE id of a key; null: it is a key of something else. */
export function evseIdOf(key: string): string | null {
  return key.startsWith(EVSE) ? key.slice(EVSE.length) : null;
}

/** The key of a station by its pool id (`FR*S63*P63001`); null: it is none. */
export function poolKey(wire: string | null): string | null {
  const id = toId(wire, POOL_ID);
  return id === null ? null : `pool:${id}`;
}

/**
 * The key of a station by the id that its operator gives it, the operator as `DE*EBW`, `DE-EBW` or
 * `DEEBW`; null: one of them is missing or none.
 */
export function stationKey(operator: string | null, station_id: string | null): string | null {
  const [party, id] = [toId(operator, OPERATOR_ID), station_id?.trim() ?? ""];
  return party === null || id === "" || id.length > LONGEST ? null : `station:${party}:${id}`;
}

/** Keys of a list of ids of points and stations as a tag or a member has it; what is neither is left out. */
export function listChargingKeys(text: string | null): string[] {
  if (text === null) return [];
  const parts = text.slice(0, LONGEST_LIST).split(/[;,|]/, MOST_IDS);
  const keys = parts.flatMap((part) => {
    const evse_id = toEvseId(part);
    return (evse_id === null ? poolKey(part) : evseKey(evse_id)) ?? [];
  });
  return [...new Set(keys)];
}
