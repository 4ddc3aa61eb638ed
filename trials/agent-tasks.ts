/**
 * `npm run trials -- agent-tasks`: 78 everyday tasks in the cities of the sandbox, solved over /mcp by a
 * driver that has tools/list and a few words of English (agent-tasks/driver.ts), and judged by the simulator's
 * truth, eight of them where the streets of a base are known. A finding: fewer right answers than 73, an answer that is wrong without a hint of it, more
 * calls or tokens than an answer may cost. `[--only N,…]` `[--show]` prints every task.
 */
import { readFileSync } from "node:fs";
import { readArguments } from "./arguments.ts";
import { CITIES } from "../sandbox/world/cities.ts";
import type { TrueWalk } from "../sandbox/walks/walk.ts";
import {
  createFolder,
  eventually,
  removeFolder,
  start,
} from "../test/integration/service/support.ts";
import { connect } from "../test/support/mcp.ts";
import { type Answer, solve, type Solved, type Tool } from "./agent-tasks/driver.ts";
import { judgeDetail, judgeWeather } from "./agent-tasks/judge-detail.ts";
import {
  type Here,
  isBest,
  judge,
  judgeChange,
  judgeRide,
  type Truth,
  type Wants,
} from "./agent-tasks/judge.ts";
import { judgeOnFoot } from "./agent-tasks/judge-walk.ts";
import { tokensOf } from "./judges/tokens.ts";

/**
 * `offset`: where it is asked, and `destination` another place, in metres to the north and to the east
 * of the city's centre. `on_foot`: it is asked where streets are known, and judged by ways.
 */
type Task = {
  city: string;
  question: string;
  destination?: [number, number];
  offset?: [number, number];
  on_foot?: "foot" | "step_free";
  wants: Wants;
};
type Verdict = "right" | "not solved" | "unknown" | "WRONG";
type Done = { task: Task; question: string; verdict: Verdict; solved: Solved };

const LEAST_RIGHT = 73;
const MOST = { calls: 2, tokens: 2_500 };
const TASKS = JSON.parse(
  readFileSync(new URL("agent-tasks/tasks.json", import.meta.url), "utf8"),
) as readonly Task[];

export async function run(args: readonly string[]): Promise<number> {
  const values = readArguments(args, { only: null, show: false });
  const only = values.only?.split(",").map(Number);
  const chosen = TASKS.map((task, n) => ({ task, n: n + 1 })).filter(
    ({ n }) => !only || only.includes(n),
  );
  const done: Done[] = [];
  for (const base of [false, true]) {
    const tasks = chosen.filter(({ task }) => (task.on_foot !== undefined) === base);
    if (tasks.length > 0)
      await runTasks(tasks, base, (n, one) => {
        done.push(one);
        if (values.show || one.verdict !== "right") print(n, one);
      });
  }
  return summarize(done);
}

type Numbered = { task: Task; n: number };

/** `base`: whether the simulated map is imported, so that its streets are known. */
async function runTasks(
  tasks: readonly Numbered[],
  base: boolean,
  onDone: (n: number, one: Done) => void,
): Promise<void> {
  const data_dir = await createFolder();
  const { service } = await start({ cities: "all", data_dir, base });
  try {
    const client = await connect(service.url);
    const tools = (await client.listTools()).tools as unknown as Tool[];
    const call = async (name: string, input: Record<string, unknown>): Promise<Answer> => {
      const called = await client.callTool({ name, arguments: input });
      const [content] = called.content;
      const text = content?.type === "text" ? content.text : "{}";
      const body = (called.structuredContent ?? JSON.parse(text)) as Record<string, unknown>;
      // One copy: hosts pass on the text or the structure.
      return { isError: called.isError === true, body, tokens: tokensOf(called) };
    };
    if (base) await untilWalked(call);
    for (const { task, n } of tasks)
      onDone(n, await runTask(task, { tools, call, service: service as Service }));
    await client.close();
  } finally {
    await service.close({ delay_ms: 0 });
    await removeFolder(data_dir);
  }
}

/** Waits until the streets have been read. */
async function untilWalked(call: Parameters<typeof solve>[2]): Promise<void> {
  const { lat, lon } = CITIES[0]!;
  await eventually(
    async () => {
      const { body } = await call("find_urban_services", { lat, lon, types: ["toilets"] });
      return textIn(body, "walking").startsWith("Minutes") || null;
    },
    { within_ms: 120_000, what: "the reading of the base" },
  );
}

function textIn(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  return typeof value === "string" ? value : "";
}

type Service = {
  url: string;
  sandbox: { url: string; now(): number };
};

async function runTask(
  task: Task,
  {
    tools,
    call,
    service,
  }: { tools: readonly Tool[]; call: Parameters<typeof solve>[2]; service: Service },
): Promise<Done> {
  const { sandbox } = service;
  const city = CITIES.find(({ id }) => id === task.city);
  if (!city) throw new Error(`no city ${task.city}`);
  const truthAt = async (at: { lat: number; lon: number }, path: string, radius: number) => {
    const query = `lat=${at.lat}&lon=${at.lon}&radius=${radius}`;
    return (await (await fetch(`${sandbox.url}/__sandbox/${path}?${query}`)).json()) as {
      things: Truth[];
      departures: TrueDeparture[];
    };
  };
  let at = move(city, task.offset ?? [0, 0]);
  let name = "";
  if (task.question.includes("{name}")) {
    const { things } = await truthAt(at, "truth", 3000);
    const known_things = things.filter(({ kind }) => kind === "transit_station");
    // The main one, since a stop of one line is in no geocoder; one name is one place.
    const [landmark] = known_things
      .filter((one) => known_things.filter((each) => each.name === one.name).length === 1)
      .toSorted((a, b) => Number(b["routes"]) - Number(a["routes"]));
    if (!landmark) throw new Error(`no landmark in ${task.city}`);
    ({ name } = landmark);
    at = landmark.location;
  }
  const other = move(at, task.destination ?? [0, 0]);
  const question = task.question
    .replace("{here}", textOf(at))
    .replace("{there}", textOf(other))
    .replace("{name}", name);
  // What is asked about has happened since: the world goes on after the first answer.
  const callLater: typeof call = async (tool, input) => {
    const answer = await call(tool, input);
    if (task.wants.thing === "change" && answer.body["results"] && !("version" in input))
      await advance(sandbox.url, CHANGES_S);
    return answer;
  };
  const solved = await solve(question, tools, callLater);
  if (task.destination !== undefined) {
    const near = await Promise.all([at, other].map((point) => truthAt(point, "truth", REACH_M)));
    const verdict = judgeBoth(
      solved,
      task.wants,
      near.map(({ things }, index) => ({ text: textOf(index === 0 ? at : other), things })),
    );
    return { task, question, solved, verdict };
  }
  const isNearest = /nearest/i.test(question);
  const here: Here = { time_zone: city.timezone, now_ms: sandbox.now(), isNearest };
  const radius = Number(solved.last?.body["radius"] ?? 3000);
  if (task.wants.thing === "departure") {
    const { departures } = await truthAt(at, "truth/departures", radius);
    return { task, question, solved, verdict: judgeDeparture(solved, task.wants, departures) };
  }
  if (task.wants.thing === "place") {
    const verdict = isAt(solved.chosen, at) ? "right" : solved.chosen ? "WRONG" : "not solved";
    return { task, question, solved, verdict };
  }
  if (task.wants.thing === "weather") {
    const isRight = judgeWeather(solved.chosen, at);
    return { task, question, solved, verdict: isRight ? "right" : "WRONG" };
  }
  const { things } = await truthAt(at, "truth", Math.max(radius, 400) + 100);
  if (task.wants.detail && solved.chosen) {
    const isRight = judgeDetail(solved.chosen, things);
    return { task, question, solved, verdict: isRight ? "right" : "WRONG" };
  }
  if (!solved.chosen) return { task, question, solved, verdict: "not solved" };
  if (task.wants.thing === "change") {
    const verdict = judgeChange(solved.chosen, things) ? "right" : "WRONG";
    return { task, question, solved, verdict };
  }
  const { on_foot } = task;
  if (on_foot !== undefined) {
    const walkTo = async (to: { lat: number; lon: number }): Promise<number | null> => {
      const query = `from=${at.lat},${at.lon}&to=${to.lat},${to.lon}&profile=${on_foot}`;
      const reply = await fetch(`${sandbox.url}/__sandbox/truth/walk?${query}`);
      return ((await reply.json()) as { walk: TrueWalk }).walk.meters;
    };
    const isRight = await judgeOnFoot(solved.chosen, task.wants, { truth: things, here, walkTo });
    return { task, question, solved, verdict: isRight ? "right" : "WRONG" };
  }
  const fits = judge(solved.chosen, task.wants, things, here);
  const verdict = fits === true ? "right" : fits === null || solved.unsure ? "unknown" : "WRONG";
  return { task, question, solved, verdict };
}

/** What passes between an answer and the question what has changed since, s. */
const CHANGES_S = 600;

async function advance(sandbox_url: string, advance_s: number): Promise<void> {
  const body = JSON.stringify({ advance_s });
  const moved = await fetch(`${sandbox_url}/__sandbox/clock`, { method: "POST", body });
  if (!moved.ok) throw new Error(`the clock stayed: ${moved.status}`);
}

type Seen = { text: string; things: Truth[] };

/** Of tasks about two places. */
function judgeBoth({ chosen }: Solved, wants: Wants, places: readonly Seen[]): Verdict {
  if (!chosen) return "not solved";
  const [first = [], last = []] = places.map(({ things }) => things);
  const isRight =
    wants.thing === "ride"
      ? judgeRide(chosen, wants, { start: first, end: last })
      : isBest(chosen, wants, places);
  return isRight ? "right" : "WRONG";
}

/** Of the searches around the ends of a ride. */
const REACH_M = 400;

function textOf({ lat, lon }: { lat: number; lon: number }): string {
  return `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
}

function move({ lat, lon }: { lat: number; lon: number }, [north, east]: [number, number]) {
  const parallel = Math.cos((lat * Math.PI) / 180);
  return { lat: lat + north * METRE, lon: lon + (east * METRE) / parallel };
}

/** Landmarks are drawn as areas by some sources. */
const PLACE_M = 150;
const METRE = 1 / 111_195;

function isAt(chosen: Record<string, unknown> | null, at: { lat: number; lon: number }): boolean {
  const match = chosen?.["location"] as { lat: number; lon: number } | undefined;
  if (!match) return false;
  const east = (match.lon - at.lon) * Math.cos((at.lat * Math.PI) / 180);
  return Math.hypot(match.lat - at.lat, east) < PLACE_M * METRE;
}

type TrueDeparture = {
  line: { short_name: string; mode: string };
  planned_at: string | null;
  expected_at: string | null;
  status: string;
};

function judgeDeparture(
  { chosen }: Solved,
  { mode }: Wants,
  departures: readonly TrueDeparture[],
): Verdict {
  if (!chosen) return "not solved";
  const timeOf = (one: { planned_at?: unknown; expected_at?: unknown }): number =>
    Date.parse(String(one.expected_at ?? one.planned_at));
  const next = departures.filter(
    ({ line, status }) => line.mode === mode && status !== "cancelled" && status !== "skipped",
  );
  const first = Math.min(...next.map(timeOf));
  const isRight = next.some(
    (one) =>
      timeOf(one) <= first + 60_000 &&
      timeOf(one) === timeOf(chosen) &&
      one.line.short_name === chosen["line"],
  );
  return isRight ? "right" : "WRONG";
}

function print(n: number, { verdict, question, solved }: Done): void {
  const { tools, tokens, chosen, last } = solved;
  const what = chosen
    ? JSON.stringify(chosen).slice(0, 300)
    : JSON.stringify(last?.body ?? null).slice(0, 200);
  process.stdout.write(
    `${n}. ${verdict}: ${question}\n   ${tools.join(", ")}: ${tokens} tokens; ${what}\n`,
  );
}

function summarize(done: readonly Done[]): number {
  const count = (verdict: Verdict): number => done.filter((one) => one.verdict === verdict).length;
  const middle = (values: number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const calls = middle(done.map(({ solved }) => solved.tools.length));
  const tokens = middle(done.map(({ solved }) => solved.tokens));
  const right = count("right");
  const wrong = count("WRONG");
  process.stdout.write(
    `${right} of ${done.length} right, ${count("unknown")} not known, ${count("not solved")} not solved, ${wrong} wrong without a hint; median ${calls} calls, ${tokens} tokens\n`,
  );
  const least = Math.floor((LEAST_RIGHT / TASKS.length) * done.length);
  return Number(right < least) + wrong + Number(calls > MOST.calls) + Number(tokens > MOST.tokens);
}
