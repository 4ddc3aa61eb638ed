// Pricing plans of the simulated systems: the truth of answers about prices.
import { planOf } from "./context.ts";
import { pricesIn } from "../world/money.ts";
import type { Operator } from "../world/model.ts";

type Step = {
  readonly start: number;
  readonly rate: number;
  readonly interval: number;
  readonly end?: number;
};
export type Plan = {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly unlock: number;
  readonly by_minute: readonly Step[];
  readonly by_km: readonly Step[];
};

/** Minutes that are free of the second plan, and the length of what is paid for after them. */
const FREE_MINUTES = 30;
const SPAN_MINUTES = 15;

/** The plans of a system, the one that its vehicles have by default first. */
export function listPlans(operator: Operator): readonly Plan[] {
  const { unlock, minute, car_minute } = pricesIn(operator.city);
  const rate = operator.types.some((type) => type.mode === "car") ? car_minute : minute;
  return [
    {
      id: planOf(operator),
      name: "Standard",
      description: "Unlock, then pay by the minute.",
      unlock,
      by_minute: [{ start: 0, rate, interval: 1 }],
      by_km: [],
    },
    {
      id: `${operator.id}-calm`,
      name: "Calm",
      description: "The first half hour is in the price, then each quarter of an hour is paid.",
      unlock: unlock * 2,
      by_minute: [
        { start: FREE_MINUTES, rate: rate * 10, interval: SPAN_MINUTES, end: 120 },
        { start: 120, rate: rate * 20, interval: SPAN_MINUTES },
      ],
      by_km: [],
    },
    {
      id: `${operator.id}-distance`,
      name: "Distance",
      description: "Unlock, then pay by the minute and by the kilometre.",
      unlock,
      by_minute: [{ start: 0, rate, interval: 1 }],
      by_km: [{ start: 0, rate: rate * 2, interval: 1 }],
    },
  ];
}
