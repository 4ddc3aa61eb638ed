/** Common parts of answers that search a circle: the first lines, attributions, the debug block. */
import type { Output } from "#cli/io.ts";
import { offsetLine } from "#cli/print/print-open.ts";
import { createPaint } from "#cli/print/paint.ts";
import type { Paint } from "#cli/print/paint.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import { count } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import type { ServicesBodyValue } from "#api/services.ts";

/** `room`: how many columns a table may take; Infinity where there is no terminal. */
export type On = { paint: Paint; room: number; now_ms: number };

const USUAL_WIDTH = 80;

/** Describes where an answer is printed: the width is COLUMNS, else the terminal's own. */
export function toOn(
  { out, now }: { out: Output; now(): number },
  env: { no_color: boolean; columns: number | null },
): On {
  const width = env.columns ?? (out.columns || USUAL_WIDTH);
  const room = out.isTTY === true ? width : Infinity;
  return { paint: createPaint(out, env), room, now_ms: now() };
}

type Head = {
  status: NearbyBodyValue["status"];
  message?: string | undefined;
  notices?: NearbyBodyValue["notices"];
  total: number;
  /** Absent: it is of one station. */
  radius?: number | undefined;
  query_origin: { lat: number; lon: number };
  local_time?: string | undefined;
};

/** `success · 49 within 1 500 m of 48.8566, 2.3522, showing 1 to 20`, the message, and the clocks of the place. */
export function headlines(body: Head, page: { offset: number; shown: number }, on: On): string {
  const { lat, lon } = body.query_origin;
  const { radius } = body;
  const circle = radius === undefined ? "at" : `within ${count(Math.round(radius))} m of`;
  const where = `${circle} ${lat}, ${lon}`;
  const { offset, shown } = page;
  const part = shown < body.total && shown > 0;
  const showing = part ? `, showing ${offset + 1} to ${offset + shown}` : "";
  const status = paintStatus(body.status, on.paint);
  const message = body.message === undefined ? "" : `${oneLine(body.message)}\n`;
  const clocks = shown > 0 ? offsetLine(body.local_time) : "";
  return `${status} · ${count(body.total)} ${where}${showing}\n${message}${cutLines(body)}${clocks}`;
}

type Printed = {
  columns: readonly Column[];
  rows: readonly (readonly string[])[];
  /** Between the first lines and the table; between that and the debug block; at the end. */
  above?: string;
  below?: string;
  end?: string;
};

/** An answer that is a list without pages: its first lines, a table, the debug block. */
export function formatAnswer(
  body: Head & { debug?: Debug | undefined },
  { columns, rows, above = "", below = "", end = "" }: Printed,
  on: On,
): string {
  const table = rows.length > 0 ? `\n${renderTable(columns, rows, on)}` : "";
  const head = headlines(body, { offset: 0, shown: rows.length }, on);
  return [head, above, table, below, debugBlock(body.debug, on), end].join("");
}

/** Where the list was cut: the message does not say it. */
function cutLines({ notices = [] }: Head): string {
  return notices.flatMap(({ cut, message }) => (cut ? [`${oneLine(message)}\n`] : [])).join("");
}

type Attribution = { display_name: string };
type Attributed = { attributes: object };

/** Lists the sources that must be credited (§2.6), and further ones that single places name. */
export function attributionLine(
  attributions: readonly Attribution[],
  results: readonly Attributed[],
): string {
  const required = attributions.map(({ display_name }) => display_name);
  const names = [...required, ...results.flatMap(({ attributes }) => thirdParties(attributes))];
  const credited = [...new Set(names.map(oneLine))].filter((name) => name !== "");
  return credited.length > 0 ? `\nAttribution: ${credited.join(", ")}\n` : "";
}

/** `attributions: [{provider, provider_uri}]` is a member in addition to those of the contract. */
function thirdParties(attributes: object): string[] {
  const listed: unknown = (attributes as { attributions?: unknown }).attributions;
  if (!Array.isArray(listed)) return [];
  const names = (listed as { provider?: unknown }[]).map((each) => each?.provider);
  return names.filter((name) => typeof name === "string");
}

type Debug = Pick<NonNullable<ServicesBodyValue["debug"]>, "providers" | "provider_calls"> &
  Partial<Pick<NonNullable<ServicesBodyValue["debug"]>, "cache">>;

const DEBUG_COLUMNS: readonly Column[] = [
  { title: "source", elastic: true },
  { title: "status" },
  { title: "read", align: "right" },
  { title: "returned", align: "right" },
  { title: "reason" },
];

/** Lists the outcome of each provider (§2.7); nothing without --debug. */
function debugBlock(debug: Debug | undefined, on: On): string {
  if (!debug) return "";
  const rows = Object.entries(debug.providers).map(([id, provider]) => [
    oneLine(id),
    provider.status === "ok" ? on.paint.green("ok") : on.paint.red(provider.status),
    count(provider.raw_count),
    count(provider.returned_count),
    provider.reason ?? "",
  ]);
  const cache = debug.cache === undefined ? "" : `, cache: ${debug.cache}`;
  const calls = `provider calls: ${count(debug.provider_calls)}${cache}\n`;
  return `\n${rows.length > 0 ? renderTable(DEBUG_COLUMNS, rows, on) : ""}${calls}`;
}

export function paintStatus(status: Head["status"], { bold, green, yellow }: Paint): string {
  if (status === "empty") return bold(status);
  return bold(status === "success" ? green(status) : yellow(status));
}
