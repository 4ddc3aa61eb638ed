/** The legacy routes (§2.11, §4.11, §4.12): records in the shape their older consumers rely on. */
import { Type } from "typebox";
import { LIMITS } from "./limits.ts";
import { ACCOUNT_TOKEN, closed, COORDS, Nullable, segmentParameter, Text } from "./primitives.ts";

const coordinates = {
  lat: Type.Number({ minimum: LIMITS.lat.min, maximum: LIMITS.lat.max }),
  lng: Type.Number({ minimum: LIMITS.lon.min, maximum: LIMITS.lon.max }),
};
const Battery = Type.Integer({ minimum: 0, maximum: 100, description: "Percent." });
const Distance = Type.Integer({ minimum: 0, description: "Straight-line metres." });

export const LegacyVehicles = Type.Array(
  Type.Object(
    {
      id: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
      name: Text,
      ...coordinates,
      battery: Type.Optional(Battery),
      distance: Distance,
    },
    { title: "LegacyVehicle", description: "A vehicle of the brand (§4.11).", ...closed },
  ),
  { maxItems: LIMITS.legacy.vehicles_max },
);

export const VEHICLE_TYPES = ["SCOOTER", "MOTORSCOOTER", "BIKE", "CAR"] as const;
export const VEHICLE_ATTRIBUTES = ["ELECTRIC", "GEARS", "CARGO", "CHILD_SEAT"] as const;

export const LegacyScooters = Type.Array(
  Type.Object(
    {
      id: Text,
      ...coordinates,
      battery: Nullable(Battery),
      type: Type.Enum([...VEHICLE_TYPES], { type: "string" }),
      attributes: Type.Array(Type.Enum([...VEHICLE_ATTRIBUTES], { type: "string" })),
      provider: Type.Object({ name: Text }, closed),
      distance: Distance,
    },
    { title: "LegacyScooter", description: "A scooter or moped of any brand (§4.12).", ...closed },
  ),
  { maxItems: LIMITS.legacy.vehicles_max },
);

export const LEGACY_SCOOTERS_PARAMETERS = { coords: COORDS, token: ACCOUNT_TOKEN } as const;

export const LEGACY_VEHICLES_PARAMETERS = {
  coords: COORDS,
  provider: segmentParameter({
    description: "A brand of the loaded systems, case-insensitive; a 404 lists them.",
    example: "lime",
  }),
  token: ACCOUNT_TOKEN,
} as const;
