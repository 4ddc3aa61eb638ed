/** system_alerts: closures and other notices (mobility.md 1.9). */
import type { SystemAlert } from "../entities.ts";
import { type BeyondBounds, FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { cleanDeepLink } from "#kit/uris.ts";
import { toId, toIds, toList, toLocalised, toRow, toText, toTime_s } from "#kit/coerce.ts";
import type { Row } from "#kit/coerce.ts";
import { listRows } from "./gbfs-rows.ts";

/**
 * Reads alerts; null: no list of alerts. An alert without id keeps its place as one: its news
 * matters.
 */
export function readGbfsAlerts(
  wire: unknown,
  options: { languages: readonly string[] },
): SystemAlert[] | null {
  const rows = listRows(wire, ["alerts"]);
  if (!rows) return null;
  const alerts = new Map<string, SystemAlert>();
  rows.forEach((value, index) => {
    const row = toRow(value);
    if (!row) return;
    const id = toId(row["alert_id"]) ?? `alert:${index}`;
    if (!alerts.has(id)) alerts.set(id, toAlert(row, id, options.languages));
  });
  return [...alerts.values()];
}

/** Checked before anything is read: whether there are too many of them, or one names too much. */
export function exceededAlerts(wire: unknown): BeyondBounds | null {
  const rows = listRows(wire, ["alerts"]) ?? [];
  if (rows.length > FEED_BOUNDS.alerts) return "too_many_alerts";
  const names = (value: unknown): boolean =>
    ["station_ids", "region_ids", "times"].some(
      (member) => toList(toRow(value)?.[member]).length > FEED_BOUNDS.alert_ids,
    );
  return rows.some(names) ? "too_many_alert_ids" : null;
}

function toAlert(row: Row, id: string, languages: readonly string[]): SystemAlert {
  return {
    id,
    type: toText(row["type"])?.toLowerCase() ?? null,
    station_ids: toIds(row["station_ids"]),
    region_ids: toIds(row["region_ids"]),
    summary: toLocalised(row["summary"], languages),
    description: toLocalised(row["description"], languages),
    url: cleanDeepLink("web", toLocalised(row["url"], languages)),
    times: toList(row["times"]).flatMap(toInterval),
    last_updated_s: toTime_s(row["last_updated"]),
  };
}

/** A missing end is open: the alert holds until it is withdrawn. */
function toInterval(value: unknown): { start_s: number | null; end_s: number | null }[] {
  const row = toRow(value);
  return row ? [{ start_s: toTime_s(row["start"]), end_s: toTime_s(row["end"]) }] : [];
}
