/** What holds around a point, apart from its things: lines, notices, zones and prices, in brief. */
import { AROUND } from "#api/agent-around.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { cutText } from "#kit/text/cut.ts";
import { byName, sizeOf, toBriefLink, toBriefName, toTypeWords } from "../brief.ts";
import type { SourcedItem } from "../answer-sources.ts";
import type { AnswerOf } from "../tool.ts";

type Answer = AnswerOf<"read_dataset">;
type Results = NearbyBodyValue["results"];
type Line = Results["lines"][number];
type Alert = Results["alerts"][number];
type Zones = NonNullable<Results["zones"]>[number];
type Prices = NonNullable<Results["prices"]>[number];
/** Members of an answer, each family with how many there are. */
export type Around = Pick<
  Answer,
  | ("lines" | "lines_total" | "alerts" | "alerts_total")
  | ("zones" | "zones_total" | "prices" | "prices_total")
>;

/** Ids of the sources of a network's things. */
export type NetworkSources = (network_id: string) => readonly string[];

/**
 * Returns the members, with their sources. What does not fit into the bytes is counted alone, alerts and
 * zones first, since they forbid something.
 */
export function toAround(
  { lines, alerts, zones = [], prices = [] }: Results,
  sourcesOf: NetworkSources,
): { members: Around; sources: SourcedItem } {
  const room = createRoom(AROUND.bytes_max);
  const of_alerts = room(alerts.slice(0, AROUND.alerts_max), toBriefAlert);
  const of_zones = room(zones, toBriefZones);
  const of_prices = room(prices, toBriefPrices);
  const of_lines = room(lines.toSorted(byLine).slice(0, AROUND.lines_max), toBriefLine);
  const networks = [
    ...of_alerts.map(({ network_id }) => network_id),
    ...[...of_zones, ...of_prices].map(({ network }) => network.id),
  ];
  const timetables = of_lines.map(({ id }) => `gtfs:${id.slice(0, id.indexOf(":"))}`);
  return {
    members: {
      ...(lines.length === 0 ? {} : { lines: of_lines, lines_total: lines.length }),
      ...(alerts.length === 0 ? {} : { alerts: of_alerts, alerts_total: alerts.length }),
      ...(zones.length === 0 ? {} : { zones: of_zones, zones_total: zones.length }),
      ...(prices.length === 0 ? {} : { prices: of_prices, prices_total: prices.length }),
    },
    sources: { sources: [...timetables, ...networks.flatMap(sourcesOf)] },
  };
}

/** Takes the first of a list as far as there is room for them; the room is shared by all lists. */
function createRoom(bytes: number) {
  let left = bytes;
  return <T, B>(items: readonly T[], toBrief: (item: T) => B): B[] => {
    const listed: B[] = [];
    for (const item of items) {
      const brief = toBrief(item);
      const size = sizeOf(brief);
      if (size > left) break;
      left -= size;
      listed.push(brief);
    }
    return listed;
  };
}

/** By what riders call it; lines without a short name last. */
function byLine(a: Line, b: Line): number {
  const isLong = (line: Line) => Number(line.short_name === null);
  return isLong(a) - isLong(b) || byName(nameOf(a), nameOf(b));
}

function nameOf({ short_name, long_name, id }: Line): string {
  return short_name ?? long_name ?? id;
}

function toBriefLine({ id, short_name, long_name, mode }: Line) {
  const cut = (name: string | null): string | null => name && toBriefName(name);
  return { id, short_name: cut(short_name), long_name: cut(long_name), mode };
}

/** Without stations it is of the whole network. */
function toBriefAlert(alert: Alert) {
  const { id, type, network_id, summary, description, url, starts_at, ends_at } = alert;
  const { station_ids, station_count = station_ids.length } = alert;
  const listed = station_ids.slice(0, AROUND.alert_stations_max);
  return {
    ...{ id, type, network_id },
    summary: summary && cutText(summary, AROUND.text_max),
    description: description && cutText(description, AROUND.text_max),
    url: toBriefLink(url),
    ...(listed.length === 0 ? {} : { station_ids: listed }),
    ...(listed.length === station_count ? {} : { station_count }),
    ...{ starts_at, ends_at },
  };
}

/** The nearest zones; `total` is of all that touch the circle. */
function toBriefZones({ network, rules, zones, total }: Zones) {
  return {
    network,
    rules: rules.slice(0, AROUND.rules_max).map(toBriefRule),
    zones: zones.slice(0, AROUND.zones_max).map((zone) => ({
      ...zone,
      rules: zone.rules.slice(0, AROUND.rules_max).map(toBriefRule),
    })),
    total,
  };
}

function toBriefRule<R extends Pick<Zones["rules"][number], "vehicle_types">>({
  vehicle_types: kinds,
  ...rule
}: R) {
  const words = kinds?.map((kind) => kind.name ?? toTypeWords(kind)).slice(0, AROUND.kinds_max);
  return { ...rule, ...(words === undefined ? {} : { vehicle_types: words.map(toBriefName) }) };
}

function toBriefPrices({ network, plans, vehicle_types }: Prices) {
  const listed = plans.slice(0, AROUND.plans_max).map((plan) => {
    const { plan_id, name, currency, unlock, per_minute, per_hour, flat, ride, text, url } = plan;
    const types = vehicle_types.filter(({ plan_ids }) => plan_ids.some((id) => id === plan_id));
    const words = new Set(types.map((type) => toTypeWords(type) || type.mode));
    return {
      ...(plan_id === undefined ? {} : { plan_id }),
      ...(name === undefined ? {} : { name: toBriefName(name) }),
      ...{ currency, unlock, per_minute },
      ...(per_hour === undefined ? {} : { per_hour }),
      ...(flat === undefined ? {} : { flat }),
      ride,
      text: text && cutText(text, AROUND.text_max),
      url: toBriefLink(url),
      ...(words.size === 0 ? {} : { vehicle_types: [...words] }),
    };
  });
  return { network, plans: listed, total: plans.length };
}
