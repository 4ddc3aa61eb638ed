/**
 * What /v1/nearby says beyond §2.9, all of it in preview: members by which a vehicle is found and unlocked,
 * and geofencing. What the publisher does not state is absent.
 */
import { Type } from "typebox";
import { LIMITS } from "./limits.ts";
import { closed, Count, Text } from "./primitives.ts";
import { PREVIEW } from "./preview.ts";
import { ACCESSORIES, EQUIPMENT, FORM_FACTORS, PROPULSIONS, RETURN_CONSTRAINTS } from "./tokens.ts";

/** Each form factor with each propulsion, or without. */
const KINDS_MAX = (FORM_FACTORS.length + 1) * (PROPULSIONS.length + 1);

const Link = Type.String({ minLength: 1, maxLength: 2048 });
const RentalUris = Type.Object(
  { android: Type.Optional(Link), ios: Type.Optional(Link), web: Type.Optional(Link) },
  {
    title: "RentalUris",
    description:
      "Where to rent it: `https`, or for `android` and `ios` a scheme that the system registers for its app. Other links are left out.",
    ...closed,
  },
);
const FormFactor = Type.Enum([...FORM_FACTORS], { type: "string" });
const Propulsion = Type.Enum([...PROPULSIONS], { type: "string" });
export const VehicleType = Type.Object(
  {
    form_factor: Type.Optional(FormFactor),
    propulsion: Type.Optional(Propulsion),
    name: Type.Optional(Text),
    return_constraint: Type.Optional(
      Type.Enum([...RETURN_CONSTRAINTS], {
        type: "string",
        description:
          "Where a ride ends. roundtrip_station: where it began; any_station: at a station; free_floating: anywhere in the service area; hybrid: either.",
      }),
    ),
    rider_capacity: Type.Optional(
      Type.Integer({ minimum: 1, description: "People, the driver included." }),
    ),
    max_permitted_speed: Type.Optional(Type.Integer({ minimum: 1, description: "km/h." })),
    accessories: Type.Optional(
      Type.Array(Type.Enum([...ACCESSORIES], { type: "string" }), {
        minItems: 1,
        maxItems: ACCESSORIES.length,
      }),
    ),
  },
  {
    title: "VehicleType",
    description: "What the vehicle is, as published; members that are not stated are absent.",
    minProperties: 1,
    ...closed,
  },
);
const AcceptedType = Type.Object(
  { form_factor: Type.Optional(FormFactor), propulsion: Type.Optional(Propulsion) },
  { title: "AcceptedType", minProperties: 1, ...closed },
);

/** Member of `availability` beyond §2.9. */
export const availabilityAdditions = {
  by_type: Type.Optional(
    Type.Array(
      Type.Object({ ...AcceptedType.properties, count: Count }, { title: "TypeCount", ...closed }),
      {
        ...PREVIEW,
        minItems: 1,
        maxItems: KINDS_MAX,
        description:
          "`vehicles` by form factor and propulsion: kinds that the source counts, 0 included. What an entry does not state is unknown. Absent: the source does not count by type, or its counts do not add up to `vehicles`.",
      },
    ),
  ),
};

/** Members of a station beyond §2.9. */
export const stationAdditions = {
  address: Type.Optional(Type.String({ ...PREVIEW, description: "As published." })),
  opening_hours: Type.Optional(
    Type.String({
      ...PREVIEW,
      description: "Hours of the station, else of its system, as published.",
    }),
  ),
  rental_uris: Type.Optional(Type.Object(RentalUris.properties, { ...RentalUris, ...PREVIEW })),
  vehicle_types: Type.Optional(
    Type.Array(AcceptedType, {
      ...PREVIEW,
      minItems: 1,
      maxItems: 8,
      description: "Kinds of vehicle that the station is made for, where it says so.",
    }),
  ),
  vehicles_listed: Type.Optional(
    Type.Literal(true, {
      ...PREVIEW,
      description:
        "Vehicles parked here are objects of `vehicles`, too, each with this `station_id`: do not add `availability.vehicles` to theirs. Absent: they are not listed.",
    }),
  ),
};

/** Members of a vehicle's source beyond §2.9. */
export const vehicleAdditions = {
  brand: Type.Optional(
    Type.String({ ...PREVIEW, description: "Name under which the public knows whose it is." }),
  ),
  vehicle_type: Type.Optional(Type.Object(VehicleType.properties, { ...VehicleType, ...PREVIEW })),
  equipment: Type.Optional(
    Type.Array(Type.Enum([...EQUIPMENT], { type: "string" }), {
      ...PREVIEW,
      minItems: 1,
      maxItems: EQUIPMENT.length,
      description:
        "What this one has besides; child seats of at most 10 kg (a), of 9 to 18 kg (b), of 15 to 36 kg (c).",
    }),
  ),
  battery: Type.Optional(
    Type.Integer({
      ...PREVIEW,
      minimum: 0,
      maximum: 100,
      description: "What is left in battery or tank, percent, as published.",
    }),
  ),
  range_m: Type.Optional(
    Type.Number({ ...PREVIEW, minimum: 0, description: "What it can still go, as published." }),
  ),
  rental_uris: Type.Optional(Type.Object(RentalUris.properties, { ...RentalUris, ...PREVIEW })),
  pricing_plan_id: Type.Optional(
    Type.String({ ...PREVIEW, description: "The publisher's id of its pricing plan." }),
  ),
  station_id: Type.Optional(
    Type.String({
      ...PREVIEW,
      pattern: "^svc_station_",
      description: "`id` of the virtual station where it is parked, and which counts it.",
    }),
  ),
};

const ruleMembers = {
  ride_start_allowed: Type.Optional(Type.Boolean()),
  ride_end_allowed: Type.Optional(
    Type.Boolean({ description: "false: a ride must not end here (no parking)." }),
  ),
  ride_through_allowed: Type.Optional(Type.Boolean({ description: "false: no riding here." })),
  maximum_speed_kph: Type.Optional(Type.Number({ minimum: 0 })),
  station_parking: Type.Optional(
    Type.Boolean({ description: "true: a ride may only end at a station." }),
  ),
  vehicle_types: Type.Optional(
    Type.Array(VehicleType, {
      minItems: 1,
      maxItems: LIMITS.nearby.zone_types_max,
      description: "Kinds of vehicle it is for. Absent: all that were asked for.",
    }),
  ),
};

/** Geofencing of one system around the point. */
export const SystemZones = Type.Object(
  {
    network: Type.Object({ id: Text, name: Text }, closed),
    rules: Type.Array(
      Type.Object(
        {
          ...ruleMembers,
          scope: Type.Enum(["zone", "global"], {
            type: "string",
            description: "`global`: it holds wherever no zone has a rule.",
          }),
          zone: Type.Optional(Text),
        },
        { title: "RuleAtPoint", ...closed },
      ),
      {
        description:
          "What holds at the point: for each kind of vehicle the rule of the first zone that has one. What a rule does not state is unknown.",
      },
    ),
    zones: Type.Array(
      Type.Object(
        {
          name: Type.Optional(Text),
          contains_point: Type.Boolean(),
          distance_meters: Type.Number({
            minimum: 0,
            description: "From the point to the zone's outline; 0 inside.",
          }),
          rules: Type.Array(Type.Object(ruleMembers, { title: "ZoneRule", ...closed }), {
            minItems: 1,
            maxItems: LIMITS.nearby.zone_rules_max,
          }),
        },
        { title: "Zone", ...closed },
      ),
      {
        maxItems: LIMITS.nearby.zones_max,
        description: "Those that touch the circle, nearest first.",
      },
    ),
    total: Type.Integer({
      minimum: 0,
      description: "Zones that touch the circle, before the list was cut.",
    }),
  },
  {
    title: "SystemZones",
    description: "Where vehicles of one system may be ridden, parked, and how fast.",
    ...closed,
  },
);
