/**
 * A stored search as one side of a comparison: its objects, how far it has all of them, and which of
 * its sources may be believed (docs/agents.md, Changes).
 */
import type { NearbyBodyValue } from "#api/nearby.ts";
import { createSourceOf, type SourceOf } from "#core/record-source.ts";
import { REVALIDATED_MS } from "#kit/time.ts";
import type { Compared, ChangedMembers, ComparedReach, Side } from "./compare-datasets.ts";

type Results = NearbyBodyValue["results"];
type Station = Results["stations"][number];
type Vehicle = Results["vehicles"][number];
type Place = Results["places"][number];
export type ComparedItem =
  | { kind: "station"; item: Station }
  | { kind: "vehicle"; item: Vehicle }
  | { kind: "service"; item: Place };

/** A source as the provenance of an observation has it (packages/api/capabilities). */
export type ProvidedSource = {
  source_id: string;
  status: string;
  fetched_at: string | null;
  ttl_s: number | null;
};

export type StoredSearch = {
  body: NearbyBodyValue;
  provided: readonly ProvidedSource[];
  received_at: string | null;
};

export function toSide({ body, provided, received_at }: StoredSearch): Side<ComparedItem> {
  const { stations, vehicles, places } = body.results;
  const sourceOf = createSourceOf(provided.map(({ source_id }) => source_id));
  const objects = [
    ...stations.map((item) => toStation(item, sourceOf)),
    ...vehicles.map((item) => toVehicle(item, sourceOf)),
    ...places.map(toPlace),
  ];
  const reliable = provided.filter((source) => isReliable(source, received_at));
  const outdated = new Set(objects.filter(isOutdated).flatMap(({ sources }) => sources));
  return {
    objects,
    reach: reachOf(body, objects),
    reliable: new Set(
      reliable.map(({ source_id }) => source_id).filter((source_id) => !outdated.has(source_id)),
    ),
  };
}

/** Up to its radius; where there were more than its limit, up to the farthest that it kept. */
function reachOf(
  { radius, total, limit }: NearbyBodyValue,
  objects: readonly Compared<ComparedItem>[],
): ComparedReach {
  if (total <= limit) return { radius_m: radius, isCut: false };
  const farthest_m = Math.max(0, ...objects.map(({ distance_m }) => distance_m ?? 0));
  return { radius_m: Math.min(radius, farthest_m), isCut: true };
}

/** Times of fetches are whole seconds. */
const SECOND_MS = 1_000;

/** It answered, and its data were within their time to live, as `freshness` of an observation counts. */
function isReliable(
  { status, fetched_at, ttl_s }: ProvidedSource,
  received_at: string | null,
): boolean {
  if (status !== "ok") return false;
  if (fetched_at === null || ttl_s === null || received_at === null) return true;
  const age_ms = Date.parse(received_at) - Date.parse(fetched_at) - SECOND_MS;
  return age_ms <= Math.max(ttl_s * 1000, REVALIDATED_MS);
}

/** Its publisher has not renewed what it reports: other objects of that source may be as old. */
function isOutdated({ of: { kind, item } }: Compared<ComparedItem>): boolean {
  if (kind === "service") return false;
  const data_class = kind === "station" ? item.data_class : item.source?.data_class;
  return data_class === "semi_static";
}

/** A source that the provenance does not list is named by the record's own id, and is not reliable. */
function nameSource(record_id: string, sourceOf: SourceOf): string {
  return sourceOf(record_id) ?? record_id.slice(0, record_id.lastIndexOf(":"));
}

/** Of a merged station, the source that gives its counts; where none does, all that observe it. */
function toStation(item: Station, sourceOf: SourceOf): Compared<ComparedItem> {
  const observers = item.provenance ?? [];
  const reporting = observers.filter(({ fields }) => fields.includes("availability"));
  const by = reporting.length > 0 ? reporting : observers;
  return {
    id: item.id,
    ...placeOf(item),
    members: isWhole(item) ? toStationMembers(item) : {},
    sources: by.map(({ source_id }) => nameSource(source_id, sourceOf)),
    of: { kind: "station", item },
  };
}

function toStationMembers({ availability, service_status, action_state }: Station): ChangedMembers {
  const { vehicles, docks, is_renting, is_returning } = availability;
  return {
    vehicles,
    docks,
    is_renting,
    is_returning,
    state: service_status?.state ?? null,
    pickup: action_state?.["pickup"] ?? null,
  };
}

function toVehicle(item: Vehicle, sourceOf: SourceOf): Compared<ComparedItem> {
  // Where nothing but ids may be kept, `source` is missing.
  const source = item.source as Vehicle["source"] | undefined;
  return {
    id: item.source_id,
    ...placeOf(source ?? {}),
    members: source === undefined ? {} : toVehicleMembers(source),
    sources: [nameSource(item.source_id, sourceOf)],
    of: { kind: "vehicle", item },
  };
}

function toVehicleMembers({
  service_status,
  action_state,
  battery,
}: Vehicle["source"]): ChangedMembers {
  return {
    state: service_status.state,
    pickup: action_state["pickup"] ?? null,
    battery: battery ?? null,
  };
}

function toPlace(item: Place): Compared<ComparedItem> {
  const { usable } = (item.attributes ?? {}) as { usable?: { state: string } | null };
  const { state = "unknown" } = usable ?? {};
  return {
    id: item.id,
    ...placeOf(item),
    members: isWhole(item) ? { usable: state === "unknown" ? null : state } : {},
    sources: item.source_id === undefined ? [] : [item.source_id],
    of: { kind: "service", item },
  };
}

function isWhole(item: { distance_meters?: number }): boolean {
  return item.distance_meters !== undefined;
}

function placeOf(item: {
  distance_meters?: number | undefined;
  location?: { lat: number; lon: number } | undefined;
}): Pick<Compared<ComparedItem>, "distance_m" | "location"> {
  return { distance_m: item.distance_meters ?? null, location: item.location ?? null };
}
