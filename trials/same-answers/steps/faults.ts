/** Every source of the simulator fails: what each operation and tool answers then. */
import type { Basis } from "./generated.ts";
import { createRequests } from "../../requests/requests.ts";
import type { Step } from "../recording.ts";
import { request, withLabels } from "./step.ts";

const COUNT = 150;

/** `sources`: ids of the simulator; they fail at once, so that no answer depends on how fast it is. */
export function faultSteps(basis: Basis, sources: readonly string[], seed: number): Step[] {
  const plant = (source: string): Step =>
    request("simulator", `/__sandbox/faults/${encodeURIComponent(source)}`, {
      ...{ to: "simulator", method: "PUT", body: { fault: "http_500" } },
    });
  const { keys, stations } = basis;
  const options = { seed, keys, stations, faulty: 0, near: 0, shares: {} };
  const made = createRequests(basis, options);
  return withLabels([
    ...sources.map(plant),
    ...Array.from({ length: COUNT }, (_, serial): Step => {
      const { operation, method, target, headers, body } = made.make(serial, []);
      const text = body === null ? null : body.toString("latin1");
      const part = `failing ${operation}`;
      return { part, label: part, to: "api", method, target, headers, body: text };
    }),
  ]);
}
