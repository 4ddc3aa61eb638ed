/** Disruptions of an answer as notices about its departures (hove-io/navitia, serializer/pt.py). */
import { toRfc3339 } from "#kit/time.ts";
import type { LiveAlertItem } from "#transit/schedule/live-alerts.ts";
import { type Row, toId, toList, toName, toRow, toText } from "#kit/coerce.ts";
import type { LocalClock } from "#providers/transit-departures.ts";

/** Of one departure, of one answer, and of one notice. */
const MOST_LINKS = 20;
const MOST_ALERTS = 200;
const MOST_PERIODS = 20;
const MOST_MESSAGES = 10;
/** "SIGNIFICANT_DELAYS", as GTFS Realtime has it. */
const EFFECT = /^[A-Z_]{1,40}$/;

const toAlertId = (id: string): string => `navitia:${id}`;

/** Lists what the links of a row name. */
export function disruptionIds(row: Row): string[] {
  const links = toList(row["links"]).slice(0, MOST_LINKS).map(toRow);
  const own_links = links.filter((link) => toText(link?.["type"]) === "disruption");
  return [...new Set(own_links.flatMap((link) => toId(link?.["id"]) ?? []).map(toAlertId))];
}

/** `clock`: null where the zone of their times is not known. */
type Times = { clock: LocalClock | null; near_ms: number };

/** The notices that are named. */
export function toAlerts(wire: unknown, names: ReadonlySet<string>, times: Times): LiveAlertItem[] {
  const matches = new Map<string, LiveAlertItem>();
  for (const row of toList(wire).map(toRow)) {
    const own_id = toId(row?.["id"]);
    const id = own_id === null ? null : toAlertId(own_id);
    if (!row || id === null || !names.has(id) || matches.has(id)) continue;
    if (matches.size === MOST_ALERTS) break;
    matches.set(id, toAlert(row, id, times));
  }
  return [...matches.values()];
}

function toAlert(row: Row, id: string, { clock, near_ms }: Times): LiveAlertItem {
  const effect = toText(toRow(row["severity"])?.["effect"]);
  const texts = toList(row["messages"])
    .slice(0, MOST_MESSAGES)
    .flatMap((message) => toText(toRow(message)?.["text"]) ?? []);
  // One message is written for several channels; the shortest is the line for a display.
  const [header = null, ...others] = [...new Set(texts)].sort((a, b) => a.length - b.length);
  return {
    id,
    feed_id: null,
    cause: toName(row["cause"]),
    effect: effect !== null && EFFECT.test(effect) ? effect.toLowerCase() : null,
    header,
    description: others.at(-1) ?? null,
    url: null,
    active_periods: toList(row["application_periods"])
      .slice(0, MOST_PERIODS)
      .flatMap((period) => toPeriod(toRow(period), { clock, near_ms }) ?? []),
  };
}

/** null: a side that is stated cannot be read, and is not open for that. */
function toPeriod(
  row: Row | null,
  { clock, near_ms }: Times,
): LiveAlertItem["active_periods"][number] | null {
  const [begin, end] = [toText(row?.["begin"]), toText(row?.["end"])];
  const toTime = (text: string | null): string | null | undefined => {
    if (text === null) return null;
    const at_ms = clock?.(text, near_ms) ?? null;
    return at_ms === null ? undefined : toRfc3339(at_ms / 1_000);
  };
  const [from, to] = [toTime(begin), toTime(end)];
  if (from === undefined || to === undefined || (from === null && to === null)) return null;
  return { from, to };
}
