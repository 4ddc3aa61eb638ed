/** The lines of /v1/nearby (decisions, Global nearby): those of the circle, on every page the same. */
import { TRANSPORT_MODES } from "../oracle/transport.ts";

export type Line = { id: string; mode: string; station_ids: string[] };

const MOST = 200;

export function findLinesProblem(lines: readonly Line[], asked: boolean): string | null {
  if (!asked && lines.length > 0) return "lines not asked for";
  if (lines.length > MOST) return `${lines.length} lines`;
  const ids = lines.map(({ id }) => id);
  if (!ascends(ids)) return `lines are not in the order of their ids: ${ids.join(" ")}`;
  for (const { id, mode, station_ids } of lines) {
    if (!TRANSPORT_MODES.includes(mode)) return `line ${id} is of the mode ${mode}`;
    if (station_ids.length === 0) return `line ${id} without a station`;
    if (!ascends(station_ids)) return `line ${id}: station_ids ${station_ids.join(" ")}`;
    const other = station_ids.find((one) => !one.startsWith("svc_transport_station_"));
    if (other !== undefined) return `line ${id} stops at ${other}`;
  }
  return null;
}

/** By bytes, none twice. */
function ascends(ids: readonly string[]): boolean {
  return ids.every(
    (id, at) => at === 0 || Buffer.compare(Buffer.from(ids[at - 1]!), Buffer.from(id)) < 0,
  );
}
