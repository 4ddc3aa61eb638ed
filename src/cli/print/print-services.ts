/** An answer of /v1/services/nearby for people: what came of it, how many of each type, the places. */
import { attributionLine, formatAnswer } from "#cli/print/print-answer.ts";
import type { On } from "#cli/print/print-answer.ts";
import { detailsOf } from "#cli/print/details.ts";
import type { LocalTime } from "#cli/print/print-open.ts";
import type { Column } from "#cli/print/print-table.ts";
import { matchNotes, withMatch } from "#cli/print/print-match.ts";
import { walkNotes, withMinutes } from "#cli/print/print-walk.ts";
import { count, metres } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { ServicesBodyValue } from "#api/services.ts";

type Body = ServicesBodyValue;
type Service = Body["results"][number];

const COLUMNS: readonly Column[] = [
  { title: "distance", align: "right" },
  { title: "type" },
  { title: "name", elastic: true, least: 24 },
  { title: "provider", elastic: true, least: 12, spare: 1 },
  { title: "details", elastic: 1.5, least: 20, wraps: 3 },
];

export function formatServices(body: Body, on: On): string {
  const { results, attributions = [] } = body;
  const rows = results.map((service) => toRow(service, body.local_time));
  const walks = results.map(({ walk }) => walk);
  const parts = { above: countsOf(body), end: attributionLine(attributions, results) };
  const below = walkNotes(body, walks) + matchNotes(body, results);
  const matched = withMatch({ columns: COLUMNS, rows, below }, results);
  const table = withMinutes(body, matched, walks);
  return formatAnswer(body, { ...table, ...parts }, on);
}

/** `toilets 12 · aed 0`, before the limit; one type says the total already. */
function countsOf({ summary, unknown = {}, not_potable = 0, potable_unknown = 0 }: Body): string {
  const counts = Object.entries(summary).map(([name, n]) => `${wordsOf(name)} ${count(n)}`);
  const water = [
    ...(potable_unknown > 0 ? [`not known if drinkable ${count(potable_unknown)}`] : []),
    ...(not_potable > 0 ? [`not potable ${count(not_potable)}`] : []),
  ];
  const { left_out, ...kept } = unknown;
  const unsure = [
    ...Object.entries(kept).map(([name, n]) => `unknown ${name} ${count(n)}`),
    ...(left_out === undefined ? [] : [`left out as not known ${count(left_out)}`]),
  ];
  const all = [...counts, ...unsure, ...water];
  return all.length > 1 ? `${all.join(" · ")}\n` : "";
}

function toRow(service: Service, local_time: LocalTime): string[] {
  return [
    metres(service.distance_meters),
    wordsOf(service.service_type),
    oneLine(service.name),
    oneLine(service.provider?.name ?? service.source_id),
    detailsOf(service, local_time),
  ];
}

function wordsOf(type: string): string {
  return type.replaceAll("_", " ");
}
