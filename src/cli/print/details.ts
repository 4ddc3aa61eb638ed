/**
 * The attributes of a service in a few words: facts of the vocabulary (packages/api/attributes.ts).
 * Unknown ones are left out, save whether water may be drunk.
 */
import { chargingWords } from "#cli/print/charging.ts";
import { type LocalTime, openWords } from "#cli/print/open.ts";
import { parkingWords } from "#cli/print/parking.ts";
import { UNKNOWN } from "#cli/print/words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { ServicesBodyValue } from "#api/services.ts";

type Service = ServicesBodyValue["results"][number];
type Attributes = Readonly<Record<string, unknown>>;
type Fact = (attributes: Attributes, local_time: LocalTime) => string | null;
type Words = Readonly<Record<string, string | null>>;

/** The most distinctive first: a narrow table cuts the end. */
const FACTS: Readonly<Record<Service["service_type"], readonly Fact[]>> = {
  aed: [openWords, access, indoor, text("location_note"), level, hours],
  toilets: [openWords, fee, access, wheelchair, hours, changingTable, text("location_note")],
  drinking_water: [water, openWords, fee, access, bottle, seasonal, hours, wheelchair],
  fountain: [water, openWords, fee, access, bottle, seasonal, hours, wheelchair],
  wifi: [openWords, fee, network, access, hours],
  locker: [openWords, hours, indoor, access, payment, text("location_note")],
  parking: [(...known) => parkingWords(...known).join(", ") || null],
  charging: [(...known) => chargingWords(...known).join(", ") || null],
};

/** `open until 22:00, free, customers, wheelchair`; a dash when nothing is said. */
export function detailsOf(
  { service_type, name, attributes }: Service,
  local_time?: LocalTime,
): string {
  // A type that a newer server has added has no facts here yet.
  const facts = FACTS[service_type] ?? [];
  const stated = facts.map((fact) => fact(attributes as Attributes, local_time));
  // A note may repeat the name; once is enough.
  const shown = stated.filter((each) => each !== null && each !== oneLine(name));
  return shown.join(", ") || UNKNOWN;
}

/** A fact as a word; null: unknown. */
function said(attributes: Attributes, name: string): string | null {
  const value = attributes[name];
  const word = typeof value === "boolean" ? (value ? "yes" : "no") : value;
  return typeof word === "string" && oneLine(word) !== "" ? oneLine(word) : null;
}

/** Null in the table: not worth showing. */
function worded(value: string | null, words: Words, other: (value: string) => string | null) {
  if (value === null) return null;
  return Object.hasOwn(words, value.toLowerCase())
    ? (words[value.toLowerCase()] ?? null)
    : other(value);
}

function text(name: string): Fact {
  return (attributes) => said(attributes, name);
}

function fee(attributes: Attributes): string | null {
  const charge = said(attributes, "charge");
  return worded(said(attributes, "fee"), { no: "free", yes: charge ?? "fee" }, () => null);
}

function access(attributes: Attributes): string | null {
  const words = {
    yes: "public",
    permissive: "public",
    customers: "customers only",
    unknown: null,
  };
  return worded(said(attributes, "access"), words, (value) => value);
}

function wheelchair(attributes: Attributes): string | null {
  const words = { yes: "wheelchair", no: "no wheelchair", limited: "wheelchair limited" };
  return worded(said(attributes, "wheelchair"), words, () => null);
}

function changingTable(attributes: Attributes): string | null {
  const words = { yes: "changing table", no: null };
  return worded(said(attributes, "changing_table"), words, () => null);
}

function water(attributes: Attributes): string | null {
  const words = { yes: "drinkable", no: "not drinkable" };
  const value = said(attributes, "drinking_water");
  return worded(value, words, () => null) ?? "not known if drinkable";
}

function bottle(attributes: Attributes): string | null {
  return worded(said(attributes, "bottle"), { yes: "for bottles" }, () => null);
}

function seasonal(attributes: Attributes): string | null {
  const season = said(attributes, "season");
  const words = { yes: season === null ? "seasonal" : `in ${season}`, no: null };
  return worded(said(attributes, "seasonal"), words, () => null);
}

function indoor(attributes: Attributes): string | null {
  const words = { yes: "indoor", no: "outdoor" };
  return worded(said(attributes, "indoor"), words, () => null);
}

function level(attributes: Attributes): string | null {
  const value = said(attributes, "level");
  return value === null ? null : `floor ${value}`;
}

function network(attributes: Attributes): string | null {
  const name = said(attributes, "ssid");
  return name === null ? null : `“${name}”`;
}

function payment(attributes: Attributes): string | null {
  return said(attributes, "payment_available") === "yes" ? "payment" : null;
}

/** The hours themselves where the state is not known. */
function hours(attributes: Attributes, local_time: LocalTime): string | null {
  return openWords(attributes, local_time) === null ? said(attributes, "opening_hours") : null;
}
