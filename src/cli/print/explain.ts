/** Why each station is what it is: its observations, what speaks for and against them, near misses. */
import type { NearbyBodyValue } from "#api/nearby.ts";
import { distance_m } from "#kit/geo.ts";
import type { Paint } from "#cli/print/paint.ts";
import { age, count, metres, UNKNOWN } from "#cli/print/print-words.ts";
import { oneLine } from "#kit/text/one-line.ts";

type Body = NearbyBodyValue;
type Station = Body["results"]["stations"][number];
type Entity = NonNullable<Body["debug"]>["entities"][number];
type Observation = Entity["observations"][number];

/** The findings of docs/identity.md in a few words each; one that is not here is shown as it is. */
const WORDS: Readonly<Record<string, string>> = {
  key_equal: "a key in common",
  key_elsewhere: "its key is another's",
  coordinate_key: "key made of these coordinates",
  distance: "distance",
  name_equal: "same name",
  name_literal: "to the letter",
  name_similar: "similar names",
  name_different: "different names",
  name_unknown: "names say nothing",
  number_conflict: "other numbers",
  side_conflict: "other side",
  twin_conflict: "twin docks",
  twin_one_sided: "one is a twin",
  capacity_equal: "same size",
  capacity_differs: "other size",
  virtual_differs: "docks and bay",
  kinship_unknown: "operator not known",
  too_far: "too far apart",
  succession: "two systems, each with a state of its own",
  override: "operator's word",
};

export function formatExplained(body: Body, paint: Paint): string {
  const { stations } = body.results;
  const entities = new Map(body.debug!.entities.map((entity) => [entity.id, entity]));
  const { lat, lon } = body.query_origin;
  const head = `${count(stations.length)} ${stations.length === 1 ? "station" : "stations"} within ${metres(body.radius)} of ${lat}, ${lon}\n`;
  const blocks = stations.map((station) => block(station, entities.get(station.id), paint));
  return [head, ...blocks, totals(body)].join("\n");
}

function block(station: Station, entity: Entity | undefined, paint: Paint): string {
  const { resolution_status: status = "unresolved", resolution_confidence: sure } = station;
  const confidence = typeof sure === "number" ? ` ${sure}` : "";
  const lines = [
    `${paint.bold(oneLine(station.name))}  ${metres(station.distance_meters)}  ` +
      `${paintResolution(status, paint)}${confidence}`,
    `  ${paint.dim(station.id)}`,
    ...(entity?.observations ?? []).map((each, i) => observationLine(each, station, i > 0)),
    ...(entity?.near_misses ?? []).map((each) => nearLine(each as Observation, station, paint)),
    ...(station.conflicts ?? []).flatMap((each) => conflictLines(each as Conflict, paint)),
  ];
  return `${lines.join("\n")}\n`;
}

/** The first is the best source, which says where the station is; of the others, why they are it. */
function observationLine(each: Observation, station: Station, why: boolean): string {
  const reasons = why ? `\n      ${reasonsOf(each)}` : "";
  return `  ${each.merged ? "=" : "·"} ${seen(each, station)}${reasons}`;
}

function nearLine(each: Observation, station: Station, paint: Paint): string {
  return `  ${paint.yellow("≠")} ${seen(each, station)}\n      ${reasonsOf(each)}`;
}

/** Source and key, how far from the place that is listed, how old. */
function seen({ source_id, location, age_s }: Observation, station: Station): string {
  const off = location
    ? metres(distance_m(location.lat, location.lon, station.location.lat, station.location.lon))
    : UNKNOWN;
  return `${oneLine(source_id)}  ${off} off  ${age(age_s)}`;
}

function reasonsOf({ score, reasons }: Observation): string {
  const findings = reasons.map((reason) => {
    const [code = "", weight = ""] = reason.split(" ");
    return `${WORDS[code] ?? code} ${weight}`;
  });
  return `${score ?? UNKNOWN}: ${findings.join(", ")}`;
}

type Conflict = {
  field?: string;
  value?: unknown;
  others?: { source_id: string; value: unknown }[];
};

function conflictLines({ field, value, others = [] }: Conflict, paint: Paint): string[] {
  const head = `  ${paint.yellow("!")} ${field ?? UNKNOWN}: ${textOfValue(value)}`;
  return others.map(
    ({ source_id, value: other }) => `${head}, but ${textOfValue(other)} at ${oneLine(source_id)}`,
  );
}

function textOfValue(value: unknown): string {
  if (typeof value === "string") return oneLine(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const { vehicles, docks, lat, lon } = value as Record<string, number | null>;
  return lat === undefined
    ? `${count(vehicles ?? null)}/${count(docks ?? null)}`
    : `${lat}, ${lon}`;
}

function paintResolution(status: string, paint: Paint): string {
  if (status === "merged") return paint.green(status);
  return status === "possible_match" ? paint.yellow(status) : paint.dim(status);
}

function totals({ debug }: Body): string {
  const counts = Object.entries(debug!.resolution).map(([status, n]) => `${String(n)} ${status}`);
  return `${counts.join(" · ")}\n`;
}
