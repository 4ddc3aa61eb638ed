/** An answer of /v1/nearby for people: what came of it, then one line per thing, nearest first. */
import type { RideCostValue } from "#api/prices.ts";
import type { NearbyBodyValue } from "#api/nearby.ts";
import { headlines } from "#cli/print/print-answer.ts";
import type { On as OnAnswer } from "#cli/print/print-answer.ts";
import type { Paint } from "#cli/print/paint.ts";
import { renderTable } from "#cli/print/print-table.ts";
import type { Column } from "#cli/print/print-table.ts";
import { localTimeAt, openWords } from "#cli/print/print-open.ts";
import { matchNotes, withMatch } from "#cli/print/print-match.ts";
import { walkNotes, withMinutes } from "#cli/print/print-walk.ts";
import { UNKNOWN, age, count, metres, secondsSince } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";

/** `is_on_foot`: the answer has the fewest minutes on foot first. */
type On = OnAnswer & { offset: number; is_on_foot?: boolean };
type Body = NearbyBodyValue;
type Station = Body["results"]["stations"][number];
type Vehicle = Body["results"]["vehicles"][number];
type Place = Body["results"]["places"][number];
type Line = Body["results"]["lines"][number];
type Walk = Station["walk"];
type Match = Pick<Station, "match" | "unknown">;
type Row = { distance_m: number; id: string; cells: string[]; walk: Walk; match: Match };

/** Vehicles and docks of a station, the charge or range of a vehicle. */
const AVAILABLE = "available";

const COLUMNS: readonly Column[] = [
  { title: "distance", align: "right" },
  { title: "kind", spare: 1 },
  { title: "mode", elastic: true, wraps: 3 },
  { title: "name", elastic: 1.5, least: 16 },
  { title: "network", elastic: true, least: 10, spare: 3 },
  { title: AVAILABLE, align: "right" },
  { title: "state" },
  { title: "age", align: "right", spare: 2 },
];

const LINE_COLUMNS: readonly Column[] = [
  { title: "line", elastic: true },
  { title: "mode" },
  { title: "name", elastic: true },
  { title: "operator", elastic: true },
  { title: "stations", align: "right" },
];

export function formatNearby(body: Body, on: On): string {
  const { stations, vehicles, places, lines, alerts, zones = [], prices = [] } = body.results;
  const ages = observedAges(body);
  const old_ages = oldAges(body);
  const names = new Map(
    [...stations, ...zones, ...prices].map(({ network }) => [network.id, network.name] as const),
  );
  const rows = [
    ...stations.map((station) => stationRow(station, old_ages, on)),
    ...vehicles.map((vehicle) => vehicleRow(vehicle, { ages, old_ages, names, paint: on.paint })),
    ...places.map((place) => placeRow(place, on.now_ms)),
  ].sort(
    (a, b) =>
      (on.is_on_foot ? secondsOf(a) - secondsOf(b) : 0) ||
      a.distance_m - b.distance_m ||
      (a.id < b.id ? -1 : 1),
  );
  const walks = rows.map(({ walk }) => walk);
  const cells = rows.map((row) => row.cells);
  const matches = rows.map(({ match }) => match);
  const columns = withHeading(body.results);
  const table = withMinutes(body, withMatch({ columns, rows: cells }, matches), walks);
  return [
    headlines(body, { offset: on.offset, shown: rows.length }, on),
    ...warnings(body, on.paint),
    beyondLine(body),
    rows.length > 0 ? `\n${renderTable(table.columns, table.rows, on)}` : "",
    rows.length > 0 ? walkNotes(body, walks) : "",
    matchNotes(body, matches),
    lines.length > 0 ? `\n${renderTable(LINE_COLUMNS, lines.map(lineRow), on)}` : "",
    alerts.length > 0 && lines.length > 0 ? "\n" : "",
    ...alerts.map((alert) => alertLine(alert, on.paint)),
    zones.length > 0 ? "\n" : "",
    ...zones.flatMap(zoneLines),
    prices.length > 0 ? "\n" : "",
    ...prices.flatMap(priceLines),
    body.debug ? `\n${debugTable(body.debug, on)}` : "",
  ].join("");
}

/** Names what is available by what is in the table. */
function withHeading({ stations, vehicles }: Body["results"]): readonly Column[] {
  const only = vehicles.length === 0 ? "free/docks" : stations.length === 0 ? "charge" : AVAILABLE;
  return COLUMNS.map((column) =>
    column.title === AVAILABLE ? { ...column, title: only } : column,
  );
}

/** `nearest beyond: a station, 520 m to the NE (48.861, 2.357)`; nothing where none is known. */
function beyondLine({ beyond }: Body): string {
  if (!beyond) return "";
  const { kind, distance_meters, bearing, lat, lon } = beyond;
  const to = WINDS[Math.round(bearing / DEGREES_PER_WIND) % WINDS.length];
  return `nearest beyond: a ${kind}, ${metres(distance_meters)} to the ${to} (${lat}, ${lon})\n`;
}

const WINDS = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
const DEGREES_PER_WIND = 45;

/** What has no known way comes last. */
function secondsOf({ walk }: Row): number {
  return walk?.seconds ?? Number.MAX_SAFE_INTEGER;
}

type Zones = NonNullable<Body["results"]["zones"]>[number];

/** One line a zone of the system, nearest first as they come, and one where the point has rules. */
function zoneLines({ network, rules, zones, total }: Zones): string[] {
  const more = total > zones.length ? `, ${count(zones.length)} of them shown` : "";
  const name = oneLine(network.name);
  return [
    `zones of ${name}: ${count(total)}${more}; ${count(rules.length)} ${rules.length === 1 ? "rule holds" : "rules hold"} at the point\n`,
    ...zones.map(({ name: zone, contains_point, distance_meters }) => {
      const where = contains_point ? "the point is inside" : metres(distance_meters);
      return `  ${oneLine(zone ?? "a zone without a name")}: ${where}\n`;
    }),
  ];
}

type Prices = NonNullable<Body["results"]["prices"]>[number];

/** One line a plan: what a ride costs, where that is known, and the publisher's words. */
function priceLines({ network, plans }: Prices): string[] {
  return [
    `prices of ${oneLine(network.name)}:\n`,
    ...plans.map(({ plan_id, name, text, ride }) => {
      const words = oneLine(text ?? name ?? plan_id ?? UNKNOWN);
      return `  ${ride === null ? "" : `${costWords(ride)}: `}${words}\n`;
    }),
  ];
}

function costWords({ amount, currency, minutes, assumptions }: RideCostValue): string {
  const sum = amount.toLocaleString("en", { style: "currency", currency });
  return `${assumptions.length > 0 ? "at least" : "about"} ${sum} for ${count(minutes)} min`;
}

function warnings(body: Body, paint: Paint): string[] {
  return (body.warnings ?? []).map(
    (warning) => `${paint.yellow(warning.code)}: ${oneLine(warning.message)}\n`,
  );
}

function stationRow(
  station: Station,
  old_ages: ReadonlyMap<string, number>,
  { paint, now_ms }: On,
): Row {
  const { vehicles, docks, last_reported, observed_at } = station.availability;
  const reported_s = secondsSince(last_reported ?? observed_at, now_ms);
  const old_s = station.data_class === "semi_static" && old_ages.get(station.network.name);
  return {
    distance_m: station.distance_meters,
    id: station.id,
    walk: station.walk,
    match: station,
    cells: [
      metres(station.distance_meters),
      "station",
      kindsOf(station),
      oneLine(station.name),
      oneLine(station.network.name),
      vehicles === null && docks === null ? UNKNOWN : `${count(vehicles)}/${count(docks)}`,
      paintState(station.service_status?.state, paint),
      age(old_s ? Math.max(old_s, reported_s ?? 0) : reported_s),
    ],
  };
}

/** The kinds that have a vehicle here now with their counts, where its mode alone does not say it. */
function kindsOf({ mode, availability }: Station): string {
  const counts = new Map<string, number>();
  for (const { form_factor = UNKNOWN, count: number } of availability.by_type ?? [])
    if (number > 0) counts.set(form_factor, (counts.get(form_factor) ?? 0) + number);
  counts.delete(mode ?? "");
  if (counts.size === 0) return mode ?? UNKNOWN;
  const others = [...counts].map(([form, number]) => `${number} ${form.replaceAll("_", " ")}`);
  return [mode ?? UNKNOWN, ...others].join(", ");
}

type AnswerFacts = {
  ages: ReadonlyMap<string, number>;
  /** As `oldAges` has them. */
  old_ages: ReadonlyMap<string, number>;
  /** Names of networks, where the answer has them. */
  names: ReadonlyMap<string, string>;
  paint: Paint;
};

function vehicleRow(vehicle: Vehicle, { ages, old_ages, names, paint }: AnswerFacts): Row {
  const { source } = vehicle;
  const old_s =
    source.data_class === "semi_static"
      ? old_ages.get(source.brand ?? operatorOf(vehicle) ?? vehicle.network_id)
      : undefined;
  return {
    distance_m: source.distance_meters ?? Infinity,
    id: vehicle.source_id,
    walk: source.walk,
    match: source,
    cells: [
      metres(source.distance_meters),
      "vehicle",
      source.mode ?? UNKNOWN,
      oneLine(source.name ?? UNKNOWN),
      oneLine(names.get(vehicle.network_id) ?? operatorOf(vehicle) ?? vehicle.network_id),
      chargeWords(source),
      paintState(source.service_status.state, paint),
      age(ages.get(vehicle.source_id) ?? ages.get(vehicle.svc_id ?? "") ?? old_s ?? null),
    ],
  };
}

/** The publisher's name; undefined: it states none. */
function operatorOf({ provenance, network_id }: Vehicle): string | undefined {
  return provenance?.find((one) => one.network_id === network_id)?.provider;
}

/** `83 %` of the battery, else how far it can go. */
function chargeWords({ battery, range_m }: Vehicle["source"]): string {
  return battery === undefined ? metres(range_m) : `${battery} %`;
}

function placeRow(place: Place, now_ms: number): Row {
  const words = ["place", place.service_type.replaceAll("_", " "), oneLine(place.name)];
  const { attributes } = place;
  const open = openWords(attributes, localTimeAt(now_ms, attributes)) ?? UNKNOWN;
  return {
    distance_m: place.distance_meters,
    id: place.id,
    walk: place.walk,
    match: place,
    cells: [metres(place.distance_meters), ...words, place.source_id, UNKNOWN, open, UNKNOWN],
  };
}

/** Vehicles carry no time; with --debug the observations have it. */
function observedAges(body: Body): ReadonlyMap<string, number> {
  const ages = new Map<string, number>();
  for (const entity of body.debug?.entities ?? []) {
    for (const { age_s } of entity.observations) {
      if (age_s !== null) ages.set(entity.id, Math.min(age_s, ages.get(entity.id) ?? Infinity));
    }
  }
  return ages;
}

/** Ages of data that are older than their pace, by the names of their sources. */
function oldAges({ notices = [] }: Body): ReadonlyMap<string, number> {
  const ages = new Map<string, number>();
  for (const { source, age_s } of notices)
    if (source !== null && age_s !== null)
      ages.set(source, Math.min(age_s, ages.get(source) ?? Infinity));
  return ages;
}

/** Lines have no distance of their own: the number of their stations in the circle says how near. */
function lineRow({ short_name, long_name, id, mode, operators, station_ids }: Line): string[] {
  const [listed, ...others] = [short_name, long_name].filter((text) => text !== null);
  return [
    oneLine(listed ?? id),
    mode.replaceAll("_", " "),
    oneLine(others.join(", ") || UNKNOWN),
    oneLine(operators.map((operator) => operator.name ?? operator.id).join(", ") || UNKNOWN),
    count(station_ids.length),
  ];
}

function alertLine(alert: Body["results"]["alerts"][number], paint: Paint): string {
  const text = oneLine(alert.summary ?? alert.description ?? alert.type ?? alert.id);
  return `${paint.yellow("alert")} ${oneLine(alert.network_id)}: ${text}\n`;
}

function debugTable(debug: NonNullable<Body["debug"]>, on: On): string {
  const columns: Column[] = [
    { title: "source", elastic: true },
    { title: "status" },
    { title: "read", align: "right" },
    { title: "matched", align: "right" },
    { title: "reason" },
  ];
  const rows = debug.sources.map((source) => [
    oneLine(source.source_id),
    source.status === "ok" ? on.paint.green("ok") : on.paint.red(source.status),
    count(source.raw_count),
    count(source.matched_count),
    source.reason ?? "",
  ]);
  return renderTable(columns, rows, on);
}

function paintState(state: string | undefined, paint: Paint): string {
  if (state === undefined || state === "unknown") return UNKNOWN;
  if (state === "operational") return paint.green(state);
  return state === "unavailable" ? paint.red(state) : paint.yellow(state);
}
