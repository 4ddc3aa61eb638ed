/** Shared mobility: GBFS and CityBikes become packs of stations and vehicles, and stations of several sources one. */
export { citybikesProtocol } from "./citybikes/citybikes-protocol.ts";
export type { FeedFile, FeedProtocol, IngestJob, IngestResult } from "./feed.ts";
export { gbfsProtocol } from "./gbfs/gbfs-protocol.ts";
export { resolveObservations } from "./identity/match-stations.ts";
export type { Feed, Observation } from "./identity/observed-station.ts";
export { feedOf, observationsOf } from "./shard/observations.ts";
export { openStatics, type Statics } from "./shard/shard-statics.ts";
export { openStatus } from "./shard/shard-status.ts";
export { openVehicles } from "./shard/shard-vehicles.ts";
