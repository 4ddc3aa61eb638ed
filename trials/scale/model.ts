/** The simulation itself: pure arithmetic from parameters to what each part holds, does and costs. */
import type { Values } from "./parameters.ts";

type Line = { part: string; what: string; value: number; unit: string };
/** What a part does, of what it can: the largest is the next bottleneck. */
type Load = { part: string; share: number; relief: string };
export type Scale = { lines: Line[]; loads: Load[]; replicas_of_region: number };

const DAY_S = 86_400;
const MONTH_DAYS = 30;
const GB = 1e9;
const MILLION = 1e6;

export function simulate(values: Values): Scale {
  const flow = toFlow(values);
  const replicas = countReplicas(values, flow);
  const valkey = toValkey(values, flow, replicas.of_region);
  const postgres = toPostgres(values, flow);
  const costs = toCosts(values, replicas.of_region, postgres.bytes);
  const { of_region } = replicas;
  const line = (part: string, what: string, value: number, unit: string): Line => ({
    part,
    what,
    value,
    unit,
  });
  return {
    replicas_of_region: of_region,
    lines: [
      line("all", "questions, mean", flow.mean_per_s, "/s"),
      line("region", "questions at its peak", flow.region_per_s, "/s"),
      line("region", "live files read by the fleet", flow.files_per_s, "/s"),
      line("region", "cores for answers", replicas.answer_cores, "cores"),
      line("region", "cores for reading feeds", replicas.ingest_cores, "cores"),
      line("region", "replicas, one of them to spare", of_region, "processes"),
      line("replica", "resident", replicas.resident_bytes / GB, "GB"),
      line("replica", "core for adopting snapshots", replicas.adopt_cores, "cores"),
      line("Valkey of a region", "held: snapshots", valkey.snapshot_bytes / GB, "GB"),
      line("Valkey of a region", "held: buckets", valkey.bucket_bytes / GB, "GB"),
      line("Valkey of a region", "commands", valkey.commands_per_s, "/s"),
      line("Valkey of a region", "written", valkey.in_bytes_per_s / MILLION, "MB/s"),
      line("Valkey of a region", "read", valkey.out_bytes_per_s / MILLION, "MB/s"),
      line("PostgreSQL of all", "events at the peak", postgres.peak_per_s, "/s"),
      line("PostgreSQL of all", "held: usage", postgres.bytes / GB, "GB"),
      ...costs,
    ],
    loads: [
      { part: "answering", share: replicas.answer_share, relief: "a replica more" },
      { part: "reading feeds", share: replicas.ingest_share, relief: "a replica more" },
      {
        part: "Valkey, commands",
        share: valkey.command_share,
        relief: "a cluster: keys have tags",
      },
      { part: "Valkey, link", share: valkey.link_share, relief: "packs compressed; a cluster" },
      { part: "PostgreSQL, events", share: postgres.share, relief: "a ledger of each region" },
    ].toSorted((a, b) => b.share - a.share),
  };
}

type Flow = { mean_per_s: number; region_per_s: number; peak_per_s: number; files_per_s: number };

function toFlow(values: Values): Flow {
  const mean_per_s = values.questions_a_day / DAY_S;
  const peak_per_s = mean_per_s * values.peak_factor;
  const files = values.systems * values.watched_share * values.live_files;
  const region_per_s = peak_per_s * values.region_share;
  return { mean_per_s, peak_per_s, region_per_s, files_per_s: files / values.ttl_s };
}

/** A process answers on one thread and parses on another. */
function countReplicas(values: Values, { region_per_s, files_per_s }: Flow) {
  const { size_factor, utilisation } = values;
  const answer_cores = (region_per_s * values.answer_us * size_factor) / MILLION;
  const ingest_cores = (files_per_s * values.ingest_ms) / 1000;
  const busy = Math.max(
    Math.ceil(answer_cores / utilisation),
    Math.ceil(ingest_cores / utilisation),
  );
  const pack_mb = (values.entities_of_system * values.pack_bytes) / values.live_files / MILLION;
  return {
    of_region: busy + 1,
    answer_cores: (answer_cores * values.answer_all_us) / values.answer_us,
    ingest_cores,
    answer_share: answer_cores / busy,
    ingest_share: ingest_cores / busy,
    adopt_cores: (files_per_s * pack_mb * values.adopt_ms_of_mb) / 1000,
    resident_bytes: values.systems * values.entities_of_system * values.entity_bytes,
  };
}

/** Every replica but the one that flew reads what was published; limits are one command a question. */
function toValkey(values: Values, { region_per_s, files_per_s }: Flow, replicas: number) {
  const live_bytes = (values.entities_of_system * values.pack_bytes) / values.live_files;
  const one_bytes = live_bytes + values.handover_text_bytes;
  const in_bytes_per_s = files_per_s * one_bytes;
  const out_bytes_per_s = in_bytes_per_s * (replicas - 1);
  // A lease, a publication, and a reading of each other replica; who has no key has two buckets.
  const of_feeds = files_per_s * (2 + (replicas - 1));
  const of_limits = region_per_s * (values.keyed_share + 2 * (1 - values.keyed_share));
  const commands_per_s = of_feeds + of_limits;
  const of_entity = values.pack_bytes + values.static_pack_bytes;
  return {
    snapshot_bytes: values.systems * values.entities_of_system * of_entity,
    bucket_bytes: values.callers_at_once * values.bucket_bytes,
    commands_per_s,
    in_bytes_per_s,
    out_bytes_per_s,
    command_share: commands_per_s / values.valkey_a_second,
    link_share: out_bytes_per_s / values.link_bytes,
  };
}

/** One of all regions: nothing on the way of a known key waits for it. */
function toPostgres(values: Values, { peak_per_s }: Flow) {
  const events_a_day = values.questions_a_day * values.keyed_share;
  const events_per_s = peak_per_s * values.keyed_share;
  return {
    peak_per_s: events_per_s,
    bytes: events_a_day * values.event_days * values.event_bytes,
    share: events_per_s / values.ledger_a_second,
  };
}

function toCosts(values: Values, of_region: number, disk_bytes: number): Line[] {
  // Two cores a replica, four for each Valkey with its spare, eight for PostgreSQL with its spare.
  const cores = values.regions * (2 * of_region + 4) + 8;
  const sent = (values.questions_a_day * MONTH_DAYS * values.answer_bytes) / values.compression;
  const parts = {
    "cores, with spares": cores * values.core_month,
    "disk of PostgreSQL, two copies": (2 * disk_bytes * values.gb_month) / GB,
    "answers sent": (sent * values.egress_gb) / GB,
  };
  const sum = Object.values(parts).reduce((a, b) => a + b, 0);
  const each = (1e6 * sum) / (values.questions_a_day * MONTH_DAYS);
  const line = (what: string, value: number, unit: string): Line => ({
    part: "a month",
    what,
    value,
    unit,
  });
  return [
    ...Object.entries(parts).map(([what, value]) => line(what, value, "units of money")),
    line("a million questions", each, "units of money"),
  ];
}
