/** Entry of the simulator's thread (main/simulator.ts). */
import { parentPort, workerData } from "node:worker_threads";
import { describeSandbox, startSandbox } from "../../../sandbox/main.ts";
import type { SimulatorOrder, SimulatorReport, SimulatorTask } from "../simulator.ts";
import { createSteadyTime } from "../steady-time.ts";

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
parentPort?.on("message", (order: SimulatorOrder) => {
  if (order.kind === "draw") draw(order.id);
  else if (order.problem === null) moves.shift()?.resolve();
  else moves.shift()?.reject(new Error(order.problem));
});
send({ kind: "started", facts: describeSandbox(sandbox) });

function draw(id: string): void {
  const city = sandbox.plans().find((plan) => plan.id === id);
  if (city) void Promise.resolve(city.read()).then((plan) => send({ kind: "drawn", id, plan }));
}
