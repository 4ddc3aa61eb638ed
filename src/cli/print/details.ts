/**
 * The attributes of a service in a few words: facts of the vocabulary (packages/api/attributes.ts).
 * Unknown ones are left out, save whether water may be drunk.
 */
import { chargingWords } from "#cli/print/print-charging.ts";
import { type LocalTime, openWords } from "#cli/print/print-open.ts";
import { parkingWords } from "#cli/print/print-parking.ts";
import { UNKNOWN } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";
import type { ServicesBodyValue } from "#api/services.ts";

type Service = ServicesBodyValue["results"][number];
type Attributes = Readonly<Record<string, unknown>>;
type Fact = (attributes: Attributes, local_time: LocalTime) => string | null;
type Words = Readonly<Record<string, string | null>>;

const access = wordsOf(
  "access",
  { yes: "public", permissive: "public", customers: "customers only", unknown: null },
  (value) => value,
);
const wheelchair = wordsOf("wheelchair", {
  yes: "wheelchair",
  no: "no wheelchair",
  limited: "wheelchair limited",
});
const changingTable = wordsOf("changing_table", { yes: "changing table" });
const bottle = wordsOf("bottle", { yes: "for bottles" });
const indoor = wordsOf("indoor", { yes: "indoor", no: "outdoor" });
const payment = wordsOf("payment_available", { yes: "payment" });
const level = text("level", (value) => `floor ${value}`);
const network = text("ssid", (value) => `“${value}”`);
const note = text("location_note");

/** The most distinctive first: a narrow table cuts the end. */
const FACTS: Readonly<Record<Service["service_type"], readonly Fact[]>> = {
  aed: [openWords, access, indoor, note, level, hours],
  toilets: [openWords, fee, access, wheelchair, hours, changingTable, note],
  drinking_water: [water, openWords, fee, access, bottle, seasonal, hours, wheelchair],
  fountain: [water, openWords, fee, access, bottle, seasonal, hours, wheelchair],
  wifi: [openWords, fee, network, access, hours],
  locker: [openWords, hours, indoor, access, payment, note],
  parking: [(...entry) => parkingWords(...entry).join(", ") || null],
  charging: [(...entry) => chargingWords(...entry).join(", ") || null],
};

/** Of points of interest, and of types that a newer server has added. */
const OF_ANY: readonly Fact[] = [
  openWords,
  text("address"),
  wheelchair,
  access,
  hours,
  text("phone"),
];

type Described = Pick<Service, "name" | "attributes"> & { service_type: string };

/** `open until 22:00, free, customers, wheelchair`; a dash when nothing is said. */
export function detailsOf(
  { service_type, name, attributes }: Described,
  local_time?: LocalTime,
): string {
  const facts = Object.hasOwn(FACTS, service_type)
    ? FACTS[service_type as Service["service_type"]]
    : OF_ANY;
  const stated = facts.map((fact) => fact(attributes as Attributes, local_time));
  // A note may repeat the name; once is enough.
  const listed = stated.filter((each) => each !== null && each !== oneLine(name));
  return listed.join(", ") || UNKNOWN;
}

/** A fact as a word; null: unknown. */
function wordOf(attributes: Attributes, name: string): string | null {
  const value = attributes[name];
  const word = typeof value === "boolean" ? (value ? "yes" : "no") : value;
  return typeof word === "string" && oneLine(word) !== "" ? oneLine(word) : null;
}

function text(name: string, show: (value: string) => string = (value) => value): Fact {
  return (attributes) => {
    const value = wordOf(attributes, name);
    return value === null ? null : show(value);
  };
}

/** What values are called; null in the table: not worth showing. */
function wordsOf(name: string, words: Words, other: (value: string) => string | null = () => null) {
  return (attributes: Attributes): string | null => {
    const value = wordOf(attributes, name);
    if (value === null) return null;
    const entry = value.toLowerCase();
    return Object.hasOwn(words, entry) ? (words[entry] ?? null) : other(value);
  };
}

function fee(attributes: Attributes): string | null {
  return wordsOf("fee", { no: "free", yes: wordOf(attributes, "charge") ?? "fee" })(attributes);
}

function water(attributes: Attributes): string | null {
  const words = wordsOf("drinking_water", { yes: "drinkable", no: "not drinkable" });
  return words(attributes) ?? "not known if drinkable";
}

function seasonal(attributes: Attributes): string | null {
  const season = wordOf(attributes, "season");
  return wordsOf("seasonal", { yes: season === null ? "seasonal" : `in ${season}` })(attributes);
}

/** The hours themselves where the state is not known. */
function hours(attributes: Attributes, local_time: LocalTime): string | null {
  return openWords(attributes, local_time) === null ? wordOf(attributes, "opening_hours") : null;
}
