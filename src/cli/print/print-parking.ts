/** An answer of /v1/parking/nearby for people, and a car park in a few words. */
import { attributionLine, formatAnswer } from "#cli/print/print-answer.ts";
import type { On } from "#cli/print/print-answer.ts";
import type { Column } from "#cli/print/print-table.ts";
import { type LocalTime, openWords } from "#cli/print/print-open.ts";
import { walkNotes, withMinutes } from "#cli/print/print-walk.ts";
import { UNKNOWN, metres } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { ParkingBodyValue } from "#api/services.ts";

type Body = ParkingBodyValue;
type Parking = Body["results"][number];
type Attributes = Parking["attributes"];

const COLUMNS: readonly Column[] = [
  { title: "distance", align: "right" },
  { title: "name", elastic: true, least: 24 },
  { title: "kind" },
  { title: "features", elastic: true, spare: 2 },
  { title: "open" },
  { title: "address", elastic: true, least: 16, spare: 1 },
];

export function formatParking(body: Body, on: On): string {
  const { results, attribution } = body;
  const rows = results.map((parking) => toRow(parking, body.local_time, on));
  const walks = results.map(({ walk }) => walk);
  const end = attributionLine([attribution], results);
  const below = walkNotes(body, walks);
  return formatAnswer(body, withMinutes(body, { columns: COLUMNS, rows, below, end }, walks), on);
}

function toRow(
  { distance_meters, name, attributes }: Parking,
  local_time: LocalTime,
  { paint }: On,
): string[] {
  const { parking, address } = attributes;
  const open = openWords(attributes, local_time);
  const listed = open?.startsWith("open") ? paint.green : paint.red;
  return [
    metres(distance_meters),
    oneLine(name),
    parking.kind,
    featuresOf(attributes).join(", ") || UNKNOWN,
    open === null ? UNKNOWN : listed(open),
    oneLine(address ?? UNKNOWN),
  ];
}

/** `free`, `paid street`, `valet`: all of them are about parking. */
function featuresOf({ parking }: Attributes): string[] {
  return parking.features.map((feature) => feature.replace(/_?parking$/, "").replaceAll("_", " "));
}

/** `lot, paid, open until 22:00` of what is known. */
export function parkingWords(attributes: object, local_time?: LocalTime): string[] {
  const { parking } = attributes as Partial<Attributes>;
  if (!parking) return [];
  const open = openWords(attributes, local_time);
  return [parking.kind, ...featuresOf(attributes as Attributes), ...(open === null ? [] : [open])];
}
