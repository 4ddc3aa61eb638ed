/** Of which time departures are, and where they go: parameters of both operations, and members (docs/design/departures.md). */
import { Type } from "typebox";
import { preview, PREVIEW } from "./preview.ts";
import {
  booleanParameter,
  closed,
  Count,
  Nullable,
  patternParameter,
  PlaceTime,
  Text,
} from "./primitives.ts";

/** Rule of `at` in words: its pattern leaves the calendar and the span to the question. */
export const AT_RULE =
  "an RFC 3339 time, or a time as clocks of the place show it (2026-11-28T22:00, or 22:00 for the next time they do), at most a year away";

/** Of which time, and where to. */
export const TIME_PARAMETERS = {
  at: preview(
    patternParameter({
      description:
        "From this time on in place of now: an RFC 3339 time (in a query + is %2B), or as clocks of the place show it. Outside what the timetables here know it is refused, with what they know.",
      example: "2026-11-28T22:00",
      pattern:
        "^(\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})?)?|\\d{2}:\\d{2})$",
      rule: AT_RULE,
      word: "TIME",
    }),
  ),
  first: preview(
    booleanParameter(
      "Only the first departure of each line and direction on the service day of `at`, at the nearest station it leaves from; without `at` the next first one. A service day ends at four in the morning, or with the last run of its timetable. `within` has no effect.",
    ),
  ),
  last: preview(
    booleanParameter(
      "Only the last departure of each line and direction on the service day of `at`, or of now, as with `first`. One that is gone says `departed`.",
    ),
  ),
  toward: preview(
    patternParameter({
      description:
        "Leaves out what is known not to go there: words of the name of a later stop, or of the headsign. What is unknown is kept, with `toward` null, and counted in `unknown.toward`.",
      example: "Central Station",
      pattern: "^\\S.{0,98}\\S$",
      rule: "text of 2 to 100 characters",
      word: "TEXT",
    }),
  ),
} as const;

/** Members of a departure. */
export const timeMembers = {
  departed: Type.Optional(
    Type.Literal(true, { ...PREVIEW, description: "It left before the moment of the answer." }),
  ),
  toward: Type.Optional({
    ...Nullable(
      Type.Object(
        {
          name: Text,
          planned_at: {
            ...Nullable(PlaceTime),
            description: "Arrival there by the timetable; null: not known.",
          },
        },
        closed,
      ),
    ),
    ...PREVIEW,
    description:
      "With the parameter `toward`: the later stop, or the headsign, that it names. null: whether it goes there is not known.",
  }),
};

/** Member `unknown` of an answer. */
export const UnknownToward = Type.Optional(
  Type.Object(
    { toward: Count },
    {
      ...PREVIEW,
      description: "With `toward`: how many of `total` are not known to go there.",
      ...closed,
    },
  ),
);
