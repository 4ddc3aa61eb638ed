/**
 * Every metric behind /metrics: one prefix, base units (Prometheus naming), and no label from
 * request data. A label's values are listed, or they are of the deployment: route templates and
 * providers, a few dozen that are fixed when the service has started.
 */
import { ERROR_FREE } from "./metric-labels.ts";

/** As of `storage/health.ts`. */
const STORE_NAMES = ["folder", "postgresql", "valkey"] as const;
const STORE_REASONS = ["unreachable", "late", "refused", "read_only", "full", "broken"] as const;

export type MetricRow = {
  type: "counter" | "gauge" | "histogram";
  help: string;
  labels: Readonly<Record<string, readonly string[] | "deployment">>;
};

const PROVIDER = { provider: "deployment" } as const;
const QUANTILE = { quantile: ["0.5", "0.9", "0.99", "1"] } as const;
const PRIORITY = ["keyed", "anonymous"] as const;
export const OUTCOMES = ["ok", "timeout", "error", "unauthorized", "unavailable"] as const;
const METHODS = ["GET", "POST", "OPTIONS", "_OTHER"] as const;

export const METRICS = {
  svc_build_info: {
    type: "gauge",
    help: "1; the labels say which build runs, on which configuration, and how its stores are laid out.",
    labels: {
      version: "deployment",
      commit: "deployment",
      config: "deployment",
      plans: "deployment",
      schema: "deployment",
    },
  },
  svc_config_unapplied: {
    type: "gauge",
    help: "What the configuration file has and is not served by: members that wait for a restart; 1: the file is not valid.",
    labels: { reason: ["restart", "invalid"] },
  },
  svc_replicas_differ: {
    type: "gauge",
    help: "Other replicas that differ from this one, by what differs; absent: this one is alone.",
    labels: { what: ["version", "config", "plans", "bases", "timetables"] },
  },
  svc_unknown_plans: {
    type: "gauge",
    help: "Plans of accounts that the configuration lacks; absent: the accounts could not be read yet.",
    labels: {},
  },
  svc_http_request_duration_seconds: {
    type: "histogram",
    help: "Time from routing a request until its response is handed to the socket; refusals under the route any.",
    labels: { route: "deployment", method: METHODS, status: [...ERROR_FREE, "4xx", "5xx"] },
  },
  svc_http_requests_total: {
    type: "counter",
    help: "Requests answered, by exact status.",
    labels: { route: "deployment", method: METHODS, status: "deployment" },
  },
  svc_http_inflight: {
    type: "gauge",
    help: "Requests being answered; anonymous: those without a key that is known to be good.",
    labels: { class: PRIORITY },
  },
  svc_http_connections: {
    type: "gauge",
    help: "Open connections of the public listener.",
    labels: {},
  },
  svc_http_connections_ended_total: {
    type: "counter",
    help: "Connections refused or ended: too many of an address, too much pipelined, an answer not read.",
    labels: { reason: ["address", "pipeline", "write_timeout", "displaced"] },
  },
  svc_shed_total: {
    type: "counter",
    help: "Requests refused because the service is busy.",
    labels: { class: PRIORITY, reason: ["delay", "inflight"] },
  },
  svc_ratelimit_total: {
    type: "counter",
    help: "Decisions about rates and quotas; unenforced: it would have been refused.",
    labels: {
      policy: ["burst", "quota", "bad_keys"],
      decision: ["admitted", "refused", "unenforced"],
    },
  },
  svc_provider_request_duration_seconds: {
    type: "histogram",
    help: "Calls to providers that are asked per question.",
    labels: { ...PROVIDER, outcome: OUTCOMES },
  },
  svc_provider_breaker_state: {
    type: "gauge",
    help: "0 closed, 1 due for a probe, 2 open; the worst of the operations of a provider.",
    labels: PROVIDER,
  },
  svc_provider_retries_total: {
    type: "counter",
    help: "Second attempts at a provider.",
    labels: PROVIDER,
  },
  svc_provider_spend_units_total: {
    type: "counter",
    help: "Calls that count against a provider's daily allowance, retries included.",
    labels: PROVIDER,
  },
  svc_cache_requests_total: {
    type: "counter",
    help: "Questions to caches of what sources answered; stale: shown while it is renewed.",
    labels: {
      tier: ["lookup", "tiles", "shared"],
      outcome: ["hit", "stale", "partial", "miss", "unreachable"],
    },
  },
  svc_singleflight_waiters: {
    type: "gauge",
    help: "Questions that wait for a call to a provider, their own or another's.",
    labels: {},
  },
  svc_feed_age_seconds: {
    type: "gauge",
    help: "Age of the live feeds, quantiles over the feeds that are not idle.",
    labels: QUANTILE,
  },
  svc_feeds: {
    type: "gauge",
    help: "Configured feeds, by state.",
    labels: { state: [...OUTCOMES, "idle", "not_surveyed"] },
  },
  svc_imports_unusable: {
    type: "gauge",
    help: "Imported timetables and bases that answer nothing until they are imported again, by the reason.",
    labels: {
      kind: ["timetable", "base"],
      reason: ["earlier_version", "later_version", "damaged", "ended"],
    },
  },
  svc_catalogue_up: {
    type: "gauge",
    help: "1: the last attempt to read the catalogue succeeded.",
    labels: { catalogue: "deployment" },
  },
  svc_catalogue_age_seconds: {
    type: "gauge",
    help: "Since the catalogue in use was last what its source has; absent: none is in use.",
    labels: { catalogue: "deployment" },
  },
  svc_feed_ingest_total: {
    type: "counter",
    help: "Feeds read, by outcome.",
    labels: { outcome: OUTCOMES },
  },
  svc_feed_work_seconds: {
    type: "histogram",
    help: "What a feed did in one go on the thread that serves requests; its budget is 0.05.",
    labels: { piece: ["parse", "publish"] },
  },
  svc_feed_leases_total: {
    type: "counter",
    help: "Leases asked for before a feed is read, in a fleet.",
    labels: { outcome: ["won", "held", "lost", "unreachable"] },
  },
  svc_feed_snapshots_total: {
    type: "counter",
    help: "Snapshots of feeds exchanged between replicas.",
    labels: { outcome: ["published", "adopted", "refused"] },
  },
  svc_mcp_watched: {
    type: "gauge",
    help: "Streams of /mcp that wait for changes, and the stations that they watch.",
    labels: { what: ["streams", "stations"] },
  },
  svc_usage_events_total: {
    type: "counter",
    help: "Metered replies: taken; then written to the journal (durable), or refused because it took none.",
    labels: { state: ["taken", "durable", "refused"] },
  },
  svc_usage_spool_depth: {
    type: "gauge",
    help: "Usage events in the journal that the ledger does not have yet.",
    labels: {},
  },
  svc_usage_oldest_seconds: {
    type: "gauge",
    help: "Age of the oldest usage event that the ledger does not have yet; 0: it has all.",
    labels: {},
  },
  svc_usage_spool_bytes: {
    type: "gauge",
    help: "Bytes of the journal that wait for the ledger, and those that it can still take.",
    labels: { state: ["used", "free"] },
  },
  svc_shared_up: {
    type: "gauge",
    help: "1: the last writes to the shared store (VICINITY_SHARED_URL) succeeded; absent: none is configured.",
    labels: {},
  },
  svc_store_up: {
    type: "gauge",
    help: "1: the last writes to the store of accounts and usage succeeded, in PostgreSQL (VICINITY_STORE_URL) or the data folder.",
    labels: {},
  },
  svc_store_failing: {
    type: "gauge",
    help: "1: writes to this store fail, for this reason.",
    labels: { store: STORE_NAMES, reason: STORE_REASONS },
  },
  svc_store_refused_total: {
    type: "counter",
    help: "Requests refused with 503 since a store is lost: keys cannot be looked up, units are not known, the journal takes no usage.",
    labels: { store: ["keys", "units", "journal"] },
  },
  svc_data_free_bytes: {
    type: "gauge",
    help: "Free space on the volume of the data folder.",
    labels: {},
  },
  svc_data_floor_bytes: {
    type: "gauge",
    help: "Free space below which no dataset is stored.",
    labels: {},
  },
  svc_clock_ahead_seconds: {
    type: "gauge",
    help: "How far the time of the service is ahead of the system clock, after that was set back.",
    labels: {},
  },
  svc_store_files_lost: {
    type: "gauge",
    help: "Open files of the data folder that their names do not lead to any more.",
    labels: {},
  },
  svc_shared_fallbacks_total: {
    type: "counter",
    help: "What was decided alone since the shared store did not answer.",
    labels: { use: ["limits", "cache", "locks", "feeds"] },
  },
  svc_defects_total: {
    type: "counter",
    help: "Exceptions of our own code that cost one outcome or one task; each is in the log with its stack.",
    labels: {},
  },
  svc_eventloop_delay_seconds: {
    type: "gauge",
    help: "Delay of the event loop since the last scrape.",
    labels: QUANTILE,
  },
  svc_draining: {
    type: "gauge",
    help: "1: on its way out, and not ready any more.",
    labels: {},
  },
  process_cpu_seconds_total: {
    type: "counter",
    help: "User and system time of the process.",
    labels: {},
  },
  process_resident_memory_bytes: {
    type: "gauge",
    help: "Memory of the process that is in RAM.",
    labels: {},
  },
  process_heap_bytes: {
    type: "gauge",
    help: "Heap of the main thread.",
    labels: { state: ["used", "reserved"] },
  },
  process_open_fds: {
    type: "gauge",
    help: "Open descriptors; absent where the system does not report them.",
    labels: {},
  },
  process_max_fds: {
    type: "gauge",
    help: "Descriptors that the process may have; absent where the system does not report it.",
    labels: {},
  },
  process_start_time_seconds: {
    type: "gauge",
    help: "When the process started, epoch seconds.",
    labels: {},
  },
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof METRICS;
