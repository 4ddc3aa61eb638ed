/** Values for the parameters and bodies that a published description declares. */
import type { Random } from "../dice.ts";
import { PLACES } from "./places.ts";

/** The subset of JSON Schema that the service's description uses. */
export type Schema = {
  $ref?: string;
  type?: string;
  enum?: readonly (string | number)[];
  const?: unknown;
  default?: unknown;
  anyOf?: readonly Schema[];
  items?: Schema;
  maxItems?: number;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  /** The members of a list that is written as one text with commas. */
  "x-items"?: readonly string[];
};

/** What one request is about, shared by its values so that they fit together. */
export type Subject = {
  lat: number;
  lon: number;
  /** A dataset that the service has named before; null: none is known yet. */
  dataset: { id: string; version: string } | null;
};

export type Values = {
  /** A value that the schema permits, in most cases one that a person would send. */
  valueOf(name: string, schema: Schema): unknown;
  subject: Subject;
};

const TEXTS: Readonly<Record<string, readonly string[]>> = {
  q: [
    "Gare du Nord",
    "10 Rue de Rivoli",
    "Berlin",
    "48.85,2.35",
    "Café",
    "東京",
    "x",
    "Springfield",
  ],
  language: ["fr", "en", "de", "pt-BR", "zh-Hant-TW", "xx"],
  country: ["FR", "de", "US", "ZZ"],
  provider: ["lime", "citybikes", "vehicles", "bird", "none"],
  request_id: ["r-1", "r-2", "r-3"],
};

export function createValues(
  random: Random,
  { resolve, datasets }: { resolve(schema: Schema): Schema; datasets: Subject["dataset"][] },
): Values {
  const subject = createSubject(random, datasets);
  const valueOf = (name: string, given: Schema): unknown => {
    const schema = resolve(given);
    const special = specialValue(name, subject, random);
    if (special !== undefined) return special;
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum, random);
    if (schema["x-items"]) return someOf(schema["x-items"], random).join();
    if (schema.anyOf) return valueOf(name, pick(schema.anyOf, random));
    if (schema.type === "object") return objectOf(schema, random, valueOf);
    if (schema.type === "array")
      return Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
        valueOf(name, schema.items ?? {}),
      );
    return scalarOf(name, schema, random);
  };
  return { valueOf, subject };
}

function createSubject(random: Random, datasets: Subject["dataset"][]): Subject {
  const place = pick(PLACES, random);
  const spread = random() < 0.5 ? 0.002 : 0.02;
  const near = (degrees: number): number =>
    Number((degrees + (random() - 0.5) * spread).toFixed(pick([4, 6], random)));
  const dataset = datasets.length > 0 ? pick(datasets, random) : null;
  return { lat: near(place.lat), lon: near(place.lon), dataset };
}

function specialValue(name: string, subject: Subject, random: Random): unknown {
  if (name === "lat") return subject.lat;
  if (name === "lon" || name === "lng") return subject.lon;
  if (name === "coords") return `${subject.lat},${subject.lon}`;
  if (name === "id" || name === "version") return subject.dataset?.[name];
  if (name in TEXTS) return pick(TEXTS[name]!, random);
  return undefined;
}

function objectOf(schema: Schema, random: Random, valueOf: Values["valueOf"]): object {
  const members = Object.entries(schema.properties ?? {}).filter(
    ([name]) => schema.required?.includes(name) || random() < 0.5,
  );
  return Object.fromEntries(members.map(([name, member]) => [name, valueOf(name, member)]));
}

function scalarOf(name: string, schema: Schema, random: Random): unknown {
  if (schema.type === "boolean") return random() < 0.5;
  if (schema.type === "null") return null;
  if (schema.type === "number" || schema.type === "integer") return numberOf(schema, random);
  return `${name}-${Math.floor(random() * 5)}`;
}

/** Bounds, the default, and numbers around it. */
function numberOf(schema: Schema, random: Random): number {
  const low = schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1;
  const high = schema.maximum ?? Math.max(low, Number(schema.default ?? 1)) * 3;
  const roll = random();
  if (roll < 0.1) return low;
  if (roll < 0.2) return high;
  if (roll < 0.4 && typeof schema.default === "number") return schema.default;
  const value = low + random() * (high - low);
  return schema.type === "integer" ? Math.round(value) : Number(value.toFixed(2));
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)]!;
}

/** At least one, in the order of the list or reversed. */
function someOf<T>(list: readonly T[], random: Random): readonly T[] {
  const some = list.filter(() => random() < 0.4);
  const chosen = some.length > 0 ? some : [pick(list, random)];
  return random() < 0.8 ? chosen : chosen.toReversed();
}
