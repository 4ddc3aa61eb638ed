/** An answer of /v1/parking/nearby for people, and a car park in a few words. */
import { attributionLine, debugBlock, headlines } from "#cli/print/answer.ts";
import type { On } from "#cli/print/answer.ts";
import { renderTable } from "#cli/print/table.ts";
import type { Column } from "#cli/print/table.ts";
import { UNKNOWN, clean, metres } from "#cli/print/words.ts";
import type { ParkingBodyValue } from "#contract/services.ts";

type Body = ParkingBodyValue;
type Parking = Body["results"][number];
type Attributes = Parking["attributes"];

const COLUMNS: readonly Column[] = [
  { title: "distance", align: "right" },
  { title: "name", elastic: true },
  { title: "kind" },
  { title: "features", elastic: true },
  { title: "open" },
  { title: "address", elastic: true },
];

export function formatParking(body: Body, on: On): string {
  const { results, attribution } = body;
  const rows = results.map((parking) => toRow(parking, on));
  return [
    headlines(body, { offset: 0, shown: rows.length }, on),
    rows.length > 0 ? `\n${renderTable(COLUMNS, rows, on)}` : "",
    debugBlock(body.debug, on),
    attributionLine([attribution], results),
  ].join("");
}

function toRow({ distance_meters, name, attributes }: Parking, { paint }: On): string[] {
  const { parking, open_status, address } = attributes;
  const open = { open: paint.green("open"), closed: paint.red("closed"), unknown: UNKNOWN };
  return [
    metres(distance_meters),
    clean(name),
    parking.kind,
    featuresOf(attributes).join(", ") || UNKNOWN,
    open[open_status],
    clean(address ?? UNKNOWN),
  ];
}

/** `free`, `paid street`, `valet`: all of them are about parking. */
function featuresOf({ parking }: Attributes): string[] {
  return parking.features.map((feature) => feature.replace(/_?parking$/, "").replaceAll("_", " "));
}

/** `lot, paid, open` of what is known. */
export function parkingWords(attributes: object): string[] {
  const { parking, open_status } = attributes as Partial<Attributes>;
  if (!parking) return [];
  const open = open_status === undefined || open_status === "unknown" ? [] : [open_status];
  return [parking.kind, ...featuresOf(attributes as Attributes), ...open];
}
