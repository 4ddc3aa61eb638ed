/** CityBikes as the feed runtime drives it: three files that are one document at one address. */
import { ingest, LIVE_S } from "./citybikes-ingest.ts";
import type { FeedFile, FeedProtocol } from "../feed.ts";

const STATIC_S = 3_600;

const FILES: readonly FeedFile[] = ["station_information", "station_status", "vehicle_status"];

export const citybikesProtocol: FeedProtocol = {
  id: "citybikes",
  places: (url) => new Map(FILES.map((file) => [file, url])),
  // docs.citybik.es: 300 requests an hour, over all networks.
  requests_per_hour: 300,
  readDiscovery: () => null,
  defaultFeeds: () => new Map(),
  bestVersionUrl: () => null,
  nextPoll_s: (file) =>
    file === "station_status" || file === "vehicle_status" ? LIVE_S : STATIC_S,
  ingest,
};
