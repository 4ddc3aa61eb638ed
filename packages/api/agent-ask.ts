/** ask_here (docs/agents.md): wishes of packages/api/wishes, and one answer to all of them. */
import { type TProperties, Type } from "typebox";
import { POINT_ARGUMENTS } from "./agent-point.ts";
import { common, local, status_members } from "./agent-results.ts";
import { walkingMembers } from "./agent-walk.ts";
import {
  closed,
  Count,
  Location,
  Nullable,
  type Parameter,
  PlaceTime,
  Text,
} from "./primitives.ts";
import { WISH_NEEDS, WISHES } from "./wishes.ts";

/** How far is looked, metres: as far as each search allows, and no farther than one walks. */
export const ASK_RADII = { service: 5_000, mobility: 400, stop: 5_000, departure: 500 } as const;
/** Results of one search that are looked at, the nearest. */
export const ASKED_MAX = 100;
/** An answer has at most these bytes of JSON, about 800 tokens. */
export const ASK_BYTES = 2_350;
/** A ride whose price is said, and is judged by a budget, min. */
export const ASK_RIDE_MINUTES = 10;

const Wishes: Parameter<readonly string[]> & { required: true } = {
  kind: "texts",
  schema: Type.Array(Type.String({ minLength: 1, maxLength: 2 * WISHES.chars_max }), {
    minItems: 1,
    maxItems: WISHES.most,
  }),
  description:
    "toilet, water, aed, wifi, parking, charger, locker, bike, scooter, moped, car, bus, tram, metro, train, ferry or a class of find_places; then :open :wheelchair :no_fee :free :CCS2 :dock :cargo :seated :last :stop, >=N (kW, %, min), >NAME, ~400m or ~5min of the wish before.",
  example: "charger:CCS2:free>=50kW;toilet:open~400m",
  required: true,
  rule: `1 to ${WISHES.most} wishes`,
};

const For: Parameter<readonly string[] | undefined> = {
  kind: "texts",
  schema: Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
    minItems: 1,
    maxItems: Object.keys(WISH_NEEDS).length,
  }),
  description: "wheelchair, luggage, children, budget:N.",
  example: "wheelchair;budget:5",
  required: false,
  rule: `1 to ${Object.keys(WISH_NEEDS).length} texts`,
};

const When: Parameter<string | undefined> = {
  kind: "pattern",
  schema: Type.String({
    pattern: "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2})$",
  }),
  rule: "an RFC 3339 time",
  required: false,
  description: "For opening hours; else now.",
  example: "2026-11-28T22:00:00+01:00",
};

export const ASK_ARGUMENTS = { ...POINT_ARGUMENTS, wishes: Wishes, when: When, for: For } as const;

const thing = {
  id: Text,
  name: Nullable(Text),
  location: Location,
  distance_meters: Type.Number({ minimum: 0 }),
  walk_minutes: Type.Optional({
    ...Nullable(Type.Number({ minimum: 0 })),
    description: "On foot along streets; null: no way is known.",
  }),
  count: Type.Optional({ ...Count, description: "Vehicles, docks or plugs that are free." }),
  battery: Type.Optional(Type.Number()),
  line: Type.Optional(Text),
  toward: Type.Optional(Nullable(Text)),
  departs_at: Type.Optional(PlaceTime),
  hours: Type.Optional(
    Type.Enum(["unknown"], {
      type: "string",
      description: "It is not known whether it is open at the time.",
    }),
  ),
  leave: Type.Optional({ ...Text, description: "When to leave on foot." }),
  price: Type.Optional({ ...Text, description: "Absent: not known." }),
  true_until: Type.Optional({
    ...PlaceTime,
    description: "It closes, departs, or its source is read again; absent: not known, or never.",
  }),
  proof: { ...Text, description: "Source, and the age of what it says where that is stated." },
} satisfies TProperties;

const Known = Type.Object(thing, closed);
const Unknown = Type.Object(
  { ...thing, lacks: Type.Array(Text, { description: "What is not known of it." }) },
  closed,
);

export const AskShown = Type.Object(
  {
    ...status_members,
    query_origin: Location,
    ...local,
    ...walkingMembers,
    answers: Type.Array(
      Type.Object(
        {
          wish: Text,
          answer: Type.Enum(["known", "unknown", "none", "failed"], {
            type: "string",
            description: "none: nothing within `within_meters`; failed: it is not known whether.",
          }),
          within_meters: Type.Optional(
            Type.Number({ minimum: 0, description: "Where none is known: what was looked at." }),
          ),
          known: Type.Optional(Known),
          unknown: Type.Optional({
            ...Unknown,
            description: "The nearest that may fit, where it is nearer or none is known to.",
          }),
          pair: Type.Optional(
            Type.Object(
              { wish: Count, meters: Count, walk_minutes: Type.Optional(Nullable(Type.Number())) },
              { description: "How near it is to the answer of that wish (from 0).", ...closed },
            ),
          ),
          message: Type.Optional(Text),
        },
        closed,
      ),
    ),
    resource: Type.Optional({
      ...Text,
      description: "Read or listen to it: whether what is known still holds, and why not.",
    }),
    units: { ...Count, description: "What this call costs, besides a name." },
    ...common,
    attribution: Type.Array(Text, { description: "To show: of the sources of all answers." }),
  },
  closed,
);
