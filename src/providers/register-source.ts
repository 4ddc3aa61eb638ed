/** A register that the operator names by address and shape (`sources.registers`), as a source like all others. */
import type { LiveState } from "#core/places/live-state.ts";
import { type Static, Type } from "typebox";
import { DEFAULT_MAX_BYTES, MAX_BYTES } from "#providers/define.ts";
import type { Registry } from "#providers/lookup.ts";
import { SHAPES } from "#providers/register-shapes.ts";
import type { RegisterSettings, RegisterShape } from "#providers/register-shape.ts";
import {
  address,
  AuthSchema,
  closedObject,
  deadline,
  FEED_STORE,
  httpUrl,
  text,
} from "#providers/settings.ts";
import { type BareRequest, defineSource, type Source } from "#providers/source.ts";

/** Seconds; null: as the shape has it. */
function interval(least_s: number, description: string) {
  return Type.Union([Type.Integer({ minimum: least_s, maximum: 31_536_000 }), Type.Null()], {
    default: null,
    description: `${description}, seconds; null: as its shape has it.`,
  });
}

/** An entry of `sources.registers`. */
export const RegisterSchema = closedObject({
  id: Type.String({
    format: "source-id",
    description: "Of the source in /v1/sources; no id of another source or system.",
  }),
  shape: Type.Enum(
    SHAPES.map(({ id }) => id),
    { type: "string", description: "The format that it is published in (docs/sources.md)." },
  ),
  url: httpUrl("Of its places; where live_url is null also of their states."),
  live_url: address("Of the states of its places."),
  tariffs_url: address(
    "Of the tariffs that its places name: shape ocpi_bulk alone, any other shape refuses it.",
  ),
  name: Type.String({ format: "one-line", description: "As people know it." }),
  attribution: text("What has to be shown with its places."),
  attribution_url: address("Where the attribution leads."),
  licence: text("Under which its data are published, such as `CC-BY-4.0`."),
  licence_url: address("Where the licence is."),
  store: FEED_STORE,
  auth: Type.Union([AuthSchema, Type.Null()], { default: null }),
  country: Type.Union([Type.String({ format: "country" }), Type.Null()], {
    default: null,
    description: "Where all of it lies; null: wherever its places are.",
  }),
  renew_s: interval(60, "How often its places are read"),
  refresh_s: interval(15, "How often their states are read while callers ask near them"),
  max_age_s: Type.Integer({
    minimum: 60,
    maximum: 86_400,
    default: 900,
    description: "A state that was observed longer ago is unknown.",
  }),
  timeout_ms: deadline(60_000),
  max_bytes: Type.Integer({
    minimum: 1_024,
    maximum: MAX_BYTES,
    default: DEFAULT_MAX_BYTES,
    description: "The largest document, decoded.",
  }),
  enabled: Type.Boolean({ default: true }),
});

/** An entry, checked and with its defaults. */
export type RegisterEntry = Static<typeof RegisterSchema>;

/** As an operator's own locations. It has no role: it is asked with whichever maps provider there is. */
const PRECEDENCE = 20;

export function toRegisterSource(shape: RegisterShape, entry: RegisterEntry): Source {
  const { kind } = shape;
  const operation = kind === "parking" ? "getParkingNearby" : "getChargingNearby";
  return defineSource({
    id: entry.id,
    name: entry.name,
    kind: "feed",
    operations: ["getServicesNearby", operation],
    terms: termsOf(entry),
    limits: { max_bytes: entry.max_bytes },
    lifecycle: "active",
    config: RegisterSchema,
    verbatim: true,
    precedence: PRECEDENCE,
    covers: (country) => entry.country === null || country === null || country === entry.country,
    registers: {
      readers: [
        {
          dataset: null,
          reader: { shape: shape.id, half: "places" },
          kind,
          requests: () => [toRequest(entry, entry.url)],
          ...(entry.tariffs_url !== null && {
            companions: () => [toRequest(entry, entry.tariffs_url!)],
          }),
          open: (body, options) =>
            shape.readPlaces(body, { ...options, settings: toSettings(entry) }),
          ...(shape.nextPage && { nextPage: shape.nextPage }),
        },
      ],
      renew_s: entry.renew_s ?? shape.renew_s,
    },
  });
}

function termsOf(entry: RegisterEntry): Source["terms"] {
  const { attribution, attribution_url, licence, licence_url, store } = entry;
  return { attribution, attribution_url, licence, licence_url, store };
}

/** The live half as it is read; null: its shape has none. */
export function toLiveRegistry(
  shape: RegisterShape,
  source: Source,
  entry: RegisterEntry,
): Registry<RegisterSettings, LiveState> | null {
  const { readStates } = shape;
  if (readStates === null) return null;
  const { max_bytes, timeout_ms } = entry;
  return {
    id: entry.id,
    reader: { shape: shape.id, half: "states" },
    provider: source,
    kind: shape.kind,
    requests: () => [{ ...toRequest(entry, entry.live_url ?? entry.url), max_bytes, timeout_ms }],
    open: (body, options) => readStates(body, options),
    ...(shape.nextPage && { nextPage: shape.nextPage }),
  };
}

/** What a shape reads of the entry; it crosses to a thread. */
export function toSettings(entry: RegisterEntry): RegisterSettings {
  const { id, url, live_url, name, auth, attribution, country, timeout_ms } = entry;
  return { id, url, live_url, name, auth, attribution, country, timeout_ms };
}

function toRequest({ auth }: RegisterEntry, url: string): BareRequest {
  return { url, headers: { accept: "*/*" }, ...(auth && { auth }) };
}
