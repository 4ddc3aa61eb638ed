/** routes.txt (mobility.md 3.1, 3.2): lines with their mode, operator and colours. */
import { modeOfRouteType } from "../schedule/schedule-modes.ts";
import type { TransitOperator, TransitRoute } from "../schedule/station.ts";
import type { TrailRecorder } from "#kit/trail.ts";
import { toCount, toId, toName } from "#kit/coerce.ts";
import type { Agencies } from "./agencies.ts";
import { NO_ENTRY, addText, createByteTable, type ByteTable } from "./byte-table.ts";
import { type CsvFile, type CsvRow, readCell } from "#kit/csv.ts";

export type Routes = {
  /** Route ids; a number of it is a place in `rows`. */
  ids: ByteTable;
  rows: TransitRoute[];
  /** By operator id; those that a route names. */
  operators: Map<string, TransitOperator>;
};

const COLUMNS = [
  "route_id",
  "agency_id",
  "route_short_name",
  "route_long_name",
  "route_type",
  "route_color",
  "route_text_color",
] as const;
const [ID, AGENCY, SHORT, LONG, TYPE, COLOR, TEXT_COLOR] = [0, 1, 2, 3, 4, 5, 6] as const;
const HEX = /^#?([0-9a-f]{6})$/i;

export function readRoutes(
  agencies: Agencies,
  { seed, trail }: { seed: number; trail: TrailRecorder },
): CsvFile & Routes {
  const ids = createByteTable(seed);
  const rows: TransitRoute[] = [];
  const operators = new Map<string, TransitOperator>();

  function operatorOf(row: CsvRow, route_id: string): string | null {
    const agency_id = toId(readCell(row, AGENCY));
    const operator = agencies.find(agency_id);
    if (operator === null) trail.repair("route_without_known_agency", route_id);
    else operators.set(operator.id, operator);
    return operator?.id ?? null;
  }

  function toRoute(row: CsvRow, id: string): TransitRoute {
    const type = toCount(readCell(row, TYPE));
    if (type === null) trail.repair("route_without_type", id);
    const color = toColor(readCell(row, COLOR));
    const text_color = toColor(readCell(row, TEXT_COLOR));
    return {
      id,
      short_name: toName(readCell(row, SHORT)),
      long_name: toName(readCell(row, LONG)),
      mode: type === null ? "other" : modeOfRouteType(type),
      operator_id: operatorOf(row, id),
      ...(color && { color }),
      ...(text_color && { text_color }),
    };
  }

  return {
    file: "routes.txt",
    columns: COLUMNS,
    needed: ["route_id", "route_type"],
    ids,
    rows,
    operators,
    onRow(row) {
      const id = toId(readCell(row, ID));
      if (id === null) return trail.drop("route_without_id", `line ${row.line}`);
      const count = ids.count;
      const index = addText(ids, row, ID);
      if (index === NO_ENTRY || index < count) return trail.drop("duplicate_route", id);
      rows.push(toRoute(row, id));
    },
  };
}

/** Absent means the specification's defaults, which no publisher chose: then unknown. */
function toColor(value: string): string | null {
  return HEX.exec(value)?.[1]?.toUpperCase() ?? null;
}
