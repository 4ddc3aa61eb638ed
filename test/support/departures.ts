/** Searches for departures as tests ask them: about those that leave next, unless they say otherwise. */
import assert from "node:assert/strict";
import { TIME_PARAMETERS } from "#api/departure-times.ts";
import { defaultsOf } from "#api/primitives.ts";
import { createDepartures, type DeparturesDeps } from "#app/transit/departure-search.ts";

const NEXT_ONES = defaultsOf(TIME_PARAMETERS);

type Times = { at?: string; first?: boolean; last?: boolean; toward?: string };
type Timed<I extends { question: object }> = Omit<I, "question"> & {
  question: Omit<I["question"], keyof Times> & Times;
};

export function openDepartures(deps: DeparturesDeps) {
  const { nearby, station } = createDepartures(deps);
  return {
    /** Also what is refused. */
    ask: ({ question, ...timing }: Timed<Parameters<typeof nearby>[0]>) =>
      nearby({ ...timing, question: { ...NEXT_ONES, ...question } }),
    nearby: async ({ question, ...timing }: Timed<Parameters<typeof nearby>[0]>) =>
      toAnswer(await nearby({ ...timing, question: { ...NEXT_ONES, ...question } })),
    station: ({ question, ...timing }: Timed<Parameters<typeof station>[0]>) =>
      station({ ...timing, question: { ...NEXT_ONES, ...question } }),
  };
}

function toAnswer<R extends object>(reply: R): Extract<R, { body: unknown }> {
  assert.ok("body" in reply, JSON.stringify(reply));
  return reply as Extract<R, { body: unknown }>;
}
