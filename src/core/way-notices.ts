/** Says why no way on foot leads from one point to another. */
import type { WALK_PROFILES } from "#api/walk.ts";
import type { NoWayReason } from "#api/way.ts";
import { distance_m, type Location } from "#kit/geo.ts";
import type { LostBase } from "#osm/base/other-version.ts";
import { type Notice, ofNoWalks, sayMetres } from "./notices.ts";

/** `within_m`: longer ways were not looked for; `lost`: the base that cannot be read, where that is why. */
type Ends = {
  from: Location;
  to: Location;
  profile: (typeof WALK_PROFILES)[number];
  within_m: number;
  lost?: LostBase | null;
};

/** What is said alike of one way and of all. */
type Lacking = "base_without_walking" | "base_unreadable";

export function ofNoWay(reason: NoWayReason, ends: Ends): Notice {
  if (reason === "base_unreadable" || reason === "base_without_walking")
    return ofNoWalks(reason, ends.lost);
  return { source: null, cause: null, age_s: null, cut: null, message: sayNoWay(reason, ends) };
}

function sayNoWay(
  reason: Exclude<NoWayReason, Lacking>,
  { from, to, profile, within_m }: Ends,
): string {
  const [street, way] =
    profile === "foot"
      ? ["no street", "no way on foot"]
      : ["no street without steps", "no way without steps"];
  switch (reason) {
    case "outside_bases":
      return "no imported base covers both points, so that ways on foot are not known";
    case "different_bases":
      return "the points are in different imported bases, whose streets are not joined";
    case "start_off_network":
      return `${street} is within 100 metres of \`from\`, so that ${way} begins there`;
    case "target_off_network":
      return `${street} is within 100 metres of \`to\`, so that ${way} ends there`;
    case "not_reached": {
      const most = sayMetres(within_m);
      const apart_m = Math.floor(distance_m(from.lat, from.lon, to.lat, to.lon));
      if (apart_m >= within_m)
        return `the points are ${sayMetres(apart_m)} apart, and ways on foot are looked for up to ${most}`;
      return `${way} of at most ${most} leads from one point to the other`;
    }
    case "not_looked":
      return `${way} of at most ${sayMetres(within_m)} is known from one point to the other, and one may lead beyond what is looked at`;
  }
}
