/**
 * The attributes of a service in a few words. They are what sources say in their own members
 * (§2.3): tags of the open map, members of registers. Unknown ones are left out, save whether water
 * may be drunk; a value without words of ours is shown as it is.
 */
import { chargingWords } from "#cli/print/charging.ts";
import { type LocalTime, openWords } from "#cli/print/open.ts";
import { parkingWords } from "#cli/print/parking.ts";
import { UNKNOWN, clean } from "#cli/print/words.ts";
import type { ServicesBodyValue } from "#contract/services.ts";

type Service = ServicesBodyValue["results"][number];
type Attributes = Readonly<Record<string, unknown>>;
type Fact = (attributes: Attributes, local_time: LocalTime) => string | null;
type Words = Readonly<Record<string, string | null>>;

/** The most distinctive first: a narrow table cuts the end. */
const FACTS: Readonly<Record<Service["service_type"], readonly Fact[]>> = {
  aed: [
    openWords,
    access,
    indoor,
    text("defibrillator:location"),
    floor,
    hours,
    text("access_note"),
  ],
  toilets: [openWords, fee, access, wheelchair, hours, changingTable, text("directions")],
  drinking_water: [water, openWords, fee, access, bottle, seasonal, hours, wheelchair],
  fountain: [water, openWords, fee, access, bottle, seasonal, hours, wheelchair],
  wifi: [openWords, fee, network, access, hours],
  locker: [openWords, hours, indoor, access, payment, text("description")],
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
  // A locker may go by what describes it; once is enough.
  const shown = stated.filter((each) => each !== null && each !== clean(name));
  return shown.join(", ") || UNKNOWN;
}

/** Members that several sources name differently come first to last; the first that is said counts. */
function said(attributes: Attributes, ...names: readonly string[]): string | null {
  for (const name of names) {
    const value = attributes[name];
    const word = typeof value === "boolean" ? (value ? "yes" : "no") : value;
    if (typeof word === "string" && clean(word) !== "") return clean(word);
  }
  return null;
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
  const words = { no: "free", yes: charge ?? "fee", customers: "free for customers" };
  return worded(said(attributes, "fee", "internet_access:fee"), words, (value) => `fee ${value}`);
}

function access(attributes: Attributes): string | null {
  const words = {
    yes: "public",
    permissive: "public",
    public: "public",
    customers: "customers only",
    no: "no access",
  };
  const note = said(attributes, "free_access") === "yes" ? "public" : null;
  return worded(said(attributes, "access"), words, (value) => value) ?? note;
}

function wheelchair(attributes: Attributes): string | null {
  const words = { yes: "wheelchair", no: "no wheelchair", limited: "wheelchair limited" };
  const value = said(attributes, "toilets:wheelchair", "wheelchair", "accessible");
  return worded(value, words, (other) => `wheelchair ${other}`);
}

function changingTable(attributes: Attributes): string | null {
  const words = { yes: "changing table", no: null, limited: "changing table" };
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
  const words = { yes: "seasonal", no: null };
  return worded(said(attributes, "seasonal"), words, (value) => `in ${value}`);
}

function indoor(attributes: Attributes): string | null {
  const words = { yes: "indoor", no: "outdoor" };
  return worded(said(attributes, "indoor", "location_type"), words, (value) => value.toLowerCase());
}

function floor(attributes: Attributes): string | null {
  const value = said(attributes, "floor", "level");
  return value === null ? null : `floor ${value}`;
}

function network(attributes: Attributes): string | null {
  const name = said(attributes, "internet_access:ssid");
  return name === null ? null : `“${name}”`;
}

function payment(attributes: Attributes): string | null {
  return said(attributes, "payment_available") === "yes" ? "payment" : null;
}

/** The hours themselves where the state is not known. */
function hours(attributes: Attributes, local_time: LocalTime): string | null {
  return openWords(attributes, local_time) === null ? said(attributes, "opening_hours") : null;
}
