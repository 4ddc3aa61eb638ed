/** Evaluates values with the package `opening_hours`, in the time zone of this process. */
import OpeningHours from "opening_hours";
import type { Question, Reply, Verdict } from "./judge.ts";

/** Of its declared types only these are used, and some that it reads are not declared. */
type Hours = { getState(at: Date): boolean; getUnknown(at: Date): boolean };
type Constructor = new (value: string, place: object, mode: number) => Hours;

const Hours = OpeningHours as unknown as Constructor;
/** Points in time are read too. */
const BOTH = 2;

process.on("message", (question: Question) => process.send!(answer(question)));

function answer({ value, place, times_ms }: Question): Reply {
  const { lat, lon, country, state } = place;
  const address = { country_code: country?.toLowerCase(), state };
  try {
    // Numbers would be passed over, and the sun would rise at six.
    const hours = new Hours(value, { lat: String(lat), lon: String(lon), address }, BOTH);
    return { states: times_ms.map((at_ms) => stateOf(hours, new Date(at_ms))) };
  } catch (error) {
    return { error: String(error).slice(0, 200) };
  }
}

/** Null where it cannot evaluate this moment, such as one without holidays that it knows. */
function stateOf(hours: Hours, at: Date): Verdict | null {
  try {
    if (hours.getUnknown(at)) return "unknown";
    return hours.getState(at) ? "open" : "closed";
  } catch {
    return null;
  }
}
