// Which feeds a system publishes in which version, and how long each may be kept.
import type { GbfsVersion, Operator } from "../world/model.ts";

export const FEED_TTL_S = {
  gbfs: 3600,
  gbfs_versions: 3600,
  system_information: 3600,
  station_information: 3600,
  station_status: 60,
  free_bike_status: 60,
  vehicle_status: 60,
  vehicle_types: 3600,
  system_pricing_plans: 3600,
  system_alerts: 300,
  geofencing_zones: 3600,
} as const;

export type FeedName = keyof typeof FEED_TTL_S;

/** Feeds that change from minute to minute; the others change from day to day. */
export const isLive = (feed: FeedName): boolean => FEED_TTL_S[feed] === 60;

type Rule = {
  readonly feed: FeedName;
  readonly versions: readonly GbfsVersion[];
  readonly when: (operator: Operator) => boolean;
};

const ALL: readonly GbfsVersion[] = ["1.0", "2.3", "3.0"];
const MODERN: readonly GbfsVersion[] = ["2.3", "3.0"];
const always = (): boolean => true;
const hasStations = (operator: Operator): boolean => operator.stations !== null;
const hasFleet = (operator: Operator): boolean => operator.fleet !== null;

const RULES: readonly Rule[] = [
  { feed: "system_information", versions: ALL, when: always },
  { feed: "gbfs_versions", versions: MODERN, when: (operator) => operator.versions.length > 1 },
  { feed: "vehicle_types", versions: MODERN, when: always },
  { feed: "system_pricing_plans", versions: MODERN, when: always },
  { feed: "station_information", versions: ALL, when: hasStations },
  { feed: "station_status", versions: ALL, when: hasStations },
  { feed: "free_bike_status", versions: ["1.0", "2.3"], when: hasFleet },
  { feed: "vehicle_status", versions: ["3.0"], when: hasFleet },
  { feed: "system_alerts", versions: MODERN, when: (operator) => operator.alerts },
  { feed: "geofencing_zones", versions: MODERN, when: (operator) => operator.zones },
];

/** The feeds that discovery lists, in that order. */
export const listFeeds = (operator: Operator, version: GbfsVersion): FeedName[] =>
  RULES.filter((rule) => rule.versions.includes(version) && rule.when(operator)).map(
    (rule) => rule.feed,
  );
