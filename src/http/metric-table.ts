/**
 * Every metric behind /metrics: one prefix, base units (Prometheus naming), and no label from
 * request data. A label's values are listed, or they are of the deployment: route templates and
 * providers, a few dozen that are fixed when the service has started.
 */
import { BYE_REASONS } from "#api/live.ts";

/** As of `storage/store-health.ts`. */
const STORE_NAMES = ["folder", "postgresql", "valkey"] as const;
const STORE_REASONS = ["unreachable", "late", "refused", "read_only", "full", "broken"] as const;

export type MetricRow = {
  type: "counter" | "gauge" | "histogram";
  help: string;
  labels: Values;
  /** Of a histogram. */
  bounds?: readonly number[];
};
type Values = Readonly<Record<string, readonly string[] | "deployment">>;

function counter<const L extends Values = {}>(help: string, labels: L = {} as L) {
  return { type: "counter", help, labels } as const;
}

function gauge<const L extends Values = {}>(help: string, labels: L = {} as L) {
  return { type: "gauge", help, labels } as const;
}

function histogram<const L extends Values>(help: string, bounds: readonly number[], labels: L) {
  return { type: "histogram", help, labels, bounds } as const;
}

const PROVIDER = { provider: "deployment" } as const;
const QUANTILE = { quantile: ["0.5", "0.9", "0.99", "1"] } as const;
const PRIORITY = ["keyed", "anonymous"] as const;
export const OUTCOMES = ["ok", "timeout", "error", "unauthorized", "unavailable"] as const;
/** Statuses of answers, each by itself; a refusal counts by its class. */
const ERROR_FREE = ["200", "202", "204", "304"] as const;
const STREAM_ROUTES = ["/mcp", "/v1/nearby/stream"] as const;
const METHODS = ["GET", "POST", "OPTIONS", "_OTHER"] as const;

/** Bounds of the OpenTelemetry HTTP conventions, seconds. */
const DURATION_BOUNDS = [
  ...[0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
] as const;
const WORK_BOUNDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1] as const;
const PROVIDER_BOUNDS = [0.05, 0.25, 1, 2.5, 5] as const;

export const METRICS = {
  svc_http_request_duration_seconds: histogram(
    "Time from routing a request until its response is handed to the socket; refusals under the route any.",
    DURATION_BOUNDS,
    { route: "deployment", method: METHODS, status: [...ERROR_FREE, "4xx", "5xx"] },
  ),
  svc_http_requests_total: counter("Requests answered, by exact status.", {
    route: "deployment",
    method: METHODS,
    status: "deployment",
  }),
  svc_build_info: gauge(
    "1; the labels say which build runs, on which configuration, and how its stores are laid out.",
    {
      version: "deployment",
      commit: "deployment",
      config: "deployment",
      plans: "deployment",
      schema: "deployment",
    },
  ),
  svc_config_unapplied: gauge(
    "What the configuration file has and is not served by: members that wait for a restart; 1: the file is not valid.",
    { reason: ["restart", "invalid"] },
  ),
  svc_replicas_differ: gauge(
    "Other replicas that differ from this one, by what differs; absent: this one is alone.",
    { what: ["version", "config", "plans", "bases", "timetables"] },
  ),
  svc_unknown_plans: gauge(
    "Plans of accounts that the configuration lacks; absent: the accounts could not be read yet.",
  ),
  svc_http_inflight: gauge(
    "Requests being answered; anonymous: those without a key that is known to be good.",
    { class: PRIORITY },
  ),
  svc_http_connections: gauge("Open connections of the public listener."),
  svc_http_connections_ended_total: counter(
    "Connections refused or ended: too many of an address, too much pipelined, an answer not read.",
    { reason: ["address", "pipeline", "write_timeout", "displaced"] },
  ),
  svc_shed_total: counter("Requests refused because the service is busy.", {
    class: PRIORITY,
    reason: ["delay", "inflight"],
  }),
  svc_ratelimit_total: counter(
    "Decisions about rates and quotas; unenforced: it would have been refused.",
    {
      policy: ["burst", "quota", "bad_keys"],
      decision: ["admitted", "refused", "unenforced"],
    },
  ),
  svc_provider_breaker_state: gauge(
    "0 closed, 1 due for a probe, 2 open; the worst of the operations of a provider.",
    PROVIDER,
  ),
  svc_provider_retries_total: counter("Second attempts at a provider.", PROVIDER),
  svc_provider_spend_units_total: counter(
    "Calls that count against a provider's daily allowance, retries included.",
    PROVIDER,
  ),
  svc_cache_requests_total: counter(
    "Questions to caches of what sources answered; stale: shown while it is renewed.",
    {
      tier: ["lookup", "tiles", "shared"],
      outcome: ["hit", "stale", "partial", "miss", "unreachable"],
    },
  ),
  svc_singleflight_waiters: gauge(
    "Questions that wait for a call to a provider, their own or another's.",
  ),
  svc_feed_age_seconds: gauge(
    "Age of the live feeds, quantiles over the feeds that are not idle.",
    QUANTILE,
  ),
  svc_feeds: gauge("Configured feeds, by state.", { state: [...OUTCOMES, "idle", "not_surveyed"] }),
  svc_imports_unusable: gauge(
    "Imported timetables and bases that answer nothing until they are imported again, by the reason.",
    {
      kind: ["timetable", "base"],
      reason: ["earlier_version", "later_version", "damaged", "ended"],
    },
  ),
  svc_base_pages_bytes: gauge(
    "Bytes of pages of bases: in memory, the part that is pinned or being read, and the bound.",
    { state: ["memory", "pinned", "bound"] },
  ),
  svc_base_pages: gauge("Pages of bases in memory, and those that cannot be read.", {
    state: ["memory", "failed"],
  }),
  svc_base_page_requests_total: counter(
    "Pages of bases that were wanted: there already, or read.",
    { outcome: ["hit", "read"] },
  ),
  svc_base_page_evictions_total: counter("Pages of bases that went from memory for others."),
  svc_base_page_waits_total: counter("Questions that waited for memory for pages of bases."),
  svc_catalogue_up: gauge("1: the last attempt to read the catalogue succeeded.", {
    catalogue: "deployment",
  }),
  svc_catalogue_age_seconds: gauge(
    "Since the catalogue in use was last what its source has; absent: none is in use.",
    { catalogue: "deployment" },
  ),
  svc_feed_ingest_total: counter("Feeds read, by outcome.", { outcome: OUTCOMES }),
  svc_feed_leases_total: counter("Leases asked for before a feed is read, in a fleet.", {
    outcome: ["won", "held", "lost", "unreachable"],
  }),
  svc_feed_snapshots_total: counter("Snapshots of feeds exchanged between replicas.", {
    outcome: ["published", "adopted", "refused"],
  }),
  svc_mcp_watched: gauge(
    "Streams of /mcp that wait for changes, and the stations that they watch.",
    { what: ["streams", "stations"] },
  ),
  svc_place_history: gauge("Stations, chargers and car parks whose counts of 24 hours are kept.", {
    what: ["series", "bytes"],
  }),
  svc_streams_shared: gauge("Streams of the live map, and what is kept in memory for them.", {
    what: ["subscribers", "scopes", "systems", "rows", "journal_bytes"],
  }),
  svc_stream_work_total: counter(
    "Events of the live map that were sent; moments at which something changed; changes forgotten before their minute was over.",
    { what: ["events", "generations", "journal_cuts"] },
  ),
  svc_streams: gauge("Streams of events that go on, by route.", { route: STREAM_ROUTES }),
  svc_stream_bytes_total: counter("Bytes of the events that were written to streams.", {
    route: STREAM_ROUTES,
  }),
  svc_stream_ends_total: counter(
    "Streams that ended; done: by the service, without a reason of its own, left: by the caller or its connection.",
    { route: STREAM_ROUTES, reason: [...BYE_REASONS, "done", "left"] },
  ),
  svc_usage_events_total: counter(
    "Metered replies: taken; then written to the journal (durable), or refused because it took none.",
    { state: ["taken", "durable", "refused"] },
  ),
  svc_usage_spool_depth: gauge("Usage events in the journal that the ledger does not have yet."),
  svc_usage_oldest_seconds: gauge(
    "Age of the oldest usage event that the ledger does not have yet; 0: it has all.",
  ),
  svc_usage_spool_bytes: gauge(
    "Bytes of the journal that wait for the ledger, and those that it can still take.",
    { state: ["used", "free"] },
  ),
  svc_shared_up: gauge(
    "1: the last writes to the shared store (VICINITY_SHARED_URL) succeeded; absent: none is configured.",
  ),
  svc_store_up: gauge(
    "1: the last writes to the store of accounts and usage succeeded, in PostgreSQL (VICINITY_STORE_URL) or the data folder.",
  ),
  svc_store_failing: gauge("1: writes to this store fail, for this reason.", {
    store: STORE_NAMES,
    reason: STORE_REASONS,
  }),
  svc_store_refused_total: counter(
    "Requests refused with 503 since a store is lost: keys cannot be looked up, units are not known, the journal takes no usage.",
    { store: ["keys", "units", "journal"] },
  ),
  svc_data_free_bytes: gauge("Free space on the volume of the data folder."),
  svc_data_floor_bytes: gauge("Free space below which no dataset is stored."),
  svc_clock_ahead_seconds: gauge(
    "How far the time of the service is ahead of the system clock, after that was set back.",
  ),
  svc_store_files_lost: gauge(
    "Open files of the data folder that their names do not lead to any more.",
  ),
  svc_shared_fallbacks_total: counter(
    "What was decided alone since the shared store did not answer.",
    { use: ["limits", "cache", "locks", "feeds"] },
  ),
  svc_defects_total: counter(
    "Exceptions of our own code that cost one outcome or one task; each is in the log with its stack.",
  ),
  svc_eventloop_delay_seconds: gauge("Delay of the event loop since the last scrape.", QUANTILE),
  svc_workers: gauge("Threads that serve; absent where the process has one."),
  svc_workers_ended_total: counter("Threads that have died while they served, and were replaced."),
  svc_draining: gauge("1: on its way out, and not ready any more."),
  process_cpu_seconds_total: counter("User and system time of the process."),
  process_resident_memory_bytes: gauge("Memory of the process that is in RAM."),
  process_heap_bytes: gauge("Heap of the main thread.", { state: ["used", "reserved"] }),
  process_open_fds: gauge("Open descriptors; absent where the system does not report them."),
  process_max_fds: gauge(
    "Descriptors that the process may have; absent where the system does not report it.",
  ),
  process_start_time_seconds: gauge("When the process started, epoch seconds."),
  svc_feed_work_seconds: histogram(
    "What a feed did in one go on the thread that serves requests; its budget is 0.05.",
    WORK_BOUNDS,
    { piece: ["parse", "publish"] },
  ),
  svc_provider_request_duration_seconds: histogram(
    "Calls to providers that are asked per question.",
    PROVIDER_BOUNDS,
    { ...PROVIDER, outcome: OUTCOMES },
  ),
} satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof METRICS;
