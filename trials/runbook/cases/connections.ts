/** A case of too many connections, by a process that may open few files. */
import { connect, type Socket } from "node:net";
import { sleep } from "../../chaos/fleet/clock.ts";
import type { FaultCase } from "../case.ts";
import { Repeat } from "../repeat.ts";

/** `ulimit -n` of the process: three quarters are for connections. */
const LIMIT = 512;
const CONNECTIONS = 460;
/** One address may have 256 of them. */
const ADDRESSES = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];

const open = new Set<Socket>();
const opening = new Repeat();

/** As many connections as are let in, all of them silent after one request. */
function keep(port: number, addresses = ADDRESSES): void {
  opening.start(async (turn) => {
    if (open.size < CONNECTIONS) {
      const localAddress = addresses[turn % addresses.length]!;
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      // One that has asked nothing yet is ended within seconds.
      socket.write("GET /health HTTP/1.1\r\nHost: runbook\r\n\r\n");
      socket.resume();
      open.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => open.delete(socket));
    }
    await sleep(open.size < CONNECTIONS ? 4 : 50);
  });
}

async function leave(): Promise<void> {
  await opening.stop();
  for (const socket of open) socket.destroy();
}

export const CONNECTION_CASES: readonly FaultCase[] = [
  {
    name: "one client with too many connections",
    stage: "alone",
    says: [
      [
        "operations",
        "one client with too many, or a balancer that `server.trusted_proxies` does not name",
      ],
    ],
    fault({ nodes }) {
      keep(Number(new URL(nodes[0]!.url).port), ADDRESSES.slice(0, 1));
      return Promise.resolve(null);
    },
    seen: {
      metrics: ['rate(svc_http_connections_ended_total{reason="address"}[10s]) > 0'],
      log: null,
      alerts: [],
    },
    cure: leave,
  },
  {
    name: "descriptors near the limit",
    stage: "alone",
    says: [["operations", "silent connections end after 65 s"]],
    async fault({ nodes }) {
      const node = nodes[0]!;
      node.descriptors = LIMIT;
      await node.end();
      await node.start();
      keep(Number(new URL(node.url).port));
      return null;
    },
    seen: {
      metrics: ["process_open_fds / process_max_fds > 0.7"],
      log: null,
      alerts: ["VicinityDescriptors"],
    },
    // Silent connections make room for those that ask.
    victims: [0],
    async cure({ nodes }) {
      await leave();
      const node = nodes[0]!;
      node.descriptors = null;
      await node.end();
      await node.start();
    },
  },
];
