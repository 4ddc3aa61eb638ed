/**
 * Prices as data, the same for rides, parking and charging. What a source does not state is null, and
 * 0 only where it states that nothing is charged. All of it is in preview.
 */
import { Type, type Static } from "typebox";
import { LIMITS } from "./limits.ts";
import { closed, Nullable, Text } from "./primitives.ts";
import { PREVIEW } from "./preview.ts";
import { FORM_FACTORS, PROPULSIONS } from "./tokens.ts";

const Amount = Type.Number({ minimum: 0 });
const Currency = Type.String({ pattern: "^[A-Z]{3}$", description: "ISO 4217." });

/** `start`, `interval` and `end` are minutes, or kilometres. */
const Step = Type.Object(
  {
    start: Type.Number({ minimum: 0, description: "From there it is charged." }),
    rate: Type.Number({ description: "Of each interval that has begun; below 0: a discount." }),
    interval: Type.Number({ minimum: 0, description: "0: it is charged once." }),
    end: Nullable(Type.Number({ minimum: 0, description: "Null: until the ride ends." })),
  },
  { title: "PriceStep", ...closed },
);
export type PriceStep = Static<typeof Step>;

const Price = Type.Object(
  {
    plan_id: Type.Optional(Type.String({ description: "The publisher's id of the plan." })),
    name: Type.Optional(Text),
    currency: Nullable(Currency),
    unlock: Nullable({ ...Amount, description: "Charged once, to begin." }),
    per_minute: Nullable({
      ...Amount,
      description:
        "Of each minute that has begun, from the first to the last. Null: unknown, or not one rate.",
    }),
    per_hour: Type.Optional({ ...Amount, description: "Of an hour, as the text has it." }),
    per_kwh: Nullable(Amount),
    flat: Type.Optional({
      ...Amount,
      description:
        "Of a plan that states no rate: whether it is the price of a ride or of a pass is unknown.",
    }),
    minute_steps: Type.Optional(
      Type.Array(Step, {
        maxItems: LIMITS.prices.steps_max,
        description: "Where `per_minute` does not say all of it.",
      }),
    ),
    km_steps: Type.Optional(Type.Array(Step, { maxItems: LIMITS.prices.steps_max })),
    reservation: Type.Optional(
      Type.Object(
        { flat: Nullable(Amount), per_minute: Nullable(Amount) },
        { title: "ReservationPrice", ...closed },
      ),
    ),
    is_taxable: Type.Optional(
      Type.Boolean({ description: "true: tax is added; false: it is included, or none is due." }),
    ),
    surge_pricing: Type.Optional(
      Type.Boolean({ description: "true: it may be higher at times of much demand." }),
    ),
    has_fees: Type.Optional(
      Type.Literal(true, { description: "The source lists fees that are no part of this." }),
    ),
    text: Nullable(Type.String({ description: "In the source's words." })),
    url: Nullable(Type.String({ pattern: "^https://" })),
  },
  { title: "Price", description: "A price as data; null: unknown.", ...closed },
);
export type PriceValue = Static<typeof Price>;

/** What an estimated amount takes for granted, or leaves out. */
export const COST_ASSUMPTIONS = [
  "distance_not_counted",
  "tax_not_included",
  "surge_not_included",
  "fees_not_included",
] as const;
export type CostAssumption = (typeof COST_ASSUMPTIONS)[number];

const RideCost = Type.Object(
  {
    minutes: Type.Number({ minimum: 0 }),
    amount: { ...Amount, description: "Rounded half up to the smallest coin of the currency." },
    currency: Currency,
    is_exact: Type.Boolean({ description: "true: all that the plan states is in `amount`." }),
    assumptions: Type.Array(Type.Enum([...COST_ASSUMPTIONS], { type: "string" }), {
      description: "`distance_not_counted`: `amount` is the least.",
    }),
  },
  { title: "RideCost", description: "What a ride costs by its plan.", ...closed },
);
export type RideCostValue = Static<typeof RideCost>;

const PlanType = Type.Object(
  {
    mode: Type.String(),
    form_factor: Type.Optional(Type.Enum([...FORM_FACTORS], { type: "string" })),
    propulsion: Type.Optional(Type.Enum([...PROPULSIONS], { type: "string" })),
    name: Type.Optional(Text),
    plan_ids: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: LIMITS.prices.type_plans_max,
      description: "The default plan first.",
    }),
  },
  { title: "PlanType", ...closed },
);

/** The plans of one system. */
export const SystemPrices = Type.Object(
  {
    network: Type.Object({ id: Text, name: Text }, closed),
    plans: Type.Array(
      Type.Object(
        { ...Price.properties, ride: Nullable(RideCost) },
        {
          title: "PricingPlan",
          description: "`ride`: of `ride_minutes`; null: it is not known.",
          ...closed,
        },
      ),
      {
        maxItems: LIMITS.prices.plans_max,
        description: "`pricing_plan_id` of a vehicle names one of them, or one that is unknown.",
      },
    ),
    vehicle_types: Type.Array(PlanType, {
      description: "Kinds of vehicle of the system, each with its plans.",
    }),
  },
  { title: "SystemPrices", description: "What vehicles of one system cost.", ...closed },
);
export type SystemPricesValue = Static<typeof SystemPrices>;

export const PRICES_MEANING =
  "Prices as data: numbers only where the source's words leave no doubt, else its text alone.";
/** The fact of a car park or charging station. */
export const Prices = Type.Array(Price, {
  ...PREVIEW,
  minItems: 1,
  maxItems: LIMITS.prices.tariffs_max,
  description: PRICES_MEANING,
});
