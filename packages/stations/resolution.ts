/** What of several sources is one, in its steps: pairs, groups, roles, and the weights they are judged by. */
export { brandOf } from "./identity/brand-names.ts";
export { type GroupJob, type GroupResolver, resolveGroup } from "./identity/group.ts";
export type { ScoredPair } from "./identity/match-stations.ts";
export { caseOfRole, isHidden, openRoles, PLAIN } from "./identity/roles.ts";
export { areOneBrand, type BrandFleet, fleetOf } from "./identity/vehicle-brand.ts";
export { identityColumns } from "./identity/vehicle-columns.ts";
export { bareVehicleId, prefixWords } from "./identity/vehicle-key.ts";
export {
  type ComparedVehicles,
  NO_VEHICLE,
  pairSteps,
  pairVehicles,
} from "./identity/vehicle-pairs.ts";
export { type Tuning, TUNING } from "./identity/weights.ts";
