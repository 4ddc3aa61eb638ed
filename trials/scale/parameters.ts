/**
 * What the simulation of scale is made of. `measured`: by a command of this repository, on the machine
 * its page names; `assumed`: ours, to be replaced by better knowledge; no price is any vendor's.
 */
export type Parameter = { value: number; unit: string; from: string };

const measured = (value: number, unit: string, where: string): Parameter => ({
  value,
  unit,
  from: `measured: ${where}`,
});
const assumed = (value: number, unit: string, why: string): Parameter => ({
  value,
  unit,
  from: `assumed: ${why}`,
});

export const PARAMETERS = {
  systems: assumed(10_000, "systems", "the size that is asked about"),
  questions_a_day: assumed(100_000_000, "questions", "the size that is asked about"),
  regions: assumed(3, "regions", "the size that is asked about; each with a Valkey of its own"),
  entities_of_system: assumed(450, "entities", "3,000,000 of 6,600 systems, as in the benchmark"),
  peak_factor: assumed(3, "× the mean", "an evening of a day"),
  region_share: assumed(0.5, "of all", "the largest region, at its peak"),
  keyed_share: assumed(
    0.5,
    "of the questions",
    "the others carry no key, and are metered by the second",
  ),
  watched_share: assumed(1, "of the systems", "callers ask near each all the time: the worst case"),
  live_files: assumed(2, "files a system", "station status and vehicle status"),
  ttl_s: assumed(60, "s", "what most publishers state"),
  utilisation: assumed(0.6, "of a core", "docs/operations.md, Sizing"),
  answer_us: measured(
    113.2,
    "µs",
    "docs/lab/accounts.md, keyed, about 100 results, answering thread",
  ),
  answer_all_us: measured(126, "µs", "docs/lab/accounts.md, keyed, about 100 results, all threads"),
  size_factor: measured(1.2, "×", "docs/lab/performance.md, CPU at 3 M entities against 100 k"),
  ingest_ms: measured(6.8, "ms a file", "docs/lab/performance.md, ingest at 3 M entities"),
  entity_bytes: measured(
    873,
    "B an entity",
    "docs/lab/performance.md, resident at 3 M, all included",
  ),
  pack_bytes: measured(
    400,
    "B an entity",
    "docs/fleet.md, a vehicle pack of 8 MB, 20,000 vehicles",
  ),
  static_pack_bytes: measured(560, "B an entity", "docs/fleet.md, station packs of 2.8 MB, 5,000"),
  handover_text_bytes: measured(2_000, "B", "docs/fleet.md, the text of a handover"),
  adopt_ms_of_mb: measured(1.7, "ms a MB", "docs/fleet.md, adopting packs of 10.8 MB in 18 ms"),
  event_bytes: measured(
    240,
    "B an event",
    "200,000 rows with their indices, pg_total_relation_size",
  ),
  ledger_a_second: measured(
    15_659,
    "events a second",
    "bench/ledger.ts, while old ones are forgotten",
  ),
  event_days: assumed(
    400,
    "days",
    "src/core/metering/metering-periods.ts, how long events are kept",
  ),
  bucket_bytes: assumed(150, "B", "a key of Valkey with a number and its end"),
  callers_at_once: assumed(500_000, "buckets", "callers of the last minutes in one region"),
  valkey_a_second: assumed(
    80_000,
    "commands a second",
    "one core; measure yours with valkey-benchmark",
  ),
  link_bytes: assumed(1.25e9, "B a second", "a link of 10 Gbit/s"),
  answer_bytes: measured(24_000, "B", "docs/lab/performance.md, about 20 results, not compressed"),
  compression: assumed(6, "×", "what gzip makes of such answers"),
  core_month: assumed(25, "units of money", "a core with 4 GB for a month; a placeholder"),
  gb_month: assumed(0.1, "units of money", "a GB of disk for a month; a placeholder"),
  egress_gb: assumed(0.05, "units of money", "a GB to the outside; a placeholder"),
} as const satisfies Record<string, Parameter>;

export type Name = keyof typeof PARAMETERS;
export type Values = Record<Name, number>;

export function usualValues(): Values {
  return Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, { value }]) => [name, value]),
  ) as Values;
}
