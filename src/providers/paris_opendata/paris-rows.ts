/** Readings of the rows of both data sets (mobility.md 6.3, 6.4). What it leaves open is left out. */
import type { AddressParts, PlaceKind } from "#core/places/place.ts";
import type { Location } from "#kit/geo.ts";
import { type Row, toId, toNumber, toText } from "#kit/coerce.ts";
import type { StatedFacts } from "#providers/stated-facts.ts";

export type RowReading = {
  dataset: string;
  kind: PlaceKind;
  /** The key of the row; null: it has none. */
  idOf(row: Row, at: Location): string | null;
  /** What the city calls it. */
  identifierOf(row: Row): string | null;
  saidOf(row: Row): StatedFacts;
  addressOf(row: Row): AddressParts;
};

export const FOUNTAINS: RowReading = {
  dataset: "fontaines-a-boire",
  kind: "water",
  idOf: (row) => toId(row["gid"]),
  identifierOf: (row) => toId(row["gid"]),
  saidOf: (row) => ({
    opening_hours: hoursOf(row),
    water_kind: "drinking_point",
    drinking_water: "yes",
  }),
  addressOf: (row) => ({
    ...member("street", toText(row["voie"])),
    ...member("number", toText(row["no_voirie_pair"]) ?? toText(row["no_voirie_impair"])),
    ...member("post_code", postCodeOf(districtNamed(toText(row["commune"])))),
  }),
};

export const TOILETS: RowReading = {
  dataset: "sanisettesparis",
  kind: "toilets",
  // They have no key of their own: duplicates have the same address and point.
  idOf: (row, { lat, lon }) => `${toText(row["adresse"]) ?? ""} ${lat},${lon}`.trim(),
  identifierOf: (row) => tailOf(toText(row["url_fiche_equipement"])),
  saidOf: (row) => ({ opening_hours: row["horaire"] }),
  addressOf: (row) => ({
    ...streetOf(toText(row["adresse"])),
    ...member("post_code", postCodeOf(districtNumbered(toNumber(row["arrondissement"])))),
  }),
};

/** Of a fountain that is out of service: why it is. */
function hoursOf(row: Row): string | null {
  const available = toText(row["dispo"])?.toUpperCase();
  if (available === "OUI") return "24 h / 24";
  return available === "NON" ? toText(row["motif_ind"]) : null;
}

const DISTRICTS = 20;

/** "PARIS 19EME ARRONDISSEMENT" → 19. */
function districtNamed(commune: string | null): number | null {
  const digits = /\bparis\s+(\d{1,2})\s*e/i.exec(commune ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
}

/** 75019, or 19; 75116 is the other half of the sixteenth. */
function districtNumbered(number: number | null): number | null {
  if (number === null) return null;
  if (number === 75_116) return 16;
  return number > 75_000 ? number - 75_000 : number;
}

function postCodeOf(district: number | null): string | null {
  const isKnown = Number.isInteger(district) && district! >= 1 && district! <= DISTRICTS;
  return isKnown ? String(75_000 + district!) : null;
}

const NUMBERED = /^(\d{1,4}(?:\s?(?:bis|ter|quater))?)\s?(?:,\s?|(?<=\s))(?=\D)(.+)$/i;

/** "12 BIS RUE DE RIVOLI" → its number and its street. */
function streetOf(address: string | null): AddressParts {
  const [, number, street] = NUMBERED.exec(address ?? "") ?? [];
  if (number !== undefined && street !== undefined) return { street, number };
  return member("street", address);
}

/** The last segment of the path of a page. */
function tailOf(address: string | null): string | null {
  const path = URL.parse(address ?? "")?.pathname ?? "";
  return path.split("/").findLast((segment) => segment !== "") ?? null;
}

function member<K extends string>(name: K, value: string | null): { [N in K]?: string } {
  return (value === null ? {} : { [name]: value }) as { [N in K]?: string };
}
