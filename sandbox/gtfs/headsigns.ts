// What a vehicle shows, as a feed publishes it: its last station, or on the first half of its way the
// one in the middle, too.
import type { Network, Part } from "../world/transit-model.ts";
import type { Way } from "../world/transit-runs.ts";
import { nameIn } from "../world/transit-stops.ts";
import type { FeedStyle } from "./style.ts";

export const tripHeadsign = (network: Network, way: Way, part: Part): string =>
  nameAt(network, way, way.calls.length - 1, part);

/** Of a call alone; "": the trip's. */
export function callHeadsign(
  network: Network,
  way: Way,
  { part, style, call }: { part: Part; style: FeedStyle; call: number },
): string {
  const middle = Math.floor(way.calls.length / 2);
  if (!style.via || call >= middle) return "";
  return `${tripHeadsign(network, way, part)} (${nameAt(network, way, middle, part)})`;
}

function nameAt({ stations }: Network, { calls }: Way, call: number, part: Part): string {
  const station = stations[calls[call]?.station ?? -1];
  return station === undefined ? "" : nameIn(station, part);
}
