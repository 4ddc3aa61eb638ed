// The words of the simulated world. Things are physical; what a source says of them is elsewhere.
import type { Point } from "../geo.ts";

export type Mode = "bicycle" | "scooter" | "moped" | "car";

/** A text by language tag; the operator's first language is always there. */
export type Text = Readonly<Record<string, string>>;

/** A word in the city's own script, and its English form where that differs. */
export type Word = string | readonly [local: string, english: string];

export type City = Point & {
  readonly id: string;
  readonly name: string;
  readonly country: string;
  readonly timezone: string;
  /** Minutes east of UTC that the city's 3.0 feeds print in their times. */
  readonly offset_min: number;
  readonly languages: readonly string[];
  readonly currency: string;
  readonly phone: string;
  readonly post_code: string;
  /** Streets and places of which station names are made, and what joins them. */
  readonly streets: readonly Word[];
  readonly places: readonly Word[];
  readonly joiner: string;
};

export type Credential =
  | { readonly kind: "headers"; readonly headers: Record<string, string> }
  | { readonly kind: "query"; readonly name: string; readonly value: string }
  | { readonly kind: "basic"; readonly username: string; readonly password: string }
  | {
      readonly kind: "oauth2";
      readonly token_url: string;
      readonly client_id: string;
      readonly client_secret: string;
    };

export type VehicleType = {
  readonly id: string;
  readonly mode: Mode;
  readonly form_factor: string;
  readonly propulsion: string;
  readonly max_range_m: number | null;
  readonly names: Text;
  readonly return_constraint: string;
  readonly accessories: readonly string[];
  readonly make: string;
  readonly model: string;
  readonly wheels: number;
  readonly riders: number;
  readonly max_speed_kph: number | null;
};

/**
 * Ways in which an operator's stations get their vehicles: `pool` counts them (classic docks),
 * `fleet` holds the very vehicles of the operator's list, `bays` are painted zones that rent
 * nothing themselves.
 */
export type StationPlan = {
  readonly count: number;
  readonly model: "pool" | "fleet" | "bays";
  readonly virtual_share: number;
  readonly charging_share: number;
  /** What the operator says of free docks it does not count. */
  readonly uncounted_docks?: "null";
  /** No dock is ever closed, silent or away. */
  readonly always_open?: true;
};

export type FleetPlan = {
  readonly count: number;
  readonly docked_share: number;
  /** Each vehicle belongs to one station. */
  readonly roundtrip?: boolean;
};

export type GbfsVersion = "1.0" | "2.3" | "3.0";

export type Operator = {
  readonly id: string;
  readonly city: City;
  readonly name: Text;
  readonly company: string;
  /** The first is what the published address answers with; the rest are in gbfs_versions. */
  readonly versions: readonly [GbfsVersion, ...GbfsVersion[]];
  readonly types: readonly VehicleType[];
  readonly reserve_min: number | null;
  readonly reach_m: number;
  readonly stations: StationPlan | null;
  readonly fleet: FleetPlan | null;
  readonly ids: "numbers" | "codes" | "uuids";
  readonly licence: "CC-BY-4.0" | "ODbL-1.0" | "CC0-1.0";
  readonly auth: Credential["kind"] | null;
  readonly alerts: boolean;
  readonly zones: boolean;
  /** No other source lists its stations. */
  readonly gbfs_only?: true;
  /** Id of the operator that took over its docks; its own feeds are still published. */
  readonly successor?: string;
  /** Id of the operator some of whose vehicles an aggregator publishes once more, as this system. */
  readonly copies?: string;
  /** The number that represents (seed, city, operator) in every hash. */
  readonly key: number;
};

/** A station as it was built: it does not change with time. */
export type Place = Point & {
  readonly operator: Operator;
  readonly index: number;
  readonly id: string;
  /** The id before the operator renumbered; null: it never did, or does not say. */
  readonly legacy_id: string | null;
  /** The index of the dock it shares a corner with; null: it is alone. */
  readonly twin: number | null;
  readonly name: Text;
  readonly address: string;
  readonly post_code: string;
  readonly capacity: number;
  readonly virtual: boolean;
  readonly charging: boolean;
  readonly docks_counted: boolean;
  readonly condition: Condition;
};

export type Condition =
  | "open"
  | "not_installed"
  | "not_renting"
  | "not_returning"
  | "closed"
  | "silent"
  | "often_empty"
  | "often_full"
  /** Listed by the operator that was replaced. */
  | "retired";

export type StationThing = {
  readonly kind: "station";
  readonly place: Place;
  readonly available: number;
  readonly disabled: number;
  /** Free docks; null where they are not counted. */
  readonly docks: number | null;
  readonly docks_disabled: number;
  readonly by_type: readonly { readonly type: VehicleType; readonly count: number }[];
  readonly is_installed: boolean;
  readonly is_renting: boolean;
  readonly is_returning: boolean;
  readonly last_reported_s: number;
};

export type VehicleThing = Point & {
  readonly kind: "vehicle";
  readonly operator: Operator;
  readonly index: number;
  /** Rotates with every trip. */
  readonly id: string;
  readonly type: VehicleType;
  readonly docked_at: Place | null;
  readonly is_reserved: boolean;
  readonly is_disabled: boolean;
  readonly charge: number;
  readonly last_reported_s: number;
  readonly available_until_s: number | null;
};

export type Thing = StationThing | VehicleThing;

/** All things of one operator in one minute. */
export type Scene = {
  readonly minute: number;
  readonly stations: readonly StationThing[];
  readonly vehicles: readonly VehicleThing[];
};
