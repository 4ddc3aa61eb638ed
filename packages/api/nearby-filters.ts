/**
 * Filters of /v1/nearby, additions to §4.9: what is known not to fit is left out before counts, pages
 * and units; what is unknown is kept, and counted in `summary`. They judge the published members.
 */
import { Type } from "typebox";
import { FORM_FACTORS, PROPULSIONS } from "./tokens.ts";
import { closed, Count, integerParameter, listParameter, patternParameter } from "./primitives.ts";
import { LeftOut, STRICT_PARAMETERS } from "./filter-match.ts";
import { preview, PREVIEW } from "./preview.ts";

const OPERATORS_MAX = 20;

const KEPT = "What is unknown is kept and counted in";
const STATIONS_ALONE = "Vehicles that are parked freely stay: `include=stations` leaves them out.";

export const NEARBY_FILTERS = {
  min_vehicles: preview(
    integerParameter({
      minimum: 0,
      default: 0,
      description: `Leaves out stations known to have fewer vehicles. ${STATIONS_ALONE} ${KEPT} \`summary.unknown_vehicles\`.`,
      example: "2",
    }),
  ),
  min_docks: preview(
    integerParameter({
      minimum: 0,
      default: 0,
      description: `Leaves out stations known to have fewer free docks. ${STATIONS_ALONE} ${KEPT} \`summary.unknown_docks\`.`,
      example: "1",
    }),
  ),
  propulsion: preview(
    listParameter({
      choices: PROPULSIONS,
      default: PROPULSIONS,
      implied: true,
      description: `Comma-separated propulsions: leaves out what is known to have none of them. A vehicle is judged by \`vehicle_type\`; a station by \`vehicle_types\`, which it is made for, and by the count \`availability.electric\`. ${KEPT} \`summary.unknown_propulsion\`.`,
      example: "electric,electric_assist",
    }),
  ),
  form_factors: preview(
    listParameter({
      choices: FORM_FACTORS,
      default: FORM_FACTORS,
      implied: true,
      description: `Comma-separated form factors: leaves out what is known to have none of them now; \`scooter\` is one with a seat or without. A vehicle is judged by \`vehicle_type\`; a station by the counts \`availability.by_type\`, where there are none by \`vehicle_types\`, which it is made for. ${KEPT} \`summary.unknown_form_factors\`.`,
      example: "cargo_bicycle",
    }),
  ),
  operators: preview(
    patternParameter({
      description:
        "Leaves out stations and vehicles of others. Comma-separated ids or whole names of networks, brands and providers, as in answers; case and accents do not matter.",
      example: "Dott,gbfs:lime_paris",
      pattern: `^[^,]{1,120}(,[^,]{1,120}){0,${OPERATORS_MAX - 1}}$`,
      rule: `1 to ${OPERATORS_MAX} ids or names with commas between them, of at most 120 characters each`,
      word: "NAME,…",
      names: true,
    }),
  ),
  ...STRICT_PARAMETERS,
} as const;

const Unknown = Type.Optional({
  ...Count,
  description: "With the filter of that name: how many of `total` are not known to fit it.",
});

/** Of an answer to a question with filters. */
export const NearbySummary = Type.Object(
  {
    unknown_vehicles: Unknown,
    unknown_docks: Unknown,
    unknown_propulsion: Unknown,
    unknown_form_factors: Unknown,
    unknown_left_out: LeftOut,
  },
  { ...PREVIEW, title: "NearbySummary", description: "Where a filter is set.", ...closed },
);
