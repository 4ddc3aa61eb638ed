/**
 * One text of /metrics for several threads of one process: series of counters and histograms are added up, and
 * so are gauges that count. What is the process's own is that of the first text, and of delays, ages and
 * states the worst is shown.
 */

/** Families of which every thread says the same, or the main one alone knows. */
const OF_MAIN: ReadonlySet<string> = new Set([
  ...["process_start_time_seconds", "process_resident_memory_bytes", "process_cpu_seconds_total"],
  ...["process_open_fds", "process_max_fds", "svc_build_info", "svc_config_unapplied"],
  ...["svc_replicas_differ", "svc_unknown_plans", "svc_feeds", "svc_feed_age_seconds"],
  ...["svc_imports_unusable", "svc_catalogue_up", "svc_catalogue_age_seconds", "svc_shared_up"],
  ...["svc_data_free_bytes", "svc_data_floor_bytes", "svc_clock_ahead_seconds"],
  "svc_store_files_lost",
]);
type Join = (a: number, b: number) => number;
const JOINS: Readonly<Record<string, Join>> = {
  svc_provider_breaker_state: Math.max,
  svc_usage_oldest_seconds: Math.max,
  svc_store_failing: Math.max,
  svc_store_up: Math.min,
  svc_eventloop_delay_seconds: Math.max,
  svc_draining: Math.max,
};
const sum: Join = (a, b) => a + b;

type Family = { head: string[]; series: Map<string, number> };

/** Adds up the texts of threads; the first is that of the main one, whose families come first. */
export function sumMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  texts.forEach((text, place) => {
    for (const block of text.split("\n\n")) addBlock(families, block, place === 0);
  });
  const blocks = Array.from(families.values(), ({ head, series }) =>
    [...head, ...Array.from(series, ([name, value]) => `${name} ${toText(value)}`)].join("\n"),
  );
  return `${blocks.join("\n\n")}\n`;
}

function addBlock(families: Map<string, Family>, block: string, isFirst: boolean): void {
  const lines = block.split("\n").filter((line) => line !== "");
  const head = lines.filter((line) => line.startsWith("#"));
  const name = head[0]?.split(" ", 3)[2];
  if (name === undefined) return;
  const family = families.get(name) ?? { head, series: new Map<string, number>() };
  families.set(name, family);
  if (!isFirst && OF_MAIN.has(name)) return;
  const join = JOINS[name] ?? sum;
  for (const line of lines) {
    if (line.startsWith("#")) continue;
    const at = line.lastIndexOf(" ");
    const [series, value] = [line.slice(0, at), Number(line.slice(at + 1))];
    const before = family.series.get(series);
    family.series.set(series, before === undefined ? value : join(before, value));
  }
}

function toText(value: number): string {
  return Number.isFinite(value) || Number.isNaN(value) ? `${value}` : value > 0 ? "+Inf" : "-Inf";
}
