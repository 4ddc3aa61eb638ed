/**
 * Building blocks of `sources.*` in the configuration file (operation.md, "Configuration file"): a
 * source has `enabled`, an address, a deadline and its terms, and can be pointed anywhere. No server
 * run by volunteers is a default.
 */
import { Type } from "typebox";
import type { TObject, TObjectOptions, TProperties } from "typebox";

/** An object that refuses members it does not know: a typing error must not pass as a setting. */
export function closedObject<const P extends TProperties>(
  members: P,
  options: TObjectOptions = {},
): TObject<P> {
  return Type.Object(members, { additionalProperties: false, ...options });
}

/** Text or null, null unless stated. */
export function text(description: string, format = "one-line") {
  return Type.Union([Type.String({ format }), Type.Null()], { default: null, description });
}

/** An http(s) address or null. */
export function address(description: string, fallback: string | null = null) {
  return Type.Union([Type.String({ format: "http-url" }), Type.Null()], {
    default: fallback,
    description,
  });
}

/** A secret, or null. */
export function secret(description = "Write it as ${NAME} of an environment variable.") {
  return text(description);
}

/** A deadline in milliseconds, up to ten minutes. */
export function deadline(value: number, description?: string) {
  const most = { minimum: 1, maximum: 600_000, default: value };
  return Type.Integer(description === undefined ? most : { ...most, description });
}

/** A list of text, one line each. */
export function texts(fallback: readonly string[], description: string) {
  return Type.Array(Type.String({ format: "one-line" }), { default: [...fallback], description });
}

/** Makes a setting that is true or false. */
export function flag(fallback: boolean, description: string) {
  return Type.Boolean({ default: fallback, description });
}

/** Setting for what of a feed may be kept; unlike a lookup's it has a default of its own. */
export const FEED_STORE = Type.Enum(["all", "ids", "none"], {
  default: "all",
  description: "What may be kept: content, identifiers only, nothing.",
});

/** One line that is not empty of meaning: a name, or a secret. */
export function word() {
  return Type.String({ format: "one-line" });
}

/** An http(s) address that must be given. */
export function httpUrl(description: string) {
  return Type.String({ format: "http-url", description });
}

/** Credentials of one upstream; the same kinds as `Auth` of providers/provider.ts. */
export const AuthSchema = Type.Union(
  [
    closedObject({ kind: Type.Literal("none") }),
    closedObject({ kind: Type.Literal("query"), name: word(), value: word() }),
    closedObject({ kind: Type.Literal("headers"), headers: Type.Record(Type.String(), word()) }),
    closedObject({ kind: Type.Literal("basic"), username: Type.String(), password: Type.String() }),
    closedObject({
      kind: Type.Literal("oauth2"),
      token_url: httpUrl("Where a token is asked for (client credentials)."),
      client_id: word(),
      client_secret: word(),
      scope: Type.Optional(word()),
    }),
  ],
  { description: "Credentials; write secrets as ${NAME} of an environment variable." },
);

const TERMS = {
  attribution: text("Attribution instead of the source's own."),
  licence: text("Licence instead of the source's own."),
  cache_s: Type.Union([Type.Integer({ minimum: 0, maximum: 31_536_000 }), Type.Null()], {
    default: null,
    description: "Seconds an answer is good; null: as the source's terms have it.",
  }),
  store: Type.Union([Type.Enum(["all", "ids", "none"]), Type.Null()], {
    default: null,
    description: "What may be kept: content, identifiers only, nothing; null: its own terms.",
  }),
  concurrency: Type.Union([Type.Integer({ minimum: 1, maximum: 1024 }), Type.Null()], {
    default: null,
    description: "Calls at once; null: what the source is known to handle.",
  }),
  calls_per_day: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    default: null,
    description: "Most calls a UTC day, restarts included; null: no bound.",
  }),
  reserved_for_keys: Type.Number({
    minimum: 0,
    maximum: 1,
    default: 0.5,
    description:
      "The share of calls_per_day that is left to callers with a key: others are refused when the rest is used up.",
  }),
};

/** Settings of a source that is asked per question, or read whole as one register. */
export function lookupSettings<const P extends TProperties>(
  description: string,
  own: P,
  { timeout_ms = 2_400 }: { timeout_ms?: number } = {},
) {
  return closedObject(
    {
      enabled: Type.Boolean({ default: true }),
      timeout_ms: deadline(timeout_ms),
      ...TERMS,
      ...own,
    },
    { description },
  );
}

/** Settings of a source whose documents of rental stations are named one by one. */
export function documentSettings<const P extends TProperties>(
  description: string,
  own: P,
  { url }: { url: string },
) {
  return closedObject(
    {
      ...own,
      enabled: Type.Boolean({ default: true }),
      stations: Type.Array(
        closedObject({
          id: Type.String({ format: "one-line", maxLength: 128, description: "Unique here." }),
          url: Type.String({ format: "http-url", description: url }),
          country: Type.Optional(Type.String({ format: "country" })),
          name: Type.Optional(Type.String({ format: "one-line" })),
        }),
        { default: [], description: "Rental stations; one document a network is best." },
      ),
      timeout_ms: deadline(30_000),
      attribution: text("Attribution instead of the source's own."),
      licence: text("Licence instead of the source's own."),
      cache_s: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        default: null,
        description: "Time to live instead of a day; null: a day.",
      }),
      store: FEED_STORE,
    },
    { description },
  );
}
