// A station below the ground: doors on the street, a hall, platforms below it; stairs, an escalator and
// lifts between them.
import { toSpot, type Spot } from "../openbase/plane.ts";
import { buildOf, isLevelled } from "../world/station-ways.ts";
import type { Network, TransitStation } from "../world/transit-model.ts";
import type { Draft } from "./draft.ts";
import { apart } from "./plane.ts";
import { CONNECTOR, INDOORS } from "./styles.ts";

const STATIONS = 2;
/** Platforms that a lift leads to; to the others there are stairs alone. */
const LIFTED = 2;
const HALF_PLATFORM_M = 28;
/** From a door to the street. */
const MOST_M = 300;

/** Stations that are drawn. */
export const isDrawn = (station: TransitStation): boolean =>
  isLevelled(station) && buildOf(station) === "lifts";

export function layStations(draft: Draft, { stations }: Network): void {
  const street = draft.ways
    .filter(({ footing }) => footing === "free")
    .flatMap(({ nodes }) => nodes);
  const chosen = stations.filter(
    (station) => isDrawn(station) && !draft.river.isWet(toSpot(draft.city, station)),
  );
  for (const station of chosen.slice(0, STATIONS)) layStation(draft, station, street);
}

function layStation(draft: Draft, station: TransitStation, street: readonly number[]): void {
  const middle = toSpot(draft.city, station);
  const hall = draft.addSpot(middle);
  const near = (at: Spot, share: number): Spot => [
    middle[0] + (at[0] - middle[0]) * share,
    middle[1] + (at[1] - middle[1]) * share,
  ];
  for (const [n, entrance] of station.entrances.entries()) {
    const spot = toSpot(draft.city, entrance);
    const door = draft.addSpot(spot, { tags: { entrance: "yes", level: "0" }, footing: "free" });
    const out = draft.nearest(spot, street, MOST_M);
    if (out !== null) draft.addWay([door, out], CONNECTOR);
    const below = draft.addSpot(near(spot, 0.6), n === 1 ? INDOORS.lift : undefined);
    draft.addWay([door, below], n === 1 ? CONNECTOR : n === 0 ? INDOORS.stairs : INDOORS.escalator);
    draft.addWay([below, hall], INDOORS.hall);
  }
  for (const [n, platform] of station.platforms.entries())
    layPlatform(draft, { hall, at: toSpot(draft.city, platform), n });
}

type Laying = { readonly hall: number; readonly at: Spot; readonly n: number };

function layPlatform(draft: Draft, { hall, at, n }: Laying): void {
  const middle = draft.spots[hall]!;
  const away_m = Math.max(1, apart(middle, at));
  const [east, north] = [(at[1] - middle[1]) / away_m, (middle[0] - at[0]) / away_m];
  const ends = [-1, 1].map((side) =>
    draft.addSpot([at[0] + side * HALF_PLATFORM_M * east, at[1] + side * HALF_PLATFORM_M * north]),
  );
  draft.addWay(ends, n % 3 === 2 ? INDOORS.bare_platform : INDOORS.platform);
  draft.addWay([hall, ends[0]!], INDOORS.down);
  if (n >= LIFTED) return;
  const lift = draft.addSpot([at[0] + 40 * east, at[1] + 40 * north], INDOORS.lift);
  draft.addWay([hall, lift], INDOORS.hall);
  draft.addWay([lift, ends[1]!], INDOORS.below);
}
