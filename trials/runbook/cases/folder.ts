/** Cases of the data folder of a node alone: full, read-only, without its names. */
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { FaultCase } from "../case.ts";
import { runCommand } from "../node.ts";
import { mountReadOnly } from "../mounts.ts";
import { Repeat } from "../repeat.ts";
import { createKey, PLAN, type Stage } from "../stage.ts";

const NO_ROOT = "only root can mount a volume of its own";
const AWAY = /store away.*folder|folder.*store away/;
const failing = (reason: string): string =>
  `svc_store_failing{store="folder",reason="${reason}"} == 1`;

const fillerOf = ({ volume }: Stage): string => join(volume!, "filler");

/** Leaves that number of free bytes of the small volume. */
function fill(stage: Stage, left: number): void {
  const { bavail, bsize } = statfsSync(stage.volume!);
  const free = bavail * bsize;
  try {
    writeFileSync(fillerOf(stage), Buffer.alloc(Math.max(0, free - left)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

const burning = new Repeat();
let unmount: (() => void) | null = null;

const PAGE = 4_096;
const WAL_HEADER = 32;

export const FOLDER_CASES: readonly FaultCase[] = [
  {
    name: "data folder nearly full",
    stage: "alone",
    says: [["operations", "Less space is free than datasets leave to others"]],
    fault(stage) {
      if (stage.volume === null) return Promise.resolve(NO_ROOT);
      fill(stage, 6 * 1024 * 1024);
      return Promise.resolve(null);
    },
    seen: {
      metrics: ["svc_data_free_bytes < svc_data_floor_bytes"],
      log: null,
      alerts: ["VicinityDiskLow"],
    },
    cure(stage) {
      rmSync(fillerOf(stage), { force: true });
      return Promise.resolve();
    },
  },
  {
    name: "data folder full",
    stage: "alone",
    says: [
      ["operations", "free space; nothing need be restarted"],
      ["operations", "Free space in the data folder's volume; recovery needs no restart."],
      ["operations", "since usage that cannot be recorded is not given away"],
    ],
    fault(stage) {
      if (stage.volume === null) return Promise.resolve(NO_ROOT);
      fill(stage, 0);
      // Replies that cost units fill what the journal keeps.
      burn(stage);
      return Promise.resolve(null);
    },
    seen: {
      metrics: [
        "svc_store_up == 0",
        failing("full"),
        'increase(svc_usage_events_total{state="refused"}[30s]) > 0',
      ],
      log: AWAY,
      alerts: [
        "VicinityDiskLow",
        "VicinityStoreDown",
        "VicinityUsageBehind",
        "VicinityUsageRefused",
        "VicinityStoreRefuses",
      ],
    },
    allowed: ["keyed 503 store_unavailable"],
    async during(stage) {
      const made = await createKey(stage.nodes[0]!, PLAN);
      return made === 503 ? [] : [`a new key is ${typeof made === "number" ? made : 201}`];
    },
    async cure(stage) {
      rmSync(fillerOf(stage), { force: true });
      await burning.stop();
    },
  },
  {
    name: "data folder read-only",
    stage: "alone",
    says: [["operations", "`read_only`: the volume was mounted so"]],
    fault(stage) {
      unmount = mountReadOnly(stage.nodes[0]!.data_dir);
      return Promise.resolve(unmount === null ? NO_ROOT : null);
    },
    seen: {
      metrics: ["svc_store_up == 0", failing("read_only")],
      log: AWAY,
      alerts: ["VicinityStoreDown"],
    },
    cure() {
      unmount?.();
      return Promise.resolve();
    },
  },
  {
    name: "a malformed database",
    stage: "alone",
    says: [
      [
        "operations",
        "`broken`: keep a copy of the folder, and check it (`PRAGMA integrity_check`)",
      ],
      ["operations", "`vicinity backup` makes one consistent copy while the service runs"],
    ],
    async fault(stage) {
      const { code, text } = await runCommand(stage.nodes[0]!, ["backup", backupOf(stage)]);
      if (code !== 0) throw new Error(`no backup: ${text}`);
      await damage(stage);
      return null;
    },
    seen: {
      metrics: ["svc_store_up == 0", failing("broken")],
      log: AWAY,
      alerts: ["VicinityStoreDown"],
    },
    allowed: ["keyed 503 store_unavailable"],
    async cure(stage) {
      const node = stage.nodes[0]!;
      await node.kill();
      rmSync(node.data_dir, { recursive: true, force: true });
      const { code, text } = await runCommand(node, ["restore", backupOf(stage)]);
      if (code !== 0) throw new Error(`the backup cannot be restored: ${text}`);
      rmSync(backupOf(stage), { force: true });
      await node.start();
    },
  },
  {
    name: "a database that lost its name",
    stage: "alone",
    says: [
      ["operations", "Was the folder or a file moved? Move it back; the alert ends by itself."],
      [
        "operations",
        "The log names them, `svc_store_files_lost` counts them, and `/readyz` is 503.",
      ],
    ],
    fault(stage) {
      const file = databaseOf(stage);
      renameSync(file, `${file}.moved`);
      return Promise.resolve(null);
    },
    seen: {
      metrics: ["svc_store_files_lost > 0"],
      log: /files of the store have lost their names/,
      alerts: ["VicinityStoreDetached"],
    },
    async during({ nodes }) {
      const { status } = await fetch(`${nodes[0]!.admin_url}/readyz`);
      return status === 503 ? [] : [`/readyz is ${status}`];
    },
    cure(stage) {
      const file = databaseOf(stage);
      if (!existsSync(file)) renameSync(`${file}.moved`, file);
      return Promise.resolve();
    },
  },
];

/** Of the folder as it was before the damage, and for the service to come back to. */
const backupOf = ({ nodes }: Stage): string => join(dirname(nodes[0]!.data_dir), "backup.tar");

/**
 * What follows the headers, in the files that are open: names and locks stay. A connection whose pages
 * are in memory sees it when another one has written.
 */
async function damage(stage: Stage): Promise<void> {
  const database = databaseOf(stage);
  for (const [path, header] of [
    [database, PAGE],
    [`${database}-wal`, WAL_HEADER],
  ] as const) {
    const file = openSync(path, "r+");
    const { size } = fstatSync(file);
    if (size > header) writeSync(file, Buffer.alloc(size - header, 0xff), 0, size - header, header);
    closeSync(file);
  }
  for (let i = 0; i < 3; i++) await createKey(stage.nodes[0]!, PLAN);
}

const databaseOf = ({ nodes }: Stage): string => join(nodes[0]!.data_dir, "live", "vicinity.db");

/** Many keyed questions at once, until the cure, in addition to those of the load. */
function burn(stage: Stage): void {
  const url = `${stage.nodes[0]!.url}/v1/nearby?lat=48.8566&lon=2.3522&limit=1`;
  const headers = { authorization: `Bearer ${stage.key}` };
  burning.start(
    () =>
      fetch(url, { headers }).then(
        (reply) => reply.text(),
        () => null,
      ),
    16,
  );
}
