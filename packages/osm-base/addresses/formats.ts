/**
 * Lists of addresses as tables of text: which columns a format has, and what a row of it means.
 * Formats: France's Base Adresse Nationale (adresse.data.gouv.fr, "format CSV"), BANO of
 * OpenStreetMap France, OpenAddresses (github.com/openaddresses/openaddresses, "processed data").
 */
import type { AddressFormatName } from "../base/base-layout.ts";
import type { AddressRow } from "../geocoder/geocoder-section.ts";

export type AddressFormat = {
  delimiter: string;
  /** Names of the columns where the file has no line of them; null: its first line names them. */
  columns: readonly string[] | null;
  /** Columns without which a file is of another format. */
  needed: readonly string[];
  /** Terms of the list; null: they are its publishers' own, which the format does not name. */
  terms: { licence: string; attribution: string } | null;
  /** A row, or the reason why it is none. */
  read(cell: (column: string) => string): AddressRow | AddressFault;
};

type AddressFault = "coordinates_missing" | "street_missing" | "number_missing";

const BANO_COLUMNS = ["id", "numero", "voie", "code_postal", "ville", "source", "lat", "lon"];

export const FORMATS: Readonly<Record<AddressFormatName, AddressFormat>> = {
  ban: {
    delimiter: ";",
    columns: null,
    needed: ["numero", "nom_voie", "lon", "lat"],
    terms: { licence: "etalab-2.0", attribution: "Base Adresse Nationale" },
    read: (cell) =>
      toRow({
        ...pointOf(cell("lat"), cell("lon")),
        street: cell("nom_voie"),
        number: `${cell("numero")}${cell("rep")}`,
        city: cell("nom_commune"),
        postcode: cell("code_postal"),
      }),
  },
  bano: {
    delimiter: ",",
    columns: BANO_COLUMNS,
    needed: BANO_COLUMNS,
    terms: { licence: "ODbL-1.0", attribution: "© OpenStreetMap contributors, BANO" },
    read: (cell) =>
      toRow({
        ...pointOf(cell("lat"), cell("lon")),
        street: cell("voie"),
        number: cell("numero"),
        city: cell("ville"),
        postcode: cell("code_postal"),
      }),
  },
  openaddresses: {
    delimiter: ",",
    columns: null,
    needed: ["lon", "lat", "number", "street"],
    terms: null,
    read: (cell) =>
      toRow({
        ...pointOf(cell("lat"), cell("lon")),
        street: cell("street"),
        number: cell("number"),
        city: cell("city"),
        postcode: cell("postcode"),
        region: cell("region"),
      }),
  },
};

type Cells = { lat: number; lon: number; street: string; number: string } & Partial<
  Record<"city" | "postcode" | "region", string>
>;

function toRow({
  city = "",
  postcode = "",
  region = "",
  ...row
}: Cells): AddressRow | AddressFault {
  if (!(Math.abs(row.lat) <= 90) || !(Math.abs(row.lon) <= 180)) return "coordinates_missing";
  // No address is at the crossing of equator and Greenwich: it is a way of not saying.
  if (row.lat === 0 && row.lon === 0) return "coordinates_missing";
  if (row.street === "") return "street_missing";
  if (row.number === "" || row.number === "0") return "number_missing";
  return {
    ...row,
    ...(city === "" ? {} : { city }),
    ...(postcode === "" ? {} : { postcode }),
    ...(region === "" ? {} : { region }),
  };
}

function pointOf(lat: string, lon: string): { lat: number; lon: number } {
  return { lat: toDegrees(lat), lon: toDegrees(lon) };
}

function toDegrees(text: string): number {
  return /^-?\d{1,3}(\.\d{1,20})?$/.test(text) ? Number(text) : Number.NaN;
}
