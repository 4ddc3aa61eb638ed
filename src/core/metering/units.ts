/** What a reply costs (decisions, "Authentication, plans, metering"), as a table by operation. */

/** `first` once a reply, `each` for every maps-provider category asked, or per started block. */
type Charge =
  | { per: "reply"; units: number }
  | { per: "category"; first: number; each: number }
  | { per: "block"; objects: number; units: number };

const FREE: Charge = { per: "reply", units: 0 };
const ONE: Charge = { per: "reply", units: 1 };

export const CHARGES = {
  getHealth: FREE,
  getOpenApi: FREE,
  getChangelog: FREE,
  listSources: FREE,
  getMe: FREE,
  getNearby: { per: "block", objects: 100, units: 1 },
  geocode: ONE,
  searchPlaces: ONE,
  reverseGeocode: ONE,
  getServicesNearby: { per: "category", first: 1, each: 1 },
  getParkingNearby: ONE,
  getChargingNearby: ONE,
  getTransportNearby: ONE,
  executeCapability: { per: "reply", units: 2 },
  readDataset: FREE,
  getLegacyWater: ONE,
  getLegacyVehicles: ONE,
  getLegacyScooters: ONE,
  getWeather: ONE,
  getForecast: ONE,
  /** It carries others, which cost what they cost. */
  callMcp: FREE,
} as const satisfies Readonly<Record<string, Charge>>;

export type MeteredOperation = keyof typeof CHARGES;

/** What of a reply its price depends on. */
export type Metered = {
  status: number;
  /** `partial` with nothing in it: what was asked for could not be told. */
  void: boolean;
  /** Returned after identity resolution and pagination; read by /v1/nearby alone. */
  objects: number;
  /** Categories asked that a maps provider answers; read by services alone. */
  maps_categories: number;
};

/** Units of one reply; a replay from a cache costs the same. */
export function unitsOfReply(operation: MeteredOperation, reply: Metered): number {
  if (reply.status < 200 || reply.status > 299 || reply.void) return 0;
  const charge: Charge = CHARGES[operation];
  switch (charge.per) {
    case "reply":
      return charge.units;
    case "category":
      return charge.first + charge.each * reply.maps_categories;
    case "block":
      return Math.ceil(reply.objects / charge.objects) * charge.units;
  }
}
