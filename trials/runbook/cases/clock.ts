/** A clock that was wrong, and is right again. */
import { nowMs, sleep } from "../../chaos/fleet/clock.ts";
import type { FaultCase } from "../case.ts";
import { createKey, PLAN, type Stage } from "../stage.ts";

const SIX_DAYS_MS = 6 * 86_400_000;

/** One to three minutes after the step, and a minute for the start on a busy machine. */
const STARTS_OVER_MS = 240_000;

/** By itself: nothing is done but waiting. */
async function startsOver({ prometheus }: Stage): Promise<void> {
  const until_ms = nowMs() + STARTS_OVER_MS;
  while (nowMs() < until_ms) {
    await sleep(1_000);
    const ahead = await prometheus.query("svc_clock_ahead_seconds < 1");
    if (ahead.length > 0) return;
  }
}

export const CLOCK_CASES: readonly FaultCase[] = [
  {
    name: "clock six days ahead, and back",
    stage: "alone",
    says: [
      ["operations", "the service starts over by itself, one to three minutes later"],
      [
        "operations",
        "Beyond that the service starts over by itself one to three minutes after the last step",
      ],
    ],
    async fault({ nodes }) {
      nodes[0]!.meddle({ clock_ms: SIX_DAYS_MS });
      await sleep(6_000);
      nodes[0]!.meddle({});
      return null;
    },
    seen: {
      metrics: ["svc_clock_ahead_seconds > 60"],
      log: /system clock was set/,
      alerts: ["VicinityClockAhead"],
    },
    // By the system clock it is not expired.
    async during({ nodes }) {
      const made = await createKey(nodes[0]!, PLAN);
      if (typeof made === "number") return [`a new key is ${made}`];
      const { url } = nodes[0]!;
      const reply = await fetch(`${url}/v1/me`, {
        headers: { authorization: `Bearer ${made.key}` },
      });
      return reply.status === 200 ? [] : [`/v1/me of a new key is ${reply.status}`];
    },
    cure: startsOver,
  },
  {
    name: "clock three minutes ahead, and back",
    stage: "alone",
    says: [["operations", "of less, it is made up for within fifty minutes"]],
    async fault({ nodes }) {
      nodes[0]!.meddle({ clock_ms: 180_000 });
      await sleep(4_000);
      nodes[0]!.meddle({});
      return null;
    },
    seen: {
      metrics: ["svc_clock_ahead_seconds > 60", "deriv(svc_clock_ahead_seconds[10s]) < -0.05"],
      log: /system clock was set/,
      alerts: ["VicinityClockAhead"],
    },
    // Waiting would take half an hour.
    async cure({ nodes }) {
      await nodes[0]!.end();
      await nodes[0]!.start();
    },
  },
];
