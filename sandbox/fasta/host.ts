// DB FaSta, station facilities status 2: lifts of German stations, for callers with both headers.
import { offset } from "../geo.ts";
import { answerJson, type Reply, type SandboxRequest } from "../http.ts";
import { once } from "../registry.ts";
import { hash, hex, unit } from "../rng.ts";
import type { Source } from "../source.ts";
import { isOut, liftsOf } from "../world/station-ways.ts";
import type { TransitStation } from "../world/transit-model.ts";
import type { World } from "../world/world.ts";

const ROOT = "/upstreams/fasta";
const PATH = `${ROOT}/facilities`;
const COUNTRY = "DE";
/** Lifts that the register has lost sight of. */
const UNKNOWN_SHARE = 0.05;

type Deps = { readonly world: World; readonly now: () => number; readonly origin: string };
type Lift = { readonly station: TransitStation; readonly number: number };

export const isRegistered = ({ city }: TransitStation): boolean => city.country === COUNTRY;

export const equipmentOf = ({ key }: TransitStation, number: number): number =>
  10_000_000 + (hash(key, number, 0x6671) % 80_000_000);

export function createFasta({ world, now, origin }: Deps): Source {
  const client_id = hex(32, hash(world.seed, 0x6661));
  const api_key = hex(32, hash(world.seed, 0x6662));
  const lifts = once(() =>
    world.cities
      .flatMap((city) => world.getNetwork(city).stations)
      .filter(isRegistered)
      .flatMap((station) => liftsOf(station).map((number): Lift => ({ station, number }))),
  );
  return {
    id: "fasta",
    description: "DB FaSta, state of lifts",
    parts: [],
    partsOf: () => [],
    upstream: { url: `${origin}${ROOT}`, client_id, api_key },
    observe: () => [],
    handle(request) {
      const { headers, query, pathname } = request;
      if (headers["db-client-id"] !== client_id || headers["db-api-key"] !== api_key)
        return answerJson(401, { httpCode: "401", moreInformation: "Unauthorized" });
      if (pathname !== PATH) return answerJson(404, { errNo: 404, errMsg: "not found" });
      return answer(request, query.get("type"), lifts(), now());
    },
  };
}

function answer(
  { method }: SandboxRequest,
  type: string | null,
  lifts: readonly Lift[],
  now_ms: number,
): Reply {
  if (method !== "GET") return answerJson(405, { errNo: 405, errMsg: "method not allowed" });
  const rows = [
    ...(type === "ESCALATOR" ? [] : lifts.map((lift) => toRow(lift, now_ms))),
    ...(type === "ELEVATOR" ? [] : lifts.filter(({ number }) => number === 1).map(toEscalator)),
  ];
  return answerJson(200, rows, { "cache-control": "max-age=30" });
}

function toRow({ station, number }: Lift, now_ms: number) {
  const equipmentnumber = equipmentOf(station, number);
  const is_lost = unit(station.key, number, 0x6c6f) < UNKNOWN_SHARE;
  const state = is_lost ? "UNKNOWN" : isOut(station, number, now_ms) ? "INACTIVE" : "ACTIVE";
  const at = offset(station, 12 * unit(station.key, number, 1), 12 * unit(station.key, number, 2));
  return {
    equipmentnumber,
    type: "ELEVATOR",
    description: number === 1 ? "zu Straße" : `zu Gleis ${number - 1}`,
    geocoordX: at.lon,
    geocoordY: at.lat,
    state,
    stateExplanation: {
      UNKNOWN: "monitoring disrupted",
      INACTIVE: "not available",
      ACTIVE: "available",
    }[state],
    stationnumber: 1_000 + station.index,
    operatorname: "DB InfraGO",
  };
}

const toEscalator = ({ station }: Lift) => ({
  equipmentnumber: equipmentOf(station, 90),
  type: "ESCALATOR",
  description: "zu Straße",
  geocoordX: station.lon,
  geocoordY: station.lat,
  state: "ACTIVE",
  stateExplanation: "available",
  stationnumber: 1_000 + station.index,
  operatorname: "DB InfraGO",
});
