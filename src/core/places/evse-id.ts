/**
 * Ids of charging points as all sources write the same one: `DE*EBW*E914082*2`, `DE-EBW-E914082-2` and
 * `DEEBWE9140822` name one point (docs/registers.md).
 */

/** Country, operator, the letter E, and up to thirty-one characters behind it (eMI3 ID syntax). */
const EVSE_ID = /^[A-Z]{2}[A-Z0-9]{3}E[A-Z0-9]{1,31}$/;
const LONGEST = 64;

/** Reads an id without its separators, in capitals; null: it is no EVSE id. */
export function toEvseId(wire: string | null): string | null {
  if (wire === null || wire.length > LONGEST) return null;
  const id = wire.replaceAll(/[\s*\-_.]/g, "").toUpperCase();
  return EVSE_ID.test(id) ? id : null;
}

/** The key under which two sources have the same charging point (Place.keys). */
export function evseKey(evse_id: string): string {
  return `evse:${evse_id}`;
}
