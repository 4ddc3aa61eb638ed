/**
 * Drawn worlds of the live layer: five systems that see some of the same docks and scooters, and what
 * may happen to them. A system is published as the feed runtime does it, a part at a time.
 */
import { openStatics, openStatus, openVehicles, type Statics } from "#stations/index.ts";
import {
  openAlerts,
  packAlerts,
  packStatics,
  packStatus,
  packVehicles,
  type Shard,
  type ShardPart,
  shardBox,
  type SystemInfo,
  type VehicleType,
} from "#stations/shards.ts";
import type { Location } from "#kit/geo.ts";
import { createTrail } from "#kit/trail.ts";
import { anAlert, aStation, aStatus, aType, aVehicle, HERE, moved } from "./domain.ts";

/** The middle of what is drawn, and a place that no box of the middle reaches. */
export const MIDDLE = HERE;
export const FAR: Location = moved(HERE, 3_000, 500);

/** Where things are: six around the middle, up to 250 m from it, and two far away. */
export const SPOTS: readonly Location[] = [
  moved(HERE, 0, 0),
  moved(HERE, 240, 40),
  moved(HERE, -200, -120),
  moved(HERE, 80, 230),
  moved(HERE, -60, 140),
  moved(HERE, 120, -200),
  moved(FAR, 0, 0),
  moved(FAR, -90, 150),
];
const NAMES = [
  "Gare centrale",
  "Vieux port",
  "Stade",
  "Marché",
  "Hôpital",
  "Jardin",
  "Lac",
  "Fort",
];

const BIKE = aType("bike");
const SCOOTER = aType("scooter", {
  ...{ mode: "scooter", form_factor: "scooter_standing", propulsion: "electric", electric: true },
});
const MOPED = aType("moped", {
  ...{ mode: "moped", form_factor: "moped", propulsion: "electric", electric: true },
});
const CAR = aType("car", { mode: "car", form_factor: "car", propulsion: "combustion" });

type Plan = {
  id: string;
  source: string;
  name: string;
  types: readonly VehicleType[];
  stations: readonly string[];
  vehicles: readonly string[];
  /** Metres to the north: two sources never see a dock at the very same point. */
  off_m: number;
  /** Of its stations, as published. */
  hours: string | null;
};

const PLANS: readonly Plan[] = [
  {
    ...{ id: "velocite", source: "gbfs", name: "Vélocité", types: [BIKE], off_m: 0 },
    ...{ stations: ["1", "2", "3", "4"], vehicles: ["v1", "v2"], hours: "Mo-Su 06:00-16:30" },
  },
  {
    ...{ id: "cb-velocite", source: "citybikes", name: "Vélocité", types: [], off_m: 4 },
    ...{ stations: ["x1", "x2", "x3"], vehicles: [], hours: null },
  },
  {
    ...{ id: "roll", source: "gbfs", name: "Roll Field", types: [SCOOTER, MOPED], off_m: 9 },
    ...{ stations: [], vehicles: ["r1", "r2", "r3", "r4"], hours: null },
  },
  {
    ...{ id: "roll-too", source: "gbfs", name: "Roll Field", types: [SCOOTER, MOPED], off_m: 9 },
    ...{ stations: [], vehicles: ["r1", "r2", "r3"], hours: null },
  },
  {
    ...{ id: "autos", source: "gbfs", name: "Autos Lyon", types: [CAR, BIKE], off_m: 25 },
    ...{ stations: ["c1", "c2"], vehicles: ["a1", "a2"], hours: null },
  },
];
export const SYSTEMS = PLANS.length;

type StationState = { spot: number; name: number; installed: boolean };
type Counts = { vehicles: number; docks: number; renting: boolean };
type VehicleState = {
  spot: number;
  type: number;
  reserved: boolean;
  disabled: boolean;
  charge: number | null;
  until_s: number | null;
};
type Closure = { start_s: number | null; end_s: number | null };

/** What may happen to a system. `key`: counted through its stations or vehicles. */
export type Change =
  | { what: "station"; key: number; to: Partial<StationState> | null }
  | { what: "counts"; key: number; to: Partial<Counts> }
  | { what: "vehicle"; key: number; to: Partial<VehicleState> | null }
  /** The publisher offers the file no more, or again. */
  | { what: "offer"; part: "status" | "vehicles"; is: boolean }
  /** All that it had is gone, or is there again. */
  | { what: "all"; is: boolean }
  /** Seconds from now; null: no closure. */
  | { what: "closure"; window: { in_s: number; for_s: number } | null }
  /** The same once more, in new documents. */
  | { what: "again" };

export class DrawnSystem {
  readonly #plan: Plan;
  readonly #stations = new Map<string, StationState>();
  readonly #counts = new Map<string, Counts>();
  readonly #vehicles = new Map<string, VehicleState>();
  readonly #offers = { status: true, vehicles: true };
  #closure: Closure | null = null;
  #shard: Shard | null = null;

  constructor(plan: number) {
    this.#plan = PLANS[plan]!;
    this.#fill();
  }

  get id(): string {
    return this.#plan.id;
  }

  /** A new one has not been read. */
  get isRead(): boolean {
    return this.#shard !== null;
  }

  /** Whether its vehicles are offered and of a document that is younger than an hour. */
  showsVehicles(now_ms: number): boolean {
    const live = this.#shard?.vehicles?.live;
    return live !== undefined && live !== null && now_ms / 1000 - live.doc_s <= 3600;
  }

  /** Whether it has a station or vehicle of this `source_id` in the documents that were read last. */
  has(source_id: string): boolean {
    if (!source_id.startsWith(`${this.id}:`)) return false;
    const key = source_id.slice(this.id.length + 1);
    return this.#stations.get(key)?.installed === true || this.#vehicles.has(key);
  }

  /** What is published of the change; `now_ms` is the time of the document. */
  change(change: Change, now_ms: number): Shard {
    const part = this.#apply(change, now_ms);
    const shard = this.#shard;
    if (shard === null || part === "statics") return (this.#shard = this.#readAll(now_ms));
    const statics = shard.statics;
    const next = { ...shard };
    if (part === "status") next.status = this.#readStatus(statics, now_ms);
    if (part === "vehicles") next.vehicles = this.#readVehicles(statics, now_ms);
    if (part === "alerts") next.alerts = this.#readAlerts(statics, now_ms);
    next.box = shardBox(statics, next.vehicles?.data ?? null);
    return (this.#shard = next);
  }

  #fill(): void {
    this.#plan.stations.forEach((key, i) => {
      this.#stations.set(key, { spot: i, name: i, installed: true });
      this.#counts.set(key, { vehicles: 3 + i, docks: 7 - i, renting: true });
    });
    this.#plan.vehicles.forEach((key, i) => {
      const idle = { reserved: false, disabled: false, charge: null, until_s: null };
      this.#vehicles.set(key, { spot: (i + 2) % 6, type: 0, ...idle });
    });
  }

  #apply(change: Change, now_ms: number): "statics" | "status" | "vehicles" | "alerts" {
    switch (change.what) {
      case "station": {
        const key = pick(this.#plan.stations, change.key);
        if (key === null) return "statics";
        const plain = { spot: change.key % 6, name: change.key % 6, installed: true };
        if (change.to === null) this.#stations.delete(key);
        else this.#stations.set(key, { ...(this.#stations.get(key) ?? plain), ...change.to });
        return "statics";
      }
      case "counts": {
        const key = pick(this.#plan.stations, change.key);
        if (key !== null) this.#counts.set(key, { ...this.#counts.get(key)!, ...change.to });
        return "status";
      }
      case "vehicle": {
        const key = pick(this.#plan.vehicles, change.key);
        if (key === null) return "vehicles";
        const idle = { reserved: false, disabled: false, charge: null, until_s: null };
        const plain = { spot: change.key % 6, type: 0, ...idle };
        if (change.to === null) this.#vehicles.delete(key);
        else this.#vehicles.set(key, { ...(this.#vehicles.get(key) ?? plain), ...change.to });
        return "vehicles";
      }
      case "offer":
        this.#offers[change.part] = change.is;
        return change.part;
      case "all":
        this.#stations.clear();
        this.#vehicles.clear();
        if (change.is) this.#fill();
        return "statics";
      case "closure": {
        const start_s = Math.floor(now_ms / 1000) + (change.window?.in_s ?? 0);
        this.#closure = change.window && { start_s, end_s: start_s + change.window.for_s };
        return "alerts";
      }
      case "again":
        return "vehicles";
    }
  }

  #readAll(now_ms: number): Shard {
    const { id, source, name, types, hours, off_m } = this.#plan;
    const stations = [...this.#stations].map(([key, { spot, name: of }]) =>
      aStation(key, {
        ...moved(SPOTS[spot]!, off_m),
        ...{ name: NAMES[of]!, opening_hours: hours },
      }),
    );
    const statics = openStatics(
      packStatics(stations, {
        ...{
          source,
          system_id: id,
          network: { id, name },
          system: { ...SYSTEM, system_id: id, name },
        },
        ...{ types: [...types], mode_hint: null, has_vehicle_feed: this.#plan.vehicles.length > 0 },
      }),
    );
    const vehicles = this.#readVehicles(statics, now_ms);
    return {
      source_id: id,
      box: shardBox(statics, vehicles?.data ?? null),
      statics,
      status: this.#readStatus(statics, now_ms),
      vehicles,
      alerts: this.#readAlerts(statics, now_ms),
      zones: null,
    };
  }

  #readStatus(statics: Statics, now_ms: number): Shard["status"] {
    if (!this.#offers.status || this.#plan.stations.length === 0) return null;
    const doc_s = now_ms / 1000;
    const rows = [...this.#stations].map(([key, { installed }]) => {
      const { vehicles, docks, renting } = this.#counts.get(key)!;
      const flags = { is_installed: installed, is_renting: renting };
      return [key, aStatus(key, { vehicles, docks, ...flags, last_reported_s: null })] as const;
    });
    const packed = packStatus(new Map(rows), statics, { doc_s, trail: createTrail() });
    return partOf(openStatus(packed), now_ms);
  }

  #readVehicles(statics: Statics, now_ms: number): Shard["vehicles"] {
    if (!this.#offers.vehicles || this.#plan.vehicles.length === 0) return null;
    const { types, off_m } = this.#plan;
    const rows = [...this.#vehicles].map(([key, each]) =>
      aVehicle(key, {
        location: moved(SPOTS[each.spot]!, off_m + 7, 5 * (key.codePointAt(1)! - 48)),
        type_id: types[each.type % types.length]!.id,
        ...{ is_reserved: each.reserved, is_disabled: each.disabled, charge: each.charge },
        available_until_s: each.until_s,
      }),
    );
    const { buffer } = packVehicles(rows, statics, { doc_s: now_ms / 1000, trail: createTrail() });
    return partOf(openVehicles(buffer), now_ms);
  }

  #readAlerts(statics: Statics, now_ms: number): Shard["alerts"] {
    if (this.#closure === null) return null;
    const alert = anAlert("closed", { type: "system_closure", times: [this.#closure] });
    return partOf(openAlerts(packAlerts([alert], statics)), now_ms);
  }
}

function partOf<T>(data: T, now_ms: number): ShardPart<T> {
  return { data, live: { validated_at_ms: now_ms, doc_s: now_ms / 1000, ttl_s: 60 } };
}

function pick(keys: readonly string[], at: number): string | null {
  return keys.length === 0 ? null : keys[at % keys.length]!;
}

const SYSTEM: SystemInfo = {
  ...{ system_id: "s", name: "S", short_name: null, operator: null, url: null },
  ...{ timezone: "Europe/Paris", languages: ["fr"], license_id: null, license_url: null },
  ...{ attribution: null, attribution_url: null, brand: null, opening_hours: null },
  terms_url: null,
};
