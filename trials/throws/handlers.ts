/** A throw in each operation: while its caller is found, at once and later, and while it is executed. */
import { listRoutes, type RouteId } from "#api/mcp-operation.ts";
import type { Operation } from "#api/operation.ts";
import { type Call, call } from "../../test/support/call.ts";
import { HOME, okReply, stubServer, type StubOptions } from "../../test/support/server.ts";
import { type Findings, noFindings } from "./findings.ts";

const WAYS = ["at once", "later", "executed"] as const;
type Plant = { name: string; way: (typeof WAYS)[number] };
type Thrown = { isOf(way: Plant["way"]): boolean; error(): Error };

const POINT = "lat=48.8566&lon=2.3522";
/** Questions that reach what executes the operation. */
const QUESTIONS: Partial<Record<RouteId, string>> = {
  getNearby: `/v1/nearby?${POINT}`,
  listSources: "/v1/sources",
  getServicesNearby: `/v1/services/nearby?${POINT}&types=toilets`,
  getParkingNearby: `/v1/parking/nearby?${POINT}`,
  getChargingNearby: `/v1/charging/nearby?${POINT}`,
  getTransportNearby: `/v1/transport/nearby?${POINT}`,
  getDeparturesNearby: `/v1/departures/nearby?${POINT}`,
  getWalk: "/v1/walk?from=48.8566,2.3522&to=48.8574,2.3531",
  getReach: `/v1/reach?${POINT}&minutes=5`,
  geocode: "/v1/geocode?q=Paris",
  searchPlaces: "/v1/place-search?q=Paris",
  reverseGeocode: `/v1/reverse-geocode?${POINT}`,
  getWeather: "/realtime/48.8566,2.3522/weather/en",
  getForecast: "/realtime/48.8566,2.3522/forecast/en",
};

/** Plants `times` throws a way in each operation, and asks `further` questions of the same server. */
export async function plantInHandlers(times: number, further: number): Promise<Findings> {
  const findings = noFindings();
  let planted: Plant | null = null;
  const thrown: Thrown = {
    isOf: (way) => planted?.way === way,
    error: () => new TypeError(`planted in ${planted!.name}`),
  };
  const server = stubServer(stubsThat(thrown));
  const requests = listRoutes().flatMap((operation) => plantsOf(operation));
  for (const { way, sent, id } of requests)
    for (let i = 0; i < times; i++) {
      planted = { name: `${id} ${way} ${i}.`, way };
      const before = server.lines.length;
      const reply = await call(server.app, sent);
      await new Promise((resolve) => setImmediate(resolve));
      findings.planted++;
      const name = planted.name;
      const lines = server.lines
        .slice(before)
        .filter((line) => JSON.stringify(line).includes(name));
      const [line] = lines;
      const listed = reply.headers["x-request-id"];
      const isSaid = lines.length === 1 && line!["id"] === listed && line!["st"] === 500;
      if (reply.statusCode !== 500 || !isSaid || !JSON.stringify(line).includes(" at "))
        findings.wrong.push(`${name} ${reply.statusCode}, ${lines.length} lines with its stack`);
    }
  planted = null;
  for (let i = 0; i < further; i++) {
    const reply = await call(server.app, { url: QUESTIONS.getNearby! });
    findings.further++;
    if (reply.statusCode !== 200) findings.wrong.push(`a further question: ${reply.statusCode}`);
  }
  const { count, keyed } = server.metrics.inflight;
  if (count !== 0 || keyed !== 0) findings.wrong.push(`${count} requests are still counted`);
  await server.app.close();
  return findings;
}

function plantsOf(operation: Operation): { id: string; way: Plant["way"]; sent: Call }[] {
  const { id, auth, method, path } = operation;
  if (auth === "none") return [];
  const url = path.replaceAll(/\{\w+\}/g, "1");
  const body = method === "POST" ? { payload: "{}" } : {};
  const json = { "content-type": "application/json" };
  // A credential that is none is counted by the address it came from.
  const headers = { ...json, authorization: "Bearer none" };
  const question = QUESTIONS[id as RouteId];
  return [
    { id, way: "at once", sent: { url, method, headers, ...body } },
    ...(auth === "required"
      ? []
      : [{ id, way: "later" as const, sent: { url, method, headers: json, ...body } }]),
    ...(question === undefined || auth === "required"
      ? []
      : [{ id, way: "executed" as const, sent: { url: question } }]),
  ];
}

function stubsThat({ isOf, error }: Thrown): StubOptions {
  const execute = (): never => {
    throw error();
  };
  /** Half of the use cases are awaited. */
  const reject = (): Promise<never> => Promise.reject(error());
  return {
    nearby: () => (isOf("executed") ? execute() : okReply()),
    sources: execute,
    searches: {
      geocoding: { geocode: reject, search: reject, reverse: reject },
      ...{ services: reject, parking: reject, charging: reject, transport: reject },
      departures: { nearby: reject, station: reject },
    },
    legacy: { water: reject, vehicles: { ofBrand: reject, scooters: reject } },
    weather: { weather: reject, forecast: reject },
    onFoot: { findWay: execute, findReach: reject },
    gate: {
      addressOf() {
        if (isOf("at once")) throw error();
        return HOME;
      },
      limiter: {
        admit: () => (isOf("later") ? reject() : { admitted: true, remaining: 9, reset_s: 1 }),
        charge: () => undefined,
      },
    },
  };
}
