/**
 * The matrix of hostile feeds: each case of the hostile trial in place of a healthy feed of the real
 * program. The faults of the simulator have no part in it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FEED_BOUNDS } from "#kit/feed-bounds.ts";
import { CASES } from "../../trials/hostile/cases.ts";
import { type Observed, runCase } from "../../trials/hostile/judge.ts";
import { get, startLoad } from "../../trials/hostile/load.ts";
import { nearbyUrl, openStage, type Stage, waitHealthy } from "../../trials/hostile/stage.ts";
import type { Ran } from "./matrix.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** A feed that is refused leaves nothing behind; one just within its bounds is held, and packed twice as large. */
const MEMORY_MB = { refused: 512, held: 768 };
const RATE = 50;

/** Runs each case on a program of its own: memory that one took must not count against another. */
export async function runHostile(): Promise<Ran> {
  const problems: string[] = [];
  let slowest_ms = 0;
  const line = (words: readonly string[]): void => console.log(`| ${words.join(" | ")} |`);
  line(["hostile feed", "what is reported", "longest work of a feed", "resident"]);
  line(["---", "---", "---", "---"]);
  const names = Object.entries(CASES).filter(([, { from_start }]) => !from_start);
  for (const [name, { what }] of names) {
    const { seen, late } = await runOne(name);
    const { outcome, ended, healthy, memory_mb } = seen;
    slowest_ms = Math.max(slowest_ms, healthy.max_ms);
    const reported =
      outcome?.status === "ok" ? "ok" : `\`${outcome?.status}\` \`${outcome?.reason}\``;
    const work = late === 0 ? `below ${FEED_BOUNDS.work_ms} ms` : `${late} times above`;
    line([`${name}: ${what}`, reported, work, `${Math.round(memory_mb)} MB`]);
    problems.push(...problemsOf(seen, late).map((problem) => `${name}: ${problem}`));
    if (ended !== null) problems.push(`${name}: ${ended}`);
  }
  return { cells: names.length, problems, slowest_ms };
}

function problemsOf(
  { healthy, memory_mb, outcome, recovered_ms }: Observed,
  late: number,
): string[] {
  const matches: [boolean, string][] = [
    [healthy.failed.length > 0, `${healthy.failed.length} healthy answers were wrong`],
    [late > 0, `a feed worked for more than ${FEED_BOUNDS.work_ms} ms in one go`],
    [
      memory_mb > MEMORY_MB[outcome?.status === "ok" ? "held" : "refused"],
      `${Math.round(memory_mb)} MB resident`,
    ],
    [outcome === null, "nothing was reported of the feed"],
    [recovered_ms === Infinity, "it was not shown again"],
  ];
  return matches.flatMap(([is_wrong, problem]) => (is_wrong ? [problem] : []));
}

async function runOne(name: string): Promise<{ seen: Observed; late: number }> {
  const folder = await mkdtemp(join(tmpdir(), "vicinity-hostile-"));
  const stage = await openStage({ root: ROOT, folder, healthy: 5, hostile: 1 });
  try {
    await waitHealthy(stage, 60_000);
    const urls = stage.healthy.map((system) => nearbyUrl(stage.program.url, system, "stations"));
    const load = startLoad(urls, {
      rate: RATE,
      isRight: ({ status, text }) => status === 200 && text.startsWith('{"status":"success"'),
    });
    const before = await countLate(stage);
    const at_start = null;
    const seen = await runCase(stage, load, { name, system: "hostile-0", seconds: 30, at_start });
    const late = seen.ended === null ? (await countLate(stage)) - before : 0;
    await load.stop();
    return { seen, late };
  } finally {
    await stage.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Pieces of work of feeds that took longer than their budget, as the service itself counts them. */
async function countLate({ program }: Stage): Promise<number> {
  const agent = new Agent();
  const { text } = await get(`${program.admin_url}/metrics`, agent);
  agent.destroy();
  const sum = (pattern: RegExp): number =>
    Array.from(text.matchAll(pattern), ([, value]) => Number(value)).reduce((a, b) => a + b, 0);
  const budget = FEED_BOUNDS.work_ms / 1000;
  const within = new RegExp(`^svc_feed_work_seconds_bucket\\{.*le="${budget}".*\\} (\\d+)`, "gm");
  return sum(/^svc_feed_work_seconds_count\{.*\} (\d+)/gm) - sum(within);
}
