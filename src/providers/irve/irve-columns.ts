/** Columns of the French register of charging points, and what their words mean. */
import type { UnitState } from "#core/places/charging-facts.ts";
import { toBool, toText } from "#kit/coerce.ts";
import { type RowNotes, toDecimal } from "#providers/place-rows.ts";
import type { Cells } from "#providers/open-table.ts";

/** By their names of today; then those of the schema before 2022, and of files that are put together. */
export const COLUMNS = {
  point: ["id_pdc_itinerance", "id_pdc"],
  point_local: ["id_pdc_local"],
  station: ["id_station_itinerance", "id_station"],
  station_local: ["id_station_local"],
  station_name: ["nom_station", "n_station"],
  brand: ["nom_enseigne", "n_enseigne"],
  operator: ["nom_operateur", "n_operateur", "nom_amenageur", "n_amenageur"],
  street: ["adresse_station", "ad_station"],
  coordinates: ["coordonneesXY", "coordonneesxy", "geometry"],
  lat: ["consolidated_latitude", "Ylatitude", "latitude", "lat"],
  lon: ["consolidated_longitude", "Xlongitude", "longitude", "lon"],
  points: ["nbre_pdc"],
  power: ["puissance_nominale", "puiss_max"],
  plug_ef: ["prise_type_ef"],
  plug_2: ["prise_type_2"],
  plug_ccs: ["prise_type_combo_ccs"],
  plug_chademo: ["prise_type_chademo"],
  plug_other: ["prise_type_autre"],
  plugs: ["type_prise"],
  free_of_charge: ["gratuit"],
  price: ["tarification"],
  access: ["condition_acces", "acces_recharge"],
  hours: ["horaires"],
  wheelchair: ["accessibilite_pmr"],
  date: ["date_maj"],
  state: ["etat_pdc"],
  occupied: ["occupation_pdc"],
  observed: ["horodatage"],
} as const satisfies Record<string, readonly string[]>;

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ["oui", true],
  ["vrai", true],
  ["o", true],
  ["v", true],
  ["non", false],
  ["faux", false],
]);

/** Truth in the words of either language; null: not stated. */
export function toFlag(value: unknown): boolean | null {
  return toBool(value) ?? FLAGS.get(wordOf(value)) ?? null;
}

/** A power, perhaps with its unit. */
export function toPower(value: unknown, notes: RowNotes): number | null {
  return toDecimal(typeof value === "string" ? value.replace(/ ?kw$/i, "") : value, notes);
}

/** Small letters without accents, joined: `Hors service` is `hors_service`. */
function wordOf(value: unknown): string {
  const text = toText(value)?.slice(0, MAX_WORD) ?? "";
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/[\s-]/g, "_");
}
const MAX_WORD = 80;

const UNKNOWN_WORDS = new Set([
  "",
  "inconnu",
  "inconnue",
  "non_concerne",
  "neant",
  "null",
  "none",
  "nan",
]);

const MAX_UNKNOWN = 16;

/** A text, unless it says that nothing is known. */
export function toStated(value: unknown): string | null {
  const text = toText(value);
  if (text === null || text.length > MAX_UNKNOWN) return text;
  return UNKNOWN_WORDS.has(wordOf(text)) ? null : text;
}

/** An id as both halves have it, whichever separators they write. */
export function toPlainId(value: unknown): string | null {
  const text = toStated(value);
  return text === null ? null : text.replaceAll(/[\s*-]/g, "").toUpperCase() || null;
}

/** The word of the vocabulary; null: not known. */
export function toAccess(cells: Cells): "yes" | "restricted" | null {
  const word = wordOf(cells(COLUMNS.access));
  return word === "acces_libre" ? "yes" : word === "acces_reserve" ? "restricted" : null;
}

export function toWheelchair(cells: Cells): "yes" | "no" | null {
  const word = wordOf(cells(COLUMNS.wheelchair));
  if (word === "reserve_pmr" || word === "accessible_mais_non_reserve_pmr") return "yes";
  return word === "non_accessible" ? "no" : null;
}

const OCCUPATIONS: ReadonlyMap<string, UnitState> = new Map([
  ["libre", "available"],
  ["occupe", "occupied"],
  ["reserve", "occupied"],
]);

/** How a point is; null: it says that it does not know, or says it of a half that decides. */
export function toPointState(cells: Cells): UnitState | null {
  const state = wordOf(cells(COLUMNS.state));
  if (state === "hors_service") return "out_of_service";
  const occupation = OCCUPATIONS.get(wordOf(cells(COLUMNS.occupied))) ?? null;
  // Free and perhaps broken is not free.
  return state === "en_service" || occupation === "occupied" ? occupation : null;
}

/** A date as a number, so that dates can be compared; -1: none. Some write the day first. */
export function toDay(value: unknown): number {
  const text = toText(value) ?? "";
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? [];
  if (year !== undefined) return Number(`${year}${month}${day}`);
  const [, d, m, y] = /^(\d{2})\/(\d{2})\/(\d{4})/.exec(text) ?? [];
  return y === undefined ? -1 : Number(`${y}${m}${d}`);
}
