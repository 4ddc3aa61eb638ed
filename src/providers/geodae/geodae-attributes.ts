/** Facts of the register about a defibrillator beyond its place (places.md 4.1, 11.2). */
import { ALWAYS, type Opening, toDays } from "#core/places/opening.ts";
import type { AddressParts } from "#core/places/place.ts";
import { type Row, toBool, toList, toText } from "#kit/coerce.ts";
import { readFacts } from "#providers/stated-facts.ts";

/** French and plain: what means "not stated". */
const UNSTATED: ReadonlySet<string> = new Set(
  ["", "null", "none", "non renseigné", "non renseignee", "non renseignée"].concat("inconnu"),
);
const DATE = /^\d{4}-\d{2}-\d{2}/;
const INDOOR: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ intérieur: true, extérieur: false }),
);

/** Returns a text that says something, or null. */
export function toStated(value: unknown): string | null {
  const text = toText(value);
  return text === null || UNSTATED.has(text.toLowerCase()) ? null : text;
}

/** Facts of a row. */
export function attributesOf(row: Row): Row {
  return readFacts("aed", {
    address: addressOf(row),
    indoor: INDOOR.get(toStated(row["c_acc"])?.normalize("NFC").toLowerCase() ?? ""),
    level: toStated(row["c_acc_etg"]),
    access: toBool(row["c_acc_lib"]),
    location_note: toStated(row["c_acc_complt"]),
    opening_hours: hoursOf(row),
    hours_note: toStated(row["c_disp_complt"]),
    phone: toStated(row["c_tel1"]),
    operator: toStated(row["c_expt_rais"]),
    validated: validatedOf(row["c_etat_valid"]),
    updated_on: updateOf(row),
  });
}

/** Returns the address part by part; nothing where nothing of it is stated. */
export function addressPartsOf(row: Row): { address?: AddressParts } {
  const address: AddressParts = {};
  for (const [part, column] of ADDRESS_COLUMNS) {
    const text = toStated(row[column]);
    if (text !== null) address[part] = text;
  }
  return Object.keys(address).length > 0 ? { address } : {};
}

const ADDRESS_COLUMNS = [
  ["street", "c_adr_voie"],
  ["number", "c_adr_num"],
  ["post_code", "c_com_cp"],
  ["area", "c_com_nom"],
] as const;

/** Joins `c_adr_num c_adr_voie, c_com_cp c_com_nom`, what there is of it. */
export function addressOf(row: Row): string | null {
  const street = toStated(row["c_adr_voie"]);
  const parts = [
    street === null ? [] : [toStated(row["c_adr_num"]), street],
    [toStated(row["c_com_cp"]), toStated(row["c_com_nom"])],
  ];
  const lines = parts.map((part) => part.filter((text) => text !== null).join(" "));
  return lines.filter((text) => text !== "").join(", ") || null;
}

/** `{7j/7}` and `{24h/24}` are always; else the register's own words. */
function hoursOf(row: Row): string | null {
  const days = setOf(row["c_disp_j"]);
  const hours = setOf(row["c_disp_h"]);
  if (days.includes("7j/7") && hours.includes("24h/24")) return "24/7";
  return [days, hours].flatMap((set) => set.join(", ") || []).join("; ") || null;
}

const WEEKDAYS = ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"];

/**
 * Hours for evaluation; null: the register says nothing. Its words for parts of a day name no time,
 * and a note may restrict what the words say: both are hours that cannot be read.
 */
export function openingOf(row: Row): Opening | null {
  const text = hoursOf(row);
  if (text === null) return null;
  if (toStated(row["c_disp_complt"]) !== null) return {};
  if (text === "24/7") return ALWAYS;
  const days = setOf(row["c_disp_j"]).map((day) => WEEKDAYS.indexOf(day.toLowerCase()));
  const isWhole = setOf(row["c_disp_h"]).join() === "24h/24";
  if (!isWhole || days.length === 0 || days.includes(-1)) return {};
  return { weekly: days.flatMap((day) => toDays(day, 0, 1_440) ?? []) };
}

/** `{lundi,"heures de nuit"}` of the data base behind it, or a list. */
function setOf(value: unknown): string[] {
  const parts = Array.isArray(value)
    ? toList(value)
    : (toText(value) ?? "").replace(/^\{|\}$/g, "").split(",");
  const texts = parts.map((part) =>
    toStated(typeof part === "string" ? part.replaceAll('"', "") : part),
  );
  return texts.filter((text) => text !== null);
}

/** What waits for validation is kept, at lower trust. */
function validatedOf(value: unknown): boolean | null {
  const text = toStated(value)?.normalize("NFC").toLowerCase();
  if (text === undefined) return null;
  if (text.startsWith("valid")) return true;
  return text.startsWith("en attente") ? false : null;
}

function updateOf(row: Row): string | null {
  const dates = [row["c_maj_don"], row["c__edit_datemaj"]].map(toStated);
  return dates.find((date) => date !== null && DATE.test(date)) ?? null;
}
