/** Entry of the simulator's thread (main/simulator.ts). */
import { parentPort, workerData } from "node:worker_threads";
import {
  describeSandbox,
  type Plan,
  type SandboxFacts,
  startSandbox,
} from "../../../sandbox/main.ts";
import { detach } from "#kit/guard.ts";
import { receive } from "#kit/receive.ts";
import { createSteadyTime } from "#process/steady-time.ts";

/** What the thread is started with. */
export type SimulatorTask = { seed: number; port: number; cities?: readonly string[] };

/** A message of the thread. Where its time was moved, it waits until the service has followed. */
export type SimulatorReport =
  | { kind: "started"; facts: SandboxFacts }
  | { kind: "moved"; advance_s: number }
  | { kind: "drawn"; id: string; plan: Plan };

/** A message to the thread. `problem`: why the service could not follow. */
export type SimulatorOrder =
  | { kind: "followed"; problem: string | null }
  | { kind: "draw"; id: string };

const send = (report: SimulatorReport): void => parentPort?.postMessage(report);
/** Moves of time that the service has not followed yet, the oldest first. */
const moves: PromiseWithResolvers<void>[] = [];
const sandbox = await startSandbox({
  ...(workerData as SimulatorTask),
  now: createSteadyTime().now,
  onAdvance(advance_s) {
    const move = Promise.withResolvers<void>();
    moves.push(move);
    send({ kind: "moved", advance_s });
    return move.promise;
  },
});
const take = receive<SimulatorOrder>({
  draw: ({ id }) => draw(id),
  followed({ problem }) {
    if (problem === null) moves.shift()?.resolve();
    else moves.shift()?.reject(new Error(problem));
  },
});
parentPort?.on("message", take);
send({ kind: "started", facts: describeSandbox(sandbox) });

function draw(id: string): void {
  const city = sandbox.plans().find((plan) => plan.id === id);
  if (!city) return;
  const drawn = Promise.resolve(city.read()).then((plan) => send({ kind: "drawn", id, plan }));
  detach(drawn, (error) => {
    throw error;
  });
}
