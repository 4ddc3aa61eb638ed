/** Cases of Valkey or Redis, as two replicas have it. */
import { sleep } from "../../chaos/fleet/clock.ts";
import type { FaultCase } from "../case.ts";
import { Repeat } from "../repeat.ts";
import { sendValkey } from "./logins.ts";

const failing = (reason: string): string =>
  `svc_store_failing{store="valkey",reason="${reason}"} == 1`;
const AWAY = /store away.*valkey|valkey.*store away/;
const DOWN = {
  metrics: ["svc_shared_up == 0"],
  log: AWAY,
  alerts: ["VicinitySharedStoreDown"],
} as const;
const PASSWORD = "the-password-of-valkey";

const pauses = new Repeat();

export const SHARED_CASES: readonly FaultCase[] = [
  {
    name: "Valkey killed",
    stage: "fleet",
    says: [["operations", "repair Valkey; nothing else. Replicas notice within seconds"]],
    async fault({ shared }) {
      await shared!.kill();
      return null;
    },
    seen: { ...DOWN, metrics: [...DOWN.metrics, failing("unreachable")] },
    cure: ({ shared }) => shared!.restart(),
  },
  {
    name: "Valkey stopped (SIGSTOP)",
    stage: "fleet",
    says: [["operations", "Valkey is down, frozen, full or read-only"]],
    fault({ shared }) {
      shared!.freeze();
      return Promise.resolve(null);
    },
    seen: { ...DOWN, metrics: [...DOWN.metrics, "rate(svc_shared_fallbacks_total[10s]) > 0"] },
    cure({ shared }) {
      shared!.thaw();
      return Promise.resolve();
    },
  },
  {
    name: "Valkey full (noeviction)",
    stage: "fleet",
    says: [
      ["operations", "`full`: raise `maxmemory`, and set `maxmemory-policy` to `volatile-lru`"],
    ],
    async fault(stage) {
      await sendValkey(stage, "CONFIG SET maxmemory-policy noeviction", "CONFIG SET maxmemory 1");
      return null;
    },
    seen: {
      metrics: [...DOWN.metrics, failing("full")],
      log: AWAY,
      alerts: ["VicinitySharedStoreDown", "VicinityFallbacks"],
    },
    async cure(stage) {
      await sendValkey(
        stage,
        "CONFIG SET maxmemory 100mb",
        "CONFIG SET maxmemory-policy volatile-lru",
      );
    },
  },
  {
    name: "Valkey read-only (a copy)",
    stage: "fleet",
    says: [["operations", "`read_only`: the address leads to a copy, as after a failover"]],
    async fault(stage) {
      await sendValkey(stage, "REPLICAOF 127.0.0.1 1");
      return null;
    },
    seen: { ...DOWN, metrics: [...DOWN.metrics, failing("read_only")] },
    // An outage is one line, however often it flaps.
    during: ({ nodes }) =>
      Promise.resolve(
        nodes.flatMap((node) => {
          const lines = node
            .output()
            .split("\n")
            .filter((line) => /read_only/.test(line)).length;
          return lines > 3 ? [`${lines} lines say read_only`] : [];
        }),
      ),
    async cure(stage) {
      await sendValkey(stage, "REPLICAOF NO ONE");
    },
  },
  {
    name: "Valkey slow at times",
    stage: "fleet",
    says: [["operations", "if that does not fire, Valkey is slow at times"]],
    fault(stage) {
      pauses.start(async () => {
        await sendValkey(stage, "CLIENT PAUSE 250 ALL");
        await sleep(750);
      });
      return Promise.resolve(null);
    },
    seen: {
      metrics: ["rate(svc_shared_fallbacks_total[10s]) > 0"],
      log: null,
      alerts: ["VicinityFallbacks"],
    },
    cure: () => pauses.stop(),
  },
  {
    name: "wrong password of Valkey at the start",
    stage: "fleet",
    says: [["operations", "`refused`: a password or an ACL"]],
    async fault(stage) {
      await sendValkey(stage, `CONFIG SET requirepass ${PASSWORD}`);
      const second = stage.nodes[1]!;
      second.variables["VICINITY_SHARED_URL"] = `redis://:wrong@127.0.0.1:${stage.shared!.port}`;
      await second.kill();
      await second.start();
      return null;
    },
    seen: { ...DOWN, metrics: [...DOWN.metrics, failing("refused")] },
    restarts: true,
    async cure(stage) {
      const [, second] = stage.nodes;
      second!.variables["VICINITY_SHARED_URL"] =
        `redis://:${PASSWORD}@127.0.0.1:${stage.shared!.port}`;
      await second!.end();
      await second!.start();
    },
    async after(stage) {
      await sendValkey(stage, `AUTH ${PASSWORD}`, 'CONFIG SET requirepass ""');
      const [, second] = stage.nodes;
      second!.variables["VICINITY_SHARED_URL"] = stage.shared!.url;
      await second!.end();
      await second!.start();
      return [];
    },
  },
];
