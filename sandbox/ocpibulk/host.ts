// An open file of OCPI locations, as the law asks operators to publish, and a shorter one of the states
// alone; with the slips of the locations (ocpi/locations.ts) and those of a file that was put together.
import { isInOcpiBulk, ocpiIdOf, partyOf } from "../listing.ts";
import {
  answerDocument,
  answerJson,
  type Reply,
  type SandboxRequest,
  toDocument,
} from "../http.ts";
import { listLocations, type Location, type LocationRow } from "../ocpi/locations.ts";
import { listAll, observe, once, type RegistryDeps } from "../registry.ts";
import type { Source } from "../source.ts";

const ROOT = "/upstreams/ocpi_bulk";
const MAX_AGE_S = 30;

export function createOcpiBulk({ world, now, origin }: RegistryDeps): Source {
  const locations = once(() => listLocations(world.cities, listAll(world).filter(isInOcpiBulk)));
  return {
    id: "ocpi_bulk",
    description: "An open file of OCPI locations",
    parts: [],
    partsOf: () => [],
    upstream: {
      url: `${origin}${ROOT}/locations.json`,
      live_url: `${origin}${ROOT}/statuses.json`,
    },
    observe(thing) {
      if (thing.kind !== "service" || !isInOcpiBulk(thing)) return [];
      const { country, party } = partyOf(thing);
      return observe("ocpi_bulk", `${country}/${party}/${ocpiIdOf(thing)}`);
    },
    handle: (request) => answer(request, locations(), now()),
  };
}

function answer(request: SandboxRequest, all: readonly Location[], now_ms: number): Reply {
  const rows = all.map((location) => location.toRow(now_ms));
  const file = request.pathname.slice(ROOT.length);
  if (file === "/locations.json")
    return answerDocument(toDocument([...rows, ...oddRows(rows)]), request, MAX_AGE_S);
  if (file !== "/statuses.json") return answerJson(404, { message: "Not found" });
  const data = rows.filter(({ publish }) => publish !== false).flatMap(statusesOf);
  return answerDocument(toDocument({ data: [...data, ...ODD_STATUSES] }), request, MAX_AGE_S);
}

const statusesOf = ({ country_code, party_id, id, evses }: LocationRow): unknown[] =>
  (evses as LocationRow[]).map(({ uid, evse_id, status, last_updated }) => ({
    ...{ country_code, party_id, location_id: id, evse_uid: uid, status, last_updated },
    ...(evse_id === undefined ? {} : { evse_id }),
  }));

/** Of a point that no location has; a word of no version; and no row at all. */
const ODD_STATUSES: readonly unknown[] = [
  { evse_id: "XX*ODD*E404*1", status: "AVAILABLE", last_updated: "2026-01-01T00:00:00Z" },
  { location_id: "LOC-odd", evse_uid: "1", status: "SLEEPING", last_updated: "yesterday" },
  null,
];

/** A doubled row, one without a place, one at 1,1, one in a list of its own, and none at all. */
function oddRows([first]: readonly LocationRow[]): readonly unknown[] {
  return [
    first,
    { ...first, id: "LOC-placeless", coordinates: null, evses: [] },
    { ...first, id: "LOC-sea", coordinates: { latitude: "1.0", longitude: "1.0" }, evses: [] },
    [first],
    null,
  ];
}
