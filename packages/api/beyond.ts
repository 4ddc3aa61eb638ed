/** What an answer of /v1/nearby without stations and vehicles says of the nearest one outside its circle. */
import { Type } from "typebox";
import { PREVIEW } from "./preview.ts";
import { closed, Nullable } from "./primitives.ts";

const Beyond = Type.Object(
  {
    kind: Type.Enum(["station", "vehicle"], { type: "string" }),
    id: Type.String({ description: "`id` of a station, `source_id` of a vehicle." }),
    distance_meters: Type.Number({ minimum: 0 }),
    bearing: Type.Integer({
      minimum: 0,
      maximum: 359,
      description: "Direction from the point, degrees clockwise from north.",
    }),
    lat: Type.Number(),
    lon: Type.Number(),
  },
  { title: "Beyond", ...closed },
);

/** Member of an answer without stations and vehicles. */
export const beyondMember = {
  beyond: Type.Optional({
    ...Nullable(Beyond),
    ...PREVIEW,
    description:
      "Where no station and no vehicle of the question lies in the circle, or none that fits: the nearest one outside it that does, of what is in memory, up to 10 km. null: none is known.",
  }),
};
