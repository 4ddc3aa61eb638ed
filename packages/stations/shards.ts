/** A system as it is held: packs of stations, states, vehicles, zones and alerts, made and opened. */
export type { Mode, StationInfo, StationStatus, SystemAlert, SystemInfo } from "./entities.ts";
export type { VehicleInfo, VehicleType } from "./entities.ts";
export type { FileReport } from "./feed.ts";
export { openAlerts, packAlerts } from "./shard/shard-alerts.ts";
export { modeMask } from "./shard/bits.ts";
export { exceededByPack } from "./shard/shard-bounds.ts";
export { isFresh, type ShardPart, type Shard, shardBox } from "./shard/shard.ts";
export { packStatics } from "./shard/shard-statics.ts";
export { packStatus } from "./shard/shard-status.ts";
export { packVehicles } from "./shard/shard-vehicles.ts";
export { openZones, packZones } from "./shard/shard-zones.ts";
