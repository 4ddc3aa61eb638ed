/**
 * Whether a place can be used, as an addition to services, parking and charging: the parameters that
 * ask for it, and the members that say it (docs/design/places.md, "Usable now").
 */
import { Type, type Static } from "typebox";
import {
  choiceParameter,
  closed,
  Count,
  listParameter,
  Nullable,
  numberParameter,
  patternParameter,
  Text,
} from "./primitives.ts";
import { LeftOut, STRICT_PARAMETERS } from "./filter-match.ts";
import { preview, PREVIEW } from "./preview.ts";
import { CONNECTOR_TYPES } from "./tokens.ts";

/** Rule of `usable` in words: its pattern leaves the calendar and the span to the question. */
export const USABLE_RULE =
  "any, now or an RFC 3339 time at most a year away, such as 2026-11-23T09:00:00Z (in a query + is %2B)";

const KEPT = "What is unknown is kept and counted in";

export const USABLE_PARAMETERS = {
  usable: preview(
    patternParameter({
      description: `Leaves out what is known to be closed now, or at a time; \`attributes.usable\` and \`local_time\` are of that time. ${KEPT} \`unknown.hours\`.`,
      example: "now",
      pattern:
        "^(any|now|\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2}))$",
      rule: USABLE_RULE,
      word: "TIME",
      default: "any",
    }),
  ),
  wheelchair: preview(
    choiceParameter({
      choices: ["any", "yes"],
      default: "any",
      description: `\`yes\`: leaves out what is known not to be fully accessible with a wheelchair. ${KEPT} \`unknown.wheelchair\`.`,
    }),
  ),
  fee: preview(
    choiceParameter({
      choices: ["any", "no"],
      default: "any",
      description: `\`no\`: leaves out what is known to cost something. ${KEPT} \`unknown.fee\`.`,
    }),
  ),
  access: preview(
    choiceParameter({
      choices: ["any", "public"],
      default: "any",
      description: `\`public\`: leaves out what is known not to be for all, such as for customers only. ${KEPT} \`unknown.access\`.`,
    }),
  ),
  ...STRICT_PARAMETERS,
} as const;

const ONE_PLUG = "With `min_kw`, and with `usable=now` free now, it must be one and the same.";

/** Of charging, and of services that are chargers. */
export const CHARGING_FILTERS = {
  connector: preview(
    listParameter({
      choices: CONNECTOR_TYPES,
      default: CONNECTOR_TYPES,
      implied: true,
      description: `Comma-separated types: leaves out chargers known to have none of these connectors. ${ONE_PLUG} ${KEPT} \`unknown.connector\`.`,
      example: "CCS2,NACS",
    }),
  ),
  min_kw: {
    ...preview(
      numberParameter({
        minimum: 0,
        default: 0,
        description: `Leaves out chargers known to have no connector of this power, kW. With \`usable=now\` it must be free. ${KEPT} \`unknown.connector\`.`,
        example: "50",
        unit: "kW",
      }),
    ),
    word: "KW",
  },
} as const;

/** Members of `unknown`, each present where its parameter is set. */
export const UNKNOWN_COUNTS = ["hours", "wheelchair", "fee", "access", "connector"] as const;
export type UnknownCount = (typeof UNKNOWN_COUNTS)[number];

const LocalTime = Type.String({ format: "date-time", "x-stability": "preview" });

/** What the attribute `usable` means (attributes.ts). */
export const USABLE_MEANING =
  "Whether it is open at `local_time`, by its opening hours. `unknown`: it publishes none, or they cannot be read for certain.";

export const Usable = Type.Object(
  {
    state: Type.Enum(["open", "closed", "unknown"], { type: "string" }),
    until: Nullable(
      Type.String({
        format: "date-time",
        description:
          "When the state ends, with the offset of the place; null: not known, or never.",
      }),
    ),
    rule: Nullable({ ...Text, description: "The part of the hours that decides; null: none." }),
    holidays_known: Type.Boolean({
      description: "false: the state depends on public holidays that are not known here.",
    }),
  },
  { ...PREVIEW, title: "Usable", description: USABLE_MEANING, ...closed },
);

export type UsableBody = Static<typeof Usable>;

/** Members of an answer that say for which time its hours were read. */
export const LOCAL_MEMBERS = {
  local_time: Type.Optional({
    ...LocalTime,
    description: "The time that `usable` is of, with the offset of the point.",
  }),
  time_zone: Type.Optional({
    ...Text,
    ...PREVIEW,
    description: "Time zone of the point, as the IANA database names it.",
  }),
};

const Unknown = Type.Optional({
  ...Count,
  ...PREVIEW,
  description: "With the filter of that name: how many of `total` are not known to fit it.",
});

/**
 * Member `unknown` of an answer; left out where no filter is set. It is none of `summary`, which has
 * the requested types and nothing else (§4.6).
 */
export const UnknownCounts = Type.Optional(
  Type.Object(
    {
      ...(Object.fromEntries(UNKNOWN_COUNTS.map((name) => [name, Unknown])) as Record<
        UnknownCount,
        typeof Unknown
      >),
      left_out: LeftOut,
    },
    { ...PREVIEW, description: "Where a filter is set.", ...closed },
  ),
);

const Moved = Type.Optional({
  ...Count,
  ...PREVIEW,
  deprecated: true,
  description: "Not sent any more: the count is a member of `unknown`.",
});

/** Members that `summary` had before `unknown`: described, so that no field is gone, and not sent. No filter adds one. */
export const MOVED_COUNTS = {
  unknown_hours: Moved,
  unknown_wheelchair: Moved,
  unknown_fee: Moved,
  unknown_access: Moved,
  unknown_connector: Moved,
};

export const MovedSummary = Type.Optional(
  Type.Object(MOVED_COUNTS, {
    ...PREVIEW,
    deprecated: true,
    description: "Not sent any more: see `unknown`.",
    ...closed,
  }),
);
