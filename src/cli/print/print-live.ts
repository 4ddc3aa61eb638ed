/** A box that is watched, for people: a table that is drawn again, or one line a change. */
import type { LiveItemValue, LiveSourceValue } from "#api/live.ts";
import type { LiveChange, LiveRow, LiveView } from "#cli/live-view.ts";
import type { On } from "#cli/print/print-answer.ts";
import { type Column, renderTable } from "#cli/print/print-table.ts";
import { age, count, metres, secondsSince, UNKNOWN } from "#cli/print/print-words.ts";
import { displayWidth } from "#cli/print/wrap.ts";
import type { Paint } from "#cli/print/paint.ts";
import { oneLine } from "#kit/text/one-line.ts";

const COLUMNS: readonly Column[] = [
  { title: "distance", align: "right" },
  { title: "kind", spare: 3 },
  { title: "mode", spare: 2 },
  { title: "name", elastic: 1.5, least: 16 },
  { title: "network", elastic: true, least: 12, spare: 1 },
  { title: "free/docks", align: "right" },
  { title: "state", spare: 5 },
  { title: "changed", align: "right", spare: 4 },
];

/** Lines around the table: its head, what is left out, and where the cursor is. */
const OTHER_LINES = 3;

/** `height`: lines of the terminal; Infinity: all rows are shown. `where`: what is watched. */
export function formatLive(view: LiveView, on: On & { height: number; where: string }): string {
  const { rows } = view;
  const heads = headLines(view, rows, on);
  const most = Math.max(1, on.height - heads.length - OTHER_LINES);
  const shown = rows.slice(0, most);
  const names = namesOf(view.sources);
  const cells = shown.map((row) => toCells(row, names, on));
  const table = cells.length > 0 ? `\n${renderTable(COLUMNS, cells, on)}` : "";
  const more = rows.length > shown.length ? `… ${count(rows.length - shown.length)} farther\n` : "";
  return [...heads.map((line) => `${line}\n`), table, more].join("");
}

type Names = ReadonlyMap<string, string>;

/** Names of networks by their ids. */
function namesOf(sources: readonly LiveSourceValue[]): Names {
  return new Map(sources.flatMap(({ network }) => (network ? [[network.id, network.name]] : [])));
}

function headLines(view: LiveView, rows: readonly LiveRow[], on: On & { where: string }): string[] {
  const stations = rows.filter(({ item }) => item.kind === "station").length;
  const things = `${plural(stations, "station")}, ${plural(rows.length - stations, "vehicle")}`;
  const head = view.has_begun
    ? `${things} ${on.where} · ${toAges(view.sources, on.now_ms)}`
    : on.where;
  const troubles = [
    ...["lost", "waiting", "old"].flatMap((state) => toTrouble(view.sources, state)),
    ...(view.interruption ? [interruptionWords(view.interruption, on.now_ms)] : []),
  ];
  const { bold, yellow } = on.paint;
  return [bold(clip(head, on.room)), ...troubles.map((line) => yellow(clip(line, on.room)))];
}

function plural(number: number, word: string): string {
  return `${count(number)} ${word}${number === 1 ? "" : "s"}`;
}

/** `3 sources, 4 s to 2 min old`. */
function toAges(sources: readonly LiveSourceValue[], now_ms: number): string {
  const ages = sources.flatMap(({ as_of }) => secondsSince(as_of, now_ms) ?? []);
  if (ages.length === 0) return plural(sources.length, "source");
  const [youngest, oldest] = [age(Math.min(...ages)), age(Math.max(...ages))];
  const span = youngest === oldest ? oldest : `${youngest} to ${oldest}`;
  return `${plural(sources.length, "source")}, ${span} old`;
}

function toTrouble(sources: readonly LiveSourceValue[], state: string): string[] {
  const names = sources
    .filter((source) => source.state === state)
    .map(({ network, source_id }) => oneLine(network?.name ?? source_id));
  return names.length === 0 ? [] : [`${state}: ${names.join(", ")}`];
}

export function interruptionWords(
  { reason, until_ms }: { reason: string; until_ms: number },
  now_ms: number,
): string {
  const seconds = Math.ceil(Math.max(0, until_ms - now_ms) / 1_000);
  return `interrupted: ${oneLine(reason)}, again in ${age(seconds)}`;
}

/** No more than the columns of the room, so that a line stays one line. */
function clip(text: string, room: number): string {
  if (displayWidth(text) <= room) return text;
  let output = "";
  for (const letter of text) {
    if (displayWidth(output + letter) > room - 1) break;
    output += letter;
  }
  return `${output}…`;
}

function toCells(row: LiveRow, names: Names, { paint, now_ms }: On): string[] {
  const { item, distance_m, changed_ms } = row;
  return [
    metres(distance_m),
    item.kind,
    item.modes.join(", "),
    nameOf(item),
    oneLine(names.get(item.network_id) ?? item.network_id),
    amountOf(item),
    paintState(item.state, paint),
    changed_ms === null ? UNKNOWN : age((now_ms - changed_ms) / 1_000),
  ];
}

function nameOf({ name, id }: LiveItemValue): string {
  return oneLine(name ?? id);
}

/** `7/12` of a station, `70 %` of a battery. */
function amountOf(item: LiveItemValue): string {
  if (item.kind === "vehicle") return item.battery == null ? UNKNOWN : `${item.battery} %`;
  const { vehicles = null, docks = null } = item;
  return vehicles === null && docks === null ? UNKNOWN : `${count(vehicles)}/${count(docks)}`;
}

function paintState(state: LiveItemValue["state"], paint: Paint): string {
  if (state === "unknown") return UNKNOWN;
  if (state === "operational") return paint.green(state);
  return state === "unavailable" ? paint.red(state) : paint.yellow(state);
}

/** `2026-11-28T09:30:31Z  changed  station  89 m  Hôtel de Ville  7/12 → 6/13  operational`. */
export function changeLine(change: LiveChange, at: string): string {
  const { kind, item, before, reason, distance_m } = change;
  const was = kind === "changed" ? before : null;
  const cells = [
    at,
    reason === null ? kind : `${kind} (${reason})`,
    item.kind,
    metres(distance_m),
    nameOf(item),
    fromTo(was && amountOf(was), amountOf(item)),
    fromTo(was && was.state, item.state),
  ];
  return `${cells.join("  ")}\n`;
}

function fromTo(before: string | null, now: string): string {
  return before === null || before === now ? now : `${before} → ${now}`;
}
