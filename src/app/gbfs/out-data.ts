/** The data of each published file, as pieces of text that are made one at a time. */
import {
  languageOf,
  OUT_FILES,
  type OutFile,
  type OutRow,
  type OutVersion,
  textIn,
} from "#stations/gbfs-out/out-envelope.ts";
import { alertRow } from "#stations/gbfs-out/out-alerts.ts";
import { informationRow, type OutStation, statusRow } from "#stations/gbfs-out/out-stations.ts";
import { listedPlans, planRow } from "#stations/gbfs-out/out-plans.ts";
import {
  discoveryData,
  manifestUrl,
  systemData,
  versionsOf,
} from "#stations/gbfs-out/out-system.ts";
import { isListed, typeRow } from "#stations/gbfs-out/out-types.ts";
import { vehicleRow } from "#stations/gbfs-out/out-vehicles.ts";
import { zonesText } from "#stations/gbfs-out/out-zones.ts";
import type { Shard } from "#stations/shard/shard.ts";
import type { FindTimezone } from "#app/timezone.ts";
import { hasParked, type OutReader, sourcesOf } from "#world/gbfs/out-reader.ts";
import type { SystemEntry } from "#world/system-entry.ts";
import { type FindTerms, isOpenBy, type ReadSystem, termsOf, whyNot } from "./out-systems.ts";

/** Is replaced by the address of the service, and is in no text of a publisher. */
export const ORIGIN = "\u0001";

/** What follows the data of a file. `extra`: members of `_vicinity`; null: the schema allows none. */
export type Made = {
  extra: OutRow | null;
  /** Time of the document that it was made from, epoch s; null: the file is as old as its content. */
  doc_s: number | null;
  ttl_s: number;
  /** Something that belongs into it has not been read. */
  lacks: boolean;
};

export type OutContext = {
  version: OutVersion;
  now_ms: number;
  reader: OutReader;
  terms: FindTerms;
  timezone: string;
  contact: string;
};

type Data = Generator<string, Made>;

/** Of what changes with the static files of a source. */
const STATIC_TTL_S = 300;

export function hasFile(shard: Shard, file: OutFile): boolean {
  switch (file) {
    case "station_information":
    case "station_status":
      // The format has no system without either kind of file.
      return shard.statics.count > 0 || shard.vehicles === null;
    case "vehicle_status":
      return shard.vehicles !== null;
    case "vehicle_types":
      return shard.statics.meta.types.some(isListed);
    case "system_alerts":
      return shard.alerts !== null;
    case "geofencing_zones":
      return shard.zones !== null;
    case "system_pricing_plans":
      return plansOf(shard).length > 0;
    default:
      return true;
  }
}

/** The data of a file that the system has. */
export function dataOf(entry: ReadSystem, file: OutFile, context: OutContext): Data {
  switch (file) {
    case "gbfs":
    case "gbfs_versions":
    case "system_information":
    case "vehicle_types":
    case "system_pricing_plans":
      return factsText(entry, file, context);
    case "station_information":
    case "station_status":
      return stationsText(entry, file, context);
    case "vehicle_status":
      return vehiclesText(entry, context);
    case "system_alerts":
      return alertsText(entry, context);
    case "geofencing_zones":
      return outlinesText(entry, context);
  }
}

type FactsFile =
  | "gbfs"
  | "gbfs_versions"
  | "system_information"
  | "vehicle_types"
  | "system_pricing_plans";

function* factsText(entry: ReadSystem, file: FactsFile, context: OutContext): Data {
  yield JSON.stringify(factsOf(entry, file, context));
  // The schema of gbfs.json in 3.0 has no room for it.
  const extra = file === "gbfs" && context.version === "3.0" ? null : sourcesText(entry, context);
  return { extra, doc_s: null, ttl_s: STATIC_TTL_S, lacks: false };
}

function factsOf(entry: ReadSystem, file: FactsFile, context: OutContext): OutRow {
  const { version, terms, timezone, contact } = context;
  const { source_id: id, shard } = entry;
  const { meta } = shard.statics;
  if (file === "gbfs") {
    const files = OUT_FILES.filter((each) => each !== "gbfs" && hasFile(shard, each));
    return discoveryData(ORIGIN, { id, languages: meta.system?.languages ?? [], files }, version);
  }
  if (file === "gbfs_versions") return { versions: versionsOf(ORIGIN, id) };
  const toText = toTextOf(entry, version);
  if (file === "system_pricing_plans")
    return { plans: plansOf(shard).map((plan) => planRow(plan, toText)) };
  if (file === "vehicle_types") {
    const options = { version, toText, plan_ids: planIdsOf(shard) };
    return { vehicle_types: meta.types.filter(isListed).map((type) => typeRow(type, options)) };
  }
  const subject = { id, meta, terms: terms(id)!, timezone, contact };
  return systemData({ ...subject, manifest_url: manifestUrl(ORIGIN) }, version);
}

function* stationsText(
  entry: ReadSystem,
  file: "station_information" | "station_status",
  context: OutContext,
): Data {
  const { version, reader, now_ms, terms } = context;
  const toText = toTextOf(entry, version);
  const reading = reader.begin(entry, now_ms, isOpenBy(terms));
  const toRow = (station: OutStation): OutRow =>
    file === "station_status"
      ? statusRow(station, version)
      : informationRow(station, version, toText);
  yield `{"stations":[`;
  yield* joined(reading.stations(), toRow);
  yield "]}";
  const { live = null } = entry.shard.status ?? {};
  const extra = { ...sourcesText(entry, context), ...reading.left_out };
  if (file === "station_information")
    return { extra, doc_s: null, ttl_s: STATIC_TTL_S, lacks: live === null };
  return {
    extra,
    doc_s: reading.doc_s || (live?.doc_s ?? null),
    ttl_s: live?.ttl_s ?? 0,
    lacks: live === null,
  };
}

function* vehiclesText(entry: ReadSystem, context: OutContext): Data {
  const { version, reader, now_ms, terms } = context;
  const reading = reader.begin(entry, now_ms, isOpenBy(terms));
  const parked = new Map<number, string>();
  if (hasParked(entry.shard))
    for (const stations of reading.stations()) {
      for (const { row, read } of stations) parked.set(row, read.id);
      yield "";
    }
  // Stations that are left out are counted in their own file.
  const counts = reader.begin(entry, now_ms, isOpenBy(terms));
  const options = { version, plan_ids: planIdsOf(entry.shard) };
  yield `{"${version === "3.0" ? "vehicles" : "bikes"}":[`;
  yield* joined(counts.vehicles(parked), (subject) => {
    const row = vehicleRow(subject, options);
    if (typeof row === "object") return row;
    counts.count(row);
    return null;
  });
  yield "]}";
  const { live = null } = entry.shard.vehicles ?? {};
  return {
    extra: { ...sourcesText(entry, context), ...counts.left_out },
    doc_s: live?.doc_s ?? null,
    ttl_s: live?.ttl_s ?? 0,
    lacks: live === null,
  };
}

function* alertsText(entry: ReadSystem, context: OutContext): Data {
  const { version, reader, now_ms, terms } = context;
  const toText = toTextOf(entry, version);
  const reading = reader.begin(entry, now_ms, isOpenBy(terms));
  let left_out_elsewhere = 0;
  yield `{"alerts":[`;
  let isFirst = true;
  for (const { alert, station_ids } of reading.alerts()) {
    const row = alertRow(alert, station_ids, { version, toText });
    if (row === null) left_out_elsewhere++;
    else yield `${isFirst ? "" : ","}${JSON.stringify(row)}`;
    isFirst &&= row === null;
  }
  yield "]}";
  const { live = null } = entry.shard.alerts ?? {};
  const left_out =
    left_out_elsewhere === 0 ? {} : { left_out_not_of_this_file: left_out_elsewhere };
  return {
    extra: { ...sourcesText(entry, context), ...left_out },
    doc_s: null,
    ttl_s: live?.ttl_s ?? 0,
    lacks: live === null,
  };
}

function* outlinesText(entry: ReadSystem, context: OutContext): Data {
  const { version } = context;
  const toText = toTextOf(entry, version);
  const listed = entry.shard.statics.meta.types.filter(isListed).map(({ id }) => id);
  const options = { version, toText, type_ids: new Set(listed) };
  const { unknown_rules } = yield* zonesText(entry.shard.zones!, options);
  const left_out = unknown_rules === 0 ? {} : { left_out_unknown_rules: unknown_rules };
  const extra = { ...sourcesText(entry, context), ...left_out };
  return { extra, doc_s: null, ttl_s: STATIC_TTL_S, lacks: false };
}

/** The rows of the manifest: systems by operator, with those that are left out and why. */
export function* manifestText(
  systems: readonly SystemEntry[],
  { terms, findTimezone }: { terms: FindTerms; findTimezone: FindTimezone },
): Data {
  const published: { operator: string; id: string }[] = [];
  const left_out: { system_id: string; name: string; reason: string }[] = [];
  for (const entry of systems) {
    const own = terms(entry.source_id);
    if (own === null) continue;
    const reason = whyNot(entry, own, findTimezone);
    if (reason === null)
      published.push({ operator: operatorOf(entry) ?? own.name, id: entry.source_id });
    else left_out.push({ system_id: entry.source_id, name: own.name, reason });
    yield "";
  }
  const operators = Map.groupBy(published, ({ operator }) => operator);
  const names = [...operators.keys()].toSorted();
  const ids = names.flatMap((name) => operators.get(name)!.map(({ id }) => id));
  yield `{"datasets":[`;
  for (const [i, id] of ids.entries())
    yield `${i === 0 ? "" : ","}${JSON.stringify({ system_id: id, versions: versionsOf(ORIGIN, id) })}`;
  yield "]}";
  return {
    extra: {
      operators: names.map((name) => ({
        name,
        system_ids: operators.get(name)!.map(({ id }) => id),
      })),
      left_out,
    },
    doc_s: null,
    ttl_s: STATIC_TTL_S,
    lacks: false,
  };
}

/** undefined: it is published, but nothing of it is in memory. */
function operatorOf({ shard }: SystemEntry): string | undefined {
  const meta = shard?.statics.meta;
  return meta?.system?.operator ?? meta?.network.name;
}

function plansOf({ statics }: Shard) {
  return listedPlans(statics.meta.plans ?? []);
}

function planIdsOf(shard: Shard): ReadonlySet<string> {
  return new Set(plansOf(shard).map(({ plan_id }) => plan_id));
}

function sourcesText(entry: SystemEntry, { terms }: OutContext) {
  const open = sourcesOf(entry).filter(isOpenBy(terms));
  return { sources: open.map((id) => termsOf(terms(id)!)) };
}

function toTextOf({ shard }: ReadSystem, version: OutVersion) {
  return textIn(version, languageOf(shard.statics.meta.system?.languages ?? []));
}

/** Rows with commas between them; null: none is made of it. */
function* joined<T>(
  steps: Generator<T[], void>,
  toRow: (item: T) => OutRow | null,
): Generator<string> {
  let isFirst = true;
  for (const items of steps) {
    const rows = items.flatMap((item) => {
      const row = toRow(item);
      return row === null ? [] : JSON.stringify(row);
    });
    yield rows.length === 0 ? "" : `${isFirst ? "" : ","}${rows.join(",")}`;
    isFirst &&= rows.length === 0;
  }
}
