/** Evaluates values with the package `opening_hours`, in the time zone of this process. */
import OpeningHours from "opening_hours";
import type { Question, Reply, Verdict } from "../hours/judge.ts";

/** Points in time are read too. */
const BOTH = 2;

process.on("message", (question: Question) => process.send!(answer(question)));

function answer({ value, place, times_ms }: Question): Reply {
  const { lat, lon, country, state } = place;
  const address = { country_code: country?.toLowerCase(), state };
  try {
    // Numbers would be passed over, and the sun would rise at six.
    const hours = new OpeningHours(value, { lat: String(lat), lon: String(lon), address }, BOTH);
    return { states: times_ms.map((at_ms) => stateOf(hours, new Date(at_ms))) };
  } catch (error) {
    return { error: String(error).slice(0, 200) };
  }
}

/** Null where it cannot evaluate this moment, such as one without holidays that it knows. */
function stateOf(hours: OpeningHours, at: Date): Verdict | null {
  try {
    if (hours.getUnknown(at)) return "unknown";
    return hours.getState(at) ? "open" : "closed";
  } catch {
    return null;
  }
}
