/** Single files of GBFS and CityBikes as rows; `gbfsProtocol` and `citybikesProtocol` read whole systems. */
export {
  readNetworkDoc,
  readStations as readCityBikes,
  readStatus as readCityBikesStatus,
} from "./citybikes/citybikes-network.ts";
export { readGbfsAlerts } from "./gbfs/gbfs-alerts.ts";
export { readDiscovery, readVersions } from "./gbfs/gbfs-discovery.ts";
export { readEnvelope } from "./gbfs/envelope.ts";
export { modeOfNames } from "./gbfs/mode-of-names.ts";
export { readStations } from "./gbfs/gbfs-stations.ts";
export { readStatus } from "./gbfs/gbfs-status.ts";
export { readSystem } from "./gbfs/gbfs-system.ts";
export { readVehicleTypes } from "./gbfs/gbfs-types.ts";
export { readVehicles } from "./gbfs/gbfs-vehicles.ts";
