/**
 * What can be charged at, of a station that several sources see (§2.5): whole from one source, the one
 * whose state is live and newest, else the one that knows most of its connectors. Several places of one
 * source that are parts of the station are added up, as far as each of them says it.
 */
import { present } from "#kit/present.ts";
import { toRfc3339 } from "#kit/time.ts";
import type { ChargingAvailability, ConnectorItem } from "./charging-facts.ts";
import type { Place } from "./place.ts";

type Charging = ChargingAvailability & {
  connector_count?: number;
  connectors: readonly ConnectorItem[];
  source?: string;
};

/** `all`: the leading one first; nothing where none says anything. */
export function chargingOfAll(
  all: readonly Place[],
  sourceOf: (place: Place) => string,
): { charging?: Charging } {
  const parts = Map.groupBy(all, sourceOf);
  let best: { charging: Charging; worth: Worth } | null = null;
  for (const [source, places] of parts) {
    const records = places.map(({ attributes }) => readCharging(attributes["charging"]));
    const stated = records.filter((one) => one !== null);
    // A part of which nothing is known makes a sum of the others no sum of the whole.
    if (stated.length === 0) continue;
    const charging = { ...addUp(stated, places.length), source };
    const worth = worthOf(charging);
    if (best === null || isMore(worth, best.worth)) best = { charging, worth };
  }
  return best === null ? {} : { charging: best.charging };
}

function readCharging(value: unknown): Charging | null {
  if (typeof value !== "object" || value === null) return null;
  const charging = value as Partial<Charging>;
  return { ...charging, connectors: charging.connectors ?? [] };
}

/** When its state was observed, and how much it says of its connectors. */
type Worth = readonly [isLive: number, updated_ms: number, known: number];

function worthOf({ connectors, connector_count, ...whole }: Charging): Worth {
  const live = [whole, ...connectors].filter(({ available_count }) => available_count != null);
  const times = live.flatMap(({ availability_updated_at: at }) => (at ? [Date.parse(at)] : []));
  const known = connectors.map(
    ({ max_kw, count }) => 1 + Number(max_kw != null) + Number(count != null),
  );
  const share = known.length === 0 ? 0 : Math.min(...known);
  return [
    Number(live.length > 0),
    times.length > 0 ? Math.max(...times) : 0,
    share + Number(connector_count != null) / 2,
  ];
}

/** Equal is not more: the leading one stays. */
function isMore(a: Worth, b: Worth): boolean {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at !== -1 && a[at]! > b[at]!;
}

/** `parts`: how many there are, of which some may say nothing. */
function addUp(records: readonly Charging[], parts: number): Charging {
  if (records.length === 1 && parts === 1) return records[0]!;
  const isWhole = records.length === parts;
  const connectors = Map.groupBy(
    records.flatMap((one) => one.connectors),
    ({ type, max_kw }) => `${type} ${max_kw}`,
  );
  return {
    ...(isWhole ? sumsOf(records, "connector_count") : {}),
    connectors: [...connectors.values()].map((group) => {
      const { type, max_kw } = group[0]!;
      const sums = isWhole ? sumsOf(group, "count") : {};
      return { type, ...present({ max_kw: max_kw ?? null }), ...sums };
    }),
  };
}

type Counted = ChargingAvailability & { connector_count?: number; count?: number };

/** A count is a sum of all or absent; its time is that of the newest of them. */
function sumsOf(all: readonly Counted[], name: "connector_count" | "count") {
  const sum = (member: "available_count" | "out_of_service_count" | typeof name) => {
    const counts = all.map((each) => each[member] ?? null);
    return counts.includes(null) ? null : counts.reduce<number>((total, one) => total + one!, 0);
  };
  const available_count = sum("available_count");
  const times = all.flatMap(({ availability_updated_at: at }) => (at ? [Date.parse(at)] : []));
  const updated_s = times.length > 0 ? Math.floor(Math.max(...times) / 1_000) : null;
  return present({
    [name]: sum(name),
    available_count,
    out_of_service_count: available_count === null ? null : sum("out_of_service_count"),
    availability_updated_at:
      available_count === null || updated_s === null ? null : toRfc3339(updated_s),
  }) as ChargingAvailability & { connector_count?: number; count?: number };
}
