/**
 * The datasets that a run has named, read repeatedly after the program was killed and after it was
 * ended: byte for byte what was answered before, and no source is asked.
 */
import { type Ready } from "../../test/integration/service/processes.ts";
import { createDice } from "../dice.ts";
import type { Kept } from "./laws/context.ts";
import { plainRequest } from "./run.ts";
import type { ApiRequest } from "./requests.ts";
import { openConnection, readText, toWire } from "./wire.ts";

export type Restartable = {
  ready: Ready;
  /** Ends the program by the signal and starts it again on the same folder. */
  restart(signal: "SIGKILL" | "SIGINT"): Promise<Ready>;
};

const POLICIES = ["accept_valid_cache", "revalidate", null];
const LANES = 4;

/** Findings, and how much was read. */
export async function readAgain(
  { ready, restart }: Restartable,
  all: readonly Kept[],
  reads: number,
): Promise<{ findings: string[]; datasets: number; reads: number; upstream: number }> {
  const findings: string[] = [];
  const read = async (port: number, stored: Kept, turn: number): Promise<void> => {
    const problem = await readOne(port, stored, turn);
    if (problem !== null && findings.length < 5) findings.push(problem);
  };
  // What was not answered yet is read before the program is killed.
  for (const stored of all) for (const turn of [0, 3]) await read(portOf(ready), stored, turn);
  for (const signal of ["SIGKILL", "SIGINT"] as const) {
    const port = portOf(await restart(signal));
    for (const [turn, stored] of all.entries()) await read(port, stored, turn);
  }
  const again = await restart("SIGINT");
  await waitQuiet(again);
  let turn = 0;
  const lane = async (): Promise<void> => {
    while (turn < reads) {
      const dice = createDice(1, turn++);
      await read(portOf(again), dice.pick(all), dice.integer(0, 11));
    }
  };
  if (all.length > 0) await Promise.all(Array.from({ length: LANES }, lane));
  const upstream = await countUpstream(again);
  if (upstream > 0) findings.push(`sources received ${upstream} requests while datasets were read`);
  return { findings, datasets: all.length, reads: turn, upstream };
}

const portOf = ({ url }: Ready): number => Number(new URL(url).port);

/** Every fourth time the record itself, else the observation under one of the policies. */
async function readOne(port: number, stored: Kept, turn: number): Promise<string | null> {
  const isBody = turn % 4 === 3;
  const request = isBody
    ? plainRequest("GET", stored.href, {}, null)
    : toRead(stored, POLICIES[turn % POLICIES.length]!);
  const headers = {
    ...request.headers,
    ...(stored.key !== null && { authorization: `Bearer ${stored.key}` }),
  };
  const connection = await openConnection(port);
  const [reply] = await connection.exchange(toWire({ ...request, headers }), [request.method]);
  connection.close();
  const text = readText(reply!) ?? "";
  if (reply!.status !== 200) return `${stored.href}: ${reply!.status} ${text}`;
  const name = ',"observation":';
  const answer = isBody ? text : text.slice(text.indexOf(name) + name.length, -1);
  const before = (isBody ? stored.body : stored.observation) ?? answer;
  stored[isBody ? "body" : "observation"] = before;
  return answer === before ? null : `${stored.href}: not what was answered before`;
}

function toRead({ id, version }: Kept, freshness_policy: string | null): ApiRequest {
  const correlation = {
    conversation_id: "trial",
    interaction_id: "trial",
    request_id: "trial",
    parent_request_id: null,
    turn_id: null,
  };
  const request = { capability: "read_dataset", args: { id, version } };
  const body = { contract_version: "1.0.0", correlation, request, freshness_policy };
  const headers = { "content-type": "application/json" };
  return plainRequest("POST", "/v1/capabilities", headers, Buffer.from(JSON.stringify(body)));
}

async function countUpstream({ sandbox_url }: Ready): Promise<number> {
  const reply = await fetch(`${sandbox_url}/__sandbox/requests`);
  const { counts } = (await reply.json()) as { counts: Record<string, number> };
  // A part of a source counts for the source, too.
  return Object.entries(counts).reduce((sum, [id, n]) => sum + (id.includes(":") ? 0 : n), 0);
}

const QUIET_MS = 30_000;

/** Until what a start reads in the background has been read; then counting begins. */
async function waitQuiet(ready: Ready): Promise<void> {
  const until = performance.now() + QUIET_MS;
  for (let last = -1, same = 0; same < 25;) {
    const now = await countUpstream(ready);
    same = now === last ? same + 1 : 0;
    last = now;
    if (performance.now() > until) throw new Error("the sources are not left alone");
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  await fetch(`${ready.sandbox_url}/__sandbox/requests`, { method: "DELETE" });
}
