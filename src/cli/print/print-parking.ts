/** An answer of /v1/parking/nearby for people, and a car park in a few words. */
import { attributionLine, formatAnswer } from "#cli/print/print-answer.ts";
import type { On } from "#cli/print/print-answer.ts";
import type { Column } from "#cli/print/print-table.ts";
import { type LocalTime, openWords } from "#cli/print/print-open.ts";
import { priceWords, withPrices } from "#cli/print/print-price.ts";
import { matchNotes, withMatch } from "#cli/print/print-match.ts";
import { walkNotes, withMinutes } from "#cli/print/print-walk.ts";
import { UNKNOWN, age, count, metres, secondsSince } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { AvailabilityBody } from "#api/availability.ts";
import type { ParkingBodyValue } from "#api/services.ts";

type Body = ParkingBodyValue;
type Parking = Body["results"][number];
/** With the facts of car parks, which the reply may have in addition to its own members. */
type Attributes = Parking["attributes"] & {
  availability?: AvailabilityBody;
  capacity?: number;
};

const COLUMNS: readonly Column[] = [
  { title: "distance", align: "right" },
  { title: "name", elastic: true, least: 24 },
  { title: "free/total", align: "right" },
  { title: "kind" },
  { title: "features", elastic: true, wraps: 3, spare: 2 },
  { title: "open" },
  { title: "age", align: "right" },
  { title: "address", elastic: true, least: 16, spare: 1 },
];

export function formatParking(body: Body, on: On): string {
  const { results, attribution } = body;
  const rows = results.map((parking) => toRow(parking, body.local_time, on));
  const walks = results.map(({ walk }) => walk);
  const end = attributionLine([attribution], results);
  const below = walkNotes(body, walks) + matchNotes(body, results);
  const table = withMatch(withPrices({ columns: COLUMNS, rows, below, end }, results), results);
  return formatAnswer(body, withMinutes(body, table, walks), on);
}

function toRow(
  { distance_meters, name, attributes }: Parking,
  local_time: LocalTime,
  { paint, now_ms }: On,
): string[] {
  const { parking, address, availability } = attributes as Attributes;
  const free = freeOf(attributes as Attributes);
  const open = openWords(attributes, local_time);
  const listed = open?.startsWith("open") ? paint.green : paint.red;
  return [
    metres(distance_meters),
    oneLine(name),
    availability?.free === 0 ? paint.yellow(free) : free,
    parking.kind,
    featuresOf(attributes).join(", ") || UNKNOWN,
    open === null ? UNKNOWN : listed(open),
    age(secondsSince(availability?.observed_at, now_ms)),
    oneLine(address ?? UNKNOWN),
  ];
}

/** `40/120`, `–/120` when the number of free spaces is unknown, `–` when nothing is known. */
function freeOf({ availability, capacity }: Pick<Attributes, "availability" | "capacity">): string {
  const { free = null, capacity: live = null } = availability ?? {};
  const total = live ?? capacity ?? null;
  return free === null && total === null ? UNKNOWN : `${count(free)}/${count(total)}`;
}

/** `free`, `paid street`, `valet`: all of them are about parking. */
function featuresOf({ parking }: Attributes): string[] {
  return parking.features.map((feature) => feature.replace(/_?parking$/, "").replaceAll("_", " "));
}

/** `40/120 free, lot, paid, open until 22:00` of what is known. */
export function parkingWords(attributes: object, local_time?: LocalTime): string[] {
  const { parking } = attributes as Partial<Attributes>;
  if (!parking) return [];
  const open = openWords(attributes, local_time);
  const free = freeOf(attributes);
  const price = priceWords(attributes);
  return [
    ...(free === UNKNOWN ? [] : [`${free} free`]),
    parking.kind,
    ...featuresOf(attributes as Attributes),
    ...(open === null ? [] : [open]),
    ...(price === null ? [] : [price]),
  ];
}
