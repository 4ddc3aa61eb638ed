/**
 * The legacy water route (§2.11, §4.10): the answer of an OpenDataSoft search, with the records of a
 * Paris data set of 2011. A member of `fields` that the source does not know is left out.
 */
import { type Static, Type } from "typebox";
import { LIMITS } from "./limits.ts";
import { Point } from "./nearby.ts";
import {
  closed,
  COORDS,
  Count,
  integerParameter,
  numberParameter,
  Text,
  Timestamp,
  TOKEN,
} from "./primitives.ts";

const { distance, rows, objectid_max } = LIMITS.legacy.water;
/** The other way round than in GeoJSON. */
const LatLon = Type.Unsafe<[number, number]>({
  type: "array",
  description: "Latitude, longitude.",
  prefixItems: [
    { type: "number", minimum: LIMITS.lat.min, maximum: LIMITS.lat.max },
    { type: "number", minimum: LIMITS.lon.min, maximum: LIMITS.lon.max },
  ],
  items: { type: "number" },
  minItems: 2,
  maxItems: 2,
});

const Fields = Type.Object(
  {
    dist: Type.String({ pattern: "^\\d+$", description: "Whole straight-line metres, as text." }),
    objectid: Type.Integer({ minimum: 0, maximum: objectid_max }),
    arrondissement: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    nom_voie: Type.Optional(Text),
    numero_voie: Type.Optional(Text),
    identifiant: Type.Optional(Text),
    horaires_ouverture: Type.Optional({
      ...Text,
      description: "Opening hours, or why it is shut.",
    }),
    geom_x_y: LatLon,
    geom: Point,
    x: Type.Optional(Type.Number({ description: "Lambert-93 (EPSG:2154) metres east." })),
    y: Type.Optional(Type.Number({ description: "Lambert-93 (EPSG:2154) metres north." })),
  },
  { title: "LegacyWaterFields", description: "What is known of it.", ...closed },
);

export const LegacyWaterRecord = Type.Object(
  {
    datasetid: Text,
    recordid: Type.String({ pattern: "^[0-9a-f]{40}$" }),
    fields: Fields,
    geometry: Point,
    record_timestamp: Type.Optional({ ...Timestamp, description: "When its source was read." }),
  },
  { title: "LegacyWaterRecord", description: "A drinking point or a toilet (§4.10).", ...closed },
);
export type LegacyWaterRecord = Static<typeof LegacyWaterRecord>;

export const LegacyWater = Type.Object(
  {
    nhits: { ...Count, description: "All within the distance, shown or not." },
    parameters: Type.Object(
      {
        dataset: Type.Array(Text, { description: "The sets that were searched." }),
        timezone: Text,
        rows: Type.Integer({ minimum: rows.min, maximum: rows.max }),
        format: Text,
        "geofilter.distance": Type.Array(Text, { description: "`<lat>,<lon>,<metres>`." }),
        facet: Type.Array(Text),
      },
      closed,
    ),
    records: Type.Array(LegacyWaterRecord, { maxItems: rows.max }),
  },
  {
    title: "LegacyWater",
    description: "Records around a point, nearest first (§4.10).",
    ...closed,
  },
);
export type LegacyWater = Static<typeof LegacyWater>;

export const LEGACY_WATER_PARAMETERS = {
  coords: COORDS,
  distance: numberParameter({
    minimum: distance.min,
    maximum: distance.max,
    default: distance.default,
    description: "Radius in metres.",
    example: "500",
    unit: "metres",
  }),
  rows: integerParameter({
    minimum: rows.min,
    maximum: rows.max,
    default: rows.default,
    description: "Most records shown.",
    example: "10",
  }),
  token: TOKEN,
} as const;

const AT: [number, number] = [48.85809, 2.34706];
const POINT = { type: "Point" as const, coordinates: [AT[1], AT[0]] as [number, number] };

/** A realistic example; the tests hold it to the schema. */
export const LEGACY_WATER_EXAMPLE: LegacyWater = {
  nhits: 1,
  parameters: {
    dataset: ["fontaines-a-boire", "sanisettesparis"],
    timezone: "UTC",
    rows: 10,
    format: "json",
    "geofilter.distance": ["48.8566,2.3522,500"],
    facet: ["arrondissement", "horaires_ouverture"],
  },
  records: [
    {
      datasetid: "fontaines-a-boire",
      recordid: "8f0a3cf6e8d5f3a8cc6f8de0c1d0b6a4d8b31f5e",
      fields: {
        dist: "411",
        objectid: 5021,
        arrondissement: 1,
        nom_voie: "RUE DE RIVOLI",
        numero_voie: "12",
        identifiant: "5021",
        horaires_ouverture: "24 h / 24",
        geom_x_y: AT,
        geom: POINT,
        x: 652092.2,
        y: 6862207.4,
      },
      geometry: POINT,
      record_timestamp: "2026-11-21T03:12:45Z",
    },
  ],
};
