/**
 * How much of the serving thread strangers get: one address, and ten addresses of one block, ask the
 * dearest questions as fast as they may, against the program with its limits in force.
 *
 *   --seconds N     of each measurement, 20 unless stated
 *   --only A,B      these questions alone (trials/shares/questions.ts)
 *   --program DIR   the root of another checkout, to measure that one
 */
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { readArguments } from "./arguments.ts";
import { withLimits } from "./program.ts";
import { ROOT } from "../test/integration/service/processes.ts";
import { createRandom } from "../test/conformance/rate-limiter.ts";
import { ask, startCallers, type Tally } from "./shares/callers.ts";
import { type Question, QUESTIONS } from "./shares/questions.ts";

/** Shares of the serving thread that are promised (docs/operations.md, Limits by time). */
const MOST = { address: 0.05, block: 0.15 };

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, { seconds: 20, only: null, program: ROOT });
  const only = values.only?.split(",");
  const mixes = Object.entries(QUESTIONS).filter(([name]) => only?.includes(name) ?? true);
  const all: Mix = ["mixed", (random) => mixes[Math.floor(random() * mixes.length)]![1](random)];
  const wanted: Mix[] = mixes.length > 1 ? [...mixes, all] : mixes;
  return await withLimits(
    { root: resolve(values.program), cities: "paris,berlin" },
    ({ url, pid }) => measureAll({ port: Number(new URL(url).port), pid }, wanted, values.seconds),
  );
}

type Mix = [name: string, next: (random: () => number) => Question];
type Stage = { port: number; pid: number };

async function measureAll(stage: Stage, mixes: readonly Mix[], seconds: number): Promise<number> {
  await warmUp(stage, mixes);
  const idle = await shareOf(stage.pid, () => setTimeout(5_000));
  console.log(`  at rest ${percent(idle)}`);
  let findings = 0;
  for (const [row, [name, next]] of mixes.entries())
    for (const kind of ["address", "block"] as const) {
      const addresses = addressesOf(kind, row);
      const { share, tally } = await measure(stage, { addresses, next, seconds });
      // With what the service does for itself, such as reading feeds that were woken.
      const isOver = share > MOST[kind];
      if (isOver) findings++;
      const who = kind === "address" ? "one address" : `${addresses.length} of one block`;
      console.log(
        `${isOver ? "✖" : "✔"} ${name}, ${who}: ${percent(share)} of the serving thread; ${toList(tally)}`,
      );
    }
  return findings;
}

/** Each measurement has addresses of its own: none owes anything of the one before. */
function addressesOf(kind: "address" | "block", row: number): string[] {
  const hosts = kind === "address" ? 1 : 10;
  const net = kind === "address" ? 1 : 2;
  return Array.from({ length: hosts }, (_, host) => `127.${20 + row}.${net}.${host + 1}`);
}

async function measure(
  { port, pid }: Stage,
  of: { addresses: string[]; next: Mix[1]; seconds: number },
): Promise<{ share: number; tally: Tally }> {
  const random = createRandom(38);
  const callers = startCallers(port, of.addresses, () => of.next(random));
  const share = await shareOf(pid, () => setTimeout(of.seconds * 1_000));
  return { share, tally: await callers.stop() };
}

/** Programs compile what they run often: each kind is asked first, from blocks that ask nothing else. */
async function warmUp({ port }: Stage, mixes: readonly Mix[]): Promise<void> {
  const random = createRandom(7);
  await untilBase(port);
  for (let round = 0; round < 12; round++) {
    const agent = new Agent({ localAddress: `127.200.${round}.1` });
    for (const [, next] of mixes) await ask({ port, agent, ...next(random) });
    agent.destroy();
  }
}

/** The sandbox imports its base behind the start; before, no index answers Photon. */
async function untilBase(port: number): Promise<void> {
  for (let tries = 0; tries < BASE_TRIES; tries++) {
    const agent = new Agent({ localAddress: "127.201.0.1" });
    const { status } = await ask({ port, agent, path: "/photon/api?q=rue" });
    agent.destroy();
    if (status === 200) return;
    await setTimeout(1_000);
  }
  console.log("  no base was imported within two minutes: what it answers is not measured");
}

const BASE_TRIES = 120;

/** Processor time of the main thread while the task runs, by the time that passes. */
async function shareOf(pid: number, task: () => Promise<unknown>): Promise<number> {
  const [begun_s, begun_ms] = [readMain_s(pid), performance.now()];
  await task();
  return ((readMain_s(pid) - begun_s) * 1_000) / (performance.now() - begun_ms);
}

const TICKS_PER_S = 100;

function readMain_s(pid: number): number {
  const text = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
  const [user, system] = text
    .slice(text.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) / TICKS_PER_S;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function toList(tally: Tally): string {
  return [...tally].map(([status, count]) => `${status} ${count}`).join(", ");
}
