/** deploy/grafana/vicinity.json: a dashboard as a table of rows, panels and expressions. */

type Panel = {
  title: string;
  unit: "reqps" | "s" | "short" | "percentunit" | "bytes" | "ops";
  /** Legend → expression. */
  expressions: Readonly<Record<string, string>>;
};

const REQUESTS = "svc_http_requests_total";
const DURATION = "svc_http_request_duration_seconds";
const PROVIDER = "svc_provider_request_duration_seconds";
const SOME = '{instance=~"$instance"}';

/** A rate by labels, of the chosen replicas. */
function rate(metric: string, by: string, more = ""): string {
  return `sum by (${by}) (rate(${metric}{instance=~"$instance"${more}}[$__rate_interval]))`;
}

function quantile(of: number, metric: string, by: string, more = ""): string {
  return `histogram_quantile(${of}, ${rate(`${metric}_bucket`, by === "" ? "le" : `le, ${by}`, more)})`;
}

const ROWS: Readonly<Record<string, readonly Panel[]>> = {
  "Traffic and latency": [
    panel("Requests by route", "reqps", { "{{route}}": rate(REQUESTS, "route") }),
    panel("Duration of answers, p50 and p99", "s", {
      p50: quantile(0.5, DURATION, "", ',status="200"'),
      p99: quantile(0.99, DURATION, "", ',status="200"'),
    }),
    panel("p99 by route", "s", { "{{route}}": quantile(0.99, DURATION, "route", ',status="200"') }),
    panel("Being answered", "short", { "{{class}}": `sum by (class) (svc_http_inflight${SOME})` }),
  ],
  "Errors and shedding": [
    panel("Replies by status", "reqps", { "{{status}}": rate(REQUESTS, "status") }),
    panel("Share of 5xx", "percentunit", {
      "5xx": `${rate(REQUESTS, "job", ',status=~"5.."')} / ${rate(REQUESTS, "job")}`,
    }),
    panel("Refused: too busy", "reqps", {
      "{{class}} {{reason}}": rate("svc_shed_total", "class, reason"),
    }),
  ],
  Sources: [
    panel("Calls by provider and outcome", "ops", {
      "{{provider}} {{outcome}}": rate(`${PROVIDER}_count`, "provider, outcome"),
    }),
    panel("p90 by provider", "s", { "{{provider}}": quantile(0.9, PROVIDER, "provider") }),
    panel("Breakers: 0 closed, 1 probing, 2 open", "short", {
      "{{provider}}": `max by (provider) (svc_provider_breaker_state${SOME})`,
    }),
    panel("Retries", "ops", { "{{provider}}": rate("svc_provider_retries_total", "provider") }),
    panel("Spent of daily allowances", "ops", {
      "{{provider}}": rate("svc_provider_spend_units_total", "provider"),
    }),
  ],
  Feeds: [
    panel("Age of live feeds", "s", {
      "p{{quantile}}": `max by (quantile) (svc_feed_age_seconds${SOME})`,
    }),
    panel("Readings by outcome", "ops", {
      "{{outcome}}": rate("svc_feed_ingest_total", "outcome"),
    }),
    panel("Longest work in one go, p99", "s", {
      "{{piece}}": quantile(0.99, "svc_feed_work_seconds", "piece"),
    }),
    panel("Age of catalogues", "s", {
      "{{catalogue}}": `max by (catalogue) (svc_catalogue_age_seconds${SOME})`,
    }),
    panel("Imports of no use", "short", {
      "{{kind}} {{reason}}": `max by (kind, reason) (svc_imports_unusable${SOME}) > 0`,
    }),
    panel("Feeds by state", "short", { "{{state}}": `max by (state) (svc_feeds${SOME})` }),
  ],
  Caches: [
    panel("Share of hits, stale ones included", "percentunit", {
      "{{tier}}": `${rate("svc_cache_requests_total", "tier", ',outcome=~"hit|stale"')} / ${rate("svc_cache_requests_total", "tier")}`,
    }),
    panel("Questions to caches", "ops", {
      "{{tier}} {{outcome}}": rate("svc_cache_requests_total", "tier, outcome"),
    }),
    panel("Pages of bases in memory", "bytes", {
      "{{instance}} {{state}}": `svc_base_pages_bytes${SOME}`,
    }),
    panel("Pages of bases: wanted, evicted, waited for", "ops", {
      "{{outcome}}": rate("svc_base_page_requests_total", "outcome"),
      evicted: rate("svc_base_page_evictions_total", "instance"),
      waits: rate("svc_base_page_waits_total", "instance"),
    }),
    panel("Pages of bases, and those that cannot be read", "short", {
      "{{instance}} {{state}}": `svc_base_pages${SOME}`,
    }),
    panel("Waiting for a call in the air", "short", {
      "{{instance}}": `svc_singleflight_waiters${SOME}`,
    }),
  ],
  "Limits and usage": [
    panel("Decisions", "reqps", {
      "{{policy}} {{decision}}": rate("svc_ratelimit_total", "policy, decision"),
    }),
    panel("Usage events", "ops", { "{{state}}": rate("svc_usage_events_total", "state") }),
    panel("Usage on its way", "short", { "{{instance}}": `svc_usage_spool_depth${SOME}` }),
    panel("Oldest usage on its way", "s", { "{{instance}}": `svc_usage_oldest_seconds${SOME}` }),
    panel("Journal", "bytes", { "{{instance}} {{state}}": `svc_usage_spool_bytes${SOME}` }),
  ],
  Fleet: [
    panel("Stores: 1 takes writes", "short", {
      "shared {{instance}}": `svc_shared_up${SOME}`,
      "accounts {{instance}}": `svc_store_up${SOME}`,
    }),
    panel("Why writes to a store fail", "short", {
      "{{instance}} {{store}} {{reason}}": `svc_store_failing${SOME} == 1`,
    }),
    panel("Refused since a store is lost", "ops", {
      "{{store}}": rate("svc_store_refused_total", "store"),
    }),
    panel("Builds and configurations", "short", {
      "{{version}} {{commit}} config {{config}}": `count by (version, commit, config) (svc_build_info${SOME})`,
    }),
    panel("Replicas that differ", "short", {
      "{{what}}": `max by (what) (svc_replicas_differ${SOME})`,
    }),
    panel("Plans that are not configured", "short", {
      "{{instance}}": `svc_unknown_plans${SOME}`,
    }),
    panel("Configuration that is not served by", "short", {
      "{{instance}} {{reason}}": `svc_config_unapplied${SOME}`,
    }),
    panel("Files of the store without a name", "short", {
      "{{instance}}": `svc_store_files_lost${SOME}`,
    }),
    panel("Decided alone", "ops", { "{{use}}": rate("svc_shared_fallbacks_total", "use") }),
    panel("Leases of feeds", "ops", { "{{outcome}}": rate("svc_feed_leases_total", "outcome") }),
    panel("Snapshots exchanged", "ops", {
      "{{outcome}}": rate("svc_feed_snapshots_total", "outcome"),
    }),
    panel("Replicas, and those on their way out", "short", {
      up: `count(svc_build_info${SOME})`,
      draining: `sum(svc_draining${SOME})`,
    }),
  ],
  Process: [
    panel("Delay of the event loop, p99", "s", {
      "{{instance}}": 'svc_eventloop_delay_seconds{instance=~"$instance",quantile="0.99"}',
    }),
    panel("Processor", "short", { "{{instance}}": rate("process_cpu_seconds_total", "instance") }),
    panel("Memory", "bytes", {
      "resident {{instance}}": `process_resident_memory_bytes${SOME}`,
      "heap {{instance}}": 'process_heap_bytes{instance=~"$instance",state="used"}',
    }),
    panel("Open connections", "short", { "{{instance}}": `svc_http_connections${SOME}` }),
    panel("Connections refused or ended", "ops", {
      "{{reason}}": rate("svc_http_connections_ended_total", "reason"),
    }),
    panel("Watched over /mcp", "short", {
      "{{what}} {{instance}}": `svc_mcp_watched${SOME}`,
    }),
    panel("Streams of events", "short", { "{{route}} {{instance}}": `svc_streams${SOME}` }),
    panel("Bytes of streams, a second", "bytes", {
      "{{route}}": rate("svc_stream_bytes_total", "route"),
    }),
    panel("Shared by streams of the live map", "short", {
      "{{what}} {{instance}}": `svc_streams_shared${SOME}`,
    }),
    panel("Counts of 24 hours that are kept", "short", {
      "{{what}} {{instance}}": `svc_place_history${SOME}`,
    }),
    panel("Work for streams of the live map", "ops", {
      "{{what}}": rate("svc_stream_work_total", "what"),
    }),
    panel("Streams that ended", "ops", { "{{reason}}": rate("svc_stream_ends_total", "reason") }),
    panel("Threads that serve, and that died", "short", {
      "serving {{instance}}": `svc_workers${SOME}`,
      "died {{instance}}": `svc_workers_ended_total${SOME}`,
    }),
    panel("Defects", "ops", { "{{instance}}": rate("svc_defects_total", "instance") }),
    panel("Descriptors", "short", {
      "{{instance}}": `process_open_fds${SOME}`,
      "{{instance}} at most": `process_max_fds${SOME}`,
    }),
    panel("Free on the volume of the data folder", "bytes", {
      "{{instance}}": `svc_data_free_bytes${SOME}`,
      "{{instance}} floor": `svc_data_floor_bytes${SOME}`,
    }),
    panel("Ahead of the clock", "s", { "{{instance}}": `svc_clock_ahead_seconds${SOME}` }),
    panel("Up for", "s", { "{{instance}}": `time() - process_start_time_seconds${SOME}` }),
  ],
};

function panel(
  title: string,
  unit: Panel["unit"],
  expressions: Readonly<Record<string, string>>,
): Panel {
  return { title, unit, expressions };
}

const SOURCE = { type: "prometheus", uid: "${source}" };
const WIDTH = 8;
const HEIGHT = 8;
const COLUMNS = 24;

export function dashboard(): string {
  let y = 0;
  let id = 0;
  const panels = Object.entries(ROWS).flatMap(([title, row]) => {
    const head = { id: ++id, type: "row", title, collapsed: false, panels: [] };
    const top = y++;
    const placed = row.map((each, index) => {
      const at = {
        x: (index * WIDTH) % COLUMNS,
        y: y + Math.floor((index * WIDTH) / COLUMNS) * HEIGHT,
      };
      return toPanel(each, { id: ++id, gridPos: { ...at, w: WIDTH, h: HEIGHT } });
    });
    y += Math.ceil((row.length * WIDTH) / COLUMNS) * HEIGHT;
    return [{ ...head, gridPos: { x: 0, y: top, w: COLUMNS, h: 1 } }, ...placed];
  });
  const board = {
    title: "Vicinity",
    uid: "vicinity",
    tags: ["vicinity"],
    schemaVersion: 39,
    version: 1,
    time: { from: "now-3h", to: "now" },
    refresh: "30s",
    editable: true,
    timezone: "utc",
    templating: { list: VARIABLES },
    panels,
  };
  return `${JSON.stringify(board, null, 2)}\n`;
}

const VARIABLES = [
  { name: "source", label: "Prometheus", type: "datasource", query: "prometheus" },
  {
    name: "instance",
    label: "Replica",
    type: "query",
    datasource: SOURCE,
    refresh: 2,
    query: "label_values(svc_http_inflight, instance)",
    multi: true,
    includeAll: true,
    allValue: ".*",
    current: { text: "All", value: "$__all" },
  },
];

function toPanel({ title, unit, expressions }: Panel, placed: object): object {
  const targets = Object.entries(expressions).map(([legendFormat, expr], index) => ({
    refId: String.fromCodePoint(65 + index),
    datasource: SOURCE,
    expr,
    legendFormat,
  }));
  return {
    ...placed,
    type: "timeseries",
    title,
    datasource: SOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi" } },
    targets,
  };
}
