/**
 * An answer of /v1/charging/nearby for people, and a charging station in a few words. A count that
 * the provider does not supply is a dash, never 0 (§2.5).
 */
import { attributionLine, formatAnswer } from "#cli/print/print-answer.ts";
import type { On } from "#cli/print/print-answer.ts";
import { type LocalTime, openWords } from "#cli/print/print-open.ts";
import type { Column } from "#cli/print/print-table.ts";
import { priceWords, withPrices } from "#cli/print/print-price.ts";
import { matchNotes, withMatch } from "#cli/print/print-match.ts";
import { walkNotes, withMinutes } from "#cli/print/print-walk.ts";
import { UNKNOWN, age, count, metres, secondsSince } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { ChargingBodyValue } from "#api/services.ts";

type Body = ChargingBodyValue;
type Charging = Body["results"][number];
type Attributes = Charging["attributes"];
type State = Attributes["charging"];

const COLUMNS: readonly Column[] = [
  { title: "distance", align: "right" },
  { title: "name", elastic: true, least: 20 },
  { title: "free/total", align: "right" },
  { title: "best kW", align: "right", spare: 1 },
  { title: "plugs", elastic: true, wraps: 3 },
  { title: "open" },
  { title: "age", align: "right" },
];

export function formatCharging(body: Body, on: On): string {
  const { results, attribution } = body;
  const rows = results.map((station) => toRow(station, body.local_time, on));
  const walks = results.map(({ walk }) => walk);
  const end = attributionLine([attribution], results);
  const below = walkNotes(body, walks) + matchNotes(body, results);
  const table = withMatch(withPrices({ columns: COLUMNS, rows, below, end }, results), results);
  return formatAnswer(body, withMinutes(body, table, walks), on);
}

function toRow(
  { distance_meters, name, attributes }: Charging,
  local_time: LocalTime,
  { paint, now_ms }: On,
): string[] {
  const { charging } = attributes;
  const best_kw = bestOf(charging);
  const free = freeOf(charging);
  return [
    metres(distance_meters),
    oneLine(name),
    charging.available_count === 0 ? paint.yellow(free) : free,
    best_kw === null ? UNKNOWN : String(best_kw),
    plugsOf(charging).join(", ") || UNKNOWN,
    openWords(attributes, local_time) ?? UNKNOWN,
    age(secondsSince(charging.availability_updated_at, now_ms)),
  ];
}

/** `2/4`, `–/4` when the number of free ones is unknown, `–` when nothing is known. */
function freeOf({ available_count, connector_count }: State): string {
  if (available_count === undefined && connector_count === undefined) return UNKNOWN;
  return `${count(available_count ?? null)}/${count(connector_count ?? null)}`;
}

function bestOf({ connectors }: State): number | null {
  const powers_kw = connectors.flatMap(({ max_kw }) => max_kw ?? []);
  return powers_kw.length > 0 ? Math.max(...powers_kw) : null;
}

/** `4 Type 2`, one per type; without its number when that of any group is unknown. */
function plugsOf({ connectors }: State): string[] {
  const groups = Map.groupBy(connectors, ({ type }) => type);
  return [...groups].map(([type, group]) => {
    const isKnown = group.every((each) => each.count !== undefined);
    const n = group.reduce((sum, each) => sum + (each.count ?? 0), 0);
    return isKnown ? `${n} ${type}` : type;
  });
}

/** `2/4 free, 150 kW, 4 CCS2` of what is known. */
export function chargingWords(attributes: object, local_time?: LocalTime): string[] {
  const { charging } = attributes as Partial<Attributes>;
  if (!charging) return [];
  const free = freeOf(charging);
  const best_kw = bestOf(charging);
  const price = priceWords(attributes);
  const open = openWords(attributes, local_time);
  return [
    ...(free === UNKNOWN ? [] : [`${free} free`]),
    ...(best_kw === null ? [] : [`${best_kw} kW`]),
    ...plugsOf(charging),
    ...(open === null ? [] : [open]),
    ...(price === null ? [] : [price]),
  ];
}
