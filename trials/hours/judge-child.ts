/** Evaluates values with the package `opening_hours`, in the time zone of this process. */
import { createRequire } from "node:module";
import type { Question, Reply, Verdict } from "./judge.ts";

type Hours = { getState(at: Date): boolean; getUnknown(at: Date): boolean };
type Constructor = new (value: string, place: object, mode: number) => Hours;

const Hours = createRequire(import.meta.url)("opening_hours") as Constructor;
/** Points in time are read too. */
const BOTH = 2;

process.on("message", (question: Question) => process.send!(answer(question)));

function answer({ value, place, times_ms }: Question): Reply {
  const { lat, lon, country, state } = place;
  const address = { country_code: country?.toLowerCase(), state };
  try {
    const hours = new Hours(value, { lat, lon, address }, BOTH);
    const states = times_ms.map((at_ms): Verdict => {
      const at = new Date(at_ms);
      if (hours.getUnknown(at)) return "unknown";
      return hours.getState(at) ? "open" : "closed";
    });
    return { states };
  } catch (error) {
    return { error: String(error).slice(0, 200) };
  }
}
