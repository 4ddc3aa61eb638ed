/** Waits until what a program answers no longer depends on how fast its sources were. */
import type { Agent } from "node:http";
import { CITIES } from "../requests/places.ts";
import type { Description, Tool } from "../requests/description.ts";
import { type FrozenProgram, pause } from "./program.ts";
import type { Reply } from "./recording.ts";
import { sendHttp } from "./send.ts";
import type { Basis } from "./steps/generated.ts";
import { request } from "./steps/step.ts";

const ROUNDS_MAX = 300;
const ROUND_MS = 400;
/** Rounds with the same answers, one after the other. */
const CALM = 4;

/** What does not ask a source. */
const STATES: readonly string[] = ["/tiles/index.json", "/v1/sources"];
const PROBES: readonly string[] = [
  ...STATES,
  "/v1/geocode?q=Paris",
  // Says of the gazetteer that it is still being made.
  "/photon/api?q=Paris",
  ...CITIES.flatMap(({ lat, lon }) => {
    const at = `lat=${lat}&lon=${lon}`;
    return [
      `/v1/nearby?${at}&include=stations,vehicles&limit=100`,
      `/v1/transport/nearby?${at}`,
      `/v1/departures/nearby?${at}`,
      `/v1/services/nearby?${at}&types=toilets`,
    ];
  }),
];

/** `answers`: those that wait for sources as well. */
export type SettledParts = "answers" | "states";

/** The caller: another address than that of the recorded requests, and a key where limits are enforced. */
export type Scout = { program: FrozenProgram; agent: Agent; key: string | null };

export async function settle(scout: Scout, parts: SettledParts): Promise<void> {
  // What is imported in threads is there before the time is moved.
  await waitCalm(scout, STATES);
  if (parts === "states") return;
  await survey(scout);
  await waitCalm(scout, PROBES);
}

async function waitCalm(scout: Scout, probes: readonly string[]): Promise<void> {
  let last = "";
  let calm = 0;
  for (let round = 0; round < ROUNDS_MAX && calm < CALM; round++) {
    const bodies: string[] = [];
    for (const target of probes) bodies.push((await get(scout, target)).body);
    const all = bodies.map((body) => body.replaceAll(/"request_id":"[^"]*"/g, "")).join("\n");
    // The base of the simulated world is made by a process of its own.
    const isWhole = !UNSETTLED.test(all) && bodies[0]!.includes("OpenStreetMap contributors");
    calm = all === last && isWhole ? calm + 1 : 0;
    last = all;
    await pause(ROUND_MS);
  }
  if (calm < CALM) throw new Error(`the program did not settle: ${last.slice(0, LINE_MAX)}`);
}

const UNSETTLED = /"status":"partial"|is being made/;
const LINE_MAX = 2_000;

/** As often as it takes to survey all systems, whose pace is that of the time that is moved. */
const STEPS_OF_TIME = 40;
const STEP_S = 30;

/** Moves the simulated time, on which all that falls due is waited for: it stands still otherwise. */
async function survey({ program, agent }: Scout): Promise<void> {
  const body = { advance_s: STEP_S };
  for (let step = 0; step < STEPS_OF_TIME; step++)
    await sendHttp(program.simulator, request("", "/__sandbox/clock", { body }), agent);
}

/** The version of the map's tiles, which the time of a file is part of. */
export async function readTileVersion(scout: Scout): Promise<string> {
  const { version } = parse(await get(scout, "/tiles/index.json")) as { version: string };
  return version;
}

function get({ program, agent, key }: Scout, target: string): Promise<Reply> {
  const headers: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  return sendHttp(program.api, request("", target, { headers }), agent);
}

/** Ids of the simulator's sources. */
export async function readSources({ program, agent }: Scout): Promise<string[]> {
  const step = request("", "/__sandbox/sources");
  const { body } = await sendHttp(program.simulator, step, agent);
  const { sources } = JSON.parse(body) as { sources: { id: string }[] };
  return sources.map(({ id }) => id);
}

export async function readBasis(scout: Scout, wish: { stations: boolean }): Promise<Basis> {
  const { program, agent } = scout;
  const { body } = await get(scout, "/openapi.json");
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const headers = { accept: "application/json, text/event-stream" };
  const listed = await sendHttp(program.api, request("", "/mcp", { body: list, headers }), agent);
  const { result } = parse(listed) as { result: { tools: Tool[] } };
  const stations = new Set<string>();
  for (const { lat, lon } of wish.stations ? CITIES.slice(0, 4) : []) {
    const target = `/v1/transport/nearby?lat=${lat}&lon=${lon}&limit=5`;
    const reply = parse(await get(scout, target)) as {
      results: { stations: { id: string }[] };
    };
    for (const { id } of reply.results.stations) stations.add(id);
  }
  const description = JSON.parse(Buffer.from(body, "latin1").toString()) as Description;
  return { description, tools: result.tools, stations: [...stations], keys: program.keys };
}

function parse({ body }: Reply): unknown {
  return JSON.parse(Buffer.from(body, "latin1").toString());
}
