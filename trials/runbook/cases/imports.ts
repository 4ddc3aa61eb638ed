/** Cases of imported timetables that cannot be opened, or say nothing of now. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { nowMs, sleep } from "../../chaos/fleet/clock.ts";
import type { FaultCase, Doc } from "../case.ts";
import { runCommand, type ServiceNode } from "../node.ts";
import type { Stage } from "../stage.ts";

const ID = "runbook";
/** A running service notices an import within seconds. */
const SEEN_S = 60;
/** Where the number of the format is in a pack (packages/kit/pack.ts). */
const VERSION_AT = 4;

async function importTimetable(stage: Stage): Promise<void> {
  const node = stage.nodes[0]!;
  const reply = await fetch(`${stage.simulator.url}/upstreams/gtfs/paris.zip`);
  const file = join(node.data_dir, "paris.zip");
  writeFileSync(file, Buffer.from(await reply.arrayBuffer()));
  const { code, text } = await runCommand(node, ["import", "gtfs", file, "--id", ID]);
  if (code !== 0) throw new Error(`the import failed: ${text}`);
}

/** Changes the stored pack, with the service stopped; the file that it came from is gone by then. */
async function rewrite(stage: Stage, change: (pack: Buffer) => Buffer): Promise<void> {
  const node = stage.nodes[0]!;
  await importTimetable(stage);
  await node.end();
  const database = new DatabaseSync(join(node.data_dir, "live", "vicinity.db"));
  const row = database.prepare("SELECT pack FROM transit_feed WHERE feed_id = ?").get(ID);
  const pack = change(Buffer.from(row!["pack"] as Uint8Array));
  database.prepare("UPDATE transit_feed SET pack = ? WHERE feed_id = ?").run(pack, ID);
  database.close();
  // It would be imported again from there.
  rmSync(join(node.data_dir, "paris.zip"));
  await node.start();
}

/** A timetable whose days are over. */
const ENDED: Readonly<Record<string, string>> = {
  agency:
    "agency_id,agency_name,agency_url,agency_timezone\n1,Old,https://old.example,Europe/Paris\n",
  stops: "stop_id,stop_name,stop_lat,stop_lon\na,Alpha,48.8566,2.3522\nb,Beta,48.8666,2.3622\n",
  routes: "route_id,agency_id,route_short_name,route_type\n1,1,1,3\n",
  calendar:
    "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n1,1,1,1,1,1,1,1,20240101,20241231\n",
  trips: "route_id,service_id,trip_id\n1,1,1\n",
  stop_times:
    "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n1,08:00:00,08:00:00,a,1\n1,08:10:00,08:10:00,b,2\n",
};

async function importEnded({ nodes }: Stage): Promise<void> {
  const node = nodes[0]!;
  const folder = join(node.data_dir, "ended");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(ENDED))
    writeFileSync(join(folder, `${name}.txt`), text);
  const { code, text } = await runCommand(node, ["import", "gtfs", folder, "--id", ID]);
  if (code !== 0) throw new Error(`the import failed: ${text}`);
}

async function problemOf({ url }: ServiceNode): Promise<string | null> {
  const { sources } = (await (await fetch(`${url}/v1/sources`)).json()) as {
    sources: { id: string; problem?: { token?: string } | null }[];
  };
  const match = sources.find(({ id }) => id.includes(ID));
  return match === undefined ? "no such source" : JSON.stringify(match.problem ?? null);
}

/** `/v1/sources` and `vicinity doctor` say it. */
async function sayIt({ nodes }: Stage, word: RegExp): Promise<string[]> {
  const node = nodes[0]!;
  const until_ms = nowMs() + SEEN_S * 1000;
  let problem = await problemOf(node);
  while (!word.test(String(problem)) && nowMs() < until_ms) {
    await sleep(500);
    problem = await problemOf(node);
  }
  const { code, text } = await runCommand(node, ["doctor", "--json"]);
  return [
    ...(problem !== null && word.test(problem) ? [] : [`/v1/sources says ${problem}`]),
    ...(word.test(text) ? [] : ["doctor does not say it"]),
    ...(code === 1 ? [] : [`doctor ends with ${code}`]),
  ];
}

/** Until it is as it should be: a running service notices an import within seconds. */
async function isWell({ nodes }: Stage): Promise<string[]> {
  const until_ms = nowMs() + 60_000;
  let problem = await problemOf(nodes[0]!);
  while (problem !== "null" && nowMs() < until_ms) {
    await sleep(500);
    problem = await problemOf(nodes[0]!);
  }
  return problem === "null" ? [] : [`after the import /v1/sources says ${problem}`];
}

const unusable = (reason: string): string =>
  `svc_imports_unusable{kind="timetable",reason="${reason}"} > 0`;
const IMPORT_AGAIN: [Doc, string] = ["operations", "import it again"];

export const IMPORT_CASES: readonly FaultCase[] = [
  {
    name: "a timetable of an earlier version",
    stage: "alone",
    says: [["operations", "log line `was imported by an earlier version`"], IMPORT_AGAIN],
    async fault(stage) {
      await rewrite(stage, (stored) => {
        const pack = Buffer.from(inflateRawSync(stored));
        pack.writeUInt32LE(pack.readUInt32LE(VERSION_AT) - 1, VERSION_AT);
        return deflateRawSync(pack, { level: 1 });
      });
      return null;
    },
    seen: {
      metrics: [unusable("earlier_version")],
      log: /was imported by an earlier version: import it again/,
      alerts: ["VicinityImportUnusable"],
    },
    during: (stage) => sayIt(stage, /earlier_version/),
    restarts: true,
    cure: importTimetable,
    after: isWell,
  },
  {
    name: "a damaged timetable",
    stage: "alone",
    says: [IMPORT_AGAIN],
    async fault(stage) {
      await rewrite(stage, (stored) => stored.subarray(0, stored.length >> 1));
      return null;
    },
    seen: {
      metrics: [unusable("damaged")],
      log: /is damaged in the store: import it again/,
      alerts: ["VicinityImportUnusable"],
    },
    during: (stage) => sayIt(stage, /unreadable|damaged/),
    restarts: true,
    cure: importTimetable,
    after: isWell,
  },
  {
    name: "a timetable that has ended",
    stage: "alone",
    says: [["operations", "Import it again, for `ended` from a newer file of its publisher"]],
    async fault(stage) {
      await importEnded(stage);
      return null;
    },
    seen: { metrics: [unusable("ended")], log: null, alerts: ["VicinityImportUnusable"] },
    during: (stage) => sayIt(stage, /ended/),
    cure: importTimetable,
    after: isWell,
  },
];
