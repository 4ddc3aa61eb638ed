/**
 * GBFS: bike share, scooters, mopeds and shared cars, one descriptor for every system.
 * Reference: github.com/MobilityData/gbfs, versions 1.0 to 3.x. Quirks: mobility.md 1.12.
 */
import { Type } from "typebox";
import { DEFAULT_MAX_BYTES } from "#providers/define.ts";
import {
  AuthSchema,
  closedObject,
  deadline,
  FEED_STORE,
  httpUrl,
  text,
  word,
} from "#providers/settings.ts";
import { defineSource } from "#providers/source.ts";

const GbfsSystemSchema = closedObject({
  id: Type.String({ format: "one-line", maxLength: 128, description: "Unique among all systems." }),
  url: httpUrl("The auto-discovery document (gbfs.json)."),
  auth: Type.Optional(AuthSchema),
  mode_hint: Type.Optional(
    Type.Enum(["bicycle", "scooter", "moped", "car"], {
      description: "Mode of vehicles whose type the publisher never states.",
    }),
  ),
  network: Type.Optional(
    closedObject(
      { id: Type.Optional(word()), name: Type.Optional(word()) },
      { description: "Name of the network instead of the published one." },
    ),
  ),
  country: Type.Optional(Type.String({ format: "country" })),
  name: Type.Optional(word()),
});

export default defineSource({
  id: "gbfs",
  name: "General Bikeshare Feed Specification",
  kind: "feed",
  operations: ["getNearby"],
  // Licence and attribution are each system's own (system_information); the configuration fills gaps.
  terms: {
    attribution: null,
    attribution_url: null,
    licence: null,
    licence_url: null,
    store: "all",
  },
  limits: { max_bytes: DEFAULT_MAX_BYTES },
  lifecycle: "active",
  systems: true,
  config: closedObject(
    {
      enabled: Type.Boolean({ default: true }),
      url: Type.Optional(httpUrl("Base address, where one server publishes all systems.")),
      systems: Type.Array(GbfsSystemSchema, { default: [] }),
      catalogue: text("A systems.csv: URL, or path relative to the configuration file."),
      auth: Type.Record(Type.String(), AuthSchema, {
        default: {},
        description: "Credentials of catalogue systems, by system id.",
      }),
      timeout_ms: deadline(5_000),
      attribution: text("Attribution of systems that state none."),
      licence: text("Licence of systems that state none."),
      cache_s: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        default: null,
        description: "Time to live instead of the published one; null: the published one.",
      }),
      store: FEED_STORE,
      idle_s: Type.Integer({
        minimum: 1,
        default: 300,
        description: "A system is not polled once no caller has asked near it for this long.",
      }),
      survey: closedObject(
        {
          enabled: Type.Boolean({ default: true }),
          concurrency: Type.Integer({ minimum: 1, maximum: 64, default: 8 }),
        },
        { default: {}, description: "The background pass that learns where each system is." },
      ),
    },
    { description: "Bike share, scooters, mopeds and cars that publish GBFS." },
  ),
});
