/** systems.csv of MobilityData: every known system and where its gbfs.json is (mobility.md 1.11). */
import { parse } from "csv-parse/sync";
import { createTrail } from "#kit/trail.ts";
import type { Trail, TrailRecorder } from "#kit/trail.ts";
import { toId, toName, toText } from "#kit/coerce.ts";
import type { GbfsReason } from "./gbfs-reasons.ts";

export type CatalogueSystem = {
  /** As published: spaces, accents and apostrophes occur. */
  id: string;
  name: string;
  location: string;
  country: string | null;
  url: string;
  info_url: string | null;
  versions: string[];
  auth_kind: "none" | "query" | "headers" | "unknown";
  auth_info_url: string | null;
  /** Names of the query parameter or headers that carry the credentials. */
  auth_names: string[];
};

type CsvRow = Readonly<Record<string, string>>;

const AUTH_KINDS: ReadonlyMap<string, CatalogueSystem["auth_kind"]> = new Map([
  ["", "none"],
  ["0", "none"],
  ["1", "query"],
  ["2", "headers"],
]);

/** The largest catalogue of 2026 has some seven thousand. */
export const MAX_CATALOGUE_ROWS = 50_000;

/** Rows by column name, one more than are allowed at most; lines that are no CSV are passed over. */
export function parseCatalogue(text: string): Record<string, string>[] {
  return parse(text, {
    bom: true,
    columns: true,
    to: MAX_CATALOGUE_ROWS + 1,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    trim: true,
  });
}

export function readCatalogue(rows: readonly CsvRow[]): {
  systems: CatalogueSystem[];
  trail: Trail;
} {
  const trail = createTrail();
  const systems = new Map<string, CatalogueSystem>();
  rows.forEach((row, index) => {
    const system = toSystem(row, index, trail);
    if (system) add(systems, system, trail);
  });
  return { systems: [...systems.values()], trail: trail.toTrail() };
}

function toSystem(row: CsvRow, index: number, trail: TrailRecorder): CatalogueSystem | null {
  const id = toId(row["System ID"]);
  if (id === null) return dropRow(trail, "catalogue_row_incomplete", `#${index}`);
  const url = toHttpUrl(row["Auto-Discovery URL"]);
  if (url === null) return dropRow(trail, "catalogue_url_invalid", id);
  const country = toText(row["Country Code"])?.toUpperCase() ?? "";
  return {
    id,
    name: toName(row["Name"]) ?? id,
    location: toText(row["Location"]) ?? "",
    country: /^[A-Z]{2}$/.test(country) ? country : null,
    url,
    info_url: toHttpUrl(row["URL"]),
    versions: splitList(row["Supported Versions"], ";"),
    auth_kind: AUTH_KINDS.get(row["Authentication Type"]?.trim() ?? "") ?? "unknown",
    auth_info_url: toHttpUrl(row["Authentication Info URL"]),
    auth_names: splitList(row["Authentication Parameter Name"], "|"),
  };
}

function dropRow(trail: TrailRecorder, reason: GbfsReason, example: string): null {
  trail.drop(reason, example);
  return null;
}

/** A second system of an id gets "~2", "~3"… in file order; the same URL again is the same system. */
function add(systems: Map<string, CatalogueSystem>, system: CatalogueSystem, trail: TrailRecorder) {
  let id = system.id;
  for (let n = 2; systems.has(id); n++) {
    if (systems.get(id)!.url === system.url) return trail.drop("catalogue_duplicate", system.id);
    id = `${system.id}~${n}`;
  }
  if (id !== system.id) trail.repair("catalogue_id_suffixed", id);
  systems.set(id, { ...system, id });
}

/** As written, query string included (five systems depend on theirs). */
function toHttpUrl(value: unknown): string | null {
  const text = toText(value);
  const protocol = URL.parse(text ?? "")?.protocol;
  return protocol === "https:" || protocol === "http:" ? text : null;
}

function splitList(text: string | undefined, separator: string): string[] {
  return (text ?? "")
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
