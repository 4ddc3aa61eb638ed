/** The reply of GET /v1/places/{id}/history: what was recorded of one id, as the contract has it. */
import type { PlaceHistoryValue } from "#api/place-history.ts";
import { type CountSample, SLOTS, STEP_MS } from "#core/history/count-history.ts";
import { PLACE_ID_PREFIX } from "#core/places/place-results.ts";
import { STATION_ID_PREFIX } from "#kit/ids.ts";
import { toRfc3339 } from "#kit/time.ts";
import type { World } from "#world/world.ts";
import type { CountRecorder } from "./count-recorder.ts";

/** null: no station has the id, or it is of nothing that has counts. */
export type ReadPlaceHistory = (id: string, now_ms: number) => PlaceHistoryValue | null;

type Deps = { world: Pick<World, "findStation">; counts: Pick<CountRecorder, "read"> };

export function createReadPlaceHistory({ world, counts }: Deps): ReadPlaceHistory {
  return (id, now_ms) => {
    const kind = kindOf(id);
    if (kind === null) return null;
    const { since_ms, samples } = counts.read(id);
    if (samples === null && kind === "station" && world.findStation(id) === null) return null;
    const listed = (samples ?? []).map((sample) => toSample(sample, kind));
    const known_since = since_ms === null ? null : toTime(since_ms);
    const message = known_since === null ? NOT_KEPT : `${NOTHING} since ${known_since}`;
    return {
      status: listed.length > 0 ? "success" : "empty",
      ...(listed.length > 0 ? {} : { message }),
      id,
      kind,
      from: toTime((Math.floor(now_ms / STEP_MS) - SLOTS + 1) * STEP_MS),
      until: toTime(now_ms),
      known_since,
      step_s: STEP_MS / 1_000,
      samples: listed,
    };
  };
}

const NOT_KEPT = "this deployment keeps no history of counts";
/** What was reported longest ago leaves where the memory is full. */
const NOTHING = "no report of it is kept here, where counts are watched";

function kindOf(id: string): PlaceHistoryValue["kind"] | null {
  if (id.startsWith(STATION_ID_PREFIX)) return "station";
  return id.startsWith(PLACE_ID_PREFIX) ? "service" : null;
}

function toSample(
  { at_ms, counts: [first, second] }: CountSample,
  kind: PlaceHistoryValue["kind"],
): PlaceHistoryValue["samples"][number] {
  const at = toTime(at_ms);
  return kind === "station"
    ? { at, vehicles: first, docks: second }
    : { at, free: first, of: second };
}

function toTime(epoch_ms: number): string {
  return toRfc3339(epoch_ms / 1_000);
}
