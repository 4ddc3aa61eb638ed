/** A throw in each operation: while its caller is found, at once and later, and while it is executed. */
import { listRoutes } from "#api/mcp-operation.ts";
import type { Operation } from "#api/operation.ts";
import type { OperationId } from "#api/operations.ts";
import { CLASSES } from "../../test/support/by-hand.ts";
import { type Call, call } from "../../test/support/call.ts";
import { everySearch } from "../../test/support/searches.ts";
import { HOME, okReply, stubServer, type StubOptions } from "../../test/support/server.ts";
import { type Findings, noFindings } from "./findings.ts";

const WAYS = ["at once", "later", "executed"] as const;
type Plant = { name: string; way: (typeof WAYS)[number] };
type Thrown = { isOf(way: Plant["way"]): boolean; error(): Error };

const PLACE = "lat=48.8566&lon=2.3522";
/** What is not reached by a question alone: stubs of their own answer, or nothing is executed. */
const NOT_REACHED: ReadonlySet<string> = new Set<OperationId>([
  ...(["getHealth", "getOpenApi", "getChangelog"] as const),
  ...(["executeCapability", "readDataset", "getStationDepartures", "getMe"] as const),
]);
/** Questions that reach what executes the operation. */
const QUESTIONS = Object.fromEntries(
  Object.values(CLASSES)
    .flatMap((paths) => Object.entries<string>(paths))
    .filter(([id]) => !NOT_REACHED.has(id))
    .map(([id, path]) => [id, path.replace("{place}", PLACE)]),
) as Partial<Record<OperationId, string>>;

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
  const question = QUESTIONS[id as OperationId];
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
    readQuality: execute,
    searches: everySearch(reject),
    legacy: { water: reject, vehicles: { ofBrand: reject, scooters: reject } },
    weather: { weather: reject, forecast: reject },
    onFoot: { findWay: execute, findReach: reject },
    findPlace: execute,
    readPlaceHistory: execute,
    live: { open: execute, read: reject },
    liveTiles: { draw: reject },
    gbfs: { read: reject },
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
