/**
 * What the fault matrix of places is made of: deployments, the providers that fail in each, and the
 * questions that are asked. Every provider has cities of its own, so that what one cell leaves in a
 * cache answers no other.
 */
import type { Sandbox } from "../../../sandbox/main.ts";

export const FAULTS = {
  timeout: { fault: "timeout" },
  /** In time, only later than usual. */
  slow: { fault: "slow", delay_ms: 1000 },
  /** Later than any deadline. */
  late: { fault: "slow" },
  http_500: { fault: "http_500" },
  http_429: { fault: "http_429" },
  http_401: { fault: "http_401" },
  garbage: { fault: "garbage" },
  truncated: { fault: "truncated" },
  empty: { fault: "empty" },
  huge: { fault: "huge" },
  reset: { fault: "reset" },
} as const;
export type FaultName = keyof typeof FAULTS;
export const WAITING: readonly FaultName[] = ["timeout", "slow", "late"];
/** Registers come in many documents, one after the other. */
export const REGISTRY_SLOW = { fault: "slow", delay_ms: 100 };

export const OPERATIONS = {
  geocode: "/v1/geocode",
  "place-search": "/v1/place-search",
  "reverse-geocode": "/v1/reverse-geocode",
  services: "/v1/services/nearby",
  parking: "/v1/parking/nearby",
  charging: "/v1/charging/nearby",
  nearby: "/v1/nearby",
} as const;
export type OperationName = keyof typeof OPERATIONS;

export const GEOCODING: ReadonlySet<OperationName> = new Set([
  "geocode",
  "place-search",
  "reverse-geocode",
]);
const FINDING = ["services", "parking", "charging"] as const;

type Maps = "google_maps" | "photon" | "nominatim" | "pelias";
export type Provider =
  | Maps
  | "openstreetmap"
  | "refuge_restrooms"
  | "inpost"
  | "openchargemap"
  | "openaedmap"
  | "geodae"
  | "ocpi";

const WHOLE: ReadonlySet<Provider> = new Set(["openaedmap", "geodae", "ocpi"]);
/** Asked per question; the others are read whole, at the start and then periodically. */
export const LOOKUPS: readonly Provider[] = [
  ...(["google_maps", "photon", "nominatim", "pelias"] as const),
  ...(["openstreetmap", "refuge_restrooms", "inpost", "openchargemap"] as const),
];

/** One service: its maps provider, and the providers that fail one after the other. */
export type Lane = {
  maps: Maps;
  /** Whether its sources may take longer than a query waits. */
  patient?: boolean;
  lookups: readonly Provider[];
  registries: readonly Provider[];
  /** Those that never fail. */
  healthy: readonly Provider[];
};

export const LANES = {
  "google_maps, openaedmap": {
    maps: "google_maps",
    lookups: ["google_maps", "openstreetmap", "refuge_restrooms", "inpost"],
    registries: ["openaedmap"],
    healthy: [],
  },
  "photon, the open map": {
    maps: "photon",
    lookups: ["photon", "openstreetmap"],
    registries: [],
    healthy: ["refuge_restrooms", "inpost", "openchargemap", "geodae"],
  },
  "photon, the others": {
    maps: "photon",
    patient: true,
    lookups: ["refuge_restrooms", "inpost", "openchargemap"],
    registries: [],
    healthy: ["openstreetmap", "geodae"],
  },
  nominatim: {
    maps: "nominatim",
    patient: true,
    lookups: ["nominatim"],
    registries: [],
    healthy: ["openstreetmap"],
  },
  "pelias, geodae, ocpi": {
    maps: "pelias",
    lookups: ["pelias"],
    registries: ["geodae", "ocpi"],
    healthy: ["openstreetmap", "refuge_restrooms", "openchargemap"],
  },
} as const satisfies Record<string, Lane>;
export type LaneName = keyof typeof LANES;

/** The operations that ask the provider; all others must not notice that it fails. */
export function asks({ maps }: Lane, provider: Provider): readonly OperationName[] {
  if (provider === "google_maps") return [...GEOCODING, ...FINDING];
  if (provider === maps) return [...GEOCODING];
  if (provider === "openstreetmap") return maps === "google_maps" ? ["services"] : FINDING;
  const charging = provider === "openchargemap" || provider === "ocpi";
  return charging ? ["services", "charging"] : ["services"];
}

/** Whether the provider's terms let its answers be kept and used when it fails. */
export function isKept(provider: Provider): boolean {
  return provider !== "google_maps" && provider !== "inpost";
}

/** `unseen`: never asked before. `seen`: asked, days ago. */
export type Novelty = "unseen" | "seen";

/** Parcel lockers are where InPost is; géoDAE is of Paris alone. */
const CITIES: Readonly<Record<Provider | "seen", readonly [string, string, string]>> = {
  google_maps: ["Berlin", "New York", "San Francisco"],
  photon: ["Berlin", "New York", "San Francisco"],
  nominatim: ["Berlin", "New York", "San Francisco"],
  pelias: ["Berlin", "New York", "San Francisco"],
  openstreetmap: ["Paris", "Ciudad de México", "São Paulo"],
  refuge_restrooms: ["London", "東京", "Sydney"],
  inpost: ["Madrid", "東京", "Sydney"],
  openchargemap: ["Warszawa", "Sydney", "東京"],
  openaedmap: ["Warszawa", "London", "Madrid"],
  geodae: ["Paris", "London", "Madrid"],
  ocpi: ["Warszawa", "London", "Madrid"],
  seen: ["Cape Town", "Cape Town", "Taveuni"],
};

const TYPES = "aed,toilets,drinking_water,fountain,wifi,parking,charging,locker";
export const LIMIT = 200;

/** The address of a question; the same words for the same question. */
export function questionOf(
  sandbox: Sandbox,
  { provider, novelty, operation }: Pick<FaultQuestion, "provider" | "novelty" | "operation">,
): string {
  const [first, second, third] = CITIES[novelty === "seen" ? "seen" : provider];
  const nth = { services: first, nearby: first, parking: second, charging: third };
  const names = { ...nth, geocode: first, "place-search": second, "reverse-geocode": third };
  const { name, lat, lon } = sandbox.cities().find((city) => city.name === names[operation])!;
  const around = { lat, lon, radius: 1000, debug: true };
  const parameters = {
    geocode: { q: name },
    "place-search": { q: name, lat, lon },
    "reverse-geocode": { lat, lon },
    services: { ...around, types: TYPES, limit: LIMIT },
    parking: around,
    charging: around,
    nearby: { lat, lon, include: "places" },
  }[operation];
  const pairs = Object.entries(parameters).map(([key, value]) => [key, String(value)]);
  return `${OPERATIONS[operation]}?${new URLSearchParams(pairs).toString()}`;
}

export type FaultQuestion = {
  lane: LaneName;
  provider: Provider;
  fault: FaultName;
  operation: OperationName;
  novelty: Novelty;
};

export type Limits = {
  /** Of a request; null: as shipped. */
  deadline_ms: number | null;
  /** Of a call for a request; null: as shipped. */
  call_ms: number | null;
  /** Of a document of a register: real ones have minutes, which a test has not. */
  document_ms: number;
  /** Of the fault `late`: more than a call may take. */
  late_ms: number;
  /** Whether answers must come within the deadline, which needs a machine that does nothing else. */
  judged: boolean;
};
export const AS_SHIPPED: Limits = {
  deadline_ms: null,
  call_ms: null,
  document_ms: 1_500,
  late_ms: 4_000,
  judged: true,
};
const PATIENT_MS = 60_000;

/** Such that only the fault itself runs into a timeout, however busy the machine is. */
export function slowLimits(fault: FaultName, { patient = false }: Lane): Limits {
  const waits = fault === "timeout" || fault === "late";
  const deadline_ms = waits && patient ? 10_000 : PATIENT_MS;
  const call_ms = waits && !patient ? 8_000 : PATIENT_MS;
  const document_ms = waits ? 8_000 : PATIENT_MS;
  return { deadline_ms, call_ms, document_ms, late_ms: 15_000, judged: false };
}

function deadlinesOf(ms: number): Record<string, number> {
  return { nearby: ms, geocoding: ms, services: ms, parking: ms, charging: ms };
}

/** The countries of a register that are read: those that are asked for. */
const READ = ["FR", "DE", "PL"];

/** The configuration of a lane, every address of which is the simulator's. */
export function settingsOf(lane: Lane, limits: Limits, sandbox: Sandbox): object {
  const { maps, lookups, registries, healthy, patient = false } = lane;
  const upstreams = sandbox.upstreams();
  const { deadline_ms, call_ms, document_ms } = limits;
  const patient_ms = patient ? PATIENT_MS : null;
  const timeoutOf = (name: Provider): object => {
    if (WHOLE.has(name)) return { timeout_ms: document_ms };
    const { key, ms } =
      name === "openstreetmap"
        ? { key: "services_timeout_ms", ms: call_ms }
        : { key: "timeout_ms", ms: call_ms ?? patient_ms };
    return ms === null ? {} : { [key]: ms };
  };
  const at = (name: Provider): object => {
    const { countries, ...texts } = upstreams[name]!;
    const own = countries === undefined ? {} : { countries: READ };
    return { [name]: { ...texts, ...own, ...timeoutOf(name) } };
  };
  const google = maps === "google_maps";
  const names = new Set<Provider>([maps, ...lookups, ...registries, ...healthy]);
  return {
    egress: { allow_private: true },
    ...(deadline_ms !== null && { deadlines_ms: deadlinesOf(deadline_ms) }),
    sources: {
      gbfs: { enabled: false },
      ...Object.assign({}, ...[...names].map(at)),
      maps: google ? { adapter: "google_maps" } : { adapter: "openstreetmap", geocoder: maps },
      aed: { registry: google ? "openaedmap" : "geodae" },
    },
  };
}
