/** An answer of /v1/transport/nearby for people. */
import { formatAnswer } from "#cli/print/print-answer.ts";
import type { On } from "#cli/print/print-answer.ts";
import type { Column } from "#cli/print/print-table.ts";
import { matchNotes, withMatch } from "#cli/print/print-match.ts";
import { walkNotes, withMinutes } from "#cli/print/print-walk.ts";
import { UNKNOWN, metres } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { TransportBodyValue } from "#api/transit.ts";

type Station = TransportBodyValue["results"]["stations"][number];

const COLUMNS: readonly Column[] = [
  { title: "distance", align: "right" },
  { title: "name", elastic: 2, least: 20 },
  { title: "modes", elastic: true, least: 14 },
  { title: "lines", elastic: true, least: 12 },
  { title: "wheelchair" },
  { title: "from", elastic: true, spare: 1 },
];

export function formatStations(body: TransportBodyValue, on: On): string {
  const { stations } = body.results;
  const rows = stations.map((station) => toRow(station, on));
  const walks = stations.map(({ walk }) => walk);
  const below = walkNotes(body, walks) + matchNotes(body, stations);
  const table = withMatch({ columns: COLUMNS, rows, below }, stations);
  return formatAnswer(body, withMinutes(body, table, walks), on);
}

function toRow(station: Station, { paint }: On): string[] {
  const { distance_meters, name, modes, routes, accessibility, sources } = station;
  const lines = routes.map(({ short_name, long_name, id }) => short_name ?? long_name ?? id);
  const wheelchair = { yes: paint.green("yes"), no: paint.red("no"), unknown: UNKNOWN };
  return [
    metres(distance_meters),
    oneLine(name),
    modes.map((mode) => mode.replaceAll("_", " ")).join(", "),
    oneLine([...new Set(lines)].join(" · ") || UNKNOWN),
    wheelchair[accessibility.wheelchair],
    [...new Set(sources.map(({ provider }) => provider))].join(", "),
  ];
}
