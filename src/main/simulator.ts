/**
 * The simulator in a thread of its own: it starts while this thread still loads the service, and its
 * answers take no time of the thread that serves.
 */
import { Worker } from "node:worker_threads";
import type { Plan, Sandbox, SandboxFacts } from "../../sandbox/main.ts";
import { detach } from "#kit/guard.ts";
import { receive } from "#kit/receive.ts";
import { SMALL_YOUNG } from "#process/heap.ts";
import type { SimulatorOrder, SimulatorReport, SimulatorTask } from "./workers/sandbox.ts";

export type Simulator = {
  /**
   * Resolves when it listens; rejects where it cannot. `now` is the time of the service; `follow` moves
   * it along when that of the simulator is moved.
   */
  open(now: () => number, follow: (advance_s: number) => Promise<void>): Promise<Sandbox>;
};

const WORKER = new URL("./workers/sandbox.ts", import.meta.url);

/** Starts the thread. Until it is opened, it does not keep the process alive. */
export function startSimulator(task: SimulatorTask): Simulator {
  const worker = new Worker(WORKER, { workerData: task, resourceLimits: SMALL_YOUNG });
  const started = Promise.withResolvers<SandboxFacts | Error>();
  let isStarted = false;
  const plans = new Map<string, PromiseWithResolvers<Plan>>();
  let onMoved: (advance_s: number) => void = () => undefined;
  const send = (order: SimulatorOrder): void => worker.postMessage(order);
  worker.on("error", (error: Error) => {
    // Its end is that of the process, as if it had no thread of its own.
    if (isStarted) throw error;
    started.resolve(error);
  });
  const take = receive<SimulatorReport>({
    moved: ({ advance_s }) => onMoved(advance_s),
    drawn: ({ id, plan }) => plans.get(id)?.resolve(plan),
    started({ facts }) {
      isStarted = true;
      started.resolve(facts);
    },
  });
  worker.on("message", take);
  // After the listener for messages, which refers to the thread again.
  worker.unref();
  function draw(id: string): Promise<Plan> {
    const known_plan = plans.get(id);
    if (known_plan) return known_plan.promise;
    const drawn = Promise.withResolvers<Plan>();
    plans.set(id, drawn);
    send({ kind: "draw", id });
    return drawn.promise;
  }
  return {
    async open(now, follow) {
      worker.ref();
      onMoved = (advance_s) => {
        const followed = (problem: string | null): void => send({ kind: "followed", problem });
        detach(
          follow(advance_s).then(() => followed(null)),
          (error) => followed(String(error)),
        );
      };
      const close = async (): Promise<void> => void (await worker.terminate());
      const facts = await started.promise;
      if (facts instanceof Error) throw facts;
      return toSandbox(facts, { now, draw, close });
    },
  };
}

/** The simulator of another thread, by what it says of itself. */
export function toSandbox(
  { gbfs_systems, gtfs_feeds, open_map_stations, motis_stations, ...facts }: SandboxFacts,
  { now, draw, close }: Pick<Sandbox, "now" | "close"> & { draw(id: string): Promise<Plan> },
): Sandbox {
  const { url, port, sources, extract, cities, plans, upstreams } = facts;
  return {
    ...{ url, port, sources, extract, now, close },
    gbfsSystems: () => gbfs_systems,
    gtfsFeeds: () => gtfs_feeds,
    openMapStations: () => open_map_stations,
    motisStations: () => motis_stations,
    cities: () => cities,
    plans: () => plans.map((plan) => ({ ...plan, read: () => draw(plan.id) })),
    upstreams: () => upstreams,
  };
}
