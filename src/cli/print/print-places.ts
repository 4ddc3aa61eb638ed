/** An answer of /v1/places/nearby for people: what came of it, how many of each class, the places. */
import { detailsOf } from "#cli/print/details.ts";
import { attributionLine, formatAnswer, type On } from "#cli/print/print-answer.ts";
import type { Column } from "#cli/print/print-table.ts";
import { walkNotes, withMinutes } from "#cli/print/print-walk.ts";
import { count, metres } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { ClassPlacesBodyValue } from "#api/class-places.ts";

const COLUMNS: readonly Column[] = [
  { title: "distance", align: "right" },
  { title: "class" },
  { title: "name", elastic: true, least: 24 },
  { title: "details", elastic: 1.5, least: 20, wraps: 3 },
];

export function formatPlaces(body: ClassPlacesBodyValue, on: On): string {
  const { results, attributions = [], local_time } = body;
  const rows = results.map(({ place_class, name, distance_meters, attributes }) => [
    metres(distance_meters),
    wordsOf(place_class),
    oneLine(name),
    detailsOf({ service_type: place_class, name, attributes }, local_time),
  ]);
  const walks = results.map(({ walk }) => walk);
  const parts = { above: countsOf(body), end: attributionLine(attributions, results) };
  const table = withMinutes(body, { columns: COLUMNS, rows, below: walkNotes(body, walks) }, walks);
  return formatAnswer(body, { ...table, ...parts }, on);
}

/** `pharmacy 3 · atm 0`, before the limit; one class says the total already. */
function countsOf({ summary, unknown = {} }: ClassPlacesBodyValue): string {
  const counts = Object.entries(summary).map(([name, n]) => `${wordsOf(name)} ${count(n)}`);
  const unsure = Object.entries(unknown).map(([name, n]) => `unknown ${name} ${count(n)}`);
  const all = [...counts, ...unsure];
  return all.length > 1 ? `${all.join(" · ")}\n` : "";
}

function wordsOf(place_class: string): string {
  return place_class.replaceAll("_", " ");
}
