/** A connector of an EVSE: what plug it has, and how much comes out of it (places.md 7.2). */
import { type ConnectorType, powerOf_kw, toKw } from "#core/places/charging-facts.ts";
import { type Row, toNumber, toRow, toText } from "#kit/coerce.ts";
import { type RowNotes, toDecimal } from "#providers/place-rows.ts";
import { CURRENTS, STANDARDS } from "#providers/ocpi/ocpi-tables.ts";

/** Watts, by the protocol; below this watts are not meant, since a household socket gives more. */
const MIN_W = 1_000;

/** Reads a connector; null: it is none. */
export function toConnector(
  wire: unknown,
  notes: RowNotes,
): { type: ConnectorType; max_kw: number | null } | null {
  const row = toRow(wire);
  if (!row) return null;
  const standard = toText(row["standard"])?.toUpperCase() ?? "";
  return { type: STANDARDS.get(standard) ?? "Other", max_kw: toPower(row, notes) };
}

/** What is stated, else volts by amperes; 2.1.1 names these two without "max". */
function toPower(row: Row, notes: RowNotes): number | null {
  const power = toDecimal(row["max_electric_power"], notes);
  const stated = power === null ? null : toKw(power < MIN_W ? power : power / 1_000);
  if (stated !== null) return stated;
  const current = CURRENTS.get(toText(row["power_type"])?.toUpperCase() ?? "") ?? null;
  const volts = toNumber(row["max_voltage"] ?? row["voltage"]);
  return powerOf_kw(volts, toNumber(row["max_amperage"] ?? row["amperage"]), current);
}
