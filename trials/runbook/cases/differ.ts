/** Cases of replicas that differ, and of accounts on a plan that is not there. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FaultCase } from "../case.ts";
import { runCommand, type ServiceNode } from "../node.ts";
import { createKey, type Stage, toSettings } from "../stage.ts";

/** A list of one address (BANO), which is a base of its own. */
const LIST = "1,7,Allée des Cygnes,99002,Val Clair,OSM,47.2,2.6\n";
const GONE = "runbook_gone";
const PLAN_OF_IT = { rate_per_s: 20, burst: 40, units: null, period: null, hard: false };
const MOST = { nearby_limit_max: 100, nearby_offset_max: null, datasets: null };

const differ = (what: string): string => `svc_replicas_differ{what="${what}"} > 0`;
const SEEN = {
  log: /replicas differ/,
  alerts: ["VicinityReplicasDiffer"],
} as const;

async function restart(node: ServiceNode): Promise<void> {
  await node.end();
  await node.start();
}

/** As `kill -HUP` does. */
function reload(node: ServiceNode): void {
  node.writeSettings();
  node.signal("SIGHUP");
}

async function importList(node: ServiceNode): Promise<void> {
  const file = join(node.data_dir, "list.csv");
  writeFileSync(file, LIST);
  const args = ["import", "addresses", file, "--format", "bano", "--id", "val"];
  const { code, text } = await runCommand(node, args);
  if (code !== 0) throw new Error(`the import failed: ${text}`);
}

const withPlan = ({ simulator }: Stage): object => {
  const settings = toSettings(simulator);
  return { ...settings, plans: { ...settings.plans, [GONE]: { ...PLAN_OF_IT, ...MOST } } };
};

export const DIFFER_CASES: readonly FaultCase[] = [
  {
    name: "two replicas of differing configuration",
    stage: "fleet",
    says: [["operations", "if it lasts, reload or restart the one that was forgotten"]],
    async fault(stage) {
      const second = stage.nodes[1]!;
      second.settings = toSettings(stage.simulator, { citybikes: { enabled: false } });
      await restart(second);
      return null;
    },
    seen: { ...SEEN, metrics: [differ("config")] },
    restarts: true,
    async cure(stage) {
      const second = stage.nodes[1]!;
      second.settings = toSettings(stage.simulator);
      await restart(second);
    },
  },
  {
    name: "a base on one replica only",
    stage: "fleet",
    says: [["operations", "or import there what it lacks"]],
    async fault({ nodes }) {
      await importList(nodes[0]!);
      return null;
    },
    seen: { ...SEEN, metrics: [differ("bases")] },
    cure: ({ nodes }) => importList(nodes[1]!),
  },
  {
    name: "an account on an unknown plan",
    stage: "fleet",
    says: [
      ["operations", "Put the plan back and reload (SIGHUP), or move the accounts"],
      ["accounts", "has the limits of the least plan, `free`, and that is an error that is seen"],
    ],
    async fault(stage) {
      for (const node of stage.nodes) {
        node.settings = withPlan(stage);
        await restart(node);
      }
      const made = await createKey(stage.nodes[0]!, GONE);
      if (typeof made === "number") throw new Error(`no key: ${made}`);
      for (const node of stage.nodes) {
        node.settings = toSettings(stage.simulator);
        await restart(node);
      }
      for (const { url } of stage.nodes)
        await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${made.key}` } });
      return null;
    },
    seen: {
      metrics: ["svc_unknown_plans > 0"],
      log: /plan.*runbook_gone|runbook_gone.*plan/,
      alerts: ["VicinityUnknownPlan"],
    },
    restarts: true,
    cure(stage) {
      for (const node of stage.nodes) {
        node.settings = withPlan(stage);
        reload(node);
      }
      return Promise.resolve();
    },
  },
];
