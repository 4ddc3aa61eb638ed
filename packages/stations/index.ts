/** Shared mobility: GBFS and CityBikes become packs of stations and vehicles, and stations of several sources one. */
export { citybikesProtocol } from "./citybikes/protocol.ts";
export type { FeedFile, FeedProtocol, IngestJob, IngestResult } from "./feed.ts";
export { gbfsProtocol } from "./gbfs/protocol.ts";
export { resolveObservations } from "./identity/match.ts";
export type { Feed, Observation } from "./identity/observation.ts";
export { feedOf, observationsOf } from "./shard/observations.ts";
export { openStatics, type Statics } from "./shard/statics.ts";
export { openStatus } from "./shard/status.ts";
export { openVehicles } from "./shard/vehicles.ts";
