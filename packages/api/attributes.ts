/**
 * The vocabulary of `attributes` (§2.3 to §2.5; decisions, Attributes): one row a fact, with its one
 * name, type and set of values over all sources. The schemas of the description, docs/places.md and
 * the reading of every source (providers/stated-facts.ts) come from it.
 */
import { Type, type TSchema } from "typebox";
import { Availability, AVAILABILITY_MEANING } from "./availability.ts";
import { PREVIEW } from "./preview.ts";
import { Prices, PRICES_MEANING } from "./prices.ts";
import { Usable, USABLE_MEANING } from "./usable.ts";

/** Kinds of places that have attributes of their own; `water` is drinking points and fountains. */
export const PLACE_KINDS = [
  "aed",
  "toilets",
  "water",
  "wifi",
  "parking",
  "charging",
  "locker",
] as const;
export type PlaceKind = (typeof PLACE_KINDS)[number];

/** `link`: an https address; `date`: `YYYY-MM-DD`; `record`: structured, as its description says. */
export type FactType = "text" | "yes_no" | "whole" | "date" | "link" | "record" | "records";

export type Fact = {
  readonly name: string;
  readonly type: FactType;
  /** Of a text that is one of a few words. */
  readonly values?: readonly string[];
  readonly kinds: readonly PlaceKind[];
  /** Sources that disagree about it are listed in `conflicts`. */
  readonly compared?: true;
  /** Of a record, or records, described whole. */
  readonly schema?: TSchema;
  readonly description: string;
};

const ALL = PLACE_KINDS;
/** All that have no members in §2.4 and §2.5. */
const SERVICES = ["aed", "toilets", "water", "wifi", "locker"] as const;
const FACILITIES = ["parking", "charging"] as const;

export const FACTS = [
  {
    name: "address",
    type: "text",
    kinds: SERVICES,
    description: "Address, as much of it as is known.",
  },
  { name: "operator", type: "text", kinds: ALL, description: "Name of the operator." },
  { name: "brand", type: "text", kinds: ALL, description: "Brand under which it is known." },
  {
    name: "code",
    type: "text",
    kinds: ALL,
    compared: true,
    description: "Code or number written on it, such as that of a locker.",
  },
  {
    name: "wheelchair",
    type: "text",
    values: ["yes", "limited", "no", "unknown"],
    kinds: ALL,
    compared: true,
    description: "Whether it can be used with a wheelchair; of toilets, the toilets themselves.",
  },
  {
    name: "access",
    type: "text",
    values: ["yes", "permissive", "customers", "restricted", "unknown"],
    kinds: ALL,
    compared: true,
    description:
      "Who may use it: everybody by right, everybody until revoked, customers, or others under conditions.",
  },
  {
    name: "fee",
    type: "yes_no",
    kinds: ALL,
    compared: true,
    description: "Whether it costs something, at some hours at least; of wifi, the wifi.",
  },
  { name: "charge", type: "text", kinds: ALL, description: "Price, in the source's words." },
  {
    name: "prices",
    type: "records",
    kinds: FACILITIES,
    schema: Prices,
    description: PRICES_MEANING,
  },
  {
    name: "opening_hours",
    type: "text",
    kinds: SERVICES,
    compared: true,
    description: "Opening hours, in the source's words or as the open map writes them.",
  },
  {
    name: "usable",
    type: "record",
    kinds: ALL,
    schema: Usable,
    description: USABLE_MEANING,
  },
  {
    name: "hours_note",
    type: "text",
    kinds: ["aed"],
    description: "Remark on the opening hours, in the source's words.",
  },
  {
    name: "indoor",
    type: "yes_no",
    kinds: ALL,
    compared: true,
    description: "Whether it is inside a building.",
  },
  { name: "level", type: "text", kinds: ALL, description: "Floor, in the source's words." },
  {
    name: "location_note",
    type: "text",
    kinds: SERVICES,
    description: "Where exactly it is or how it is reached, in the source's words.",
  },
  { name: "description", type: "text", kinds: SERVICES, description: "Remark of the source." },
  { name: "phone", type: "text", kinds: SERVICES, description: "Telephone number." },
  { name: "website", type: "link", kinds: SERVICES, description: "Page about it." },
  {
    name: "checked_on",
    type: "date",
    kinds: ALL,
    description: "Day of the last check on the spot.",
  },
  {
    name: "updated_on",
    type: "date",
    kinds: ["aed", "toilets"],
    description: "Day on which the source last changed its record.",
  },
  {
    name: "emergency_phone",
    type: "text",
    kinds: ["aed"],
    description: "Number to call in order to get it.",
  },
  {
    name: "validated",
    type: "yes_no",
    kinds: ["aed"],
    description: "Whether its register has checked the record.",
  },
  {
    name: "changing_table",
    type: "yes_no",
    kinds: ["toilets"],
    compared: true,
    description: "Whether there is a changing table.",
  },
  {
    name: "unisex",
    type: "yes_no",
    kinds: ["toilets"],
    compared: true,
    description: "Whether there are toilets for all genders.",
  },
  {
    name: "male",
    type: "yes_no",
    kinds: ["toilets"],
    compared: true,
    description: "Whether there are toilets for men.",
  },
  {
    name: "female",
    type: "yes_no",
    kinds: ["toilets"],
    compared: true,
    description: "Whether there are toilets for women.",
  },
  {
    name: "shower",
    type: "yes_no",
    kinds: ["toilets"],
    compared: true,
    description: "Whether there is a shower.",
  },
  {
    name: "centralkey",
    type: "text",
    kinds: ["toilets"],
    description: "Key that opens it, such as eurokey.",
  },
  {
    name: "disposal",
    type: "text",
    values: ["flush", "pitlatrine", "dry_toilet", "chemical", "bucket", "tank"],
    kinds: ["toilets"],
    compared: true,
    description: "Kind of toilet.",
  },
  {
    name: "upvotes",
    type: "whole",
    kinds: ["toilets"],
    description: "Users of the source who recommend it.",
  },
  {
    name: "downvotes",
    type: "whole",
    kinds: ["toilets"],
    description: "Users of the source who advise against it.",
  },
  {
    name: "water_kind",
    type: "text",
    values: ["drinking_point", "bottle_refill", "tap", "spring", "water_point", "fountain"],
    kinds: ["water"],
    description: "What the water comes from, whether or not it may be drunk.",
  },
  {
    name: "drinking_water",
    type: "text",
    values: ["yes", "no", "unknown"],
    kinds: ["water"],
    description: "Whether the water may be drunk.",
  },
  {
    name: "drinking_water_legal",
    type: "yes_no",
    kinds: ["water"],
    description: "Whether the water is officially declared drinkable.",
  },
  {
    name: "bottle",
    type: "yes_no",
    kinds: ["water"],
    description: "Whether bottles can be filled.",
  },
  {
    name: "seasonal",
    type: "yes_no",
    kinds: ["water"],
    description: "Whether it runs at some time of the year only.",
  },
  {
    name: "season",
    type: "text",
    kinds: ["water"],
    description: "Time of the year at which it runs, in the source's words.",
  },
  { name: "ssid", type: "text", kinds: ["wifi"], description: "Name of the network." },
  {
    name: "parcel_pickup",
    type: "yes_no",
    kinds: ["locker"],
    compared: true,
    description: "Whether parcels can be collected.",
  },
  {
    name: "parcel_mail_in",
    type: "yes_no",
    kinds: ["locker"],
    compared: true,
    description: "Whether parcels can be sent.",
  },
  {
    name: "payment_available",
    type: "yes_no",
    kinds: ["locker"],
    compared: true,
    description: "Whether one can pay there.",
  },
  { name: "image_url", type: "link", kinds: ["locker"], description: "Picture of it." },
  {
    name: "capacity",
    type: "whole",
    kinds: ["parking"],
    compared: true,
    description: "Spaces in all, where the source publishes it.",
  },
  {
    name: "availability",
    type: "record",
    kinds: ["parking"],
    schema: Availability,
    description: AVAILABILITY_MEANING,
  },
  {
    name: "attribution",
    type: "record",
    kinds: FACILITIES,
    description: "Attribution of the source behind it, which must be displayed.",
  },
  {
    name: "attributions",
    type: "records",
    kinds: FACILITIES,
    description: "Third parties that must be named wherever it is shown.",
  },
  {
    name: "sources",
    type: "records",
    kinds: ALL,
    description:
      "Observations that it was merged from, the leading one first: `{source_id, external_id}`.",
  },
  {
    name: "conflicts",
    type: "records",
    kinds: ALL,
    description:
      "Facts on which these sources disagree: `{name, values: [{source_id, value}]}`, the value that is shown first.",
  },
] as const satisfies readonly Fact[];
export type FactName = (typeof FACTS)[number]["name"];

/** Facts of one kind, in the order of the vocabulary. */
export function attributeFacts(kind: PlaceKind): Fact[] {
  return FACTS.filter((fact: Fact) => fact.kinds.includes(kind));
}

/** Facts of points of interest (class-places.ts), which are of no kind. */
const OF_INTERESTS: ReadonlySet<string> = new Set<FactName>([
  ...(["address", "operator", "brand", "wheelchair", "access", "fee", "charge"] as const),
  ...(["opening_hours", "usable", "indoor", "level", "description", "phone", "website"] as const),
  ...(["checked_on", "attributions"] as const),
]);
export const INTEREST_FACTS: readonly Fact[] = FACTS.filter(({ name }) => OF_INTERESTS.has(name));

/** Schemas of the facts of one kind, each optional: a fact that is not known is absent. */
export function factMembers(kind: PlaceKind): Record<string, TSchema> {
  return membersOf(attributeFacts(kind));
}

/** The same of points of interest. */
export function interestMembers(): Record<string, TSchema> {
  return membersOf(INTEREST_FACTS);
}

function membersOf(facts: readonly Fact[]): Record<string, TSchema> {
  const members = facts.map((fact) => [fact.name, Type.Optional(schemaOf(fact))]);
  return Object.fromEntries(members) as Record<string, TSchema>;
}

function schemaOf({ type, values, schema, description }: Fact): TSchema {
  const about = { description, ...PREVIEW };
  switch (type) {
    case "text":
      return values
        ? Type.Enum([...values], { type: "string", ...about })
        : Type.String({ minLength: 1, ...about });
    case "yes_no":
      return Type.Boolean(about);
    case "whole":
      return Type.Integer({ minimum: 0, ...about });
    case "date":
      return Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", ...about });
    case "link":
      return Type.String({ pattern: "^https://", ...about });
    case "record":
      if (schema) return schema;
      return Type.Object({}, { additionalProperties: true, ...about });
    case "records":
      if (schema) return schema;
      return Type.Array(Type.Object({}, { additionalProperties: true }), about);
  }
}
