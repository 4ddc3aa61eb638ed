/** Cases of PostgreSQL, as two replicas have it. */
import { runSql } from "../../../test/support/engines.ts";
import { sleep } from "../../chaos/fleet/clock.ts";
import type { FaultCase } from "../case.ts";
import { createKey, PLAN, type Stage, toSettings } from "../stage.ts";
import { useWrongPassword } from "./logins.ts";

const storeOf = ({ store }: Stage): NonNullable<Stage["store"]> => store!;

/** As `postgres`, one statement by a connection of its own. */
const administer = async (stage: Stage, ...statements: string[]): Promise<void> => {
  for (const statement of statements) await runSql(storeOf(stage).url, statement);
};

/** Of known keys, where a case waits for its end. */
const GRACE_S = 5;

const CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app'";

const DOWN = {
  metrics: ["svc_store_up == 0", 'svc_store_failing{store="postgresql"} == 1'],
  log: /store away.*postgresql|postgresql.*store away/,
  alerts: ["VicinityStoreDown"],
} as const;
const failing = (reason: string): string =>
  `svc_store_failing{store="postgresql",reason="${reason}"} == 1`;

/** No account can be changed meanwhile, and the refusal says whose fault it is. */
async function refusesChanges(stage: Stage): Promise<string[]> {
  const made = await createKey(stage.nodes[0]!, PLAN);
  return made === 503 ? [] : [`a new key is ${typeof made === "number" ? made : 201}, and not 503`];
}

export const STORE_CASES: readonly FaultCase[] = [
  {
    name: "PostgreSQL killed",
    stage: "fleet",
    says: [
      ["operations", "anonymous callers; known keys for `keys.grace_s` more (an hour)"],
      ["accounts", "The service recovers by itself, within a second or two"],
    ],
    async fault(stage) {
      await storeOf(stage).kill();
      return null;
    },
    seen: { ...DOWN, metrics: [...DOWN.metrics, failing("unreachable")] },
    during: refusesChanges,
    cure: (stage) => storeOf(stage).restart(),
  },
  {
    name: "PostgreSQL stopped (SIGSTOP)",
    stage: "fleet",
    says: [["accounts", "PostgreSQL frozen, slow or gone"]],
    fault(stage) {
      storeOf(stage).freeze();
      return Promise.resolve(null);
    },
    seen: { ...DOWN, metrics: [...DOWN.metrics, failing("late")] },
    during: refusesChanges,
    cure(stage) {
      storeOf(stage).thaw();
      return Promise.resolve();
    },
  },
  {
    name: "PostgreSQL read-only",
    stage: "fleet",
    says: [["accounts", "PostgreSQL read-only or full"]],
    async fault(stage) {
      await administer(
        stage,
        "ALTER SYSTEM SET default_transaction_read_only = on",
        "SELECT pg_reload_conf()",
      );
      return null;
    },
    seen: { ...DOWN, metrics: [...DOWN.metrics, failing("read_only")] },
    during: refusesChanges,
    cure: (stage) =>
      administer(
        stage,
        "ALTER SYSTEM RESET default_transaction_read_only",
        "SELECT pg_reload_conf()",
      ),
  },
  {
    name: "PostgreSQL at its connection limit",
    stage: "fleet",
    says: [["operations", "`refused` (a password, a right, no connection left, a newer schema)"]],
    async fault(stage) {
      await administer(stage, "ALTER ROLE app CONNECTION LIMIT 0", CUT);
      return null;
    },
    seen: { ...DOWN, metrics: [...DOWN.metrics, failing("refused")] },
    cure: (stage) => administer(stage, "ALTER ROLE app CONNECTION LIMIT -1"),
  },
  {
    name: "PostgreSQL away for more than a minute",
    stage: "fleet",
    says: [["operations", "Events wait for the ledger for more than a minute"]],
    async fault(stage) {
      await storeOf(stage).kill();
      return null;
    },
    seen: {
      metrics: ["svc_usage_oldest_seconds > 60", "svc_usage_spool_depth > 100"],
      log: DOWN.log,
      alerts: ["VicinityStoreDown", "VicinityUsageOld"],
      later: [60, "an event must be a minute old first"],
    },
    cure: (stage) => storeOf(stage).restart(),
  },
  {
    name: "PostgreSQL away for longer than the grace of keys",
    stage: "fleet",
    says: [
      [
        "operations",
        "known keys work for `keys.grace_s` seconds (an hour as shipped), then their requests are 503",
      ],
      [
        "operations",
        "`keys`, the key is not known here and cannot be looked up, or its grace is over",
      ],
    ],
    async fault(stage) {
      for (const node of stage.nodes) {
        node.settings = { ...toSettings(stage.simulator), keys: { grace_s: GRACE_S } };
        await node.end();
        await node.start();
      }
      // The load shows its key to both.
      await sleep(2_000);
      await storeOf(stage).kill();
      return null;
    },
    seen: {
      metrics: ['rate(svc_store_refused_total{store="keys"}[10s]) > 0'],
      log: DOWN.log,
      alerts: ["VicinityStoreDown", "VicinityStoreRefuses", "VicinityErrors"],
      later: [GRACE_S, "the grace must be over first"],
    },
    restarts: true,
    allowed: ["keyed 503 store_unavailable"],
    cure: (stage) => storeOf(stage).restart(),
    async after(stage) {
      for (const node of stage.nodes) {
        node.settings = toSettings(stage.simulator);
        await node.end();
        await node.start();
      }
      return [];
    },
  },
  {
    name: "PostgreSQL away at the start of a replica",
    stage: "fleet",
    says: [
      [
        "accounts",
        "it serves callers without a key, and those with one get 503 `store_unavailable`. It joins when the server comes",
      ],
      [
        "compose",
        "Neither is needed to start: without Valkey a replica decides alone, without PostgreSQL it serves",
      ],
    ],
    async fault(stage) {
      await storeOf(stage).kill();
      const second = stage.nodes[1]!;
      await second.kill();
      await second.start();
      return null;
    },
    seen: {
      metrics: [failing("unreachable"), 'rate(svc_store_refused_total{store="keys"}[10s]) > 0'],
      log: DOWN.log,
      alerts: ["VicinityStoreDown", "VicinityStoreRefuses", "VicinityErrors"],
    },
    restarts: true,
    allowed: ["keyed 503 store_unavailable"],
    cure: (stage) => storeOf(stage).restart(),
  },
  {
    name: "wrong password of PostgreSQL at the start",
    stage: "fleet",
    says: [["accounts", "What a wait does not mend is refused in one line: a wrong password"]],
    async fault(stage) {
      const second = stage.nodes[1]!;
      await second.kill();
      await useWrongPassword(stage, second);
      const ended = await second.startRefused();
      return ended === null ? Promise.reject(new Error("it started with a wrong password")) : null;
    },
    seen: {
      metrics: ["up == 0"],
      log: /^vicinity: .*VICINITY_STORE_URL.*password/m,
      alerts: ["VicinityReplicaDown"],
    },
    victims: [1],
    async cure(stage) {
      const second = stage.nodes[1]!;
      second.variables["VICINITY_STORE_URL"] = storeOf(stage).app_url;
      await second.start();
    },
    // No secret may be in what is logged.
    after: ({ nodes }) =>
      Promise.resolve(
        nodes.some((node) => node.output().includes("another%20password"))
          ? ["the log has the password"]
          : [],
      ),
  },
];
