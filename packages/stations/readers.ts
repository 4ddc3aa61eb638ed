/** Single files of GBFS and CityBikes as rows; `gbfsProtocol` and `citybikesProtocol` read whole systems. */
export {
  readNetworkDoc,
  readStations as readCityBikes,
  readStatus as readCityBikesStatus,
} from "./citybikes/network.ts";
export { readGbfsAlerts } from "./gbfs/alerts.ts";
export { readDiscovery, readVersions } from "./gbfs/discovery.ts";
export { readEnvelope } from "./gbfs/envelope.ts";
export { modeOfNames } from "./gbfs/mode-of-names.ts";
export { readStations } from "./gbfs/stations.ts";
export { readStatus } from "./gbfs/status.ts";
export { readSystem } from "./gbfs/system.ts";
export { readVehicleTypes } from "./gbfs/types.ts";
export { readVehicles } from "./gbfs/vehicles.ts";
