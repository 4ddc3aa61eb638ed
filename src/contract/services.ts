/** Service results (§2.3): also the `places` of /v1/nearby (decisions, Global nearby). */
import { Type } from "typebox";
import { closed, Location, Text } from "./primitives.ts";

export const SERVICE_TYPES = [
  "aed",
  "toilets",
  "drinking_water",
  "fountain",
  "wifi",
  "parking",
  "charging",
  "locker",
] as const;

export const ServiceResult = Type.Object(
  {
    id: Text,
    type: Type.Literal("service"),
    service_type: Type.Enum([...SERVICE_TYPES], { type: "string" }),
    provider: Type.Optional(Type.Object({ id: Text, name: Text }, closed)),
    external_id: Type.Optional(Text),
    name: Text,
    location: Location,
    distance_meters: Type.Integer({ minimum: 0 }),
    attributes: Type.Object(
      {},
      { description: "What the source says about it.", additionalProperties: true },
    ),
    source_id: Text,
    source_type: Type.Enum(["partner_api", "community"], { type: "string" }),
  },
  { title: "Service", description: "An urban service (§2.3).", ...closed },
);
