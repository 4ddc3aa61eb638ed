/** Cases of a replica that is gone, or does not get on. */
import { sleep } from "../../chaos/fleet/clock.ts";
import type { FaultCase } from "../case.ts";
import { ADMIN_TOKEN } from "../node.ts";

/** Whether `/livez` answers within a second. */
async function lives(admin_url: string): Promise<boolean> {
  return await fetch(`${admin_url}/livez`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

export const REPLICA_CASES: readonly FaultCase[] = [
  {
    name: "a replica killed (SIGKILL)",
    stage: "fleet",
    says: [["operations", "Prometheus cannot scrape a replica. Is the process there"]],
    async fault({ nodes }) {
      await nodes[1]!.kill();
      return null;
    },
    seen: { metrics: ["up == 0"], log: null, alerts: ["VicinityReplicaDown"] },
    victims: [1],
    cure: ({ nodes }) => nodes[1]!.start(),
  },
  {
    name: "a replica stopped (SIGSTOP)",
    stage: "fleet",
    says: [
      [
        "operations",
        "One that does not answer at all is [VicinityReplicaDown](#vicinityreplicadown)",
      ],
    ],
    fault({ nodes }) {
      nodes[1]!.signal("SIGSTOP");
      return Promise.resolve(null);
    },
    seen: { metrics: ["up == 0"], log: null, alerts: ["VicinityReplicaDown"] },
    victims: [1],
    during: async ({ nodes }) => ((await lives(nodes[1]!.admin_url)) ? ["/livez answers"] : []),
    // As its liveness probe does: it is killed, and started again.
    async cure({ nodes }) {
      await nodes[1]!.kill();
      await nodes[1]!.start();
    },
  },
  {
    name: "an event loop that is blocked",
    stage: "fleet",
    says: [["operations", "Requests wait for more than a second. Either there is too much work"]],
    fault({ nodes }) {
      nodes[1]!.meddle({ block_ms: 1_100 });
      return Promise.resolve(null);
    },
    seen: {
      metrics: ['svc_eventloop_delay_seconds{quantile="0.99"} > 1'],
      log: null,
      alerts: ["VicinityReplicaStuck"],
    },
    victims: [1],
    async cure({ nodes }) {
      await nodes[1]!.kill();
      await nodes[1]!.start();
    },
  },
  {
    name: "a defect (500)",
    stage: "alone",
    says: [
      [
        "operations",
        "A defect. It costs that answer alone: the service goes on, and so do its sources.",
      ],
    ],
    async fault(stage) {
      const [node] = stage.nodes;
      node!.variables["MEDDLE_PLANT"] = "1";
      await node!.end();
      await node!.start();
      node!.meddle({ throws: PLANT });
      for (let i = 0; i < 20; i++) {
        await sleep(200);
        const { status } = await fetch(`${node!.url}/v1/sources`);
        if (status === 500) return null;
      }
      throw new Error("no 500 could be provoked");
    },
    seen: {
      metrics: ['svc_http_requests_total{status="500"} > 0'],
      log: /"(?:st|status)":500.*planted in/,
      alerts: ["VicinityInternalErrors"],
    },
    victims: [0],
    async cure({ nodes }) {
      const [node] = nodes;
      delete node!.variables["MEDDLE_PLANT"];
      await node!.end();
      await node!.start();
    },
    after: ({ nodes }) =>
      Promise.resolve(nodes[0]!.output().includes(ADMIN_TOKEN) ? ["the log has the token"] : []),
  },
];

/** Called by the answer of `/v1/sources`. */
const PLANT = "src/http/data.ts#toCacheControl";
