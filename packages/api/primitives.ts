/**
 * Pieces that several operations share: locations, statuses, the error body, and the builders of
 * query parameters. A schema with a `title` becomes a component of the OpenAPI document.
 */
import { Type, type TSchema } from "typebox";
import { LIMITS } from "./limits.ts";

/** An object whose members are all listed: anything else is a defect. */
export const closed = { additionalProperties: false } as const;

export const Count = Type.Integer({ minimum: 0 });
export const Text = Type.String({ minLength: 1 });
export const Timestamp = Type.String({ format: "date-time", pattern: "Z$" });
/** With the offset of the place that it is about (decisions, Times about a place). */
export const PlaceTime = Type.String({ format: "date-time" });

/** Unknown is null, never 0 and never "" (decisions, Conventions). */
export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export const Location = Type.Object(
  {
    lat: Type.Number({ minimum: LIMITS.lat.min, maximum: LIMITS.lat.max }),
    lon: Type.Number({ minimum: LIMITS.lon.min, maximum: LIMITS.lon.max }),
  },
  { title: "Location", description: "WGS 84 degrees.", ...closed },
);

/** §3: `empty` without results; `partial` when a source failed or coverage is incomplete. */
export const Status = Type.Enum(["success", "empty", "partial"], {
  title: "Status",
  type: "string",
  description:
    "`empty`: no results. `partial`: a source failed or coverage is incomplete. `success`: otherwise.",
});

export const Message = Type.String({
  minLength: 1,
  description: "One sentence for people when the status is `empty` or `partial`.",
});

/** §2.13: both members are always present here. */
export const ErrorBody = Type.Object(
  { error: Type.Object({ code: Text, message: Text }, closed) },
  { title: "Error", description: "The body of every error.", ...closed },
);

/** Description of how a parameter is read; http/validation.ts compiles its decoder from it. */
export type Parameter<T = unknown> = {
  kind:
    | "number"
    | "integer"
    | "boolean"
    | "choice"
    | "list"
    | "text"
    | "texts"
    | "pattern"
    | "coords"
    | "secret";
  schema: TSchema;
  description: string;
  example: string;
  required: boolean;
  /** A segment of the path, in place of `{name}`; only the last one may be optional. */
  in?: "path";
  /** Another name of the same parameter; both given and different is refused. */
  alias?: string;
  /** Unit named in refusals. */
  unit?: string;
  /** What is above is reduced to this, and not refused. */
  reduced_to?: number;
  /** Word for the value on a command line, where the kind does not say it. */
  word?: string;
  choices?: readonly string[];
  /** Choices of a list that are too many to be named: a refusal says which were meant. */
  many?: true;
  /** What a value must be, in the words of a refusal, where the kind does not say it. */
  rule?: string;
  deprecated?: true;
  /** A text of names with commas between them; in JSON also an array of them. */
  names?: true;
  /** A boolean that it implies where it is not its default: given as false, both are refused. */
  implies?: string;
  /** Left out, it is undefined though it has a default: what is done then depends on more than it. */
  implied?: true;
  /** Carries the type of the decoded value; never present at run time. */
  readonly decoded?: T;
};
export type Parameters = Readonly<Record<string, Parameter>>;

/** Decoded values of a parameter table; a secret never gets into them. */
export type Decoded<P extends Parameters> = {
  -readonly [K in keyof P as P[K]["kind"] extends "secret" ? never : K]: P[K] extends Parameter<
    infer T
  >
    ? T
    : never;
};

/** Returns the value of a parameter that is left out; undefined: it has no default. */
export function defaultOf({ schema, kind }: Parameter): unknown {
  const fallback = (schema as { default?: unknown }).default;
  return kind === "list" && typeof fallback === "string" ? fallback.split(",") : fallback;
}

/** Every parameter with its default, or undefined, so that all decoded values have the same shape. */
export function defaultsOf<P extends Parameters>(
  parameters: P,
): Omit<Decoded<P>, RequiredNames<P>> {
  const defaults: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.kind === "secret") continue;
    defaults[name] = parameter.implied ? undefined : Object.freeze(defaultOf(parameter));
  }
  return defaults as Omit<Decoded<P>, RequiredNames<P>>;
}

type RequiredNames<P extends Parameters> = {
  [K in keyof P]: P[K] extends RequiredOption ? K : never;
}[keyof P];

type Bounds = { minimum?: number; exclusiveMinimum?: number; maximum?: number };

/** The bounds of a number, those it lacks infinite. */
export function boundsOf({ schema }: Parameter): Required<Bounds> {
  const {
    minimum = -Infinity,
    maximum = Infinity,
    exclusiveMinimum = -Infinity,
  } = schema as Bounds;
  return { minimum, maximum, exclusiveMinimum };
}

/** Returns what a number must be: `a number from 1 to 5`, `an integer >= 1`, `a number > 0`. */
export function toNumberWords(parameter: Parameter): string {
  const kind = parameter.kind === "integer" ? "an integer" : "a number";
  const { minimum, maximum, exclusiveMinimum } = boundsOf(parameter);
  if (exclusiveMinimum !== -Infinity) return `${kind} > ${exclusiveMinimum}`;
  if (minimum === -Infinity) return maximum === Infinity ? kind : `${kind} <= ${maximum}`;
  return maximum === Infinity ? `${kind} >= ${minimum}` : `${kind} from ${minimum} to ${maximum}`;
}

type RequiredOption = { required: true };
type InPath = { in: "path" };

/** Names of a table that belong to the query, except the credential. */
type QueryNames<P extends Parameters> = {
  [K in keyof P]: P[K] extends { kind: "secret" } | InPath ? never : K;
}[keyof P];
/** A list is text with commas, or its items; a point is text with one. */
type Listed<V> = V extends readonly (infer I)[] ? string | readonly I[] : V;
type Askable<V> = V extends { lat: number; lon: number } ? string : Listed<V>;
type ValueOf<P> = P extends Parameter<infer V> ? Askable<Exclude<V, undefined>> : never;

/** The values that a caller gives to a parameter table; what has a default may be left out. */
export type Arguments<P extends Parameters> = {
  -readonly [K in QueryNames<P> as P[K] extends RequiredOption ? K : never]: ValueOf<P[K]>;
} & {
  -readonly [K in QueryNames<P> as P[K] extends RequiredOption ? never : K]?: ValueOf<P[K]>;
};

type NumberOptions = {
  description: string;
  example: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  default?: number;
  alias?: string;
  unit?: string;
  /** What is above is reduced to this, and not refused; `warns`: the answer says so. */
  reduced_to?: number;
  warns?: true;
};

export function numberParameter(
  options: NumberOptions & { required: true },
): Parameter<number> & RequiredOption;
export function numberParameter(options: NumberOptions & { default: number }): Parameter<number>;
export function numberParameter(options: NumberOptions): Parameter<number | undefined>;
export function numberParameter(options: NumberOptions & { required?: boolean }): never {
  return numeric("number", options) as never;
}

export function integerParameter(options: NumberOptions & { default: number }): Parameter<number> {
  return numeric("integer", options);
}

function numeric(
  kind: "number" | "integer",
  options: NumberOptions & { required?: boolean },
): Parameter<never> {
  const { minimum, exclusiveMinimum, maximum, default: fallback } = options;
  const { alias, unit, example, reduced_to, warns } = options;
  const more = warns ? " and `warnings` says so" : "";
  const reduction =
    reduced_to === undefined ? "" : ` Above ${reduced_to} it is reduced to ${reduced_to}${more}.`;
  const bounds = {
    ...(minimum === undefined ? {} : { minimum }),
    ...(exclusiveMinimum === undefined ? {} : { exclusiveMinimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
  return {
    kind,
    schema: kind === "number" ? Type.Number(bounds) : Type.Integer(bounds),
    description: `${options.description}${reduction}`,
    example,
    required: options.required === true,
    ...(alias === undefined ? {} : { alias }),
    ...(unit === undefined ? {} : { unit }),
    ...(reduced_to === undefined ? {} : { reduced_to }),
  };
}

export function booleanParameter(description: string): Parameter<boolean> {
  const schema = Type.Boolean({ default: false });
  return { kind: "boolean", schema, description, example: "true", required: false };
}

export function choiceParameter<const T extends string>(options: {
  description: string;
  choices: readonly T[];
  default: T;
}): Parameter<T> {
  const { choices, description } = options;
  const schema = Type.Enum([...choices], { type: "string", default: options.default });
  return {
    kind: "choice",
    schema,
    description,
    example: options.default,
    required: false,
    choices,
  };
}

/** Makes a parameter without a default: left out, it means something of its own. */
export function optionalChoiceParameter<const T extends string>(options: {
  description: string;
  choices: readonly T[];
  example: T;
}): Parameter<T | undefined> {
  const schema = Type.Enum([...options.choices], { type: "string" });
  return { kind: "choice", schema, required: false, ...options };
}

type ListOptions<T extends string> = Pick<Parameter, "description" | "example" | "many"> & {
  choices: readonly T[];
};

/** A comma-separated list (§4.9: type string); the pattern is what a strict client may check. */
export function listParameter<const T extends string>(
  options: ListOptions<T> & { required: true },
): Parameter<readonly T[]> & RequiredOption;
export function listParameter<const T extends string>(
  options: ListOptions<T> & { default: readonly T[] },
): Parameter<readonly T[]>;
/** Makes a parameter that is undefined when left out; the described default is what it means as a rule. */
export function listParameter<const T extends string>(
  options: ListOptions<T> & { implied: true; default: readonly T[] },
): Parameter<readonly T[] | undefined>;
export function listParameter<const T extends string>(
  options: ListOptions<T> & { default?: readonly T[]; required?: true; implied?: true },
): never {
  const { choices, description, example, implied, many } = options;
  const item = ` *(${choices.join("|")}) *`;
  const pattern = `^${item}(,${item})*$`;
  const fallback = options.default ? { default: options.default.join(",") } : {};
  const schema = Type.String({ pattern, ...fallback, "x-items": [...choices] });
  const required = options.required === true;
  const list = { kind: "list", schema, description, example, required, choices };
  return { ...list, ...(implied ? { implied } : {}), ...(many ? { many } : {}) } as never;
}

/** Trimmed and NFC-normalised before its length is checked, in code points (decisions, Conventions). */
export function textParameter(options: {
  description: string;
  example: string;
  min: number;
  max: number;
}): Parameter<string> & RequiredOption {
  const { min, max, description, example } = options;
  const schema = Type.String({ minLength: min, maxLength: max });
  const rule = `text of ${min} to ${max} characters`;
  return { kind: "text", schema, description, example, required: true, rule };
}

/** A segment of the path that may be any text: what it means is looked up, and may be 404. */
export function segmentParameter(
  options: Pick<Parameter, "description" | "example">,
): Parameter<string> & InPath {
  const schema = Type.String({ minLength: 1, pattern: "^[^/]+$" });
  return { kind: "pattern", schema, required: true, rule: "text", in: "path", ...options };
}

/** A member of a body that may be any text, the empty one included. */
export function anyTextParameter({
  description,
  example,
}: Pick<Parameter, "description" | "example">): Parameter<string> {
  const schema = Type.String();
  return { kind: "pattern", schema, required: true, rule: "text", description, example };
}

/** Path parameter `<lat>,<lon>` as one segment (§4.10 to §4.12b). */
export const COORDS: Parameter<{ lat: number; lon: number }> & InPath = {
  kind: "coords",
  schema: Type.String({ pattern: "^[^,]+,[^,]+$" }),
  description: "`<lat>,<lon>`, WGS 84 degrees.",
  example: "48.8566,2.3522",
  required: true,
  rule: "<lat>,<lon>, two numbers from -90 to 90 and from -180 to 180",
  in: "path",
};

type PatternOptions = {
  description: string;
  example: string;
  pattern: string;
  /** The pattern in words. */
  rule: string;
  word: string;
  names?: true;
};

export function patternParameter(options: PatternOptions & { default: string }): Parameter<string>;
export function patternParameter(options: PatternOptions): Parameter<string | undefined>;
export function patternParameter(options: PatternOptions & { default?: string }): never {
  const { pattern, default: fallback, ...rest } = options;
  const schema = Type.String({
    pattern,
    ...(fallback === undefined ? {} : { default: fallback }),
  });
  return { kind: "pattern", schema, required: false, ...rest } as never;
}

/** Decisions, Conventions: a tag that the provider lacks falls back to its default. */
export const LANGUAGE = patternParameter({
  description: "Preferred language of names, a BCP 47 tag; a provider that lacks it uses its own.",
  example: "fr",
  pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$",
  rule: "a BCP 47 language tag such as en or pt-BR",
  word: "TAG",
});

export function countryParameter(description: string): Parameter<string | undefined> {
  const pattern = "^[A-Za-z]{2}$";
  const rule = "two letters (ISO 3166-1 alpha-2)";
  return patternParameter({ description, example: "FR", pattern, rule, word: "CC" });
}

export const LAT = numberParameter({
  minimum: LIMITS.lat.min,
  maximum: LIMITS.lat.max,
  required: true,
  description: "Latitude, WGS 84 degrees.",
  example: "48.8566",
  unit: "degrees",
});

/** Parameter `lon` without alias: the alias `lng` exists only where the contract states it. */
export const LON_ALONE = numberParameter({
  minimum: LIMITS.lon.min,
  maximum: LIMITS.lon.max,
  required: true,
  description: "Longitude, WGS 84 degrees.",
  example: "2.3522",
  unit: "degrees",
});

/** Parameter `lon` with the alias `lng`, where the contract states one. */
export const LON = {
  ...LON_ALONE,
  description: "Longitude, WGS 84 degrees. `lng` is an alias; both given must agree.",
  alias: "lng",
};

export const DEBUG = booleanParameter("Adds diagnostics to the answer.");

/** §4.11, §4.12: required by the contract; the bearer header counts as it (decisions, Legacy routes). */
export const ACCOUNT_TOKEN: Parameter<never> & { kind: "secret" } = {
  kind: "secret",
  schema: Type.String({ minLength: 1 }),
  description: "An API key. `Authorization: Bearer <API_KEY>` counts as the token.",
  example: "<API_KEY>",
  required: true,
  deprecated: true,
};

/** §5: the deprecated alternative to the bearer header. */
export const TOKEN: Parameter<never> & { kind: "secret" } = {
  kind: "secret",
  schema: Type.String({ minLength: 1 }),
  description: "An API key. Deprecated: send `Authorization: Bearer <API_KEY>` instead.",
  example: "<API_KEY>",
  required: false,
  deprecated: true,
};
