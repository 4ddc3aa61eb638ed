/** A docking station or a vehicle by its id, from what is held of the systems around its point. */
import type { OneResult } from "#app/nearby-one.ts";
import { LIMITS } from "#api/limits.ts";
import { ofFailure, toEnded } from "#core/notices.ts";
import { toRfc3339 } from "#kit/time.ts";
import { toOmitted } from "../brief.ts";
import { toStationRecord, toVehicleRecord } from "../tool-records.ts";
import { createSourcesOf } from "../answer-sources.ts";
import type { Described, FindPlace, PlaceMatch, PlaceMissing } from "./place-kinds.ts";

const RADIUS_M = LIMITS.nearby.radius_max;
const METERED = { void: false, objects: 1, maps_categories: 0 } as const;

export const findMobility: FindPlace = async ({ findOne }, { id, at }, query) => {
  const one = await findOne({ id, at }, query);
  if (!one) return { kind: "unplaced" };
  return one.body ? toPlaceMatch({ ...one, body: one.body }) : toMissing(id, one);
};

type Body = NonNullable<OneResult["body"]>;

function toPlaceMatch({
  body,
  zones,
  price,
  audit,
  max_age_s,
}: OneResult & { body: Body }): PlaceMatch {
  const { status, message, query_origin, results } = body;
  const { stations, vehicles, alerts } = results;
  const [station] = stations;
  const [vehicle] = vehicles;
  const provenance = (station ?? vehicle!).provenance ?? [];
  const sourcesOf = createSourcesOf(audit.sources.map(({ source_id }) => source_id));
  const described = provenance.map(
    ({ source_id: record, provider, entity_id, fields }): Described => {
      const [source_id = record] = sourcesOf([record]);
      const own_source = audit.sources.find((each) => each.source_id === source_id);
      return {
        source_id,
        provider,
        entity_id,
        fields,
        observed_at: toTime(own_source?.feed_updated_at_s),
        fetched_at: toTime(own_source?.fetched_at_ms && own_source.fetched_at_ms / 1_000),
      };
    },
  );
  return {
    kind: "found",
    record: station
      ? toStationRecord(station, alerts)
      : toVehicleRecord(vehicle!, { zones, price }, alerts),
    reported: { status, message, ...toOmitted(body.notices, message) },
    query_origin,
    local: null,
    provenance: described,
    sources: [...new Set(described.map(({ source_id }) => source_id))],
    freshness: audit.freshness,
    max_age_s,
    requested: [{ operation: "getNearby", metered: METERED }],
  };
}

function toTime(at_s: number | null | undefined): string | null {
  return at_s == null ? null : toRfc3339(at_s);
}

/** Of a vehicle its own source alone knows; a station's id does not say whose it is. */
function toMissing(id: string, { audit }: OneResult): PlaceMissing {
  const isStation = id.startsWith("svc_station_");
  const able = audit.sources.filter(({ source_id }) => isStation || id.startsWith(`${source_id}:`));
  const unknown = able.flatMap(({ name, status, reason }) =>
    status === "ok"
      ? []
      : [toEnded(ofFailure(name, { status, reason: reason ?? "unexpected" }, null)).message],
  );
  const { unsurveyed } = audit;
  if (unsurveyed > 0) unknown.push("Systems of the area have not been surveyed yet.");
  return {
    kind: "missing",
    radius_m: RADIUS_M,
    unknown,
    elsewhere: able.length === 0 && unknown.length === 0,
    requested: [{ operation: "getNearby", metered: { ...METERED, objects: 0 } }],
  };
}
