/** Candidates of geocode, place-search and reverse-geocode (§2.2) for people, in their order. */
import type { On } from "#cli/print/print-answer.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import { UNKNOWN, count } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { GeocodeBodyValue } from "#api/geocoding.ts";

type Candidate = GeocodeBodyValue["results"][number];

const COLUMNS: readonly Column[] = [
  { title: "#", align: "right" },
  { title: "type" },
  { title: "name", elastic: 1.5, least: 20 },
  { title: "where", elastic: true },
  { title: "lat,lon" },
  { title: "quality" },
];

const QUALITIES: Readonly<Record<NonNullable<Candidate["match_quality"]>, string>> = {
  rooftop: "rooftop",
  range_interpolated: "interpolated",
  geometric_center: "center",
  approximate: "approximate",
};

/** `asked` is what was looked for, in words: `for "…"` or `at 48.8566, 2.3522`. */
export function formatCandidates(body: GeocodeBodyValue, query: string, on: On): string {
  const { results, meta } = body;
  const noun = results.length === 1 ? "candidate" : "candidates";
  const text = results.length > 0 ? `${count(results.length)} ${noun}` : "nothing found";
  const rows = results.map(toRow);
  return [
    `${on.paint.bold(text)} ${query} · ${oneLine(meta.source)}\n`,
    rows.length > 0 ? `\n${renderTable(COLUMNS, rows, on)}` : "",
  ].join("");
}

function toRow(candidate: Candidate, index: number): string[] {
  const { type, name, label, location, match_quality } = candidate;
  return [
    String(index + 1),
    type.replaceAll("_", " "),
    // An address without a name of its own: the label says it.
    name === label ? UNKNOWN : oneLine(name),
    whereOf(candidate),
    // As the other commands take it, to be pasted.
    `${location.lat},${location.lon}`,
    match_quality === undefined ? UNKNOWN : QUALITIES[match_quality],
  ];
}

/** The label, without the name that it often begins with and that has its own column. */
function whereOf({ name, label }: Candidate): string {
  const rest = label.startsWith(`${name}, `) ? label.slice(name.length + 2) : label;
  return oneLine(rest);
}
