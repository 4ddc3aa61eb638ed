/** Bytes of an Overpass answer in, a static pack out. Pure. */
import type { VehicleType } from "#core/entities.ts";
import { parseJsonBytes } from "#core/json.ts";
import { packStatics } from "#core/shard/statics.ts";
import { createTrail } from "#core/trail.ts";
import { type MapStation, readMapStations } from "#providers/openstreetmap/stations.ts";
import type { IngestJob, IngestResult } from "#providers/provider.ts";

/** A document of one network bears a few names; one of many bears none in particular. */
const MOST_NAMES = 6;

export function ingest(job: IngestJob): IngestResult {
  const result: IngestResult = {
    ...{ files: {}, statics: null, status: null, vehicles: null },
    ...{ alerts: null, zones: null, system: null },
  };
  const body = job.bodies.station_information;
  if (!body) return { ...result, statics: job.statics };
  const wire = parseJsonBytes(body.bytes);
  const trail = createTrail();
  const read = wire === undefined ? null : readMapStations(wire, trail);
  if (!read) {
    const reason = wire === undefined ? "not_json" : "wrong_shape";
    return { ...result, files: { station_information: { ok: false, reason } } };
  }
  result.statics = pack(job, read);
  const seen = (wire as { elements: unknown[] }).elements.length;
  const said = { last_updated_s: null, ttl_s: null, version: null };
  result.files.station_information = {
    ...{ ok: true, ...said, seen, accepted: read.length },
    trail: trail.toTrail(),
  };
  return result;
}

function pack(job: IngestJob, read: readonly MapStation[]): SharedArrayBuffer {
  const names = [...new Set(read.flatMap((each) => each.names))];
  const modes = [...new Set(read.map(({ mode }) => mode))];
  const name = job.network?.name ?? job.name ?? names[0] ?? job.system_id;
  return packStatics(
    read.map(({ station }) => station),
    {
      source: "openstreetmap",
      system_id: job.system_id,
      network: { id: job.network?.id ?? job.system_id, name },
      system: null,
      names: names.length <= MOST_NAMES ? names : [],
      types: modes.map((mode) => ({ ...PLAIN_TYPE, id: mode, mode })),
      mode_hint: null,
      has_vehicle_feed: false,
    },
  );
}

const PLAIN_TYPE: Omit<VehicleType, "id" | "mode"> = {
  ...{ form_factor: null, propulsion: null, electric: null, name: null, make: null, model: null },
  ...{ max_range_m: null, reservable: null, accessories: [], return_constraint: null },
};
