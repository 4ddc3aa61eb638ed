/** Drawn worlds behind the running program, and what questions in them cost. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { Agent, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createDice } from "../dice.ts";
import { get } from "../hostile/load.ts";
import { startProgram } from "../program.ts";
import { type Cost, drawQuestions, findCostProblem, listAtPoint, measure } from "./cost.ts";
import { listOperations } from "./description.ts";
import { readDescription } from "./run.ts";
import { drawWorld, EMPTY_AT, type World, WORLD_AT } from "./worlds.ts";

export type WorldOutcome = {
  seed: number;
  what: string;
  costs: Cost[];
  findings: string[];
  /** Processor time of the plain empty nearby. */
  unit_ns: number;
};

const QUESTIONS = 4;
const UNIT = { times: 200, rounds: 3 } as const;
const TIMES = { times: 5, rounds: 3 } as const;
const WARM = 300;
/** More say nothing new, and each may take seconds. */
const FINDINGS_MAX = 5;

/** Starts a program with the world of this seed, and asks every operation that takes a point. */
export async function tryWorld(seed: number): Promise<WorldOutcome> {
  const world = drawWorld(seed);
  const host = await serveFeed(world);
  const settings = {
    egress: { allow_private: true },
    sources: {
      gbfs: { systems: [systemAt(host.url)] },
      // The base answers for places, and no simulated server in its stead.
      maps: { adapter: "openstreetmap", geocoder: "embedded" },
      openstreetmap: { places: "embedded" },
    },
  };
  const prepare = (data_dir: string): Promise<void> => importWorld(world, data_dir);
  const program = await startProgram({ settings, prepare });
  const agent = new Agent({ keepAlive: true });
  try {
    const { url } = program.ready;
    const ask = async (target: string): Promise<{ status: number; bytes: number }> => {
      const { status, text } = await get(`${url}${target}`, agent);
      return { status, bytes: Buffer.byteLength(text) };
    };
    const { description } = await readDescription(Number(new URL(url).port));
    const operations = listAtPoint(listOperations(description));
    const plain = `/v1/nearby?lat=${EMPTY_AT.lat}&lon=${EMPTY_AT.lon}`;
    for (let n = 0; n < WARM; n++) await ask(plain);
    const { ns: unit_ns } = await measure(ask, plain, { pid: program.pid(), ...UNIT });
    const costs: Cost[] = [];
    const findings: string[] = [];
    for (const [n, operation] of operations.entries()) {
      const drawn = { dice: createDice(seed, 100 + n), many: QUESTIONS };
      for (const question of drawQuestions(operation, WORLD_AT, drawn)) {
        if (findings.length >= FINDINGS_MAX) break;
        const measured = { pid: program.pid(), ...TIMES };
        const { ns, ...reply } = await measure(ask, question.target, measured);
        const cost = { question, times: ns / unit_ns, ...reply };
        costs.push(cost);
        const problem = findCostProblem(cost);
        if (problem !== null) findings.push(`${problem}\n  ${question.target}`);
      }
    }
    const ended = program.ended();
    if (ended !== null) findings.push(`the program ended by itself: ${ended}`);
    return { seed, what: world.what, costs, findings, unit_ns };
  } finally {
    agent.destroy();
    await program.close();
    host.close();
  }
}

function systemAt(url: string): object {
  const network = { id: "stranger", name: "Stranger" };
  return { id: "stranger", url: `${url}/gbfs.json`, mode_hint: "bicycle", country: "NA", network };
}

async function serveFeed(world: World): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const body =
      files[/^\/(\w+)\.json$/.exec(request.url ?? "")?.[1] as keyof typeof files] ?? null;
    response.writeHead(body === null ? 404 : 200, { "content-type": "application/json" });
    response.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const files = world.feed(url);
  return { url, close: () => server.close().closeAllConnections() };
}

/** As an operator would: what an import refuses is not in the world, and that is right. */
async function importWorld(world: World, data_dir: string): Promise<void> {
  const [extract, timetable] = [join(data_dir, "world.osm.pbf"), join(data_dir, "world.zip")];
  await Promise.all([writeFile(extract, world.extract()), writeFile(timetable, world.timetable())]);
  for (const [kind, path] of [
    ["osm", extract],
    ["gtfs", timetable],
  ] as const) {
    const args = ["src/main.ts", "import", kind, path, "--id", "world", "--sandbox"];
    const env = { ...process.env, VICINITY_DATA_DIR: data_dir };
    const child = spawn(process.execPath, args, { env, stdio: "ignore" });
    await once(child, "close");
  }
}
